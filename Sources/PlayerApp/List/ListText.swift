import Foundation
import MediaCore

/// The format of a playlist.
enum ListFormat: Sendable {
    case m3u, pls, xspf

    /// Returns the format of a file, by its name or its first bytes.
    /// - Returns: Nil if the file is not a playlist, or if it can't be read now. The player reports that problem when
    ///   it plays the file.
    static func of(_ path: FilePath) -> ListFormat? {
        switch path.pathExtension.lowercased() {
        case "m3u", "m3u8": return .m3u
        case "pls": return .pls
        case "xspf": return .xspf
        default: break
        }
        guard let head = path.beginning(10) else { return nil }
        let start = ListText.withoutMark(head)
        if start.starts(with: "#EXTM3U".utf8) { return .m3u }
        return start.starts(with: "[playli".utf8) ? .pls : nil
    }
}

/// The entries of a playlist's text. The text is only parsed; no file or URL in it is opened.
struct ListText {
    private(set) var entries: [MediaList.Entry] = []
    private(set) var problems: [AVError] = []
    private let origin: Origin
    /// The location of the playlist, for messages.
    private var location: String { origin.description }

    /// The location of a playlist. Relative names in the playlist are relative to this location.
    enum Origin: CustomStringConvertible {
        case file(FilePath)
        /// A playlist on a server, which can't name local files.
        case server(URL)

        var description: String {
            switch self {
            case .file(let path): path.description
            case .server(let url): url.location
            }
        }
    }

    /// The maximum number of bytes in a line.
    static let longestLine = 16 << 10
    /// The maximum number of lines that are reported.
    static let maximumProblems = 20

    /// Reads a playlist.
    /// - Throws: An `AVError` with the code `.playlistInvalid` if `bytes` is not a playlist, or if it is empty.
    init(_ bytes: [UInt8], format: ListFormat, at origin: Origin) throws(AVError) {
        self.origin = origin
        let bytes = Array(ListText.withoutMark(bytes))
        switch format {
        case .m3u: readM3U(bytes)
        case .pls: try readPLS(bytes)
        case .xspf: try readXSPF(bytes)
        }
        if entries.isEmpty, problems.isEmpty {
            throw AVError(
                .playlistInvalid, at: location, reason: "the playlist is empty",
                suggestion: "Add files to the playlist, or choose another one")
        }
    }

    /// Returns whether the text is an HLS playlist (RFC 8216), which has a tag that a plain playlist does not have.
    static func isStream(_ bytes: [UInt8]) -> Bool {
        var first = true
        for line in withoutMark(bytes).split(whereSeparator: isEnd) {
            if first, !line.starts(with: "#EXTM3U".utf8) { return false }
            first = false
            if line.starts(with: "#EXT-X-".utf8) { return true }
        }
        return false
    }

    private static func isEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    /// Returns the bytes without a byte order mark of UTF-8.
    static func withoutMark<Bytes: Collection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    }

    // MARK: lines

    /// Returns the lines that are not empty, with their numbers from 1. `\r\n`, `\n` and `\r` end a line.
    private static func lines(_ bytes: [UInt8]) -> [(number: Int, bytes: ArraySlice<UInt8>)] {
        var lines: [(Int, ArraySlice<UInt8>)] = []
        var number = 1
        var start = bytes.startIndex
        var index = start
        func take(_ end: Int) {
            let line = trimmed(bytes[start..<end])
            if !line.isEmpty { lines.append((number, line)) }
        }
        while index < bytes.endIndex {
            if isEnd(bytes[index]) {
                take(index)
                if bytes[index] == 0x0D, index + 1 < bytes.endIndex, bytes[index + 1] == 0x0A { index += 1 }
                number += 1
                start = index + 1
            }
            index += 1
        }
        take(bytes.endIndex)
        return lines
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        while let last = rest.last, last == 0x20 || last == 0x09 { rest.removeLast() }
        return rest
    }

    /// Returns a text for the user: UTF-8, or else ISO 8859-1, which old playlists use. Control characters are removed,
    /// because they could control a terminal.
    static func displayText(_ bytes: some Collection<UInt8>) -> String? {
        let array = Array(bytes.prefix(1000))
        let text =
            String(validating: array, as: UTF8.self)
            ?? (bytes.count > 1000
                ? String(decoding: array, as: UTF8.self) : String(decoding: array.map { UInt16($0) }, as: UTF16.self))
        let clean = String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }))
        let result = clean.trimmingCharacters(in: .whitespaces)
        return result.isEmpty ? nil : result
    }

    mutating func addProblem(_ line: Int, _ reason: String) {
        guard problems.count < ListText.maximumProblems else { return }
        problems.append(
            problems.count == ListText.maximumProblems - 1
                ? AVError(.playlistInvalid, at: location, reason: "line \(line), and possibly further lines: \(reason)")
                : AVError(.playlistInvalid, at: location, reason: "line \(line): \(reason)"))
    }

    /// Returns the URL of a name in the playlist. A URL is used as it is written; a path is relative to the playlist.
    /// - Returns: Nil if the name is too long, not valid, or not allowed in this playlist. In this case, a problem is
    ///   added.
    private mutating func url(_ bytes: ArraySlice<UInt8>, line: Int) -> URL? {
        guard bytes.count <= ListText.longestLine else {
            addProblem(line, "the line is longer than \(ListText.longestLine) bytes")
            return nil
        }
        let text = String(validating: bytes, as: UTF8.self)
        let base: URL
        switch origin {
        case .file(let path):
            if text.map(ListText.hasScheme) != true {
                guard let name = FilePath(bytes: bytes) else {
                    addProblem(line, "the file name is not valid")
                    return nil
                }
                return (bytes.first == UInt8(ascii: "/") ? name : path.folder.appending(name.bytes)).url
            }
            base = path.url
        case .server(let url): base = url
        }
        do throws(ResourceReference.Problem) {
            guard let text else { throw .notAURL }
            let url = try ResourceReference.resolve(text, in: base)
            let isOnServer = ["http", "https"].contains(url.scheme?.lowercased() ?? "")
            // A playlist on a server can only name URLs of servers.
            if case .server = origin, !isOnServer { throw .localFile }
            guard url.isFileURL ? FilePath(url) != nil : url.host()?.isEmpty == false else { throw .notAURL }
            return url
        } catch {
            addProblem(
                line,
                error == .localFile
                    ? "a playlist from a server can't name local files" : "the URL is not valid")
            return nil
        }
    }

    /// Returns whether the text begins with a scheme and `://`, or is a file URL.
    static func hasScheme(_ text: String) -> Bool {
        if text.lowercased().hasPrefix("file:/") { return true }
        guard let mark = text.range(of: "://") else { return false }
        let scheme = text[..<mark.lowerBound]
        return scheme.first?.isLetter == true
            && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    // MARK: M3U

    private mutating func readM3U(_ bytes: [UInt8]) {
        var title: String?
        var duration: Double?
        var headers: [String: String] = [:]
        for (number, line) in ListText.lines(bytes) {
            guard line.first == UInt8(ascii: "#") else {
                let (name, own) = withoutFields(line)
                headers.merge(own) { _, own in own }
                if let url = url(name, line: number) {
                    entries.append(MediaList.Entry(url, title: title, duration: duration, headers: headers))
                }
                (title, duration, headers) = (nil, nil, [:])
                continue
            }
            if let value = ListText.after("#EXTINF:", line) {
                (duration, title) = ListText.information(value)
                if line.count > ListText.longestLine {
                    addProblem(number, "the line is longer than \(ListText.longestLine) bytes")
                }
            } else if let value = ListText.after("#EXTVLCOPT:", line), let option = ListText.displayText(value) {
                let sides = option.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
                guard sides.count == 2, !sides[1].isEmpty else { continue }
                switch sides[0].lowercased() {
                case "http-user-agent": headers["User-Agent"] = sides[1]
                case "http-referrer", "http-referer": headers["Referer"] = sides[1]
                default: break
                }
            }
        }
    }

    /// Splits `http://host/stream|User-Agent=Player&Referer=http://host/`. After the bar are HTTP headers with
    /// percent-encoding.
    private func withoutFields(_ line: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, [String: String]) {
        // The name of a local file may contain a bar.
        var isOnServer = false
        if case .server = origin { isOnServer = true }
        guard line.count <= ListText.longestLine, let bar = line.firstIndex(of: UInt8(ascii: "|")),
            let urlText = String(validating: line[..<bar], as: UTF8.self), isOnServer || ListText.hasScheme(urlText),
            let value = String(validating: line[(bar + 1)...], as: UTF8.self)
        else { return (line, [:]) }
        var fields: [String: String] = [:]
        for pair in value.split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1)
            guard sides.count == 2,
                let value = ListText.displayText((sides[1].removingPercentEncoding ?? String(sides[1])).utf8),
                sides[0].utf8.allSatisfy({
                    $0 == 0x2D || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20)
                }),
                !ListText.ownFields.contains(sides[0].lowercased())
            else { continue }
            fields[String(sides[0])] = value
        }
        return fields.isEmpty ? (line, [:]) : (line[..<bar], fields)
    }
    /// The headers that the connection itself sets.
    private static let ownFields: Set = [
        "host", "range", "if-range", "content-length", "transfer-encoding", "connection", "te", "upgrade",
        "accept-encoding",
    ]

    private static func after(_ tag: String, _ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        line.starts(with: tag.utf8) ? line.dropFirst(tag.utf8.count) : nil
    }

    /// Parses `123,Title` or `-1 tvg-id="a,b",Title`. The title begins after the first comma outside of quotes.
    private static func information(_ value: ArraySlice<UInt8>) -> (Double?, String?) {
        var isQuoted = false
        let comma = value.firstIndex { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return byte == UInt8(ascii: ",") && !isQuoted
        }
        let head = value[..<(comma ?? value.endIndex)]
        let number = head.prefix(32).prefix { $0 != 0x20 && $0 != 0x09 }
        let seconds = String(validating: number, as: UTF8.self).flatMap(Double.init)
        return (seconds, comma.flatMap { displayText(value[($0 + 1)...]) })
    }

    // MARK: PLS

    private mutating func readPLS(_ bytes: [UInt8]) throws(AVError) {
        struct Item {
            var line = 0
            var file: ArraySlice<UInt8>?
            var title: String?
            var length: Double?
        }
        let lines = ListText.lines(bytes)
        guard let first = lines.first, String(validating: first.bytes, as: UTF8.self)?.lowercased() == "[playlist]"
        else {
            throw AVError(.playlistInvalid, at: location, reason: "line 1: the first line is not [playlist]")
        }
        var items: [Int: Item] = [:]
        for (number, line) in lines.dropFirst() where line.first != UInt8(ascii: ";") {
            guard let equal = line.firstIndex(of: UInt8(ascii: "=")) else {
                addProblem(number, "the line has no “=”")
                continue
            }
            let key = String(decoding: ListText.trimmed(line[..<equal]).prefix(32), as: UTF8.self).lowercased()
            let value = ListText.trimmed(line[(equal + 1)...])
            for kind in ["file", "title", "length"] where key.hasPrefix(kind) {
                guard let index = Int(key.dropFirst(kind.count)), index >= 0 else {
                    addProblem(number, "“\(kind)” is not followed by a number")
                    continue
                }
                switch kind {
                case "file":
                    items[index, default: Item()].file = value
                    items[index]?.line = number
                case "title": items[index, default: Item()].title = ListText.displayText(value)
                default:
                    items[index, default: Item()].length = String(validating: value, as: UTF8.self).flatMap(Double.init)
                }
            }
        }
        for (_, item) in items.sorted(by: { $0.key < $1.key }) {
            guard let file = item.file, !file.isEmpty else { continue }
            if let url = url(file, line: item.line) {
                entries.append(MediaList.Entry(url, title: item.title, duration: item.length))
            }
        }
    }

    // MARK: XSPF

    private mutating func readXSPF(_ bytes: [UInt8]) throws(AVError) {
        let tracks: [XSPFTrack]
        do throws(XSPFReader.Failure) { tracks = try XSPFReader.tracks(bytes) } catch {
            throw AVError(.playlistInvalid, at: location, reason: "line \(error.line): \(error.reason)")
        }
        for track in tracks {
            guard !track.locations.isEmpty else {
                addProblem(track.line, "the track has no location")
                continue
            }
            let title = ListText.displayText(
                [track.creator, track.title].filter { !$0.isEmpty }.joined(separator: " – ").utf8)
            // The duration is in milliseconds (XSPF 1, §4.1.1.2.14.1.1.1.9).
            let duration = Double(track.duration).map { $0 / 1000 }
            // The first valid location counts. The others are reported only if there is none.
            let earlier = problems
            for location in track.locations {
                guard let url = url(location: location, line: track.line) else { continue }
                problems = earlier
                entries.append(MediaList.Entry(url, title: title, duration: duration))
                break
            }
        }
    }

    /// Returns the URL of a location in XSPF, which is a URI, relative or absolute, with percent-encoding. A location
    /// that is not a URI is treated as a path.
    private mutating func url(location text: String, line: Int) -> URL? {
        if case .file(let path) = origin, !ListText.hasScheme(text),
            text.utf8.count <= ListText.longestLine,
            let relative = try? ResourceReference.resolve(text, in: path.url), FilePath(relative) != nil
        {
            return relative
        }
        return url(ArraySlice(text.utf8), line: line)
    }
}
