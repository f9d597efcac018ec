import CFFmpeg
import Foundation
import MediaCore
import MediaEngine

/// A container file that libavformat writes.
final class OutputFile {
    private let container: Owned<OutputContainer>
    var context: UnsafeMutablePointer<AVFormatContext> { container.raw }
    private var output: Owned<OpenedFile>?
    /// The name of the file in errors.
    private let target: String

    /// - Parameter isPart: Whether the file is a part of an export, with uncompressed audio.
    init(_ type: AVFileType, isPart: Bool = false, path: FilePath, target: String) throws(AVError) {
        self.target = target
        var made: UnsafeMutablePointer<AVFormatContext>?
        // The prefix “file:” keeps FFmpeg from reading a path with a colon as a protocol.
        let name = Array("file:".utf8CString.dropLast()) + path.cString
        let rc = avformat_alloc_output_context2(&made, nil, isPart ? type.partMuxer : type.muxer, name)
        guard rc >= 0, let container = Owned<OutputContainer>(made) else {
            throw AVError(
                .operationNotSupported, at: target,
                reason: "the installed FFmpeg can't write .\(type.preferredPathExtension) files", underlying: rc)
        }
        self.container = container
        let opened = avio_open(&context.pointee.pb, name, AVIO_FLAG_WRITE)
        guard opened >= 0 else { throw error(opened) }
        output = Owned(context.pointee.pb)
    }

    deinit {
        // Close the file and remove the container's reference to it before the container is freed.
        output = nil
        context.pointee.pb = nil
    }

    /// Whether parameter sets are stored in the header instead of before every key frame.
    var wantsGlobalHeader: Bool { context.pointee.oformat.pointee.flags & AVFMT_GLOBALHEADER != 0 }

    func addStream() throws(AVError) -> UnsafeMutablePointer<AVStream> {
        guard let stream = avformat_new_stream(context, nil) else {
            throw AVError(.unknown, at: target, reason: "there is not enough memory")
        }
        return stream
    }

    func setOption(_ name: String, _ value: String) { av_opt_set(context.pointee.priv_data, name, value, 0) }

    func setText(_ name: String, _ value: String) { av_dict_set(&context.pointee.metadata, name, value, 0) }

    /// Sets the time scale of an MP4 or QuickTime file, which is the unit of its edit lists.
    ///
    /// The default scale, milliseconds, would cut audio inexactly. The scale is the smallest in which ticks of both
    /// tracks are whole, or the sample rate where that scale exceeds 100,000,000.
    func setMovieScale(pictures: AVRational, samples: Int32?) {
        let pictures = Int(pictures.den)
        var scale = pictures
        if let rate = samples.map({ Int($0) }), rate > 0 {
            var (a, b) = (pictures, rate)
            while b != 0 { (a, b) = (b, a % b) }
            let both = pictures / a * rate
            scale = both <= 100_000_000 ? both : rate
        }
        setOption("movie_timescale", "\(scale)")
    }

    /// Writes the header. Call it after the streams are added and before the first packet.
    func begin(_ details: ExportTracks.Details) throws(AVError) {
        // Muxers write these values themselves.
        let own = ["major_brand", "minor_version", "compatible_brands", "encoder", "duration"]
        for (key, value) in details.metadata where !own.contains(key.lowercased()) {
            av_dict_set(&context.pointee.metadata, key, value, 0)
        }
        addChapters(details.chapters)
        try check(avformat_write_header(context, nil))
    }

    private func addChapters(_ chapters: [(title: String, start: MediaTime, end: MediaTime)]) {
        guard !chapters.isEmpty,
            let list = av_calloc(chapters.count, MemoryLayout<UnsafeMutablePointer<AVChapter>?>.stride)
        else { return }
        let slots = list.bindMemory(to: UnsafeMutablePointer<AVChapter>?.self, capacity: chapters.count)
        context.pointee.chapters = slots
        for (index, chapter) in chapters.enumerated() {
            guard let memory = av_mallocz(MemoryLayout<AVChapter>.stride) else { return }
            let made = memory.bindMemory(to: AVChapter.self, capacity: 1)
            made.pointee.id = Int64(index + 1)
            made.pointee.time_base = AVRational(num: 1, den: 1_000_000_000)
            made.pointee.start = chapter.start.nanoseconds
            made.pointee.end = chapter.end.nanoseconds
            av_dict_set(&made.pointee.metadata, "title", chapter.title, 0)
            slots[index] = made
            // The context frees the chapter from now on.
            context.pointee.nb_chapters = UInt32(index + 1)
        }
    }

    /// Writes a packet and takes its data. The timestamps must be in the stream's time base.
    func write(_ packet: UnsafeMutablePointer<AVPacket>) throws(AVError) {
        try check(av_interleaved_write_frame(context, packet))
    }

    /// Writes the trailer and closes the file. When the call returns, all data has been passed to the system.
    func finish() throws(AVError) {
        try check(av_write_trailer(context))
        if let io = context.pointee.pb {
            avio_flush(io)
            try check(io.pointee.error)
        }
        context.pointee.pb = nil
        if let io = output.take()?.release() { try check(avio_close(io)) }
    }

    private func check(_ rc: Int32) throws(AVError) {
        if rc < 0 { throw error(rc) }
    }

    /// Returns the error for `rc`. An error of the disk takes precedence over the error that the muxer derived from it.
    private func error(_ rc: Int32) -> AVError {
        let code = context.pointee.pb.map { $0.pointee.error < 0 ? $0.pointee.error : rc } ?? rc
        // AVERROR(errno) is −errno. FFmpeg's own codes are far below −4096.
        if code < 0, code > -4096, code != zt_averror(EINVAL) { return PartialFile.error(-code, at: target) }
        return AVError(
            .encodeFailed, at: target, reason: "the container format rejected the data: \(MediaSource.ffmpegText(rc))",
            underlying: rc)
    }
}
