/// A report about reading a subtitle file.
public struct SubtitleReport: Sendable, Hashable {
    /// A part of the file that was skipped.
    public struct Problem: Sendable, Hashable {
        /// The line in the file, from 1; 0 if unknown.
        public var line: Int
        /// The reason, without a final full stop.
        public var reason: String
    }
    /// The number of cues that were read.
    public var cues = 0
    /// The number of cues that were skipped, because they could not be read or are too expensive to draw.
    public var skippedCues = 0
    /// The number of SubRip and MPL2 cues that end before they begin. Each is shown until the next one, for at most 5
    /// seconds.
    public var correctedCues = 0
    /// The number of styles and cues that are too large for any screen and are drawn smaller.
    public var reducedCues = 0
    /// The number of cues whose text was cut off because it is longer than 16 KiB, or 256 KiB with drawings.
    public var shortenedCues = 0
    /// The first problems, at most 16.
    public var problems: [Problem] = []
    /// A note about the encoding, or nil if the file is UTF-8.
    public var encodingNote: String?

    mutating func skip(line: Int, _ reason: String) {
        skippedCues += 1
        if problems.count < 16 { problems.append(Problem(line: line, reason: reason)) }
    }

    /// Counts a cue that ends before it begins, and returns its end: like in other players, the start of the next cue.
    mutating func correctedEnd(start: Int64, next: Int64?) -> Int64 {
        correctedCues += 1
        let latest = start + 5_000_000_000
        return next.flatMap { $0 > start ? min($0, latest) : nil } ?? latest
    }

    /// The report as one line for a log, or nil if there were no problems.
    public var summary: String? {
        var parts: [String] = []
        if let encodingNote { parts.append(encodingNote) }
        if skippedCues > 0 {
            let first =
                problems.first.map {
                    $0.line > 0 ? " (first in line \($0.line): \($0.reason))" : " (first: \($0.reason))"
                } ?? ""
            parts.append("\(skippedCues) of \(cues + skippedCues) cues skipped\(first)")
        }
        if correctedCues > 0 {
            parts.append(
                correctedCues == 1
                    ? "1 cue ends before it begins and is shown until the next one"
                    : "\(correctedCues) cues end before they begin and are shown until the next one")
        }
        if reducedCues > 0 {
            parts.append(
                reducedCues == 1
                    ? "1 style or cue is too large for any screen and is drawn smaller"
                    : "\(reducedCues) styles or cues are too large for any screen and are drawn smaller")
        }
        if shortenedCues > 0 {
            parts.append("\(shortenedCues) cue\(shortenedCues == 1 ? "" : "s") too long and shortened")
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
