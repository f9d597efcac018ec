import CFFmpeg
import MediaCore

/// A converter that gives the packets of consecutive encoders the decoding timestamps that a single encoder would have
/// given them.
///
/// The presentation timestamps are sorted. Packet n in decoding order gets the sorted timestamp n − `delay` as its
/// decoding timestamp. The first `delay` packets get timestamps before the first frame, with the same distances as the
/// frames.
final class DecodeOrder {
    private let delay: Int
    /// The sorted presentation timestamps that are not yet used as decoding timestamps.
    private var waiting: [Int64] = []
    private var first = First()

    /// The first packets, stored until the first decoding timestamp is known.
    private struct First {
        var packets: [Held] = []
        var isOver = false
    }
    private final class Held {
        let packet: Owned<AVPacket>
        init(_ packet: consuming Owned<AVPacket>) { self.packet = packet }
    }

    /// - Parameter delay: The maximum number of frames by which decoding order and presentation order differ.
    init(delay: Int) { self.delay = max(0, delay) }

    typealias Delivery = (UnsafeMutablePointer<AVPacket>) throws(AVError) -> Void

    /// Takes the next packet in decoding order. Every packet must have a presentation timestamp.
    func take(_ packet: UnsafeMutablePointer<AVPacket>, deliver: Delivery) throws(AVError) {
        let time = packet.pointee.pts
        waiting.insert(time, at: waiting.firstIndex { $0 > time } ?? waiting.count)
        guard first.isOver else {
            if let copy = Owned<AVPacket>(av_packet_clone(packet)) { first.packets.append(Held(copy)) }
            if first.packets.count > 2 * delay { try begin(deliver) }
            return
        }
        packet.pointee.dts = waiting.removeFirst()
        try deliver(packet)
    }

    /// Delivers the stored packets. Call it after the last packet.
    func finish(deliver: Delivery) throws(AVError) { if !first.isOver { try begin(deliver) } }

    private func begin(_ deliver: Delivery) throws(AVError) {
        first.isOver = true
        let count = first.packets.count
        let lead = min(delay, max(0, count - 1))
        let times = waiting
        guard let start = times.first else { return }
        for (index, held) in first.packets.enumerated() {
            held.packet.raw.pointee.dts = index < lead ? times[index] - (times[lead] - start) : times[index - lead]
            try deliver(held.packet.raw)
        }
        waiting.removeFirst(count - lead)
        first.packets = []
    }
}
