import MediaCore

/// A queue of units that tracks the media time and the memory of its packets.
struct UnitQueue {
    /// A unit that the feeder passes to a decoding thread.
    enum Unit {
        case start(Segment)
        case packet(MediaPacket)
        /// The coding of the video changes from here on.
        case videoTrack(VideoTrackDescription)
        /// The coding of the audio changes from here on.
        case audioTrack(AudioTrackDescription)
        case end(Segment)
        case endOfStream
    }

    private var units: [Unit] = []
    private var head = 0
    private(set) var bytes = 0
    private(set) var segments = 0

    var isEmpty: Bool { head == units.count }
    var count: Int { units.count - head }

    /// The time between the first and the last packet with a timestamp.
    var span: MediaTime {
        var first: MediaTime?
        var last: MediaTime?
        for unit in units[head...] {
            if case .packet(let p) = unit, let t = p.pts {
                first = t
                break
            }
        }
        for unit in units[head...].reversed() {
            if case .packet(let p) = unit, let t = p.pts {
                last = t
                break
            }
        }
        guard let first, let last else { return 0 }
        return last - first
    }

    mutating func append(_ unit: Unit) {
        units.append(unit)
        switch unit {
        case .packet(let p): bytes += p.byteCount
        case .start: segments += 1
        default: break
        }
    }

    mutating func popFirst() -> Unit? {
        guard head < units.count else { return nil }
        let unit = units[head]
        units[head] = .endOfStream  // releases the packet
        head += 1
        if head == units.count {
            units.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 256 {
            units.removeFirst(head)
            head = 0
        }
        switch unit {
        case .packet(let p): bytes -= p.byteCount
        case .start: segments -= 1
        default: break
        }
        return unit
    }

    /// Assigns the waiting units to `segment`, and inserts `packets` before them.
    mutating func restart(_ segment: Segment, with packets: some Collection<MediaPacket> = []) {
        if head < units.count, case .start = units[head] { _ = popFirst() }
        units.insert(contentsOf: [.start(segment)] + packets.map { .packet($0) }, at: head)
        segments += 1
        bytes += packets.reduce(0) { $0 + $1.byteCount }
    }
}
