import CFFmpeg
import MediaCore
import MediaEngine

/// A libavfilter graph of one filter with one or two inputs and one output.
final class FilterGraph {
    struct Input {
        var width: Int, height: Int
    }

    private let library: zt_avfilter
    private var graph: OpaquePointer?
    private var sources: [OpaquePointer] = []
    private var sink: OpaquePointer?
    private let location: String

    /// Creates a graph whose inputs take BGRA frames with timestamps in hundredths of a second.
    /// - Throws: `.operationNotSupported` if libavfilter or the filter is not installed. `.encodeFailed` if libavfilter
    ///   rejects the inputs.
    init(_ filter: String, options: String, inputs: [Input], location: String) throws(AVError) {
        let missing = AVError(
            .operationNotSupported, at: location,
            reason: "FFmpeg's libavfilter with the filter “\(filter)” is not installed",
            suggestion: "Install libavfilter (Debian, Ubuntu), or choose another file type")
        guard let library = AVFilterLibrary.shared else { throw missing }
        self.library = library
        self.location = location
        graph = library.graph_alloc?()
        if let graph { zt_filter_graph_use_one_thread(graph) }
        guard let main = make(filter, "main", options) else { throw missing }
        for (index, input) in inputs.enumerated() {
            let arguments = "video_size=\(input.width)x\(input.height):pix_fmt=bgra:time_base=1/100:pixel_aspect=1/1"
            guard let source = make("buffer", "in\(index)", arguments),
                (library.link?(source, 0, main, UInt32(index)) ?? -1) >= 0
            else { throw missing }
            sources.append(source)
        }
        guard let sink = make("buffersink", "out", nil), (library.link?(main, 0, sink, 0) ?? -1) >= 0 else {
            throw missing
        }
        self.sink = sink
        try check(library.graph_config?(graph, nil) ?? -1)
    }

    deinit { library.graph_free?(&graph) }

    private func make(_ filter: String, _ name: String, _ options: String?) -> OpaquePointer? {
        guard let graph, let definition = library.get_by_name?(filter) else { return nil }
        var context: OpaquePointer?
        guard (library.graph_create_filter?(&context, definition, name, options, nil, graph) ?? -1) >= 0 else {
            return nil
        }
        return context
    }

    /// Passes `frame` to an input. Nil marks the end of the input.
    func push(_ frame: UnsafeMutablePointer<AVFrame>?, into input: Int = 0) throws(AVError) {
        try check(library.buffersrc_add_frame_flags?(sources[input], frame, Int32(AV_BUFFERSRC_FLAG_KEEP_REF)) ?? -1)
    }

    /// Calls `take` with every output frame that is ready. Each frame is valid only while the closure runs.
    func pull(_ take: (UnsafeMutablePointer<AVFrame>) throws(AVError) -> Void) throws(AVError) {
        guard let sink, let owned = Owned<AVFrame>(av_frame_alloc()) else {
            throw AVError(.unknown, at: location, reason: "there is not enough memory")
        }
        let frame = owned.raw
        while true {
            let rc = library.buffersink_get_frame?(sink, frame) ?? -1
            if rc == zt_averror_eagain() || rc == zt_averror_eof() { return }
            try check(rc)
            defer { av_frame_unref(frame) }
            try take(frame)
        }
    }

    private func check(_ rc: Int32) throws(AVError) {
        guard rc < 0 else { return }
        throw AVError(
            .encodeFailed, at: location, reason: "libavfilter could not process a frame: \(MediaSource.ffmpegText(rc))",
            underlying: rc)
    }
}

extension VideoFrame {
    /// Returns an opaque BGRA copy with the timestamp `stamp`. Returns nil if memory is exhausted or the frame is not
    /// 32-bit RGB.
    func opaqueBGRA(stamp: Int64) -> Owned<AVFrame>? {
        guard let owned = Owned<AVFrame>(av_frame_alloc()) else { return nil }
        let made = owned.raw
        let isDone = withAVFrame { source -> Bool in
            let format = AVPixelFormat(source.pointee.format)
            guard format == AV_PIX_FMT_BGR0 || format == AV_PIX_FMT_BGRA else { return false }
            made.pointee.format = AV_PIX_FMT_BGRA.rawValue
            made.pointee.width = source.pointee.width
            made.pointee.height = source.pointee.height
            made.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
            guard av_frame_get_buffer(made, 64) >= 0, let from = source.pointee.data.0, let to = made.pointee.data.0
            else { return false }
            let width = Int(source.pointee.width)
            for y in 0..<Int(source.pointee.height) {
                let a = UnsafeRawPointer(from + y * Int(source.pointee.linesize.0)).assumingMemoryBound(to: UInt32.self)
                let b = UnsafeMutableRawPointer(to + y * Int(made.pointee.linesize.0)).assumingMemoryBound(
                    to: UInt32.self)
                // In a 32-bit integer, alpha is the top byte on little-endian machines.
                for x in 0..<width { b[x] = a[x] | 0xFF00_0000 }
            }
            made.pointee.pts = stamp
            return true
        }
        guard isDone else { return nil }
        return owned
    }
}
