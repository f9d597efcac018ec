import Foundation
import MediaCore
import Streaming

/// Words with their times as a file, for who reads nothing else. A value.
package enum SubtitleText: Sendable {
    case subRip, webVTT

    /// - Parameter cues: by when they begin. Pictures, and what has no words, are left out.
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
    /// The words of the track in its own file that is chosen now, read to their end on a thread of its own. Nil where
    /// none is chosen, where it is one of pictures or none of a local file, and when reading takes longer.
    /// - Parameter seconds: of the clock on the wall, at most.
    package func chosenWords(within seconds: Double) async -> [SubtitleCue]? {
        guard asset.url.isReadAgain, let index = entry.subtitles.chosenStream else { return nil }
        let store = SubtitleStore()
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let scanner = SubtitleScanner(url: asset.url, stream: index, first: .zero, store: store, wordsOnly: true) {
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
