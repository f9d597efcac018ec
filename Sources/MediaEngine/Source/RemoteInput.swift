import CFFmpeg
import Foundation
import MediaCore
import Streaming

/// A remote file as input of libavformat: an `AVIOContext` that reads from a `RemoteFile`.
package final class RemoteInput {
    /// The file: its buffered ranges and how far ahead it loads. Thread-safe.
    package let file: RemoteFile
    private let input: Owned<AVIOContext>
    var context: UnsafeMutablePointer<AVIOContext> { input.raw }
    /// The last part of the path, which indicates the format if the data does not.
    let fileName: String
    private let reading: Reading
    private let interrupt: InterruptToken

    /// The state of libavformat's callbacks.
    private final class Reading {
        let file: RemoteFile
        let interrupt: InterruptToken
        var position: Int64 = 0
        var failure: HTTPError?
        /// The error for a file that is shorter than the server announced. For demuxers the file ends there.
        var cutOff: HTTPError?
        init(file: RemoteFile, interrupt: InterruptToken) {
            self.file = file
            self.interrupt = interrupt
        }
    }

    /// Opens the file. Waits for the server's first response.
    ///
    /// - Throws: `.fileEmpty`, or the error of the request.
    init(url: URL, options: HTTPOptions, forwardBytes: Int64?, interrupt: InterruptToken) throws(AVError) {
        var settings = RemoteFile.Settings()
        settings.opening = settings.opening.lasting(options.openingPatience)
        settings.playing = settings.playing.lasting(options.recoveryPatience)
        if let forwardBytes { settings.forwardBytes = forwardBytes }
        let file = RemoteFile(url: url, options: options, settings: settings)
        interrupt.addWaker(file) { [weak file] in file?.wake() }
        do throws(HTTPError) {
            try file.open(until: interrupt.limit) { interrupt.isInterrupted }
            if file.length == 0 {
                throw HTTPError(.other, url: url, reason: "")
            }
        } catch {
            interrupt.removeWaker(file)
            let isEmpty = file.length == 0
            file.close()
            if isEmpty {
                throw AVError(
                    .fileEmpty, at: url.absoluteString, reason: "the file is empty", suggestion: "Check the URL")
            }
            throw error.avError
        }
        let reading = Reading(file: file, interrupt: interrupt)
        let size: Int32 = 64 * 1024
        guard let buffer = av_malloc(Int(size)),
            let input = Owned<AVIOContext>(
                avio_alloc_context(
                    buffer.assumingMemoryBound(to: UInt8.self), size, 0, Unmanaged.passUnretained(reading).toOpaque(),
                    { opaque, bytes, count in RemoteInput.read(opaque, bytes, count) }, nil,
                    { opaque, offset, whence in RemoteInput.seek(opaque, offset, whence) }))
        else {
            interrupt.removeWaker(file)
            file.close()
            throw AVError(.unknown, at: url.absoluteString, reason: "there is not enough memory")
        }
        // Without byte ranges, demuxers should read in order.
        input.raw.pointee.seekable = file.isSeekable ? AVIO_SEEKABLE_NORMAL : 0
        self.file = file
        self.input = input
        self.reading = reading
        self.interrupt = interrupt
        fileName = url.lastPathComponent
    }

    deinit {
        interrupt.removeWaker(file)
        file.close()
    }

    /// Whether the file begins like an HLS playlist (RFC 8216 §4.3.1.1).
    var isPlaylist: Bool {
        var head = [UInt8](repeating: 0, count: 7)
        var received = 0
        let interrupt = interrupt
        // A read returns the bytes that have arrived, which can be fewer.
        while received < head.count {
            let got = head.withUnsafeMutableBytes { bytes in
                try? file.read(
                    at: Int64(received), into: UnsafeMutableRawBufferPointer(rebasing: bytes[received...]),
                    until: interrupt.limit, isInterrupted: { interrupt.isInterrupted })
            }
            guard let got, got > 0 else { return false }
            received += got
        }
        return head.elementsEqual("#EXTM3U".utf8)
    }

    /// The error of the last failed read; `nil` if none failed. An interruption is not an error.
    package var error: AVError? { reading.failure?.avError }

    /// The error for a file that is shorter than its server announced; `nil` if it is not, as far as it has been read.
    var cutOff: AVError? {
        reading.cutOff.map { error in
            let cause = error.avError
            return AVError(
                .fileTruncated, at: cause.location, reason: cause.reason, suggestion: cause.suggestion)
        }
    }

    /// Clears an error or an interruption, so that reading can continue.
    package func clearFailure() {
        reading.failure = nil
        file.clearFailure()
        context.pointee.error = 0
        context.pointee.eof_reached = 0
    }

    // MARK: libavformat's callbacks

    private static func read(_ opaque: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int32)
        -> Int32
    {
        guard let opaque, let bytes, count > 0 else { return zt_averror(EINVAL) }
        let reading = Unmanaged<Reading>.fromOpaque(opaque).takeUnretainedValue()
        // Demuxers try to read again after an error, but the request has already been retried.
        if reading.failure != nil { return zt_averror(EIO) }
        do throws(HTTPError) {
            let interrupt = reading.interrupt
            let done = try reading.file.read(
                at: reading.position, into: UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)),
                until: interrupt.limit, isInterrupted: { interrupt.isInterrupted || interrupt.isPreempted })
            guard done > 0 else { return zt_averror_eof() }
            reading.position += Int64(done)
            return Int32(done)
        } catch {
            if error.kind == .cancelled || reading.interrupt.isOverTime { return zt_averror_exit() }
            if error.kind == .truncated, error.isFinal {
                reading.cutOff = error
                return zt_averror_eof()
            }
            reading.failure = error
            return zt_averror(EIO)
        }
    }

    private static func seek(_ opaque: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32) -> Int64 {
        guard let opaque else { return Int64(zt_averror(EINVAL)) }
        let reading = Unmanaged<Reading>.fromOpaque(opaque).takeUnretainedValue()
        let target: Int64?
        switch whence & ~AVSEEK_FORCE {
        case AVSEEK_SIZE: return reading.file.length ?? Int64(zt_averror(ENOSYS))
        case SEEK_SET: target = offset
        case SEEK_CUR: target = reading.position.addingSaturating(offset)
        case SEEK_END: target = reading.file.length.map { $0.addingSaturating(offset) }
        default: target = nil
        }
        guard let target, target >= 0, target <= 1 << 60 else { return Int64(zt_averror(EINVAL)) }
        reading.position = target
        return target
    }

}
