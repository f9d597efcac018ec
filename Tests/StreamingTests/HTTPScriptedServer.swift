import Foundation

/// A loopback server that sends exactly the bytes that a test specifies. For complete media and usual faults, use
/// `StreamServer`.
///
/// Each connection has a thread. When the closure returns, the connection is closed, or reset.
public final class ScriptedServer: @unchecked Sendable {
    // The lock guards `state`. The other properties are immutable.
    public let port: UInt16
    private let listener: Int32
    private let lock = NSLock()
    private var state = State()

    private struct State {
        var heads: [String] = []
        var sockets: Set<Int32> = []
        var connections = 0
        var isStopped = false
    }

    public struct CannotListen: Error { public let code: Int32 }

    /// Starts a server on a free port of the loopback interface.
    /// - Parameter converse: Called for every connection, on a thread of its own.
    public init(_ converse: @escaping @Sendable (Conversation) -> Void) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let rc = withUnsafeMutablePointer(to: &address) { raw in
            raw.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard rc else { throw CannotListen(code: errno) }
        port = address.sin_port.bigEndian
        Thread.detachNewThread { [weak self] in
            // Only this thread closes the descriptor, because another server may soon get the same number.
            defer { close(listener) }
            while true {
                let socket = accept(listener, nil, nil)
                guard socket >= 0 else { return }
                guard let self, register(socket) else {
                    close(socket)
                    return
                }
                Thread.detachNewThread { [weak self] in
                    let conversation = Conversation(socket: socket) { head in self?.note(head) }
                    converse(conversation)
                    conversation.end()
                    self?.lock.withLock { _ = self?.state.sockets.remove(socket) }
                    close(socket)
                }
            }
        }
    }

    /// Starts a server that answers every request with `respond` and keeps connections open.
    public static func serving(_ respond: @escaping @Sendable (Conversation, String) -> Void) throws -> ScriptedServer {
        try ScriptedServer { conversation in
            while conversation.isOpen, let head = conversation.readHead() { respond(conversation, head) }
        }
    }

    deinit { stop() }

    public func stop() {
        lock.withLock {
            guard !state.isStopped else { return }
            state.isStopped = true
            shutdown(listener, Int32(SHUT_RDWR))
            for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    public func url(_ path: String) throws -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { throw CannotListen(code: EINVAL) }
        return url
    }

    /// The heads of all requests so far, in order.
    public var heads: [String] { lock.withLock { state.heads } }
    public var connections: Int { lock.withLock { state.connections } }

    private func note(_ head: String) { lock.withLock { state.heads.append(head) } }

    private func register(_ socket: Int32) -> Bool {
        lock.withLock {
            guard !state.isStopped else { return false }
            state.sockets.insert(socket)
            state.connections += 1
            return true
        }
    }

    /// A connection.
    public final class Conversation: @unchecked Sendable {
        // Only the connection's thread uses these properties.
        private let socket: Int32
        private let note: (String) -> Void
        private var rest = Data()
        private var isReset = false
        public private(set) var isOpen = true

        init(socket: Int32, note: @escaping (String) -> Void) {
            self.socket = socket
            self.note = note
        }

        /// Returns the head of the next request, or nil if the client has closed the connection.
        public func readHead() -> String? {
            let end = Data("\r\n\r\n".utf8)
            while true {
                if let range = rest.range(of: end) {
                    let head = String(decoding: rest[..<range.lowerBound], as: UTF8.self)
                    rest = Data(rest[range.upperBound...])
                    note(head)
                    return head
                }
                var buffer = [UInt8](repeating: 0, count: 4096)
                let count = recv(socket, &buffer, buffer.count, 0)
                guard count > 0 else {
                    isOpen = false
                    return nil
                }
                rest.append(contentsOf: buffer[..<count])
            }
        }

        /// Sends bytes, and blocks while the client's buffers are full.
        /// - Returns: False if the client has closed the connection.
        @discardableResult
        public func send(_ bytes: Data) -> Bool {
            var done = 0
            while done < bytes.count {
                let count = bytes.withUnsafeBytes { raw in
                    Glibc.send(socket, raw.baseAddress.map { $0 + done }, raw.count - done, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else {
                    isOpen = false
                    return false
                }
                done += count
            }
            return true
        }

        @discardableResult
        public func send(_ text: String) -> Bool { send(Data(text.utf8)) }

        /// Waits until the client closes the connection.
        public func waitForClose() {
            while readHead() != nil {}
            isOpen = false
        }

        /// Closes the connection after the current response.
        public func hangUp() { isOpen = false }

        /// Closes the connection with RST. Data in transit is lost.
        public func reset() {
            isReset = true
            isOpen = false
        }

        func end() {
            if isReset {
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
            }
        }
    }
}

extension ScriptedServer.Conversation {
    /// Sends a complete response with its length.
    public func answer(_ status: String = "200 OK", _ headers: [String] = [], body: Data = Data()) {
        send(
            (["HTTP/1.1 " + status, "Content-Length: \(body.count)"] + headers).joined(separator: "\r\n") + "\r\n\r\n")
        send(body)
    }

    /// Sends the requested part of `whole`: status 206 for a range, otherwise 200.
    /// - Parameter cut: The number of bytes of the body after which the connection closes. nil: all.
    public func answer(_ head: String, file whole: Data, headers: [String] = [], cut: Int? = nil) {
        let range = ScriptedServer.range(in: head)
        if let range, range.first >= whole.count {
            return answer("416 Range Not Satisfiable", ["Content-Range: bytes */\(whole.count)"])
        }
        let first = range?.first ?? 0
        let last = min(range?.last ?? .max, whole.count - 1)
        let body = whole[first..<max(first, last + 1)]
        var lines =
            range == nil
            ? ["HTTP/1.1 200 OK", "Accept-Ranges: bytes"]
            : ["HTTP/1.1 206 Partial Content", "Content-Range: bytes \(first)-\(last)/\(whole.count)"]
        lines += ["Content-Length: \(body.count)"] + headers
        send(lines.joined(separator: "\r\n") + "\r\n\r\n")
        send(Data(body.prefix(cut ?? .max)))
        if cut != nil { hangUp() }
    }
}

extension ScriptedServer {
    /// Returns the first and the last byte of the `Range` header in a request's head, or nil.
    public static func range(in head: String) -> (first: Int, last: Int?)? {
        guard
            let line = head.components(separatedBy: "\r\n").first(where: { $0.lowercased().hasPrefix("range: bytes=") })
        else { return nil }
        let parts = line.dropFirst("range: bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let first = Int(parts[0]) else { return nil }
        return (first, Int(parts[1]))
    }

    /// Returns the value of a header in a request's head, or nil if it has no such header.
    public static func header(_ name: String, in head: String) -> String? {
        head.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
            .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }
}
