import Foundation
import MediaCore
import MediaEngine
import Streaming

/// Subtitles in a file of their own, whole in memory: WebVTT, SubRip, SubStation Alpha, and what else libavformat reads
/// (MicroDVD, SAMI, …), and MPL2. Immutable; any thread.
public final class SubtitleDocument: SubtitleSource {
    /// What a file's text was read as; told by its content.
    public enum Format: Sendable, Hashable {
        /// WebVTT, which begins with `WEBVTT`.
        case webVTT
        /// SubRip, `.srt` as a rule.
        case subRip
        /// SubStation Alpha or Advanced SubStation Alpha, with its own styles and places.
        case subStationAlpha
        /// libavformat's name.
        case other(String)
    }

    /// Where it was loaded from.
    public let url: URL
    /// What it was read as.
    public let format: Format
    /// The encoding the file was in, by its IANA name. Told by its byte order mark, by being valid UTF-8, or else by
    /// the likelihood of its letters; `report` says which.
    public let encoding: String
    /// What was passed over in reading.
    public let report: SubtitleReport
    private let store: SubtitleStore

    /// How large a file of subtitles may be, bytes.
    private static let limit = 32 << 20

    /// Loads what is at `url`: a file, http or https.
    ///
    /// The format is told by the content, never by the name alone. Runs off the main actor.
    /// - Throws: what the file or the server answered; `.fileEmpty`; `.fileFormatNotRecognized` for what is no
    ///   subtitles; `.fileFailedToParse` where not one cue could be read, with the first line that is wrong. WebVTT may
    ///   have no cues.
    public static func load(from url: URL) async throws(AVError) -> SubtitleDocument {
        try await load(from: url, options: HTTPOptions())
    }

    package static func load(from url: URL, options: HTTPOptions) async throws(AVError) -> SubtitleDocument {
        try SubtitleDocument(try await bytes(url, options), url: url)
    }

    private nonisolated static func bytes(_ url: URL, _ options: HTTPOptions) async throws(AVError) -> [UInt8] {
        switch url.scheme?.lowercased() {
        case "file", nil:
            guard let path = FilePath(url) else {
                throw AVError(.fileNotFound, at: url.absoluteString, reason: "the file name is not valid")
            }
            return try path.contents(limit: limit, kind: "subtitles")
        case "http", "https", "data":
            do throws(HTTPError) {
                let request = HTTPRequest(url: url, options: options, acceptsCompression: true)
                return Array(try await HTTPClient.shared.load(request).data)
            } catch {
                throw error.avError
            }
        default:
            throw AVError(
                .unsupportedURL, at: url.absoluteString,
                reason: "the scheme “\(url.scheme ?? "")” is not supported for subtitles",
                suggestion: "Use a file:, http: or https: URL")
        }
    }

    /// - Parameter url: where the bytes are from, for what is said of them.
    package init(_ bytes: [UInt8], url: URL) throws(AVError) {
        let location = url.location
        guard bytes.contains(where: { $0 > 0x20 }) else {
            throw AVError(
                .fileEmpty, at: location,
                reason: bytes.isEmpty ? "the file is empty" : "the file contains only white space",
                suggestion: "Copy or download the file again")
        }
        var report = SubtitleReport()
        let detected = TextEncoding.detect(bytes)
        // What is no text at all (a film, a picture) is not guessed at for long.
        let isBinary =
            !detected.name.hasPrefix("UTF-16") && !detected.name.hasPrefix("UTF-32")
            && TextEncoding.isBinary(bytes)
        guard !isBinary, let text = detected.text(bytes) else {
            throw AVError(
                .fileFormatNotRecognized, at: location, reason: "the file is not a text file",
                suggestion: "Choose a subtitle file")
        }
        if detected.name != "UTF-8" {
            report.encodingNote =
                "the file was converted to UTF-8 from \(detected.name)\(detected.isGuessed ? " (guessed)" : "")"
        }
        let store = SubtitleStore()
        let format = try SubtitleDocument.read(
            text, name: FilePath(url)?.name.description ?? url.lastPathComponent, at: location, store, &report)
        // A WebVTT file may be without cues: a programme's without a word in it, or a segment's.
        guard !store.cues.isEmpty || format == .webVTT && report.skippedCues == 0 else {
            let problem = report.problems.first
            throw AVError(
                .fileFailedToParse, at: location,
                reason: problem.map {
                    $0.line > 0
                        ? "no cue can be read; the first error is in line \($0.line): \($0.reason)"
                        : "no cue can be read: \($0.reason)"
                }
                    ?? "the file has no cues (line 1 is “\(TextDecoders.firstLine(Array(text.utf8.prefix(200))))”)",
                suggestion: "Copy or download the file again")
        }
        self.url = url
        self.format = format
        encoding = detected.name
        self.report = report
        self.store = store
    }

    private static func read(
        _ text: String, name: String, at location: String, _ store: SubtitleStore, _ report: inout SubtitleReport
    ) throws(AVError) -> Format {
        let start = text.drop { $0.isWhitespace }
        if start.hasPrefix("WEBVTT"), let document = try? WebVTTDocument(parsing: Array(start.utf8)) {
            var cues: [SubtitleCue] = []
            for cue in document.cues {
                if cue.end > cue.start {
                    cues.append(SubtitleCue(start: cue.start, end: cue.end, body: .webVTT(cue)))
                } else {
                    report.skip(line: 0, "the cue ends before it begins")
                }
            }
            report.shortenedCues += document.shortened
            for line in document.skippedLines {
                report.problems.append(
                    .init(line: line, reason: "the cue's times are not valid (mm:ss.ttt --> mm:ss.ttt)"))
            }
            report.skippedCues += document.skipped
            report.cues += cues.count
            report.shortenedCues += store.add(cues)
            return .webVTT
        }
        let head = start.prefix(4096).lowercased()
        if head.hasPrefix("[script info]") || head.contains("[v4+ styles]") || head.contains("[v4 styles]")
            || head.hasPrefix("[events]") || SubStationParser.hasEvents(head)
        {
            let (script, events) = SubStationParser.parse(text, &report)
            store.setHeader(SubtitleHeader(script: script))
            report.shortenedCues += store.add(
                bounded(events, by: AssLimits(script), &report).map {
                    SubtitleCue(start: $0.start, end: $0.end, body: .events([$0.line]))
                })
            return .subStationAlpha
        }
        if head.hasPrefix("<?xml") || head.hasPrefix("<tt"), head.contains("<tt") {
            throw AVError(
                .fileFormatNotRecognized, at: location, reason: "the file is TTML, which is not supported",
                suggestion: "Convert the file to WebVTT")
        }
        if head.split(whereSeparator: \.isNewline).prefix(64).contains(where: SubRipParser.isTiming) {
            try TextDecoders.subRip(SubRipParser.parse(text, &report), into: store, &report)
            return .subRip
        }
        if MPL2Parser.isEvent(TextDecoders.firstLine(Array(head.utf8))) {
            report.shortenedCues += store.add(MPL2Parser.parse(text, &report))
            return .other("mpl2")
        }
        return .other(try TextDecoders.read(Array(text.utf8), name: name, at: location, into: store, &report))
    }

    /// Events that can be drawn, in sizes that can be.
    private static func bounded(
        _ events: [SubStationParser.Event], by limits: AssLimits, _ report: inout SubtitleReport
    ) -> [SubStationParser.Event] {
        report.reducedCues += limits.reducedStyles
        return events.compactMap { event in
            guard limits.mustBeRead(event.line) else { return event }
            // As much of it as is kept.
            var kept = SubtitleCue.Body.events([event.line])
            let isCut = kept.shorten()
            guard case .events(let lines) = kept, let line = lines.first else { return event }
            let judgement = limits.judge(line)
            var event = event
            if let bounded = judgement.bounded {
                event.line = bounded
                report.reducedCues += 1
                if isCut { report.shortenedCues += 1 }
            }
            let screens = judgement.screens
            guard screens <= AssLimits.mostScreens else {
                report.cues -= 1
                report.skip(line: 0, "the cue would fill the screen \(Int(saturating: screens)) times")
                return nil
            }
            return event
        }
    }

    // MARK: SubtitleSource

    package var version: UInt64 { store.version }
    package var header: (version: UInt64, header: SubtitleHeader) { store.header }
    package func standing(at time: Int64) -> [SubtitleCue] { store.standing(at: time) }
    package func setOnChange(_ call: (@Sendable () -> Void)?, for owner: AnyObject) {
        store.setOnChange(call, for: owner)
    }

    /// The words that stand at `time` of the file, a string for each cue; for tests, logs and assistive technology.
    public func text(at time: CMTime) -> [String] {
        guard let nanoseconds = time.nanoseconds else { return [] }
        return store.standing(at: nanoseconds).map(\.plain)
    }

    /// How long the file's cues last, the end of the last of them.
    public var duration: CMTime { CMTime(nanoseconds: store.cues.map(\.end).max() ?? 0) }
}
