import Foundation

/// The head of a response, parsed line by line as it arrives (RFC 9112 §4, §5).
struct HTTPHead {
    private(set) var status = 0
    /// The reason phrase after the status code. HTTP/2 has none.
    private(set) var phrase = ""
    private(set) var headers: [String: String] = [:]
    private(set) var isComplete = false
    /// The target of a redirect, possibly relative to the request's URL.
    private(set) var location: String?
    private var size = 0

    enum Line {
        case more
        /// The end of an informational response's head or of a redirect's; another head follows.
        case another
        case complete
        /// The head is larger than 256 KiB, which no server has a reason to send.
        case tooMuch
    }

    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Line {
        // After the head, this function also receives the trailers of a chunked body.
        if isComplete, !HTTPHead.isStatus(bytes) { return .more }
        size += bytes.count
        if size > 256 * 1024 { return .tooMuch }
        // The names of radio stations are often in Latin-1.
        let line = IcyMetadata.text(bytes)
        if HTTPHead.isStatus(bytes) {
            let parts = line.split(maxSplits: 2, omittingEmptySubsequences: true) { $0.isWhitespace }
            status = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
            phrase = parts.count > 2 ? parts[2].trimmingCharacters(in: .whitespacesAndNewlines) : ""
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
        // Several lines with the same name form one list (RFC 9110 §5.3).
        headers[name] = headers[name].map { $0 + ", " + value } ?? value
        return .more
    }

    /// Returns whether a line is a status line. Those of SHOUTcast servers begin with `ICY 200 OK`.
    private static func isStatus(_ line: UnsafeRawBufferPointer) -> Bool {
        line.starts(with: Array("HTTP/".utf8)) || line.starts(with: Array("ICY ".utf8))
    }

    /// Whether the response redirects the request to another URL.
    var isRedirect: Bool { !isComplete && (300..<400).contains(status) && location != nil }

    /// Returns the value of a header line as a URL reference. Bytes that a URL may not contain are percent-encoded.
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
        // Servers count the metadata of internet radios as bytes of the body, but it is removed here.
        if IcyMetadata(headers["icy-metaint"]) != nil {
            (response.contentLength, response.wholeLength, response.rangeStart) = (nil, nil, nil)
            return response
        }
        // A range of a compressed body does not correspond to a range of the decompressed bytes that arrive here.
        response.acceptsRanges =
            isPlain
            && (status == 206
                || headers["accept-ranges"]?.lowercased().split(separator: ",").contains {
                    $0.trimmingCharacters(in: .whitespaces) == "bytes"
                } == true)
        return response
    }

    /// The largest accepted number of bytes, one exbibyte. Sums of such numbers do not overflow an `Int64`.
    private static let mostBytes: Int64 = 1 << 60

    /// Returns the number in `text`, or nil if it is not a valid number of bytes.
    private static func count(_ text: some StringProtocol) -> Int64? {
        Int64(text).flatMap { (0...mostBytes).contains($0) ? $0 : nil }
    }

    /// Returns the length from `bytes */1234`, which a server sends when it rejects a range (RFC 9110 §14.4).
    static func wholeLength(_ text: String) -> Int64? {
        let parts = text.split { $0 == " " || $0 == "/" || $0 == "=" }
        guard parts.count == 3, parts[0].lowercased() == "bytes", parts[1] == "*" else { return nil }
        return count(parts[2])
    }

    /// Returns the first byte and the total length from `bytes 0-99/1234` (RFC 9110 §14.4). The total length is nil if
    /// it is unknown (`*`).
    static func contentRange(_ text: String) -> (start: Int64?, whole: Int64?) {
        let parts = text.split { $0 == " " || $0 == "/" || $0 == "-" || $0 == "=" }
        guard parts.count == 4, parts[0].lowercased() == "bytes", let start = count(parts[1]),
            let last = count(parts[2]), start <= last
        else {
            return (nil, nil)
        }
        return (start, count(parts[3]).flatMap { $0 > last ? $0 : nil })
    }
}
