import Foundation

/// SubStation Alpha, both kinds: its head and its events.
enum SubStationParser {
    struct Event {
        var start: Int64, end: Int64
        /// `Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`.
        var line: String
    }

    static func parse(_ text: String, _ report: inout SubtitleReport) -> (head: String, events: [Event]) {
        var head: [String] = []
        var events: [Event] = []
        var section = ""
        var format = ["layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text"]
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if trimmed.hasPrefix("["), trimmed.hasSuffix("]") { section = trimmed.lowercased() }
            guard section == "[events]", trimmed.hasPrefix("[") == false else {
                head.append(String(line))
                continue
            }
            if trimmed.lowercased().hasPrefix("format:") {
                format = trimmed.dropFirst(7).split(separator: ",").map {
                    $0.trimmingCharacters(in: .whitespaces).lowercased()
                }
            } else if trimmed.lowercased().hasPrefix("dialogue:") {
                let fields = trimmed.dropFirst(9).split(
                    separator: ",", maxSplits: max(0, format.count - 1), omittingEmptySubsequences: false
                )
                .map { $0.trimmingCharacters(in: .whitespaces) }
                func field(_ name: String) -> String? {
                    format.firstIndex(of: name).flatMap { $0 < fields.count ? fields[$0] : nil }
                }
                guard fields.count == format.count, let text = field("text") else {
                    report.skip(line: index + 1, "it has \(fields.count) fields where the format names \(format.count)")
                    continue
                }
                guard let start = field("start").flatMap(time), let end = field("end").flatMap(time) else {
                    report.skip(line: index + 1, "its times cannot be read (h:mm:ss.cc)")
                    continue
                }
                guard end > start else {
                    report.skip(line: index + 1, "it ends before it begins")
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

    /// `h:mm:ss.cc`.
    private static func time(_ text: String) -> Int64? {
        let parts = text.split(separator: ":")
        guard parts.count == 3, let hours = Int64(parts[0]), let minutes = Int64(parts[1]),
            let seconds = Double(parts[2]),
            (0..<10_000).contains(hours), (0..<60).contains(minutes), seconds >= 0, seconds < 60
        else { return nil }
        return (hours * 60 + minutes) * 60_000_000_000 + Int64((seconds * 1000).rounded()) * 1_000_000
    }
}
