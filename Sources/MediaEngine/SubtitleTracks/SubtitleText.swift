import Foundation
import MediaCore

/// A text format for subtitle files.
package enum SubtitleText: Sendable {
    case subRip, webVTT

    /// Returns the text of `cues` as a file.
    ///
    /// - Parameter cues: The cues, sorted by start. Bitmaps and cues without text are omitted.
    package func file(_ cues: [SubtitleCue]) -> String {
        var parts = self == .webVTT ? ["WEBVTT"] : []
        var number = 0
        for cue in cues where cue.end > max(0, cue.start) {
            // An empty line would end the cue.
            let lines = cue.plain.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
            guard !lines.isEmpty else { continue }
            number += 1
            let text = lines.map { self == .webVTT ? SubtitleText.escaped($0) : String($0) }.joined(separator: "\n")
            parts.append("\(number)\n\(clock(cue.start)) --> \(clock(cue.end))\n\(text)")
        }
        return parts.joined(separator: "\n\n") + "\n"
    }

    private func clock(_ nanoseconds: Int64) -> String {
        let all = max(0, nanoseconds) / 1_000_000
        func digits(_ value: Int64, _ count: Int) -> String {
            String(repeating: "0", count: max(0, count - String(value).count)) + String(value)
        }
        return
            "\(digits(all / 3_600_000, 2)):\(digits(all / 60_000 % 60, 2)):\(digits(all / 1000 % 60, 2))\(self == .webVTT ? "." : ",")\(digits(all % 1000, 3))"
    }
    private static func escaped(_ text: Substring) -> String {
        String(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}

extension AVPlayerItem {
    /// Returns the cues of the selected track in the item's own file, which is read to its end on a separate thread.
    ///
    /// - Parameter seconds: The time limit in seconds of real time.
    /// - Returns: `nil` if no track is selected, the track contains no text, the item is not a local file, or the limit
    ///   is exceeded.
    package func selectedSubtitleText(within seconds: Double) async -> [SubtitleCue]? {
        guard asset.url.isReadAgain, let index = entry.subtitles.chosenStream else { return nil }
        let store = SubtitleStore()
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let scanner = SubtitleScanner(url: asset.url, stream: index, first: .zero, store: store, textOnly: true) {
            end.finish()
        }
        let timer = Task { if (try? await Task.sleep(for: .seconds(seconds))) != nil { end.yield(()) } }
        var isWhole = true
        for await _ in ends {
            isWhole = false
            break
        }
        timer.cancel()
        scanner.stop()
        let cues = store.cues
        return isWhole && cues.contains { !$0.plain.isEmpty } ? cues : nil
    }
}
