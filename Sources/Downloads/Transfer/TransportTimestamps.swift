/// The duration of a transport stream, measured by the timestamps in its PES headers alone (ISO/IEC 13818-1 §2.4.3).
/// Reads only four bytes of most packets, and assembles nothing.
struct TransportTimestamps {
    static let packet = 188
    private struct Span {
        var pid: Int
        var from: Int64
        var to: Int64
        var last: Int64
        var step: Int64 = 0
    }
    private var spans: [Span] = []

    /// The duration of the longest track, in seconds, or nil if there are no timestamps.
    var duration: Double? { spans.map { $0.to - $0.from + $0.step }.max().map { Double($0) / 90_000 } }

    /// Takes the next packets, which must be entire ones.
    ///
    /// - Returns: False if the bytes are not a transport stream, or are scrambled.
    mutating func take(_ raw: UnsafeRawBufferPointer) -> Bool {
        let bytes = raw.bindMemory(to: UInt8.self)
        guard bytes.count % TransportTimestamps.packet == 0 else { return false }
        var offset = 0
        while offset < bytes.count {
            guard bytes[offset] == 0x47, bytes[offset + 3] & 0xC0 == 0 else { return false }
            if bytes[offset + 1] & 0x40 != 0,
                let timestamp = TransportTimestamps.timestamp(
                    UnsafeBufferPointer(rebasing: bytes[offset..<offset + TransportTimestamps.packet]))
            {
                take(timestamp, Int(bytes[offset + 1] & 0x1F) << 8 | Int(bytes[offset + 2]))
            }
            offset += TransportTimestamps.packet
        }
        return true
    }

    /// Returns the timestamp of a PES packet that begins in `packet` (§2.4.3.6), in units of 1/90,000 s. Nil if no PES
    /// packet begins there, or if it has no timestamp.
    private static func timestamp(_ packet: UnsafeBufferPointer<UInt8>) -> Int64? {
        var start = 4
        switch packet[3] >> 4 & 3 {
        case 1: break
        case 3: start += 1 + Int(packet[4])
        default: return nil
        }
        guard start + 14 <= TransportTimestamps.packet, packet[start] == 0, packet[start + 1] == 0,
            packet[start + 2] == 1
        else { return nil }
        let kind = packet[start + 3]
        guard kind == 0xBD || kind == 0xFD || (0xC0...0xEF).contains(kind), packet[start + 7] & 0x80 != 0 else {
            return nil
        }
        let fieldStart = start + 9
        func part(_ index: Int) -> Int64 { Int64(packet[fieldStart + index]) }
        return (part(0) & 0x0E) << 29 | part(1) << 22 | (part(2) & 0xFE) << 14 | part(3) << 7 | part(4) >> 1
    }

    private mutating func take(_ timestamp: Int64, _ pid: Int) {
        guard let index = spans.firstIndex(where: { $0.pid == pid }) else {
            // Real streams have fewer tracks. The limit bounds the work for invalid data.
            if spans.count < 64 { spans.append(Span(pid: pid, from: timestamp, to: timestamp, last: timestamp)) }
            return
        }
        // Timestamps wrap after 26.5 hours, so use the value that is nearest to the previous timestamp.
        let known = spans[index].last
        let difference = (timestamp - known) & 0x1_FFFF_FFFF
        let time = known + (difference >= 1 << 32 ? difference - (1 << 33) : difference)
        if time > spans[index].to { spans[index].step = min(time - spans[index].to, 90_000) }
        spans[index].last = time
        spans[index].from = min(spans[index].from, time)
        spans[index].to = max(spans[index].to, time)
    }
}
