import MediaCore
import Synchronization

/// The buffer of a composition with remote files: that of the files that are open. Thread-safe.
///
/// Files that are not open yet are not loaded, so only the rest of the current pieces counts.
final class CompositionBuffer: SourceBuffer {
    /// An open file, and the position of its reader.
    private struct Part {
        let buffer: any SourceBuffer
        var position = MediaTime.zero
        /// The end of the piece in the file, and the speed at which the piece plays.
        var end = MediaTime.max
        var speed = 1.0
    }
    private struct State {
        /// The parts by number: 0 for the video, the number of the audio track plus 1 for audio.
        var parts: [Int: Part] = [:]
        /// The number of files that are being opened, which may be remote.
        var openings = 0
        var onChange: (@Sendable () -> Void)?
        var forwardDuration: MediaTime?
    }
    private let state = Mutex(State())
    private let duration: MediaTime

    init(duration: MediaTime) { self.duration = duration }

    // MARK: the reader's side

    /// Sets the buffer of the open video file; nil for a file that is not remote, and if none is open.
    func setVideo(_ buffer: (any SourceBuffer)?) { set(buffer, 0) }
    /// Sets the buffer of the open file of an audio track.
    func setAudio(_ buffer: (any SourceBuffer)?, lane: Int) { set(buffer, lane + 1) }
    /// Records that the video file has been read up to `time`.
    func readVideo(to time: MediaTime, of piece: CompositionPiece) { read(to: time, of: piece, 0) }
    /// Records that the file of an audio track has been read up to `time`.
    func readAudio(to time: MediaTime, of piece: CompositionPiece, lane: Int) { read(to: time, of: piece, lane + 1) }

    /// Records that a file is being opened, so that the player waits for it.
    func beginOpening() { state.withLock { $0.openings += 1 } }
    func endOpening() {
        let onChange = state.withLock { state in
            state.openings -= 1
            return state.onChange
        }
        onChange?()
    }

    private func set(_ buffer: (any SourceBuffer)?, _ number: Int) {
        let (old, onChange, forward) = state.withLock { state in
            let old = state.parts[number]?.buffer
            state.parts[number] = buffer.map { Part(buffer: $0) }
            return (old, state.onChange, state.forwardDuration)
        }
        old?.setOnChange(nil)
        buffer?.setOnChange(onChange)
        if let forward { buffer?.setForwardDuration(forward) }
    }

    private func read(to time: MediaTime, of piece: CompositionPiece, _ number: Int) {
        state.withLock { state in
            state.parts[number]?.position = time
            state.parts[number]?.end = piece.end
            state.parts[number]?.speed = piece.speed
        }
    }

    // MARK: the player's side

    private var parts: [Part] { state.withLock { Array($0.parts.values) } }
    private var isOpening: Bool { state.withLock { $0.openings > 0 } }

    func status(playhead: MediaTime) -> BufferStatus {
        var status = BufferStatus(seekable: 0..<duration)
        status.isComplete = !isOpening
        status.isFull = status.isComplete
        var unread: MediaTime?
        for part in parts {
            let own = part.buffer.status(playhead: part.position)
            let loaded = max(own.ahead, own.unread)
            if own.isComplete || loaded >= part.end - part.position { continue }
            status.isComplete = false
            status.isFull = status.isFull && own.isFull
            status.willFail = status.willFail || own.willFail
            let time = MediaTime(seconds: loaded.seconds / max(part.speed, 0.01))
            unread = min(unread ?? time, time)
            if let surplus = own.surplus {
                status.surplus = min(status.surplus ?? .infinity, surplus / max(part.speed, 0.01))
            }
        }
        status.unread = unread ?? 0
        return status
    }

    var isWaitedFor: Bool { isOpening || parts.contains { $0.buffer.isWaitedFor } }

    func setOnChange(_ call: (@Sendable () -> Void)?) {
        let parts = state.withLock { state in
            state.onChange = call
            return Array(state.parts.values)
        }
        for part in parts { part.buffer.setOnChange(call) }
    }

    func setPlayhead(_ call: (@Sendable () -> MediaTime?)?) {}

    func setForwardDuration(_ ahead: MediaTime) {
        let parts = state.withLock { state in
            state.forwardDuration = ahead
            return Array(state.parts.values)
        }
        for part in parts { part.buffer.setForwardDuration(ahead) }
    }
}
