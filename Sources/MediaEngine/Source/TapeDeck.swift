import MediaCore

/// A reader's tapes (`PacketTape`): it records a pass, and later passes are replayed without the file.
struct TapeDeck {
    /// Nil: nothing is recorded.
    private let key: PacketTape.Key?
    private var recorder: PacketTape.Recorder?
    private var replay: (tape: PacketTape, next: Int)?
    /// Keeps the tape that was recorded alive until it is replayed.
    private var published: PacketTape?

    init(_ key: PacketTape.Key?) { self.key = key }

    var isReplaying: Bool { replay != nil }

    // MARK: replaying

    /// The next packet of the tape; nil: it is at its end.
    mutating func next() -> PacketTape.Entry? {
        guard let current = replay, current.next < current.tape.entries.count else { return nil }
        replay?.next += 1
        return current.tape.entries[current.next]
    }

    /// Where decoding begins for `target`; nil: no tape is replayed.
    func keyTime(for target: MediaTime) -> MediaTime? {
        replay.map { $0.tape.entries[$0.tape.startIndex(for: target)].packet.pts ?? .max }
    }

    /// - Returns: whether a tape is replayed, which goes on from there.
    mutating func seek(to target: MediaTime) -> Bool {
        recorder = nil
        guard let current = replay else { return false }
        replay = (current.tape, current.tape.startIndex(for: target))
        return true
    }

    /// A tape of the whole pass is replayed from its beginning. - Returns: false: there is none.
    mutating func replayAll() -> Bool {
        replay = key.flatMap { PacketTape.find($0) }.map { ($0, 0) }
        return isReplaying
    }

    mutating func stopReplaying() { replay = nil }

    // MARK: recording

    /// From the first packet on, unless there is a tape already.
    mutating func startRecording() {
        if let key, PacketTape.find(key) == nil { record() }
    }
    mutating func record() { recorder = key.map { PacketTape.Recorder(key: $0) } }

    mutating func append(_ packet: MediaPacket, isVideo: Bool) {
        recorder?.append(packet, isVideo: isVideo)
        if recorder?.isOverfull == true { recorder = nil }
    }

    /// The pass is whole.
    mutating func publish() {
        if let recorder { published = PacketTape.publish(recorder) }
        recorder = nil
    }
    mutating func stopRecording() { recorder = nil }
}
