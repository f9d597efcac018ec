import MediaCore

/// The tapes of a reader (`PacketTape`). A pass is recorded, and later passes are replayed without reading the file.
struct TapeDeck {
    /// The key of the tapes; `nil` if nothing is recorded.
    private let key: PacketTape.Key?
    private var recorder: PacketTape.Recorder?
    private var replay: (tape: PacketTape, next: Int)?
    /// The tape that this reader recorded last. The reference keeps it available for replay.
    private var published: PacketTape?

    init(_ key: PacketTape.Key?) { self.key = key }

    var isReplaying: Bool { replay != nil }

    // MARK: replaying

    /// Returns the next packet of the tape; `nil` at its end.
    mutating func next() -> PacketTape.Entry? {
        guard let current = replay, current.next < current.tape.entries.count else { return nil }
        replay?.next += 1
        return current.tape.entries[current.next]
    }

    /// Returns the time at which decoding begins for `target`; `nil` if no tape is replayed.
    func keyTime(for target: MediaTime) -> MediaTime? {
        replay.map { $0.tape.entries[$0.tape.startIndex(for: target)].packet.pts ?? .max }
    }

    /// Continues the replayed tape at the keyframe for `target`.
    ///
    /// - Returns: Whether a tape is replayed.
    mutating func seek(to target: MediaTime) -> Bool {
        recorder = nil
        guard let current = replay else { return false }
        replay = (current.tape, current.tape.startIndex(for: target))
        return true
    }

    /// Replays the tape of the whole pass from its beginning.
    ///
    /// - Returns: `false` if there is no tape.
    mutating func replayAll() -> Bool {
        replay = key.flatMap { PacketTape.find($0) }.map { ($0, 0) }
        return isReplaying
    }

    mutating func stopReplaying() { replay = nil }

    // MARK: recording

    /// Starts to record from the first packet on, unless a tape exists.
    mutating func startRecording() {
        if let key, PacketTape.find(key) == nil { record() }
    }
    mutating func record() { recorder = key.map { PacketTape.Recorder(key: $0) } }

    mutating func append(_ packet: MediaPacket, isVideo: Bool) {
        recorder?.append(packet, isVideo: isVideo)
        if recorder?.isOverfull == true { recorder = nil }
    }

    /// Makes the tape available to other readers. Called when the pass is complete.
    mutating func publish() {
        if let recorder { published = PacketTape.publish(recorder) }
        recorder = nil
    }
    mutating func stopRecording() { recorder = nil }
}
