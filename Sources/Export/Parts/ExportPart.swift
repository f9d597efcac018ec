import MediaCore
import MediaEngine

/// One of the parts that an export is divided into.
package struct ExportPart: Sendable, Hashable {
    /// From 1 to `count`.
    package let number: Int
    package let count: Int

    /// The largest number of parts.
    package static let most = 10_000

    /// Nil for a number that is not from 1 to `count`, and for too many parts.
    package init?(_ number: Int, of count: Int) {
        guard (1...ExportPart.most).contains(count), (1...count).contains(number) else { return nil }
        self.number = number
        self.count = count
    }

    /// Reads `3/16`.
    package init?(_ text: String) {
        let sides = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let number = sides[0], let count = sides[1] else { return nil }
        self.init(number, of: count)
    }
}

/// How an export is divided.
package struct ExportDivision: Sendable, Hashable {
    package var count: Int
    /// The part that is written; nil: the whole export, with an encoder that begins again where a part begins.
    package var part: ExportPart?
    /// What the frames look like, as a text that is the same for the same filters and subtitles. Part of the settings'
    /// digest, because a composer can't be compared.
    package var pictureIdentity: String

    /// One part.
    package init(_ part: ExportPart, pictureIdentity: String) {
        (self.count, self.part, self.pictureIdentity) = (part.count, part, pictureIdentity)
    }

    /// The whole export, encoded like `count` parts that are joined.
    package init(wholeLike count: Int) { (self.count, self.part, self.pictureIdentity) = (count, nil, "") }
}

/// The media times at which an export is divided: the same on every machine, because they depend only on the range, the
/// number of parts and the sample rate.
struct PartCuts: Sendable, Equatable {
    /// Where the second and each later part begins.
    let times: [MediaTime]
    /// The part that is written, from 0; nil: all.
    let part: Int?
    /// Frames from this long before a part are composed for filters that look back, and not written.
    var leadIn: MediaTime = 0

    /// Nothing is divided.
    static let none = PartCuts(times: [], part: nil)

    private init(times: [MediaTime], part: Int?) {
        self.times = times
        self.part = part
    }

    /// - Parameters:
    ///   - start: where the export begins, media time.
    ///   - length: how long it is.
    ///   - sampleRate: every cut is on a whole sample of this rate, counted from `start`; nil: there is no audio.
    init(_ division: ExportDivision, start: MediaTime, length: MediaTime, sampleRate: Int?) {
        times = (1..<max(1, division.count)).map { index in
            let place = MediaTime(
                nanoseconds: Int64(
                    clamping: Int128(length.nanoseconds) * Int128(index) / Int128(max(1, division.count))))
            guard let sampleRate else { return start + place }
            return start + MediaTime(samples: place.samples(at: sampleRate), rate: sampleRate)
        }
        part = division.part.map { $0.number - 1 }
    }

    /// Where the written part begins; nil: where the export begins.
    var begin: MediaTime? { part.flatMap { $0 > 0 ? times[$0 - 1] : nil } }
    /// Where the next part begins; nil: the written part is the last, or all are written.
    var end: MediaTime? { part.flatMap { $0 < times.count ? times[$0] : nil } }

    /// The number, from 0, of the part that a frame with this timestamp belongs to.
    func index(of time: MediaTime) -> Int {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle].hasBegun(by: time) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
