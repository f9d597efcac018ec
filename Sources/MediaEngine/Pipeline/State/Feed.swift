import MediaCore

/// What has been read and waits for the decoders.
struct Feed {
    enum Track { case video, audio }

    /// The queues hold at least this much of each track before the feeder rests.
    private static let spanWanted: MediaTime = 1_000_000_000
    /// And at most this much memory, bytes, however badly the tracks are interleaved.
    private static let bytesAllowed = 64 << 20
    /// The pipeline stops waiting for a track once this much of the other track is queued.
    private static let longestWait: MediaTime = 10_000_000_000

    private(set) var video = UnitQueue()
    private(set) var audio = UnitQueue()
    private(set) var packets = FedPackets()
    /// Nothing more is fed: nothing follows, or what follows is no longer wanted, or the tracks changed.
    var isDone = true
    /// It was given up before its end for a seek that waits: where that is dropped, it has to be taken up again.
    var isCut = false
    /// Media time of the newest picture decoded and the end of the newest packet of sound taken up in this run.
    var videoReach: MediaTime?
    private(set) var audioReach: MediaTime?

    // MARK: the feeder's side

    mutating func begin(_ segment: Segment) {
        packets.begin(segment)
        isDone = false
        append(.start(segment))
    }
    /// For both decoders.
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

    /// The same packets belong to `segment` from now on.
    mutating func goOn(in segment: Segment) {
        packets.goOn(in: segment)
        video.restart(segment)
        audio.restart(segment)
    }

    /// There is room, and something to read into it.
    func hasRoom(for segment: Segment?) -> Bool {
        guard !isDone, let segment else { return false }
        if let clip = segment.clip {
            // The next pass is sent when both decoders have begun this one.
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
        if case .packet(let packet) = unit, let end = packet.end { audioReach = max(audioReach ?? end, end) }
        return unit
    }

    /// Whether `track` has no packet to decode while `longestWait` or `bytesAllowed` of the other track is queued: the
    /// track begins late, ends early, has a gap, or is empty.
    func isMissing(_ track: Track) -> Bool {
        let (mine, other) = track == .video ? (video, audio) : (audio, video)
        guard !isDone, mine.isEmpty else { return false }
        return other.span >= Feed.longestWait || other.bytes > Feed.bytesAllowed
    }
}
