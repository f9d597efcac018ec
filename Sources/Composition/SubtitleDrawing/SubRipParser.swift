import Foundation
import MediaEngine

/// SubRip: blocks of a number, two times and text, parted by empty lines.
enum SubRipParser {
    struct Cue {
        var start: Int64, end: Int64
        /// With its tags.
        var text: String
    }

    /// A line that looks as if it told a cue's times.
    static func isTiming(_ line: some StringProtocol) -> Bool { line.contains("-->") }

    static func parse(_ text: String, _ report: inout SubtitleReport) -> [Cue] {
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        var cues: [Cue] = []
        var index = 0
        while index < lines.count {
            let line = lines[index].trimmingCharacters(in: .whitespaces)
            index += 1
            guard isTiming(line) else { continue }
            let number = index
            var body: [Substring] = []
            while index < lines.count, !isTiming(lines[index]) {
                // The next cue's number, with or without an empty line before it.
                let isNumber =
                    lines[index].contains { !$0.isWhitespace }
                    && lines[index].allSatisfy { $0.isNumber || $0.isWhitespace }
                if isNumber, index + 1 < lines.count, isTiming(lines[index + 1]) { break }
                body.append(lines[index])
                index += 1
            }
            while body.last?.allSatisfy(\.isWhitespace) == true { body.removeLast() }
            guard let (start, end) = times(line) else {
                report.skip(line: number, "“\(line.prefix(60))” are no times (hh:mm:ss,mmm --> hh:mm:ss,mmm)")
                continue
            }
            guard end > start else {
                report.skip(line: number, "it ends before it begins")
                continue
            }
            guard !body.allSatisfy({ $0.allSatisfy(\.isWhitespace) }) else {
                report.skip(line: number, "it has no text")
                continue
            }
            cues.append(Cue(start: start, end: end, text: body.joined(separator: "\n")))
        }
        report.cues += cues.count
        return cues
    }

    private static func times(_ line: String) -> (Int64, Int64)? {
        guard let arrow = line.range(of: "-->") else { return nil }
        let behind = line[arrow.upperBound...].trimmingCharacters(in: .whitespaces).split(separator: " ").first ?? ""
        guard let start = time(line[..<arrow.lowerBound].trimmingCharacters(in: .whitespaces)),
            let end = time(String(behind))
        else { return nil }
        return (start, end)
    }

    /// `hh:mm:ss,mmm`, also with a point, with fewer digits, or without hours.
    private static func time(_ text: String) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, let last = parts.last else { return nil }
        let seconds = last.split(whereSeparator: { $0 == "," || $0 == "." })
        guard seconds.count == 1 || seconds.count == 2,
            seconds.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        var whole: Int64 = 0
        for part in parts.dropLast() {
            guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int64(part), value < 10_000 else {
                return nil
            }
            whole = whole * 60 + value
        }
        guard let value = Int64(seconds[0]), value < 60 else { return nil }
        var milliseconds: Int64 = 0
        if seconds.count == 2 {
            guard seconds[1].count <= 9,
                let fraction = Int64(seconds[1].padding(toLength: 3, withPad: "0", startingAt: 0))
            else { return nil }
            milliseconds = fraction
        }
        return ((whole * 60 + value) * 1000 + milliseconds) * 1_000_000
    }
}

extension StringProtocol {
    fileprivate func padding(toLength length: Int, withPad pad: Character, startingAt: Int) -> String {
        count >= length ? String(prefix(length)) : String(self) + String(repeating: pad, count: length - count)
    }
}
