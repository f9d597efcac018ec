import Foundation

/// A parser of SubStation Alpha and Advanced SubStation Alpha, which separates the header from the events.
enum SubStationParser {
    struct Event {
        var start: Int64, end: Int64
        /// The event: `Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`.
        var line: String
    }

    /// Returns whether the text contains an event. This also detects files without section headings.
    static func hasEvents(_ head: String) -> Bool {
        head.split(whereSeparator: \.isNewline).contains {
            $0.lowercased().drop { $0.isWhitespace }.hasPrefix("dialogue:") && $0.split(separator: ",").count > 3
        }
    }

    static func parse(_ text: String, _ report: inout SubtitleReport) -> (head: String, events: [Event]) {
        var head: [String] = []
        var events: [Event] = []
        var section = ""
        var format = ["layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text"]
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if trimmed.hasPrefix("["), trimmed.hasSuffix("]") { section = trimmed.lowercased() }
            // Event lines are accepted in any section.
            let isEvent = trimmed.lowercased().hasPrefix("dialogue:")
            guard section == "[events]" || isEvent, trimmed.hasPrefix("[") == false else {
                head.append(String(line))
                continue
            }
            if trimmed.lowercased().hasPrefix("format:") {
                format = trimmed.dropFirst(7).split(separator: ",").map {
                    $0.trimmingCharacters(in: .whitespaces).lowercased()
                }
            } else if isEvent {
                let fields = trimmed.dropFirst(9).split(
                    separator: ",", maxSplits: max(0, format.count - 1), omittingEmptySubsequences: false
                )
                .map { $0.trimmingCharacters(in: .whitespaces) }
                func field(_ name: String) -> String? {
                    format.firstIndex(of: name).flatMap { $0 < fields.count ? fields[$0] : nil }
                }
                guard fields.count == format.count, let text = field("text") else {
                    report.skip(
                        line: index + 1, "the cue has \(fields.count) fields, but the format line names \(format.count)"
                    )
                    continue
                }
                guard let start = field("start").flatMap(time), let end = field("end").flatMap(time) else {
                    report.skip(line: index + 1, "the cue's times are not valid (h:mm:ss.cc)")
                    continue
                }
                guard end > start else {
                    report.skip(line: index + 1, "the cue ends before it begins")
                    continue
                }
                let name = (field("name") ?? field("actor") ?? "").replacingOccurrences(of: ",", with: ";")
                let layer = field("layer").flatMap { Int($0) } ?? 0
                events.append(
                    Event(
                        start: start, end: end,
                        line:
                            "\(layer),\(field("style") ?? "Default"),\(name),\(field("marginl") ?? "0"),\(field("marginr") ?? "0"),\(field("marginv") ?? "0"),\(field("effect") ?? ""),\(text)"
                    ))
            }
        }
        head.append("[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n")
        report.cues += events.count
        return (
            head.filter { $0.trimmingCharacters(in: .whitespaces).lowercased() != "[events]" }.joined(separator: "\n"),
            events
        )
    }

    /// Parses `h:mm:ss.cc`. A comma or third colon, and missing hours, are accepted.
    private static func time(_ text: String) -> Int64? {
        var parts = text.split(separator: ":")
        if parts.count == 4 { parts = [parts[0], parts[1], "\(parts[2]).\(parts[3])"] }
        guard parts.count == 2 || parts.count == 3, let last = parts.last,
            let seconds = Double(last.replacingOccurrences(of: ",", with: ".")), seconds >= 0, seconds < 10_000
        else { return nil }
        var minutes: Int64 = 0
        for part in parts.dropLast() {
            guard let value = Int64(part), (0..<10_000).contains(value) else { return nil }
            minutes = minutes * 60 + value
        }
        return minutes * 60_000_000_000 + Int64((seconds * 1000).rounded()) * 1_000_000
    }
}
