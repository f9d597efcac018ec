import CFFmpeg
import Foundation
import MediaCore
import Synchronization

/// A pipe as input of libavformat: an `AVIOContext` that reads from `PipedMedia`.
final class PipedInput {
    let media: PipedMedia
    private let input: Owned<AVIOContext>
    var context: UnsafeMutablePointer<AVIOContext> { input.raw }
    private let reading: Reading
    private let interrupt: InterruptToken

    private final class Reading {
        let media: PipedMedia
        let interrupt: InterruptToken
        var position: Int64 = 0
        var failure: AVError?
        /// Whether the container is being opened. Until it is open, seeks beyond the received data fail and the size is
        /// unknown. Otherwise a demuxer would wait for the end of an endless input.
        var isOpening = true
        /// Whether a seek may wait for data, because the samples of an MP4 file precede their table.
        var waits = false
        init(_ media: PipedMedia, _ interrupt: InterruptToken) { (self.media, self.interrupt) = (media, interrupt) }
    }

    /// Opens the input. Waits for the first bytes.
    ///
    /// - Throws: `.fileEmpty`, or the error of the pipe; `.cancelled` or `.timedOut` if interrupted.
    init(_ media: PipedMedia, interrupt: InterruptToken) throws(AVError) {
        let reading = Reading(media, interrupt)
        self.media = media
        self.reading = reading
        self.interrupt = interrupt
        let size: Int32 = 64 * 1024
        guard let buffer = av_malloc(Int(size)),
            let input = Owned<AVIOContext>(
                avio_alloc_context(
                    buffer.assumingMemoryBound(to: UInt8.self), size, 0, Unmanaged.passUnretained(reading).toOpaque(),
                    { opaque, bytes, count in PipedInput.read(opaque, bytes, count) }, nil,
                    { opaque, offset, whence in PipedInput.seek(opaque, offset, whence) }))
        else { throw AVError(.unknown, at: media.name, reason: "there is not enough memory") }
        self.input = input
        // An export has two inputs of one pipe with the same token. The end of one must not remove the waker of the other.
        interrupt.addWaker(self) { [weak media] in media?.wake() }
        switch try PipedInput.layout(media, interrupt) {
        // libavformat then reads in order, but it can still seek back.
        case .inOrder: context.pointee.seekable = 0
        case .tableLast:
            context.pointee.seekable = AVIO_SEEKABLE_NORMAL
            reading.waits = true
        }
    }

    deinit { interrupt.removeWaker(self) }

    /// The error of the last failed read; `nil` if none failed. An interruption is not an error.
    var error: AVError? { reading.failure }

    func clearFailure() {
        reading.failure = nil
        context.pointee.error = 0
        context.pointee.eof_reached = 0
    }

    /// Enables seeking within the received data. Called when the container is open.
    func opened() {
        reading.isOpening = false
        context.pointee.seekable = AVIO_SEEKABLE_NORMAL
    }

    /// Whether the input begins like an HLS playlist (RFC 8216 §4.3.1.1), which refers to files that a pipe does not
    /// contain.
    var isPlaylist: Bool { PipedInput.bytes(media, at: 0, 7, interrupt)?.elementsEqual("#EXTM3U".utf8) == true }

    private enum Layout { case inOrder, tableLast }

    /// Returns whether the samples of an MP4 file precede their table (ISO/IEC 14496-12 §4.2).
    private static func layout(_ media: PipedMedia, _ interrupt: InterruptToken) throws(AVError) -> Layout {
        var at: Int64 = 0
        for _ in 0..<16 {
            var head = [UInt8](repeating: 0, count: 8)
            let got = head.withUnsafeMutableBytes {
                media.read(at: at, into: $0) { interrupt.isInterrupted || interrupt.isOverTime }
            }
            switch got {
            case .failed(let error): throw error
            case .interrupted:
                throw interrupt.isOverTime
                    ? AVError(.timedOut, at: media.name, reason: "no data arrived in time")
                    : AVError(.cancelled, at: media.name, reason: "the operation was cancelled")
            case .end where at == 0:
                throw AVError(
                    .fileEmpty, at: media.name, reason: "the input is empty",
                    suggestion: "Check the program that writes to it")
            case .bytes(8): break
            default: return .inOrder
            }
            let kind = String(decoding: head[4...], as: UTF8.self)
            let size = head[0..<4].reduce(Int64(0)) { $0 << 8 | Int64($1) }
            switch kind {
            case "mdat": return .tableLast
            case "ftyp", "free", "skip", "wide", "uuid", "pnot", "styp", "sidx":
                guard size >= 8, size < 1 << 20 else { return .inOrder }
                at += size
            default: return .inOrder
            }
        }
        return .inOrder
    }

    /// Returns `count` bytes near the start of the input. Waits for them.
    ///
    /// - Returns: `nil` if the input ends before, if the wait is interrupted, or if the bytes are beyond the first 16 MiB.
    func beginning(at offset: Int64, _ count: Int) -> [UInt8]? {
        offset <= 16 << 20 ? PipedInput.bytes(media, at: offset, count, interrupt) : nil
    }

    private static func bytes(_ media: PipedMedia, at offset: Int64, _ count: Int, _ interrupt: InterruptToken)
        -> [UInt8]?
    {
        var bytes = [UInt8](repeating: 0, count: count)
        var received = 0
        while received < count {
            let got = bytes.withUnsafeMutableBytes {
                media.read(
                    at: offset + Int64(received), into: UnsafeMutableRawBufferPointer(rebasing: $0[received...])
                ) { interrupt.isInterrupted || interrupt.isOverTime }
            }
            guard case .bytes(let length) = got else { return nil }
            received += length
        }
        return bytes
    }

    // MARK: libavformat's callbacks

    private static func read(_ opaque: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int32)
        -> Int32
    {
        guard let opaque, let bytes, count > 0 else { return zt_averror(EINVAL) }
        let reading = Unmanaged<Reading>.fromOpaque(opaque).takeUnretainedValue()
        if reading.failure != nil { return zt_averror(EIO) }
        let interrupt = reading.interrupt
        let got = reading.media.read(
            at: reading.position, into: UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
        ) { interrupt.isInterrupted || interrupt.isPreempted || interrupt.isOverTime }
        switch got {
        case .bytes(let done):
            reading.position += Int64(done)
            return Int32(done)
        case .end: return zt_averror_eof()
        case .interrupted: return zt_averror_exit()
        case .failed(let error):
            reading.failure = error
            return zt_averror(EIO)
        }
    }

    private static func seek(_ opaque: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32) -> Int64 {
        guard let opaque else { return Int64(zt_averror(EINVAL)) }
        let reading = Unmanaged<Reading>.fromOpaque(opaque).takeUnretainedValue()
        let isEndKnown = reading.media.isWhole || !reading.isOpening
        let target: Int64
        switch whence & ~AVSEEK_FORCE {
        // The reported size ends at the received data, so demuxers search only there.
        case AVSEEK_SIZE: return isEndKnown ? reading.media.receivedBytes : Int64(zt_averror(ENOSYS))
        case SEEK_SET: target = offset
        case SEEK_CUR: target = reading.position.addingSaturating(offset)
        default: return Int64(zt_averror(ENOSYS))
        }
        guard target >= 0, target <= 1 << 60 else { return Int64(zt_averror(EINVAL)) }
        // Data after the received bytes is not available yet, and data before `kept` has been discarded.
        guard reading.waits || target <= reading.media.receivedBytes, target >= reading.media.kept else {
            return Int64(zt_averror(ESPIPE))
        }
        reading.position = target
        return target
    }
}

/// The buffer of a pipe: the received data that has not been read. Thread-safe.
final class PipedBuffer: ByteBuffer {
    private let media: PipedMedia
    /// The byte position up to which the container has been read, and its media time.
    private let readPosition = Mutex<(bytes: Int64, time: MediaTime)>((0, 0))
    private let measured = ReadRate()

    init(_ media: PipedMedia) { self.media = media }
    deinit { media.setOnChange(nil, for: self) }

    /// Records the position up to which the feeder has read.
    func read(to bytes: Int64, _ time: MediaTime) {
        readPosition.withLock { $0 = (bytes, time) }
        measured.note(bytes, time)
    }

    func status(playhead: MediaTime) -> BufferStatus {
        var status = BufferStatus()
        let (bytes, read) = readPosition.withLock { $0 }
        let waiting = Double(max(0, media.receivedBytes - bytes)) / (measured.bytesPerSecond ?? 524_288)
        // Media that was read but not displayed is in the queues.
        status.ahead = max(0, min(read - playhead, 10_000_000_000)) + MediaTime(seconds: min(waiting, 3600))
        status.isComplete = media.isWhole
        status.isFull = media.isFull
        // A program that writes to a pipe waits for the reader, or writes at the speed of playback.
        status.surplus = 1.5
        return status
    }

    var isWaitedFor: Bool { media.isWaitedFor }
    func setOnChange(_ call: (@Sendable () -> Void)?) { media.setOnChange(call, for: self) }
    func setPlayhead(_ call: (@Sendable () -> MediaTime?)?) {}
    func setForwardDuration(_ ahead: MediaTime) {}
}
