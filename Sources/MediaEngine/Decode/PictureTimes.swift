import MediaCore

/// Where decoded frames lie in media time, though some have no timestamp, and some come twice.
struct PictureTimes {
    /// Where a frame without a timestamp belongs: behind the one before, or where the first packet says.
    private var next: MediaTime?
    private(set) var lastDelivered: MediaTime?
    /// Frames up to here have been delivered already.
    private var suppressUntil: MediaTime?

    /// A packet goes into the decoder.
    mutating func begin(_ packet: MediaPacket?) {
        if next == nil { next = packet?.pts }
    }

    /// What has been delivered comes again from another decoder.
    mutating func suppressDelivered() { suppressUntil = lastDelivered }

    /// Where a frame belongs; nil: it was delivered before.
    func place(stamp: MediaTime?) -> MediaTime? {
        let pts = stamp ?? next ?? 0
        if let suppressUntil, pts <= suppressUntil { return nil }
        // Of torn streams libavcodec's threads hand out pictures late or twice; everything behind counts on time going
        // on.
        if let lastDelivered, pts <= lastDelivered { return lastDelivered + 1 }
        return pts
    }

    mutating func deliver(_ pts: MediaTime, lasting length: MediaTime) {
        lastDelivered = pts
        next = pts + length
    }
}

/// Packets whose frames may not all be out yet, by keyframe: another decoder can begin with them.
struct PacketGroups {
    private var groups: [[MediaPacket]] = []

    /// - Parameter delivered: media time of the newest frame that is out.
    mutating func append(_ packet: MediaPacket, delivered: MediaTime?) {
        if packet.isKey || groups.isEmpty { groups.append([]) }
        groups[groups.count - 1].append(packet)
        // Frames come out later than their packets go in: a group goes when the next one's first is out.
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
