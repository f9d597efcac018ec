/// What is to be said of a text after reading it. A value.
public struct SubtitleReport: Sendable, Hashable {
    /// Something that was passed over.
    public struct Problem: Sendable, Hashable {
        /// In the file, from 1; 0 where that is not known.
        public var line: Int
        /// What is wrong, without a final full stop.
        public var reason: String
    }
    /// Cues that were there.
    public var cues = 0
    /// Cues that could not be read and were left out.
    public var skippedCues = 0
    /// Cues that end before they begin: each is shown until the next one, for 5 seconds at most.
    public var correctedCues = 0
    /// Events with sizes that no screen can show: they are drawn smaller.
    public var reducedCues = 0
    /// Cues of more text than is shown: 16 KiB, with drawings 256 KiB. They end there.
    public var shortenedCues = 0
    /// The first 16 of those left out.
    public var problems: [Problem] = []
    /// What should be said of the encoding; nil: it is UTF-8.
    public var encodingNote: String?

    mutating func skip(line: Int, _ reason: String) {
        skippedCues += 1
        if problems.count < 16 { problems.append(Problem(line: line, reason: reason)) }
    }

    /// One line for a log; nil when all is well.
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
