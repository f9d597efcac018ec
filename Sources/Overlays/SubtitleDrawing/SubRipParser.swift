import Foundation

/// A parser of SubRip: blocks of a number, two times and text, separated by empty lines.
///
/// Many files differ from this format. Like other players, this parser also accepts:
/// - empty lines within and around text, and several carriage returns at the end of a line,
/// - cues without a number or without an empty line before them,
/// - times that are negative, lack the hours, or have a point or another arrow.
enum SubRipParser {
    struct Cue {
        var start: Int64, end: Int64
        /// The text, including tags.
        var text: String
    }

    /// Returns whether a line contains a cue's times, even invalid ones: it begins with a digit or a minus sign, and
    /// has a colon before an arrow.
    static func isTiming(_ line: some StringProtocol) -> Bool {
        let line = line.drop { $0.isWhitespace }
        guard let first = line.first, first.isASCII, first.isNumber || first == "-", let arrow = arrow(in: line) else {
            return false
        }
        return line[..<arrow.lowerBound].contains(":")
    }

    /// Returns the range of the arrow: one or more dashes, optional spaces, and `>`.
    private static func arrow<Line: StringProtocol>(in line: Line) -> Range<Line.Index>? {
        let dashes: Set<Character> = ["-", "–", "—", "−", "="]
        guard let head = line.firstIndex(of: ">") else { return nil }
        var begin = head
        while begin > line.startIndex {
            let before = line[line.index(before: begin)]
            guard dashes.contains(before) || before == " " else { break }
            begin = line.index(before: begin)
        }
        return line[begin..<head].contains { dashes.contains($0) } ? begin..<line.index(after: head) : nil
    }

    static func parse(_ text: String, _ report: inout SubtitleReport) -> [Cue] {
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        func isBlank(_ line: Substring) -> Bool { line.allSatisfy(\.isWhitespace) }
        /// Returns whether a line is the number of the next cue: digits, followed by times, with optional empty lines
        /// between.
        func isNumber(_ index: Int) -> Bool {
            guard !isBlank(lines[index]), lines[index].allSatisfy({ $0.isNumber || $0.isWhitespace }) else {
                return false
            }
            return lines[(index + 1)...].first { !isBlank($0) }.map { isTiming($0) } ?? false
        }
        var cues: [Cue] = []
        /// The indexes of cues that end before they begin.
        var invalidEnds: [Int] = []
        var index = 0
        while index < lines.count {
            let line = lines[index].trimmingCharacters(in: .whitespaces)
            index += 1
            guard isTiming(line) else { continue }
            let number = index
            var body: [Substring] = []
            while index < lines.count, !isTiming(lines[index]), !isNumber(index) {
                // libavcodec ends the text at an empty line.
                if !isBlank(lines[index]) { body.append(lines[index]) }
                index += 1
            }
            guard let (start, end) = times(line) else {
                report.skip(line: number, "“\(line.prefix(60))” is not a time range (hh:mm:ss,mmm --> hh:mm:ss,mmm)")
                continue
            }
            guard !body.isEmpty else {
                report.skip(line: number, "the cue has no text")
                continue
            }
            guard end > 0 || end < start else {
                report.skip(line: number, "the cue ends before the video begins")
                continue
            }
            if end <= max(0, start) { invalidEnds.append(cues.count) }
            cues.append(Cue(start: max(0, start), end: end, text: body.joined(separator: "\n")))
        }
        for cueIndex in invalidEnds {
            cues[cueIndex].end = report.correctedEnd(
                start: cues[cueIndex].start, next: cueIndex + 1 < cues.count ? cues[cueIndex + 1].start : nil)
        }
        report.cues += cues.count
        return cues
    }

    private static func times(_ line: String) -> (Int64, Int64)? {
        guard let arrow = arrow(in: line) else { return nil }
        let behind = line[arrow.upperBound...].trimmingCharacters(in: .whitespaces)
        // Coordinates may follow the time. The time may contain spaces.
        let digits = behind.prefix { "0123456789:.,;- ".contains($0) }
        let isWhole = digits.endIndex == behind.endIndex || digits.last == " "
        guard let start = time(line[..<arrow.lowerBound]),
            let end = time(behind.prefix { !$0.isWhitespace }) ?? (isWhole ? time(digits) : nil)
        else { return nil }
        return (start, end)
    }

    /// Parses `hh:mm:ss,mmm`. A point or third colon, fewer digits, missing hours and negative times are accepted.
    private static func time(_ text: some StringProtocol) -> Int64? {
        var text = String(text).filter { !$0.isWhitespace }
        let isNegative = text.first == "-"
        if isNegative { text.removeFirst() }
        var parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let last = parts.popLast() else { return nil }
        var seconds = last.split(omittingEmptySubsequences: false) { $0 == "," || $0 == "." || $0 == ";" }
        if parts.count == 3, seconds.count == 1, let whole = parts.popLast() { seconds.insert(whole, at: 0) }
        guard parts.count == 1 || parts.count == 2, seconds.count == 1 || seconds.count == 2,
            (parts + seconds).allSatisfy({
                !$0.isEmpty && $0.count <= 9 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) }
            })
        else { return nil }
        var whole: Int64 = 0
        for part in parts + seconds.prefix(1) {
            guard let value = Int64(part), value < 10_000 else { return nil }
            whole = whole * 60 + value
        }
        let fraction = seconds.count == 2 ? String((seconds[1] + "00").prefix(3)) : "0"
        let time = (whole * 1000 + (Int64(fraction) ?? 0)) * 1_000_000
        return isNegative ? -time : time
    }
}
