import CFFmpeg
import MediaCore
import MediaEngine

/// Gives packets the decoding timestamps that one encoder would have given them, where several encoders have made them
/// one after the other.
///
/// A packet's decoding timestamp is the presentation timestamp that lies `delay` places earlier in the order of
/// presentation. The first packets have none; theirs lie before the first frame, as far apart as the frames.
final class DecodeOrder {
    private let delay: Int
    /// Presentation timestamps that no packet has been given yet, in order.
    private var waiting: [Int64] = []
    private var first = First()

    /// The packets at the begin, until it is known when the first is decoded.
    private struct First {
        var packets: [Held] = []
        var isOver = false
    }
    private final class Held {
        let packet: Owned<AVPacket>
        init(_ packet: consuming Owned<AVPacket>) { self.packet = packet }
    }

    /// - Parameter delay: by how many frames the order of decoding differs from the order of presentation at most.
    init(delay: Int) { self.delay = max(0, delay) }

    typealias Delivery = (UnsafeMutablePointer<AVPacket>) throws(AVError) -> Void

    /// Packets in the order of decoding; all have a presentation timestamp.
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

    /// After the last packet.
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
