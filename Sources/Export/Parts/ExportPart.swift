import MediaCore
import MediaEngine

/// A part of a divided export.
package struct ExportPart: Sendable, Hashable {
    /// The number of the part, from 1 to `count`.
    package let number: Int
    package let count: Int

    /// The maximum number of parts.
    package static let maximumCount = 10_000

    /// Creates a part. Returns nil if `number` is not in 1…`count`, or `count` exceeds `maximumCount`.
    package init?(_ number: Int, of count: Int) {
        guard (1...ExportPart.maximumCount).contains(count), (1...count).contains(number) else { return nil }
        self.number = number
        self.count = count
    }

    /// Creates a part from a text such as `3/16`. Returns nil if the text has another form or describes no valid part.
    package init?(_ text: String) {
        let sides = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let number = sides[0], let count = sides[1] else { return nil }
        self.init(number, of: count)
    }
}

/// The division of an export into parts.
package struct ExportDivision: Sendable, Hashable {
    package var count: Int
    /// The part to write. If nil, the whole export is written, with an encoder that restarts where a part begins.
    package var part: ExportPart?
    /// A text that is equal for equal filters and subtitles. The text is included in the digest of the settings,
    /// because composers can't be compared.
    package var pictureIdentity: String

    /// Creates a division that writes a single part.
    package init(_ part: ExportPart, pictureIdentity: String) {
        (self.count, self.part, self.pictureIdentity) = (part.count, part, pictureIdentity)
    }

    /// Creates a division that writes the whole export, encoded like `count` joined parts.
    package init(encodedLikeParts count: Int) { (self.count, self.part, self.pictureIdentity) = (count, nil, "") }
}

/// The media times at which an export is divided.
///
/// The times are the same on every machine, because they depend only on the range, the number of parts and the sample
/// rate.
struct PartCuts: Sendable, Equatable {
    /// The start times of the second part and all later parts.
    let times: [MediaTime]
    /// The index of the part to write, from 0. Nil for the whole export.
    let part: Int?
    /// The duration before a part whose frames are composed but not written, for filters that use earlier frames.
    var leadIn: MediaTime = 0
    /// Whether a part is found by a seek. If false, every part is read from the start of the source, because a seek
    /// could miss or repeat frames.
    var allowsSeeks = true

    /// The cuts of an export that is not divided.
    static let none = PartCuts(times: [], part: nil)

    private init(times: [MediaTime], part: Int?) {
        self.times = times
        self.part = part
    }

    /// Divides an export into parts of equal duration.
    /// - Parameters:
    ///   - start: The start of the export, in media time.
    ///   - length: The duration of the export.
    ///   - sampleRate: The sample rate of the audio. Every cut is on a whole sample, counted from `start`. Nil without
    ///     audio.
    init(_ division: ExportDivision, start: MediaTime, length: MediaTime, sampleRate: Int?) {
        times = (1..<max(1, division.count)).map { index in
            let elapsed = MediaTime(
                nanoseconds: Int64(
                    clamping: Int128(length.nanoseconds) * Int128(index) / Int128(max(1, division.count))))
            guard let sampleRate else { return start + elapsed }
            return start + MediaTime(samples: elapsed.samples(at: sampleRate), rate: sampleRate)
        }
        part = division.part.map { $0.number - 1 }
    }

    /// The start of the part to write. Nil for the first part and for the whole export.
    var begin: MediaTime? { part.flatMap { $0 > 0 ? times[$0 - 1] : nil } }
    /// The start of the next part. Nil for the last part and for the whole export.
    var end: MediaTime? { part.flatMap { $0 < times.count ? times[$0] : nil } }

    /// Returns the index, from 0, of the part to which a frame with the timestamp `time` belongs.
    func index(of time: MediaTime) -> Int {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle].hasBegun(by: time) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
