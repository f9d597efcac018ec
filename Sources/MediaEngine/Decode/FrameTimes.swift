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
struct PacketGroups {
    private var groups: [[MediaPacket]] = []

    /// Appends a packet.
    /// - Parameter delivered: The media time of the newest decoded frame.
    mutating func append(_ packet: MediaPacket, delivered: MediaTime?) {
        if packet.isKey || groups.isEmpty { groups.append([]) }
        groups[groups.count - 1].append(packet)
        // Frames are decoded later than their packets are sent. A group is complete when the first frame of the next
        // group is decoded.
        while groups.count > 1, let next = groups[1].first?.pts, let delivered, delivered >= next {
            groups.removeFirst()
        }
    }

    mutating func removeAll() { groups.removeAll() }
    mutating func takeAll() -> [MediaPacket] {
        defer { groups = [] }
        return Array(groups.joined())
    }
}
