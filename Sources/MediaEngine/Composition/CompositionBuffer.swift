import MediaCore
import Synchronization

/// The buffer of a composition with remote files, which combines the buffers of the open files. Thread-safe.
///
/// Files that are not open yet are not loaded, so only the rest of the current pieces counts.
final class CompositionBuffer: SourceBuffer {
    /// The state of reading for the video or an audio track.
    private struct Part {
        /// The buffer of the open file; nil for a file that is not remote, and if none is open.
        var buffer: (any SourceBuffer)?
        /// The position of the reader in the file.
        var position = MediaTime.zero
        /// The piece that is read; nil before the first packet.
        var piece: CompositionPiece?
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
            if let buffer {
                state.parts[number] = Part(buffer: buffer)
            } else {
                state.parts[number]?.buffer = nil
            }
            return (old, state.onChange, state.forwardDuration)
        }
        old?.setOnChange(nil)
        buffer?.setOnChange(onChange)
        if let forward { buffer?.setForwardDuration(forward) }
    }

    private func read(to time: MediaTime, of piece: CompositionPiece, _ number: Int) {
        let onChange: (@Sendable () -> Void)? = state.withLock { state in
            let isNew = state.parts[number]?.piece?.target != piece.target
            state.parts[number, default: Part()].position = time
            state.parts[number, default: Part()].piece = piece
            return isNew ? state.onChange : nil
        }
        onChange?()
    }

    // MARK: the player's side

    private var parts: [Part] { state.withLock { Array($0.parts.values) } }
    private var isOpening: Bool { state.withLock { $0.openings > 0 } }

    func status(playhead: MediaTime) -> BufferStatus {
        var status = BufferStatus(seekable: 0..<duration)
        status.isComplete = !isOpening
        status.isFull = status.isComplete
        var unread: MediaTime?
        // The time up to which all parts that are read are loaded.
        var end: MediaTime?
        for part in parts {
            let speed = max(part.piece?.speed ?? 1, 0.01)
            let rest = (part.piece?.end ?? .max) - part.position
            let own = part.buffer?.status(playhead: part.position)
            let loaded = own.map { $0.isComplete ? rest : min(rest, max($0.ahead, $0.unread)) } ?? rest
            // A track in which nothing follows for a while does not limit the others.
            if let piece = part.piece, piece.target.upperBound > playhead {
                let limit = loaded < rest ? piece.targetTime(of: part.position + loaded) : piece.target.upperBound
                end = min(end ?? limit, limit)
            }
            guard let own, loaded < rest else { continue }
            status.isComplete = false
            status.isFull = status.isFull && own.isFull
            status.willFail = status.willFail || own.willFail
            let time = MediaTime(seconds: loaded.seconds / speed)
            unread = min(unread ?? time, time)
            if let surplus = own.surplus {
                status.surplus = min(status.surplus ?? .infinity, surplus / speed)
            }
        }
        // The media between the playhead and the readers has been read.
        if let end, playhead < end { status.loaded = [playhead..<end] }
        status.unread = unread ?? 0
        return status
    }

    var isWaitedFor: Bool { isOpening || parts.contains { $0.buffer?.isWaitedFor == true } }

    func setOnChange(_ call: (@Sendable () -> Void)?) {
        let parts = state.withLock { state in
            state.onChange = call
            return Array(state.parts.values)
        }
        for part in parts { part.buffer?.setOnChange(call) }
    }

    func setPlayhead(_ call: (@Sendable () -> MediaTime?)?) {}

    func setForwardDuration(_ ahead: MediaTime) {
        let parts = state.withLock { state in
            state.forwardDuration = ahead
            return Array(state.parts.values)
        }
        for part in parts { part.buffer?.setForwardDuration(ahead) }
    }
}
