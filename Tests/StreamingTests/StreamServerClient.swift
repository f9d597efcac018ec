import Foundation
import TestSupport

/// A plain TCP client, so that tests see exactly what the server sends, errors included.
final class RawClient {
    struct Answer {
        var head = "", body = Data()
        /// Whether the connection ended with RST instead of FIN.
        var wasReset = false
        var status: Int { head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0 }
        func header(_ name: String) -> String? {
            head.components(separatedBy: "\r\n").dropFirst().first {
                $0.lowercased().hasPrefix(name.lowercased() + ": ")
            }.map { String($0.dropFirst(name.count + 2)) }
        }
        var text: String { String(decoding: body, as: UTF8.self) }
    }

    struct Refused: Error {}

    private let fd: Int32
    private var unread = Data()

    init(_ server: StreamServer) throws {
        fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = server.port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let rc = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(fd, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard rc == 0 else { throw Refused() }
        // A server that hangs makes the test fail after 20 s instead of blocking it.
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(fd) }

    func send(_ path: String, method: String = "GET", headers: [String] = []) {
        let text = "\(method) /\(path) HTTP/1.1\r\nHost: test\r\n" + headers.map { $0 + "\r\n" }.joined() + "\r\n"
        _ = Array(text.utf8).withUnsafeBytes { Foundation.send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Receives one response, up to its announced length or the end of the connection.
    func receive(method: String = "GET", ignoringLength: Bool = false, atMost: Int = .max) -> Answer {
        var answer = Answer()
        let end = Data("\r\n\r\n".utf8)
        while unread.range(of: end) == nil { if !more(&answer) { break } }
        guard let range = unread.range(of: end) else {
            answer.body = unread
            unread = Data()
            return answer
        }
        answer.head = String(decoding: unread[..<range.lowerBound], as: UTF8.self)
        unread = Data(unread[range.upperBound...])
        var length = answer.header("Content-Length").flatMap(Int.init) ?? .max
        if ignoringLength { length = .max }
        if answer.header("Transfer-Encoding") == nil, method == "HEAD" || answer.status == 304 { length = 0 }
        length = min(length, atMost)
        while unread.count < length { if !more(&answer) { break } }
        answer.body = Data(unread.prefix(length))
        unread = Data(unread.dropFirst(length))
        return answer
    }

    func get(_ path: String, method: String = "GET", headers: [String] = []) -> Answer {
        send(path, method: method, headers: headers)
        return receive(method: method)
    }

    private func more(_ answer: inout Answer) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(fd, &buffer, buffer.count, 0)
        if count > 0 {
            unread.append(contentsOf: buffer[..<count])
        } else {
            answer.wasReset = count < 0 && errno == ECONNRESET
        }
        return count > 0
    }
}

/// A folder with a file of known bytes, and a server of this folder.
final class ServedFolder: Sendable {
    let server: StreamServer
    let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-served-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try bytes.write(to: folder.appendingPathComponent("film.mp4"))
        try Data("#EXTM3U\n".utf8).write(to: folder.appendingPathComponent("list.m3u8"))
        server = try StreamServer(root: folder)
    }

    func client() throws -> RawClient { try RawClient(server) }

    deinit {
        server.close()
        try? FileManager.default.removeItem(at: folder)
    }
}
