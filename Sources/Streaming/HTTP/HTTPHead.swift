import Foundation

/// A response's head, line by line as it arrives (RFC 9112 §4, §5).
struct HTTPHead {
    private(set) var status = 0
    /// The words after the status; HTTP/2 has none.
    private(set) var phrase = ""
    private(set) var headers: [String: String] = [:]
    private(set) var isComplete = false
    /// Where a redirect leads, relative to the request's URL.
    private(set) var location: String?
    private var size = 0

    enum Line {
        case more
        /// An informational one or a redirect: another head follows.
        case another
        case complete
        /// More than a server has any reason to send.
        case tooMuch
    }

    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Line {
        // Trailers of a chunked body come here too, after the head.
        if isComplete, !HTTPHead.isStatus(bytes) { return .more }
        size += bytes.count
        if size > 256 * 1024 { return .tooMuch }
        // Names of radio stations are often in Latin-1.
        let line = IcyMetadata.text(bytes)
        if HTTPHead.isStatus(bytes) {
            let words = line.split(maxSplits: 2, omittingEmptySubsequences: true) { $0.isWhitespace }
            status = words.count > 1 ? Int(words[1]) ?? 0 : 0
            phrase = words.count > 2 ? words[2].trimmingCharacters(in: .whitespacesAndNewlines) : ""
            headers = [:]
            location = nil
            isComplete = false
            return .more
        }
        if line.allSatisfy(\.isNewline) {
            if (100..<200).contains(status) { return .another }
            if (300..<400).contains(status), location != nil { return .another }
            isComplete = true
            return .complete
        }
        guard let colon = line.firstIndex(of: ":") else { return .more }
        let name = line[..<colon].lowercased()
        if name == "location", location == nil { location = HTTPHead.reference(bytes) }
        let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines)
        // RFC 9110 §5.3: several lines of a name are one list.
        headers[name] = headers[name].map { $0 + ", " + value } ?? value
        return .more
    }

    /// SHOUTcast servers begin with `ICY 200 OK`.
    private static func isStatus(_ line: UnsafeRawBufferPointer) -> Bool {
        line.starts(with: Array("HTTP/".utf8)) || line.starts(with: Array("ICY ".utf8))
    }

    /// Whether another server, or another path, is to be asked.
    var isRedirect: Bool { !isComplete && (300..<400).contains(status) && location != nil }

    /// The value of a line as a reference: bytes that may not stand in a URL are percent-encoded.
    private static func reference(_ line: UnsafeRawBufferPointer) -> String {
        var value = line.drop { $0 != UInt8(ascii: ":") }.dropFirst()
        value = value.drop { $0 <= 0x20 }
        while let last = value.last, last <= 0x20 { value = value.dropLast() }
        return value.reduce(into: "") { text, byte in
            if byte > 0x20, byte < 0x7f {
                text.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                text += String(format: "%%%02X", Int(byte))
            }
        }
    }

    func response(url: URL) -> HTTPResponse {
        var response = HTTPResponse(url: url, status: status, headers: headers)
        let coding = headers["content-encoding"]?.lowercased() ?? "identity"
        let isPlain = coding == "identity" || coding.isEmpty
        if isPlain, headers["transfer-encoding"] == nil {
            response.contentLength = headers["content-length"].flatMap { HTTPHead.count($0) }
        }
        if status == 206, let range = headers["content-range"] {
            (response.rangeStart, response.wholeLength) = HTTPHead.contentRange(range)
        } else {
            response.wholeLength = response.contentLength
        }
        // Metadata between the audio, which are taken out, count as bytes for the server.
        if IcyMetadata(headers["icy-metaint"]) != nil {
            (response.contentLength, response.wholeLength, response.rangeStart) = (nil, nil, nil)
            return response
        }
        // A range of a compressed body is a range of other bytes than those that arrive here.
        response.acceptsRanges =
            isPlain
            && (status == 206
                || headers["accept-ranges"]?.lowercased().split(separator: ",").contains {
                    $0.trimmingCharacters(in: .whitespaces) == "bytes"
                } == true)
        return response
    }

    /// More bytes than an exabyte nobody has; sums of such numbers stay far from an `Int64`'s end.
    private static let mostBytes: Int64 = 1 << 60

    /// Nil for what is no count of bytes.
    private static func count(_ text: some StringProtocol) -> Int64? {
        Int64(text).flatMap { (0...mostBytes).contains($0) ? $0 : nil }
    }

    /// The length in `bytes */1234`, which a server sends where it refuses a range (RFC 9110 §14.4).
    static func wholeLength(_ text: String) -> Int64? {
        let words = text.split { $0 == " " || $0 == "/" || $0 == "=" }
        guard words.count == 3, words[0].lowercased() == "bytes", words[1] == "*" else { return nil }
        return count(words[2])
    }

    /// `bytes 0-99/1234` (RFC 9110 §14.4); an unknown whole is `*`.
    static func contentRange(_ text: String) -> (start: Int64?, whole: Int64?) {
        let words = text.split { $0 == " " || $0 == "/" || $0 == "-" || $0 == "=" }
        guard words.count == 4, words[0].lowercased() == "bytes", let start = count(words[1]),
            let last = count(words[2]), start <= last
        else {
            return (nil, nil)
        }
        return (start, count(words[3]).flatMap { $0 > last ? $0 : nil })
    }
}
