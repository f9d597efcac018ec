import Foundation
import MediaCore

/// A writer that sends a body, and stops where a fault requires it.
struct BodyWriter {
    let connection: ServerConnection
    let plan: ResponsePlan
    let isChunked: Bool
    let index: Int
    private var sent: Int64 = 0
    private var hasStalled = false

    init(connection: ServerConnection, plan: ResponsePlan, isChunked: Bool, index: Int) {
        self.connection = connection
        self.plan = plan
        self.isChunked = isChunked
        self.index = index
    }

    /// Sends a body.
    /// - Returns: False if a fault cut the body.
    mutating func write(_ body: ServerResponse.Body) throws -> Bool {
        switch body {
        case .data(let data):
            guard try write(data) else { return false }
        case .file(let url, let offset, let count):
            guard let file = try? FileHandle(forReadingFrom: url) else { return false }
            defer { try? file.close() }
            try? file.seek(toOffset: UInt64(offset))
            var rest = count
            while rest > 0, let data = try? file.read(upToCount: Int(min(rest, 262_144))), !data.isEmpty {
                rest -= Int64(data.count)
                guard try write(data) else { return false }
            }
        case .endless(let data):
            guard !data.isEmpty else { break }
            let bytes = data.count < 4096 ? Data((0..<4096 / data.count + 1).flatMap { _ in data }) : data
            while try write(bytes) {}
            return false
        }
        // Faults also stall and cut an empty body, and a body that ends exactly at the position of the fault.
        guard try stop() != 0 else { return false }
        if isChunked { try connection.send(Data("0\r\n\r\n".utf8)) }
        return true
    }

    private mutating func write(_ data: Data) throws -> Bool {
        var rest = data[...]
        while !rest.isEmpty {
            let room = try stop()
            guard room != 0 else { return false }
            // Small pieces keep the log up to date.
            let piece = rest.prefix(Int(min(room, 65536)))
            rest = rest.dropFirst(piece.count)
            if isChunked { try connection.send(Data("\(String(piece.count, radix: 16))\r\n".utf8)) }
            // Small steps let the log show the progress on a slow network.
            try piece.withContiguousPieces(of: step) { part in
                try connection.send(part, pace: plan.bodyPace, pacer: plan.pacer)
                sent += Int64(part.count)
                let total = sent
                connection.core.log.change(index) { $0.bytesSent = total }
            }
            if isChunked { try connection.send(Data("\r\n".utf8)) }
        }
        return true
    }

    private var step: Int { plan.bodyPace > 0 ? 1 : plan.pacer != nil || connection.core.network != nil ? 4096 : 65536 }

    /// Returns the number of bytes to send before the next fault; 0 if the body is cut here. Waits if a fault stalls
    /// the body here.
    private mutating func stop() throws -> Int64 {
        var room = Int64.max
        if let stall = plan.stall, !hasStalled {
            if sent >= stall.after {
                hasStalled = true
                let deadline = stall.seconds.map { HostClock.now() + Int64($0 * 1e9) }
                try connection.socket.wait(until: deadline) { !connection.core.rules.contains(stall.rule) }
            } else {
                room = stall.after - sent
            }
        }
        if let cut = plan.cut {
            if sent >= cut.after { return 0 }
            room = min(room, cut.after - sent)
        }
        return room
    }

    /// Returns the bytes of a body; nil if the body is endless or can't be read.
    static func all(_ body: ServerResponse.Body) -> Data? {
        switch body {
        case .data(let data): return data
        case .file(let url, let offset, let count):
            guard let file = try? FileHandle(forReadingFrom: url) else { return nil }
            defer { try? file.close() }
            try? file.seek(toOffset: UInt64(offset))
            return try? file.read(upToCount: Int(count)) ?? Data()
        case .endless: return nil
        }
    }
}

extension Data {
    fileprivate func withContiguousPieces(of size: Int, _ body: (Data) throws -> Void) throws {
        var rest = self[...]
        while !rest.isEmpty {
            try body(Data(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
    }
}
