import Downloads
import Foundation

/// The progress of downloads as one line. In a narrow terminal, the least important facts are left out.
enum DownloadProgressLine {
    /// The facts of one download, or the sums of several.
    struct Facts {
        /// The number of settled downloads, at the start of the line: `2 of 3`.
        var count: String?
        var fraction = 0.0
        var bytes: Int64 = 0
        var expectedBytes: Int64 = 0
        var seconds = 0.0
        var expectedSeconds = 0.0
        var rate = 0.0
        var remaining: Double?
        /// The reason why nothing is loading; shown instead of the speed and the remaining time.
        var waitReason: String?

        @MainActor init(_ downloads: [Download]) {
            let all = downloads.map(\.progress)
            bytes = all.reduce(0) { $0 + $1.bytes }
            // The expected size is unknown if the size of any download is unknown.
            expectedBytes = all.allSatisfy { $0.expectedBytes > 0 } ? all.reduce(0) { $0 + $1.expectedBytes } : 0
            seconds = all.reduce(0) { $0 + $1.seconds }
            expectedSeconds = all.reduce(0) { $0 + $1.expectedSeconds }
            rate = all.reduce(0) { $0 + $1.rate }
            fraction =
                downloads.count == 1
                ? all[0].fraction : expectedBytes > 0 ? min(1, Double(bytes) / Double(expectedBytes)) : 0
            remaining = rate > 0 && expectedBytes > 0 ? Double(max(0, expectedBytes - bytes)) / rate : nil
            let open = downloads.filter { !$0.state.isSettled }
            if downloads.count > 1 { count = "\(downloads.count - open.count) of \(downloads.count)" }
            if !open.isEmpty, open.allSatisfy({ if case .downloading = $0.state { false } else { true } }) {
                waitReason = open.first.map { DownloadProgressLine.waitReason($0.state) }
            }
        }

        var percent: String { String(format: "%3d%%", Int(max(0, min(1, fraction)) * 100)) }
        var amount: String { expectedBytes > 0 ? Formatting.bytes(bytes, of: expectedBytes) : Formatting.bytes(bytes) }
        var media: String? {
            expectedSeconds > 0 ? "\(Formatting.clock(seconds)) of \(Formatting.clock(expectedSeconds))" : nil
        }
        var speed: String { Formatting.bytes(Int64(min(1e15, max(0, rate)))) + "/s" }
        var left: String { (remaining.map(Formatting.clock) ?? "–:––") + " left" }
    }

    static func waitReason(_ state: DownloadState) -> String {
        switch state {
        case .waiting(let error): "waiting: \(Formatting.plain(error.reason))"
        case .queued: "queued"
        case .preparing: "preparing"
        default: DownloadReport.word(state)
        }
    }

    /// Returns a progress line for a terminal of `columns` columns. The line uses one column less, because some
    /// terminals wrap a full line.
    static func bar(_ facts: Facts, columns: Int) -> String {
        let space = max(4, columns - 1)
        let lead = (facts.count.map { $0 + "  " } ?? "") + facts.percent
        // The alternatives begin with all facts and end with the percentage alone.
        let tails: [[String?]] =
            facts.waitReason.map { [[facts.amount, $0], [$0]] } ?? [
                [facts.amount, facts.media, facts.speed, facts.left], [facts.amount, facts.speed, facts.left],
                [facts.amount, facts.left], [facts.amount], [],
            ]
        for parts in tails {
            let tail = parts.compactMap { $0 }.map { "  " + $0 }.joined()
            let width = space - lead.count - tail.count - 4
            if facts.waitReason == nil, width >= 10 {
                let length = min(40, width)
                let full = Int((max(0, min(1, facts.fraction)) * Double(length)).rounded(.down))
                return lead + "  [" + String(repeating: "#", count: full) + String(repeating: "·", count: length - full)
                    + "]" + tail
            }
            if lead.count + tail.count <= space, facts.waitReason != nil || parts.count < 4 { return lead + tail }
        }
        return String((lead + (facts.waitReason.map { "  " + $0 } ?? "")).prefix(space))
    }

    /// Returns a progress line for a file or a pipe.
    static func plain(_ facts: Facts) -> String {
        ([facts.count, facts.percent.trimmingCharacters(in: .whitespaces), facts.amount, facts.media]
            + (facts.waitReason.map { [$0] } ?? [facts.speed, facts.left]))
            .compactMap { $0 }.joined(separator: ", ")
    }
}
