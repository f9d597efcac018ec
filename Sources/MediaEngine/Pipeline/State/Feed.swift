import MediaCore

/// The packets that have been read and wait for the decoders.
struct Feed {
    enum Track { case video, audio }

    /// The duration of each track that the queues hold before the feeder pauses.
    private static let spanWanted: MediaTime = 1_000_000_000
    /// The maximum size of the queued packets in bytes, however badly the tracks are interleaved.
    private static let bytesAllowed = 64 << 20
    /// The length of the other track's queue at which the pipeline stops waiting for a track.
    private static let longestWait: MediaTime = 10_000_000_000

    private(set) var video = UnitQueue()
    private(set) var audio = UnitQueue()
    private(set) var packets = FedPackets()
    /// Whether nothing more is fed: no segment has begun, nothing follows the last one, or feeding stopped early
    /// (`isCut`).
    var isDone = true
    /// Whether feeding stopped early for a pending seek. If that seek is dropped, feeding has to resume.
    var isCut = false
    /// The media time of the first decoded frame with which a seek that continues decoding can begin.
    var videoStart: MediaTime?
    /// The audio packets that the decoder has taken and that may be decoded again: a seek that continues decoding the
    /// video begins before them, because audio is decoded ahead of its time.
    private var takenAudio: [MediaPacket] = []
    private var takenBytes = 0
    /// The media time from which audio packets are available to a decoder that begins again; `nil` if none has been
    /// dropped in this run.
    private(set) var audioStart: MediaTime?
    /// The maximum size of the kept audio packets in bytes.
    private static let takenBytesAllowed = 4 << 20

    // MARK: the feeder's side

    mutating func begin(_ segment: Segment) {
        packets.begin(segment)
        isDone = false
        append(.start(segment))
    }
    /// Appends `unit` to both queues.
    mutating func append(_ unit: UnitQueue.Unit) {
        video.append(unit)
        audio.append(unit)
    }
    mutating func appendVideo(_ packet: MediaPacket) {
        packets.takeVideo(packet.end ?? packet.pts)
        video.append(.packet(packet))
    }
    mutating func appendAudio(_ packet: MediaPacket) {
        packets.takeAudio(packet.end ?? packet.pts)
        audio.append(.packet(packet))
    }
    mutating func append(_ track: ReadTrack) {
        switch track {
        case .video(let track): video.append(.videoTrack(track))
        case .audio(let track): audio.append(.audioTrack(track))
        }
    }

    /// Assigns the queued packets to `segment`. The audio decoder takes the packets of its start again.
    mutating func assign(to segment: Segment) {
        packets.assign(to: segment)
        video.restart(segment)
        let start = segment.mediaStart - SeekPlan.audioRunUp
        let first = takenAudio.firstIndex { $0.end ?? .max > start } ?? takenAudio.endIndex
        audio.restart(segment, with: takenAudio[first...])
        takenAudio.removeSubrange(first...)
        takenBytes = takenAudio.reduce(0) { $0 + $1.byteCount }
    }

    /// Returns whether the queues have space and there is something to read.
    func hasSpace(for segment: Segment?) -> Bool {
        guard !isDone, let segment else { return false }
        if let clip = segment.clip {
            // The next pass is sent after both decoders have begun this one.
            return clip.currentState != .loading && video.segments + audio.segments == 0
        }
        if video.bytes + audio.bytes > Feed.bytesAllowed { return false }
        if video.segments > 1 || audio.segments > 1 { return false }
        let videoFull = !segment.hasVideo || video.span >= Feed.spanWanted
        let audioFull = !segment.hasAudio || audio.span >= Feed.spanWanted
        return !(videoFull && audioFull)
    }

    // MARK: the decoders' side

    mutating func takeVideo() -> UnitQueue.Unit? { video.popFirst() }
    mutating func takeAudio() -> UnitQueue.Unit? {
        let unit = audio.popFirst()
        switch unit {
        case .packet(let packet): keep(packet)
        // Packets with another coding can't be decoded again.
        case .audioTrack: dropTakenAudio(takenAudio.count)
        default: break
        }
        return unit
    }

    private mutating func keep(_ packet: MediaPacket) {
        guard packets.segment?.hasVideo == true else { return }
        guard let pts = packet.pts, packet.end != nil else {
            // A decoder that begins with this packet would not know the time of its samples.
            dropTakenAudio(takenAudio.count)
            return audioStart = .max
        }
        if audioStart == .max { audioStart = pts }
        takenAudio.append(packet)
        takenBytes += packet.byteCount
        let needed = videoStart.map { $0 - SeekPlan.audioRunUp } ?? .min
        var (count, bytes) = (0, takenBytes)
        for packet in takenAudio {
            guard packet.end ?? .max <= needed || bytes > Feed.takenBytesAllowed else { break }
            bytes -= packet.byteCount
            count += 1
        }
        dropTakenAudio(count)
    }
    /// Drops the oldest `count` of the kept packets.
    private mutating func dropTakenAudio(_ count: Int) {
        for packet in takenAudio.prefix(count) {
            takenBytes -= packet.byteCount
            if let end = packet.end { audioStart = max(audioStart ?? end, end) }
        }
        takenAudio.removeFirst(count)
    }

    /// Returns whether `track` has no packet to decode although `longestWait` or `bytesAllowed` of the other track is
    /// queued. The track then begins late, ends early, has a gap, or is empty.
    func isMissing(_ track: Track) -> Bool {
        let (mine, other) = track == .video ? (video, audio) : (audio, video)
        guard !isDone, mine.isEmpty else { return false }
        return other.span >= Feed.longestWait || other.bytes > Feed.bytesAllowed
    }
}
