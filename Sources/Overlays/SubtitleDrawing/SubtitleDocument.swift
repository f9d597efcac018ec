import Foundation
import MediaCore
import MediaEngine
import Streaming

/// A subtitle file, loaded completely into memory.
///
/// Supported formats are WebVTT, SubRip, SubStation Alpha, MPL2 and the text formats of libavformat, such as MicroDVD
/// and SAMI. Immutable, and safe to use on any thread.
public final class SubtitleDocument: SubtitleSource {
    /// The format of a subtitle file, detected from its content.
    public enum Format: Sendable, Hashable {
        /// WebVTT, which begins with `WEBVTT`.
        case webVTT
        /// SubRip, usually with the extension `.srt`.
        case subRip
        /// SubStation Alpha or Advanced SubStation Alpha, with styles and positions.
        case subStationAlpha
        /// Another format, with libavformat's name for it.
        case other(String)
    }

    /// The URL from which the file was loaded.
    public let url: URL
    /// The detected format.
    public let format: Format
    /// The IANA name of the file's encoding.
    ///
    /// It is detected from a byte order mark, or is UTF-8 if at most a few characters are invalid, or is otherwise guessed
    /// from the frequency of letters.
    /// `report` contains a note if the encoding is not UTF-8.
    public let encoding: String
    /// The problems found while reading.
    public let report: SubtitleReport
    private let store: SubtitleStore

    /// The maximum size of a subtitle file, in bytes.
    private static let limit = 32 << 20

    /// Loads the subtitle file at a file, HTTP, HTTPS or `data` URL, off the main actor.
    ///
    /// The format is detected from the content, not from the name alone. A file larger than 32 MiB is rejected.
    ///
    /// ```swift
    /// let subtitles = try await SubtitleDocument.load(from: URL(fileURLWithPath: "film.en.srt"))
    /// if let summary = subtitles.report.summary { print(summary) }
    /// print(subtitles.text(at: CMTime(value: 62, timescale: 1)))
    /// ```
    ///
    /// - Throws: The error of the file or server. `.fileEmpty` for an empty file. `.readFailed` if the file is too
    ///   large. `.fileFormatNotRecognized` if the file contains no subtitles. `.fileFailedToParse`, with the first
    ///   invalid line, if no cue can be read. A WebVTT file may have no cues.
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

    /// Parses the bytes of a subtitle file.
    ///
    /// - Parameter url: The URL from which the bytes were loaded, for messages and the detection of the format.
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
        // Binary files, such as videos and images, are refused. UTF-16 and UTF-32 text is not tested, because it
        // contains many zeros.
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
        // A WebVTT file may have no cues, for example for a video without speech or a segment of a stream.
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
                report.skip(line: line, "the cue's times are not valid (mm:ss.ttt --> mm:ss.ttt)")
            }
            report.skippedCues += document.skipped - document.skippedLines.count
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

    /// Returns the events that can be drawn, with their sizes limited.
    private static func bounded(
        _ events: [SubStationParser.Event], by limits: AssLimits, _ report: inout SubtitleReport
    ) -> [SubStationParser.Event] {
        report.reducedCues += limits.reducedStyles
        return events.compactMap { event in
            guard limits.mayBeExpensive(event.line) else { return event }
            // Only the part that the store would keep is examined.
            var kept = SubtitleCue.Body.events([event.line])
            let isCut = kept.shorten()
            guard case .events(let lines) = kept, let line = lines.first else { return event }
            let limited = limits.limit(line)
            var event = event
            if let bounded = limited.bounded {
                event.line = bounded
                report.reducedCues += 1
                if isCut { report.shortenedCues += 1 }
            }
            let screens = limited.screens
            guard screens <= AssLimits.maximumScreens else {
                report.cues -= 1
                report.skip(line: 0, "the cue would fill the screen \(Int(saturating: screens)) times")
                return nil
            }
            return event
        }
    }

    // MARK: SubtitleSource

    package var header: (version: UInt64, header: SubtitleHeader) { store.header }
    package func cues(at time: Int64) -> [SubtitleCue] { store.cues(at: time) }
    package func setOnChange(_ call: (@Sendable () -> Void)?, for owner: AnyObject) {
        store.setOnChange(call, for: owner)
    }

    /// Returns the text of the cues at `time` of the file, one string per cue, for logs and assistive technology. The
    /// array is empty if there is no cue at `time`.
    public func text(at time: CMTime) -> [String] {
        guard let nanoseconds = time.nanoseconds else { return [] }
        return store.cues(at: nanoseconds).map(\.plain)
    }

    /// The time at which the last cue ends. Zero without cues.
    public var duration: CMTime { CMTime(nanoseconds: store.cues.map(\.end).max() ?? 0) }
}
