import MediaCore

/// The media times of decoded frames, including frames without timestamps and frames that are decoded again.
struct FrameTimes {
    /// The time of a frame without a timestamp: the end of the previous frame, or the time of the first packet.
    private var next: MediaTime?
    private(set) var lastDelivered: MediaTime?
    /// The time up to which frames have already been delivered.
    private var suppressUntil: MediaTime?

    /// Records that a packet is sent to the decoder.
    mutating func begin(_ packet: MediaPacket?) {
        if next == nil { next = packet?.pts }
    }

    /// Suppresses the frames that were already delivered and are decoded again by another decoder.
    mutating func suppressDelivered() { suppressUntil = lastDelivered }

    /// Returns the time of a frame; nil if the frame was already delivered.
    func time(stamp: MediaTime?) -> MediaTime? {
        let pts = stamp ?? next ?? 0
        if let suppressUntil, pts <= suppressUntil { return nil }
        // For a damaged stream, libavcodec's threads can return frames late or twice, but later stages require
        // increasing times.
        if let lastDelivered, pts <= lastDelivered { return lastDelivered + 1 }
        return pts
    }

    mutating func deliver(_ pts: MediaTime, lasting length: MediaTime) {
        lastDelivered = pts
        next = pts + length
    }
}

/// The packets whose frames may not all be decoded, grouped by key frame, so that another decoder can start with them.
///
/// If they become larger than `capacity`, because there is no key frame for a long time, only the newest packet is kept
/// until the next key frame.
struct PacketGroups {
    /// The maximum size of the packets, in bytes.
    var capacity: Int
    private var groups: [[MediaPacket]] = []
    private var size = 0
    /// Whether the first group has lost its key frame.
    private(set) var isCut = false

    init(capacity: Int = 64 << 20) { self.capacity = capacity }

    /// Appends a packet.
    /// - Parameter delivered: The media time of the newest decoded frame.
    mutating func append(_ packet: MediaPacket, delivered: MediaTime?) {
        if packet.isKey || groups.isEmpty { groups.append([]) }
        groups[groups.count - 1].append(packet)
        size += PacketGroups.size(packet)
        // Frames are decoded later than their packets are sent. A group is complete when the first frame of the next
        // group is decoded.
        while groups.count > 1, let next = groups[1].first?.pts, let delivered, delivered >= next {
            size -= groups.removeFirst().reduce(0) { $0 + PacketGroups.size($1) }
            isCut = false
        }
        guard groups.count == 1 && isCut || size > capacity else { return }
        groups = [[packet]]
        size = PacketGroups.size(packet)
        isCut = !packet.isKey
    }

    mutating func removeAll() { self = PacketGroups(capacity: capacity) }
    mutating func takeAll() -> [MediaPacket] {
        defer { removeAll() }
        return Array(groups.joined())
    }

    private static func size(_ packet: MediaPacket) -> Int { Int(packet.raw.pointee.size) }
}
