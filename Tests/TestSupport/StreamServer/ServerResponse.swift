import Foundation

/// The answer of a handler, before faults are applied.
package struct ServerResponse: Sendable {
    package enum Body: Sendable {
        case data(Data)
        /// `count` bytes of the file, from `offset`.
        case file(URL, offset: Int64, count: Int64)
        /// These bytes, repeated endlessly.
        case endless(Data)

        /// The length in bytes; nil if the body is endless.
        package var count: Int64? {
            switch self {
            case .data(let data): Int64(data.count)
            case .file(_, _, let count): count
            case .endless: nil
            }
        }
    }

    package var status: Int
    package var headers: ServerHeaders
    package var body: Body

    package init(status: Int = 200, headers: ServerHeaders = [:], body: Body) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package init(status: Int = 200, type: String, _ data: Data) {
        self.init(status: status, headers: ["Content-Type": type], body: .data(data))
    }

    package static func text(_ text: String, status: Int = 200, type: String = "text/plain; charset=utf-8")
        -> ServerResponse
    {
        ServerResponse(status: status, type: type, Data(text.utf8))
    }

    /// Returns a playlist with its registered media type (RFC 8216 §4).
    package static func playlist(_ text: String) -> ServerResponse {
        ServerResponse(type: MIMEType.playlist, Data(text.utf8))
    }

    package static func status(_ status: Int, headers: ServerHeaders = [:]) -> ServerResponse {
        var headers = headers
        headers["Content-Type"] = headers["Content-Type"] ?? "text/plain"
        return ServerResponse(status: status, headers: headers, body: .data(Data("\(status) \(reason(status))\n".utf8)))
    }

    package static func redirect(to location: String, status: Int = 302) -> ServerResponse {
        .status(status, headers: ["Location": location])
    }

    static func reason(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 416: "Range Not Satisfiable"
        case 429: "Too Many Requests"
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        default: "Status"
        }
    }
}

/// The media types of files that the tests serve.
enum MIMEType {
    static let playlist = "application/vnd.apple.mpegurl"

    static func of(_ path: String) -> String {
        switch (path as NSString).pathExtension.lowercased() {
        case "m3u8", "m3u": playlist
        case "ts": "video/mp2t"
        case "mp4", "m4v", "m4s", "cmfv": "video/mp4"
        case "m4a", "cmfa": "audio/mp4"
        case "mov": "video/quicktime"
        case "webm": "video/webm"
        case "mkv": "video/x-matroska"
        case "aac": "audio/aac"
        case "mp3": "audio/mpeg"
        case "ac3": "audio/ac3"
        case "flac": "audio/flac"
        case "wav": "audio/wav"
        case "vtt", "webvtt": "text/vtt"
        case "json": "application/json"
        case "png": "image/png"
        default: "application/octet-stream"
        }
    }
}
