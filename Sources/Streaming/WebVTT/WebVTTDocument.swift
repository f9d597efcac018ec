import Foundation

/// A WebVTT file or segment (RFC 8216 §3.5), parsed as tolerantly as the specification requires.
public struct WebVTTDocument: Sendable, Hashable {
    /// The cues, in the file's order.
    public var cues: [WebVTTCue] = []
    /// The regions defined before the first cue, in the file's order: the first 64 `REGION` blocks that have an
    /// identifier.
    public var regions: [WebVTTRegion] = []
    /// The CSS of the first 64 `STYLE` blocks before the first cue, for renderers. Each text is cut off after 64 KiB.
    public var styleSheets: [String] = []
    /// The timestamp map, or nil if the file has no valid `X-TIMESTAMP-MAP` before the first cue.
    public var timestampMap: WebVTTTimestampMap?
    /// The number of cues that were left out because their times could not be read.
    public var skipped = 0
    /// The number of cues that were cut off because their text is longer than 16 KiB.
    public var shortened = 0
    /// The line numbers, from 1, of the first skipped cues. At most 32 are listed.
    public var skippedLines: [Int] = []

    /// Creates a document without cues.
    public init() {}

    /// The reason why data is not a WebVTT file.
    public enum ParseError: LocalizedError, Sendable, Hashable {
        /// The data does not begin with `WEBVTT`.
        case noSignature

        /// A sentence that describes the error.
        public var errorDescription: String? { "Can't read the subtitles: the file is not WebVTT." }
        /// A sentence with the cause of the error.
        public var failureReason: String? { "The file does not begin with “WEBVTT”." }
        /// A sentence that suggests what to do.
        public var recoverySuggestion: String? {
            "Check that the URL points to a WebVTT file, or add WEBVTT as its first line."
        }
    }

    /// Parses a WebVTT file.
    ///
    /// Only the signature is required. Everything after it is parsed as well as possible.
    /// - Parameter bytes: The file, in UTF-8.
    /// - Throws: `ParseError.noSignature` if the data does not begin with `WEBVTT`.
    public init(parsing bytes: [UInt8]) throws(ParseError) {
        let text = WebVTTDocument.normalized(bytes)
        guard text.starts(with: "WEBVTT".utf8), text.count == 6 || [0x20, 0x09, 0x0A].contains(text[6]) else {
            throw .noSignature
        }
        var parser = WebVTTParser(text)
        self = parser.parse()
    }

    /// Returns the text without a byte order mark, with line feeds as line endings, and with NUL replaced by U+FFFD
    /// (WebVTT §6.1).
    static func normalized(_ bytes: [UInt8]) -> [UInt8] {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        if !bytes.contains(0x0D), !bytes.contains(0) { return start == 0 ? bytes : Array(bytes[start...]) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for index in start..<max(start, bytes.count) {
            switch bytes[index] {
            case 0: result += [0xEF, 0xBF, 0xBD]
            case 0x0D: result.append(0x0A)
            case 0x0A where index > start && bytes[index - 1] == 0x0D: break
            case let byte: result.append(byte)
            }
        }
        return result
    }
}

/// The parser for the blocks of a file (WebVTT §6.1).
private struct WebVTTParser {
    private let text: [UInt8]
    private var index = 0
    private var document = WebVTTDocument()
    private var hasSeenCue = false

    init(_ text: [UInt8]) { self.text = text }

    mutating func parse() -> WebVTTDocument {
        // Text after the signature is a comment.
        _ = line()
        if index < text.count {
            if text[index] != 0x0A { block(isHeader: true) } else { index += 1 }
        }
        skipEmptyLines()
        while index < text.count {
            block(isHeader: false)
            skipEmptyLines()
        }
        return document
    }

    private mutating func skipEmptyLines() { while index < text.count, text[index] == 0x0A { index += 1 } }

    /// Returns the next line without its end, or an empty slice at the end of the file.
    private mutating func line() -> ArraySlice<UInt8> {
        let end = text[index...].firstIndex(of: 0x0A) ?? text.count
        defer { index = min(text.count, end + 1) }
        return text[index..<end]
    }

    private static func hasArrow(_ line: ArraySlice<UInt8>) -> Bool {
        var index = line.startIndex
        while let position = line[index...].firstIndex(of: 0x2D) {
            if line[position...].starts(with: "-->".utf8) { return true }
            index = position + 1
        }
        return false
    }

    private mutating func block(isHeader: Bool) {
        var lines = 0
        var hasArrow = false
        var arrow = index
        var cue: WebVTTCue?
        var kind = Kind.unknown
        /// The range of the block's text so far, including line ends.
        var content = index..<index
        reading: while index < text.count {
            let start = index
            let line = line()
            lines += 1
            if Self.hasArrow(line) {
                guard !isHeader, lines == 1 || lines == 2 && !hasArrow else {
                    // The empty line between this cue and the next is missing.
                    index = start
                    break reading
                }
                hasArrow = true
                arrow = start
                cue = self.cue(line, identifier: String(decoding: text[content], as: UTF8.self))
                if cue != nil { hasSeenCue = true }
                content = index..<index
            } else if line.isEmpty {
                break reading
            } else {
                if !isHeader, lines == 2, !hasSeenCue { kind = Self.kind(text[content]) }
                if kind != .unknown, lines == 2 { content = start..<start }
                content = (content.isEmpty ? start : content.lowerBound)..<line.endIndex
                if !hasSeenCue, document.timestampMap == nil { document.timestampMap = Self.map(line) }
            }
        }
        if var cue {
            if content.count > WebVTTText.longest { document.shortened += 1 }
            cue.text = WebVTTText(parsing: text[content])
            document.cues.append(cue)
        } else if hasArrow {
            document.skipped += 1
            if document.skippedLines.count < 32 { document.skippedLines.append(lineNumber(at: arrow)) }
        } else if kind == .style {
            // The number and the length of style sheets are limited, because every cue contains them.
            if document.styleSheets.count < Self.mostStyles {
                document.styleSheets.append(String(decoding: text[content].prefix(Self.longestStyle), as: UTF8.self))
            }
        } else if kind == .region, document.regions.count < Self.mostStyles,
            let region = WebVTTRegion(parsing: text[content])
        {
            document.regions.append(region)
        }
    }

    private static let mostStyles = 64
    private static let longestStyle = 64 << 10
    private enum Kind { case unknown, style, region }

    private static func kind(_ heading: ArraySlice<UInt8>) -> Kind {
        for (name, kind) in [("STYLE", Kind.style), ("REGION", .region)]
        where heading.starts(with: name.utf8) && heading.dropFirst(name.utf8.count).allSatisfy(WebVTTScanner.isSpace) {
            return kind
        }
        return .unknown
    }

    /// Parses the line with a cue's times and settings, which precedes its text (WebVTT §6.3).
    private func cue(_ line: ArraySlice<UInt8>, identifier: String) -> WebVTTCue? {
        var scanner = WebVTTScanner(line)
        scanner.skipSpaces()
        guard let start = scanner.timestamp() else { return nil }
        scanner.skipSpaces()
        guard scanner.skip("-->") else { return nil }
        scanner.skipSpaces()
        guard let end = scanner.timestamp() else { return nil }
        return WebVTTCue(
            identifier: identifier, start: start, end: end,
            settings: WebVTTSettings(parsing: scanner.rest, regions: document.regions), text: WebVTTText(),
            styleSheets: document.styleSheets)
    }

    private func lineNumber(at position: Int) -> Int { text[..<position].reduce(1) { $1 == 0x0A ? $0 + 1 : $0 } }

    /// Parses `X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000`, with its parts in any order (RFC 8216 §3.5). Returns
    /// nil for any other line.
    private static func map(_ line: ArraySlice<UInt8>) -> WebVTTTimestampMap? {
        let name = "X-TIMESTAMP-MAP=".utf8
        guard line.starts(with: name) else { return nil }
        var map = WebVTTTimestampMap()
        var found = 0
        for part in line.dropFirst(name.count).split(separator: 0x2C) {
            var scanner = WebVTTScanner(part)
            scanner.skipSpaces()
            if scanner.skip("LOCAL:") {
                guard let local = scanner.timestamp() else { return nil }
                map.local = local
                found += 1
            } else if scanner.skip("MPEGTS:") {
                let digits = scanner.digits()
                guard !digits.isEmpty, digits.count <= 18 else { return nil }
                // Timestamps have 33 bits. Some writers forget to wrap them.
                map.mpegTS = digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) } & 0x1_FFFF_FFFF
                found += 1
            }
        }
        return found == 2 ? map : nil
    }
}
