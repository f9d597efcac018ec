import CFFmpeg
import Foundation
import MediaCore
import Streaming

/// An opened container: libavformat's context, opened once and read by one thread.
///
/// It is not `Sendable`: the thread that opens it passes it on as a whole. Every failure to open ends in a typed
/// `AVError` in finite time.
package final class MediaSource {
    package let context: UnsafeMutablePointer<AVFormatContext>
    private var container: Owned<AVFormatContext>?
    package let location: String
    /// The path of a local file or pipe; `nil` for other sources.
    let path: FilePath?
    let interrupt: InterruptToken
    /// The input of an HTTP source; `nil` for a file.
    package let remote: RemoteInput?
    /// The start time in the container's timestamps, which is media time zero.
    package private(set) var startTime = MediaTime.zero
    /// The delay of an MP4 file's tracks.
    private(set) var delay = CompositionDelay()
    /// The packets with corrected timestamps; see `TimestampCorrector`.
    private(set) var packets: CorrectedPackets?
    /// Whether the file has been read once to find its jumps and landmarks.
    var isSurveyed = false
    /// The timestamp correction of the newest packet that was read.
    var correction: TimestampCorrector.Correction { packets?.correction ?? .shifted(.zero) }
    /// The end of all tracks in media time, once the end of the file has been read; otherwise `nil`.
    var endReached: MediaTime?
    /// The encryption scheme and key systems of encrypted tracks; `nil` if there are none.
    private(set) var protection: String?
    /// The minimum size of the file according to its header, in bytes; `nil` if the header does not specify it.
    private(set) var promisedBytes: Int64?
    /// The playback order of a Matroska file with ordered chapters; `nil` for the file's own order.
    private(set) var ordered: OrderedTimeline?
    /// The input of a pipe; `nil` for other sources.
    let piped: PipedInput?

    /// Opens a media file. Blocks.
    ///
    /// - Parameters:
    ///   - url: A file URL, an HTTP URL, or another URL that libavformat supports.
    ///   - options: The options for HTTP.
    ///   - forwardBytes: The number of bytes to load ahead of an HTTP source; `nil` for the default of
    ///     `RemoteFile.Settings`.
    ///   - interrupt: Interrupts opening and reading.
    ///   - probe: Whether to read ahead until every track is known (`avformat_find_stream_info`).
    ///   - isPart: Whether the file is read as a part of another file's ordered chapters. Its own chapters are then
    ///     ignored.
    /// - Throws: The reason why the file cannot be opened.
    package convenience init(
        url: URL, options: HTTPOptions = HTTPOptions(), forwardBytes: Int64? = nil,
        interrupt: InterruptToken = InterruptToken(), probe: Bool = true, isPart: Bool = false
    ) throws(AVError) {
        guard
            case .container(let bytes) = try Bytes.at(
                url, options: options, forwardBytes: forwardBytes, interrupt: interrupt)
        else {
            throw AVError(
                .fileFormatNotRecognized, at: url.location,
                reason: "the file is an HLS playlist, but a media file is required")
        }
        try self.init(bytes, interrupt: interrupt, probe: probe, isPart: isPart)
    }

    /// The input of a container: a path or URL, a pipe, or an HTTP resource whose first bytes are loaded.
    struct Bytes {
        let url: URL
        fileprivate let path: FilePath?
        fileprivate let input: RemoteInput?
        fileprivate let piped: PipedInput?

        private init(url: URL, path: FilePath?, input: RemoteInput?) {
            (self.url, self.path, self.input, piped) = (url, path, input, nil)
        }

        private init(_ media: PipedMedia, _ url: URL, _ interrupt: InterruptToken) throws(AVError) {
            let piped = try PipedInput(media, interrupt: interrupt)
            guard !piped.isPlaylist else {
                throw AVError(
                    .operationNotSupported, at: media.name,
                    reason: "the pipe contains an HLS playlist, but not its segments",
                    suggestion: "Open the playlist's URL or file instead")
            }
            (self.url, path, input, self.piped) = (url, nil, nil, piped)
        }

        enum Found {
            case container(Bytes)
            case playlist
        }

        static func at(_ url: URL, options: HTTPOptions, forwardBytes: Int64?, interrupt: InterruptToken)
            throws(AVError) -> Found
        {
            _ = MediaSource.libraryIsSet
            let path = FilePath(url)
            if url.isFileURL {
                guard let path else {
                    throw AVError(.fileNotFound, at: url.absoluteString, reason: "the file name is not valid")
                }
                if let media = try PipedMedia.at(path, url) { return .container(try Bytes(media, url, interrupt)) }
                try MediaSource.checkReadable(path)
                if MediaSource.isPlaylist(path) { return .playlist }
            }
            if let media = PipedMedia.find(url) { return .container(try Bytes(media, url, interrupt)) }
            let input: RemoteInput? =
                options.canRequest(url)
                ? try RemoteInput(url: url, options: options, forwardBytes: forwardBytes, interrupt: interrupt) : nil
            return input?.isPlaylist == true
                ? .playlist : .container(Bytes(url: url, path: path, input: input))
        }
    }

    init(_ bytes: Bytes, interrupt: InterruptToken, probe: Bool = true, isPart: Bool = false) throws(AVError) {
        let url = bytes.url
        let path = bytes.path
        let input = bytes.input
        let location = bytes.piped?.media.name ?? url.location
        self.location = location
        self.path = path
        self.interrupt = interrupt
        remote = input
        piped = bytes.piped

        guard let allocated = Owned<AVFormatContext>(avformat_alloc_context()) else {
            throw AVError(.unknown, at: location, reason: "there is not enough memory")
        }
        let fresh = allocated.raw
        interrupt.install(in: fresh)
        fresh.pointee.flags |= AVFMT_FLAG_GENPTS
        if let own = input?.context ?? bytes.piped?.context {
            fresh.pointee.pb = own
            fresh.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
            // Files and servers that a remote file refers to are not opened.
            fresh.pointee.protocol_whitelist = av_strdup("data,crypto")
        }
        // The prefix `file:` keeps libavformat from reading a path with a colon as a protocol.
        let name =
            path.map { Array("file:".utf8CString.dropLast()) + $0.cString } ?? Array(url.absoluteString.utf8CString)
        if MediaSource.hasNumberlessFragments(input?.context, path == nil ? nil : name) {
            throw AVError(
                .fileFailedToParse, at: location, reason: "the file is damaged: one of its tracks has no header",
                suggestion: "Copy or download the file again")
        }
        var opened: UnsafeMutablePointer<AVFormatContext>? = allocated.release()
        let rc = avformat_open_input(&opened, name, nil, nil)  // frees the context on failure
        guard rc >= 0, let container = Owned<AVFormatContext>(opened) else {
            if let error = input?.error ?? input?.cutOff ?? bytes.piped?.error { throw error }
            let error = MediaSource.error(rc, at: location, interrupt: interrupt, whileOpening: true)
            guard error.code == .fileFormatNotRecognized else { throw error }
            let format =
                input.map { MediaSource.recognisedFormat(of: $0) }
                ?? (path != nil ? MediaSource.recognisedFormat(of: name) : nil)
            if let format {
                throw AVError(
                    .fileFailedToParse, at: location,
                    reason: "the file looks like \(format), but its header is damaged or cut off",
                    suggestion: "Copy or download the file again", underlying: rc)
            }
            throw error
        }
        let ready = container.raw
        context = ready
        self.container = consume container
        if probe {
            let rc = avformat_find_stream_info(ready, nil)
            if rc < 0 {
                // All properties are set, so throwing runs `deinit`, which closes the container.
                throw error(rc, whileOpening: true)
            }
            // Probing treats a lost connection or an interrupted read as the end of the file.
            if let error = input?.error ?? bytes.piped?.error { throw error }
            if input != nil || piped != nil, interrupt.isInterrupted || interrupt.isOverTime {
                throw error(zt_averror_exit(), whileOpening: true)
            }
        }
        delay = MediaSource.compositionDelay(of: ready, isRemote: input != nil, piped)
        startTime = MediaSource.startTime(of: ready, delay)
        protection = MP4Boxes.protection(in: ready) ?? MediaSource.matroskaProtection(in: ready)
        promisedBytes = MediaSource.promisedBytes(ready, formatName, isRemote: remote != nil || piped != nil)
        packets = correctedPackets()
        if probe, needsSurvey { try survey() }
        piped?.opened()
        if probe, !isPart { ordered = OrderedTimeline(self, url: url) }
    }

    private static func hasNumberlessFragments(_ own: UnsafeMutablePointer<AVIOContext>?, _ name: [CChar]?) -> Bool {
        if let io = own { return MP4Boxes.hasNumberlessFragments(io) }
        guard let name, let file = OpenedFile.read(name) else { return false }
        return MP4Boxes.hasNumberlessFragments(file.raw)
    }

    deinit {
        // The container must be closed before the input is freed, because closing may still use the input.
        container = nil
    }

    /// Reads the next packet, like `av_read_frame`, but reports a failed read as an error. `av_read_frame` would
    /// return the incomplete packet and then the end of the file.
    ///
    /// - Returns: 0, or an error code of libavformat.
    package func read(_ packet: UnsafeMutablePointer<AVPacket>) -> Int32 {
        ordered?.read(packet, self) ?? readOwn(packet)
    }

    /// Reads the next packet as `read` does, and skips damaged parts of the file. After 64 failed reads in a row, the
    /// source has failed.
    func readPastDamage(_ packet: UnsafeMutablePointer<AVPacket>) -> Int32 {
        var rc = read(packet)
        for _ in 1..<64 where MediaSource.isDamage(rc) { rc = read(packet) }
        return rc
    }

    /// Returns whether `rc` is the code of damaged data after which reading can continue. libavformat returns `EAGAIN`
    /// after a part of a transport stream that contains no packets.
    static func isDamage(_ rc: Int32) -> Bool { rc == zt_averror_invaliddata() || rc == zt_averror_eagain() }

    /// Reads the next packet in the file's own order, without its ordered chapters.
    func readOwn(_ packet: UnsafeMutablePointer<AVPacket>) -> Int32 {
        guard let packets else { return readRaw(packet) }
        let rc = packets.read(packet) { readRaw($0) }
        // After a seek in a file without an index, times are not reliable.
        if rc == zt_averror_eof(), let end = packets.corrector.end, packets.isFromStart { endReached = end }
        return rc
    }

    private func readRaw(_ packet: UnsafeMutablePointer<AVPacket>) -> Int32 {
        // libavformat never clears the code of a failed read, even if a later read succeeds.
        if isLocal { context.pointee.pb?.pointee.error = 0 }
        let rc = av_read_frame(context, packet)
        let index = Int(packet.pointee.stream_index)
        if rc >= 0, streams.indices.contains(index) { delay.remove(from: packet, of: streams[index]) }
        guard rc < 0 || packet.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 else { return rc }
        // Some demuxers return EIO or −1 at the end of the file.
        let isAtEnd = isLocal && [zt_averror(EIO), -1].contains(rc) && avio_feof(context.pointee.pb) != 0
        guard inputError != nil else { return isAtEnd ? zt_averror_eof() : rc }
        av_packet_unref(packet)
        return interrupt.isInterrupted || interrupt.isOverTime ? zt_averror_exit() : zt_averror(EIO)
    }

    private var isLocal: Bool { remote == nil && piped == nil && context.pointee.pb != nil }

    /// The error of the transfer, the pipe, or the last read of a local file, for example after its disk was removed;
    /// `nil` if reading did not fail. An interruption is not an error. Many demuxers treat a failed read as the end of
    /// the file.
    var inputError: AVError? {
        if let error = remote?.error ?? piped?.error { return error }
        guard isLocal, let code = context.pointee.pb?.pointee.error, code < 0, code != zt_averror_eof(),
            code != zt_averror_exit()
        else { return nil }
        return AVError(
            .readFailed, at: location, reason: "reading the file failed: \(MediaSource.ffmpegText(code))",
            suggestion: "Check that the disk is connected and undamaged", underlying: code)
    }

    /// Returns the error for a code of libavformat. An error of the input takes precedence.
    package func error(_ rc: Int32, whileOpening: Bool) -> AVError {
        inputError ?? MediaSource.error(rc, at: location, interrupt: interrupt, whileOpening: whileOpening)
    }

    /// Clears an error, so that reading can be tried again. Call it before reading again, at the same or another
    /// position.
    package func clearFailure() {
        remote?.clearFailure()
        piped?.clearFailure()
    }

    package var streams: UnsafeBufferPointer<UnsafeMutablePointer<AVStream>?> {
        UnsafeBufferPointer(start: context.pointee.streams, count: Int(context.pointee.nb_streams))
    }

    /// The duration according to the container; `nil` if it does not specify one.
    package var duration: MediaTime? { ordered?.duration ?? ownDuration }

    /// The duration of the file itself, without its ordered chapters.
    var ownDuration: MediaTime? {
        guard let duration = MediaTime(stamp: context.pointee.duration, base: MediaSource.clock), duration > 0 else {
            return nil
        }
        // In Matroska the duration counts from zero, but the media may begin before zero.
        return startTime < .zero && formatName.hasPrefix("matroska") ? duration - startTime : duration
    }

    /// The time base in which libavformat expresses times of the whole file.
    package static let clock = AVRational(num: 1, den: Int32(AV_TIME_BASE))

    /// Sets up FFmpeg once. Turns off its output to standard error, because relevant errors are reported as `AVError`.
    /// Limits a single allocation to 512 MiB, because FFmpeg allocates memory for as many samples as a header
    /// announces. The limit suffices for a plane of the largest frame (`PictureLimits`), or for about twenty million
    /// samples.
    package static let libraryIsSet: Void = {
        zt_quiet_logs()
        av_max_alloc(512 << 20)
    }()

    /// Throws a specific error if the file cannot be read, before libavformat returns a less specific code.
    private static func checkReadable(_ file: FilePath) throws(AVError) {
        let path = file.description
        var info = stat()
        guard file.withCString({ stat($0, &info) }) == 0 else {
            let code = errno
            if code == EACCES {
                throw AVError(
                    .permissionDenied, at: path,
                    reason: "the current user has no permission to enter one of its parent folders",
                    suggestion: "Check the permissions of the parent folders", underlying: code)
            }
            if code == ENOENT || code == ENOTDIR {
                throw AVError(
                    .fileNotFound, at: path, reason: "the file does not exist",
                    suggestion: "Check the spelling and the current folder", underlying: code)
            }
            throw AVError(.readFailed, at: path, reason: String(cString: strerror(code)), underlying: code)
        }
        let kind = info.st_mode & S_IFMT
        if kind == S_IFDIR {
            throw AVError(
                .notAFile, at: path, reason: "the path is a folder, not a media file",
                suggestion: "Choose a file in the folder")
        }
        if kind == S_IFSOCK || kind == S_IFBLK || kind == S_IFCHR {
            throw AVError(
                .notAFile, at: path, reason: "the path is a socket or device, not a file",
                suggestion: "Copy the media into a file first")
        }
        guard file.withCString({ access($0, R_OK) }) == 0 else {
            throw AVError(
                .permissionDenied, at: path, reason: "the current user has no permission to read the file",
                suggestion: "Change the file's permissions (chmod +r), or open it as its owner", underlying: errno)
        }
        if kind == S_IFREG && info.st_size == 0 {
            throw AVError(
                .fileEmpty, at: path, reason: "the file is empty",
                suggestion: "Copy or download the file again")
        }
    }

    /// Returns whether the file begins like an HLS playlist (RFC 8216 §4.3.1.1).
    package static func isPlaylist(_ path: FilePath) -> Bool {
        path.beginning(7)?.elementsEqual("#EXTM3U".utf8) == true
    }

    /// Returns a typed error for a code of FFmpeg.
    package static func error(
        _ rc: Int32, at location: String, interrupt: InterruptToken?, whileOpening: Bool
    ) -> AVError {
        let text = ffmpegText(rc)
        if let interrupt, rc == zt_averror_exit() || interrupt.isInterrupted {
            if interrupt.isOverTime {
                return AVError(.timedOut, at: location, reason: "no data arrived in time", underlying: rc)
            }
            return AVError(.cancelled, at: location, reason: "the operation was cancelled", underlying: rc)
        }
        switch rc {
        case zt_averror_invaliddata():
            return whileOpening
                ? AVError(
                    .fileFormatNotRecognized, at: location,
                    reason: "the file is not audio or video, or its header is damaged",
                    suggestion: location.contains("://")
                        ? "Check what the server returns for this URL"
                        : "Check that it is an audio or video file; if it was cut off, copy or download it again",
                    underlying: rc)
                : AVError(
                    .fileFailedToParse, at: location, reason: "a part of the file is damaged", underlying: rc)
        case zt_averror_protocol_not_found():
            return AVError(
                .unsupportedURL, at: location, reason: "the URL type is not supported",
                suggestion: "Use a file, or an http or https URL", underlying: rc)
        case zt_averror_demuxer_not_found():
            return AVError(
                .fileFormatNotRecognized, at: location, reason: "FFmpeg can't open this kind of source (\(text))",
                underlying: rc)
        case zt_averror(ENOMEM):
            return AVError(
                whileOpening ? .fileFailedToParse : .readFailed, at: location,
                reason: "the file requires more memory than is available; its data may be damaged",
                suggestion: "Copy or download the file again", underlying: rc)
        case zt_averror(ENOENT):
            return AVError(
                .fileNotFound, at: location, reason: "the file does not exist",
                suggestion: "Check the spelling and the current folder", underlying: rc)
        case zt_averror(EACCES):
            return AVError(
                .permissionDenied, at: location, reason: "the current user has no permission to read the file",
                underlying: rc)
        case zt_averror_eof():
            return AVError(
                .fileFailedToParse, at: location, reason: "the file ends within its header",
                suggestion: "Copy or download the file again", underlying: rc)
        default:
            return AVError(whileOpening ? .fileFailedToParse : .readFailed, at: location, reason: text, underlying: rc)
        }
    }

    package static func ffmpegText(_ rc: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        guard av_strerror(rc, &buffer, buffer.count) == 0 else { return "FFmpeg error \(rc)" }
        return buffer.withUnsafeBufferPointer { p in p.baseAddress.map { String(cString: $0) } ?? "" }
    }
}
