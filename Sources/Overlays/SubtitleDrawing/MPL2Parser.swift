import Foundation
import MediaEngine

/// A parser of MPL2: one cue per line, `[12][34]text`, with times in tenths of a second. `|` separates lines, and `/`
/// at the start of a line makes it italic.
enum MPL2Parser {
    private static func parts(_ line: some StringProtocol) -> (start: Int64, end: Int64?, text: String)? {
        let parts = line.split(separator: "]", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].first == "[", parts[1].first == "[" else { return nil }
        func tenths(_ part: some StringProtocol) -> Int64? {
            let digits = part.dropFirst()
            guard digits.count <= 9, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            return Int64(digits).map { $0 * 100_000_000 }
        }
        guard let start = tenths(parts[0]), parts[1].count == 1 || tenths(parts[1]) != nil else { return nil }
        return (start, tenths(parts[1]), String(parts[2]))
    }

    static func isEvent(_ line: some StringProtocol) -> Bool { parts(line) != nil }

    static func parse(_ text: String, _ report: inout SubtitleReport) -> [SubtitleCue] {
        var cues: [SubtitleCue] = []
        /// The indexes of cues that end before they begin.
        var invalidEnds: [Int] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            guard !line.isEmpty else { continue }
            guard let (start, end, text) = parts(line) else {
                report.skip(line: index + 1, "“\(line.prefix(60))” has no times ([start][end], in tenths of a second)")
                continue
            }
            let lines = text.split(separator: "|", omittingEmptySubsequences: true).map { line in
                let plain = SubtitleDecoder.escaped(String(line.drop { $0 == "/" }))
                return line.first == "/" ? "{\\i1}\(plain){\\i0}" : plain
            }
            guard !lines.isEmpty else { continue }
            // A cue without an end is displayed for five seconds.
            let last = end ?? start + 5_000_000_000
            if last <= start { invalidEnds.append(cues.count) }
            cues.append(
                SubtitleCue(
                    start: start, end: last, body: .events(["0,Default,,0,0,0,,\(lines.joined(separator: "\\N"))"])))
        }
        for index in invalidEnds {
            cues[index].end = report.correctedEnd(
                start: cues[index].start, next: index + 1 < cues.count ? cues[index + 1].start : nil)
        }
        report.cues += cues.count
        return cues
    }
}
