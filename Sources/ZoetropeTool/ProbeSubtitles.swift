import Dispatch
import Foundation
import MediaCore
import Overlays
import Synchronization

/// The report of `zoetrope probe` about a subtitle file, as JSON and as text.
struct ProbeSubtitles: Encodable {
    struct Problem: Encodable {
        var line: Int?
        var reason: String
    }
    struct Content: Encodable {
        var format: String, encoding: String, cues: Int, skippedCues: Int, duration: Double
        var problems: [Problem]
    }
    var file: String
    /// Whether the file can be played. Always false, because a subtitle file alone can't be played.
    var isPlayable = false
    var subtitles: Content
    var warning: String?

    init(_ document: SubtitleDocument, file: String) {
        self.file = file
        let report = document.report
        subtitles = Content(
            format: ProbeSubtitles.name(document.format), encoding: document.encoding, cues: report.cues,
            skippedCues: report.skippedCues, duration: document.duration.seconds.inThousandths,
            problems: report.problems.map { Problem(line: $0.line > 0 ? $0.line : nil, reason: $0.reason) })
        warning = report.summary
    }

    var table: String {
        let cues = subtitles.cues == 1 ? "1 cue" : "\(subtitles.cues) cues"
        let first =
            "\(file): subtitles (\(subtitles.format), \(subtitles.encoding)), \(cues), \(String(format: "%.3f", subtitles.duration)) s"
        return warning.map { "\(first)\n  \($0)" } ?? first
    }

    private static func name(_ format: SubtitleDocument.Format) -> String {
        switch format {
        case .webVTT: "WebVTT"
        case .subRip: "SubRip"
        case .subStationAlpha: "SubStation Alpha"
        case .other(let name): name
        }
    }

    /// Reads a file without media as subtitles.
    ///
    /// - Returns: Nil if the file does not exist, or does not look like subtitles.
    /// - Throws: The reason why the subtitles can't be read, if the file has a subtitle extension.
    static func read(_ url: URL, name: String) throws(AVError) -> ProbeSubtitles? {
        do throws(AVError) {
            return ProbeSubtitles(try SubtitleDocument.read(url), file: name)
        } catch {
            let endings: Set<String> = ["srt", "vtt", "ass", "ssa", "smi", "sami", "mpl", "mpl2"]
            guard endings.contains(url.pathExtension.lowercased()), error.code != .fileNotFound else { return nil }
            throw error
        }
    }
}

extension SubtitleDocument {
    /// Loads the subtitles at `url` and waits until they are loaded.
    static func read(_ url: URL) throws(AVError) -> SubtitleDocument {
        let done = DispatchSemaphore(value: 0)
        let answer = Answer()
        Task.detached {
            do throws(AVError) { answer.set(.success(try await SubtitleDocument.load(from: url))) } catch {
                answer.set(.failure(error))
            }
            done.signal()
        }
        done.wait()
        return try answer.get()
    }

    private final class Answer: Sendable {
        private let result = Mutex<Result<SubtitleDocument, AVError>?>(nil)
        func set(_ new: Result<SubtitleDocument, AVError>) { result.withLock { $0 = new } }
        func get() throws(AVError) -> SubtitleDocument {
            guard let result = result.withLock({ $0 }) else {
                throw AVError(.unknown, at: "", reason: "the subtitles were not read")
            }
            return try result.get()
        }
    }
}
