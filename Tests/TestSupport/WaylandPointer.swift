import Foundation

/// A simulated mouse, on a compositor that supports `zwlr_virtual_pointer_manager_v1`. The type implements Wayland's
/// wire format itself, because seven requests need no library.
public final class WaylandPointer {
    public struct NotAllowed: Error {
        public let what: String
    }

    private let socket: Int32
    private let size: (width: Int, height: Int)
    private var incoming: [UInt8] = []
    private var nextObject: UInt32 = 2
    private var pointer: UInt32 = 0
    private var time: UInt32 = 0

    /// Connects to a compositor.
    /// - Parameters:
    ///   - path: The path of the compositor's socket.
    ///   - width: The width of all outputs together, in points.
    ///   - height: The height of all outputs together, in points.
    init(_ path: String, width: Int, height: Int) throws {
        size = (width, height)
        socket = try LocalSocket.connect(to: path)
        let registry = object()
        try send(1, 1, [registry])
        var manager: (name: UInt32, interface: [UInt8])?
        try roundTrip { object, opcode, body in
            guard object == registry, opcode == 0, body.count > 8 else { return }
            let length = Int(WaylandPointer.word(body, 4))
            guard length > 0, 8 + length <= body.count else { return }
            let text = Array(body[8..<(8 + length - 1)])
            if text == Array("zwlr_virtual_pointer_manager_v1".utf8) { manager = (WaylandPointer.word(body, 0), text) }
        }
        guard let manager else { throw NotAllowed(what: "zwlr_virtual_pointer_manager_v1") }
        let bound = object()
        // The request wl_registry.bind has a name, an interface, a version and an object.
        let padded = manager.interface + [UInt8](repeating: 0, count: 4 - manager.interface.count % 4)
        var words = [manager.name, UInt32(manager.interface.count + 1)]
        words += stride(from: 0, to: padded.count, by: 4).map { WaylandPointer.word(padded, $0) }
        try send(registry, 0, words + [1, bound])
        pointer = object()
        // In create_virtual_pointer, a seat of 0 means any seat.
        try send(bound, 0, [0, pointer])
        try roundTrip()
    }

    deinit { Glibc.close(socket) }

    /// Moves the pointer to a position of the screen, in points.
    public func move(_ x: Int, _ y: Int) throws {
        try send(pointer, 1, [now(), UInt32(x), UInt32(y), UInt32(size.width), UInt32(size.height)])
        try frame()
    }
    public func press() throws { try button(1) }
    public func release() throws { try button(0) }
    public func click() throws {
        try press()
        try release()
    }

    private func button(_ state: UInt32) throws {
        // The code of the left button, BTN_LEFT.
        try send(pointer, 2, [now(), 0x110, state])
        try frame()
    }

    private func frame() throws {
        try send(pointer, 4, [])
        try roundTrip()
    }

    private func now() -> UInt32 {
        time += 10
        return time
    }

    // MARK: wire format

    private func object() -> UInt32 {
        defer { nextObject += 1 }
        return nextObject
    }

    private static func word(_ bytes: [UInt8], _ at: Int) -> UInt32 {
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: at, as: UInt32.self) }
    }

    private func send(_ object: UInt32, _ opcode: UInt32, _ words: [UInt32]) throws {
        let message = [object, UInt32(8 + words.count * 4) << 16 | opcode] + words
        let count = message.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard count == message.count * 4 else { throw NotAllowed(what: "send: \(errno)") }
    }

    /// Waits until the compositor has handled all requests.
    /// - Parameter take: Called with the object, opcode and body of each event that arrives meanwhile.
    private func roundTrip(_ take: (UInt32, UInt32, [UInt8]) -> Void = { _, _, _ in }) throws {
        let callback = object()
        try send(1, 0, [callback])
        while true {
            while incoming.count >= 8 {
                let from = WaylandPointer.word(incoming, 0)
                let head = WaylandPointer.word(incoming, 4)
                let length = Int(head >> 16)
                guard length >= 8, incoming.count >= length else { break }
                let body = Array(incoming[8..<length])
                incoming.removeFirst(length)
                if from == callback { return }
                if from == 1, head & 0xffff == 0 { throw NotAllowed(what: String(decoding: body, as: UTF8.self)) }
                take(from, head & 0xffff, body)
            }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = read(socket, &bytes, bytes.count)
            guard count > 0 else { throw NotAllowed(what: "the compositor has ended") }
            incoming += bytes[..<count]
        }
    }
}
