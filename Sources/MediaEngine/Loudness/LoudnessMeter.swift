import CFFmpeg
import Foundation
import MediaCore

/// Measures samples as they come, by libavfilter's `ebur128`.
final class LoudnessMeter {
    private let format: AudioFormat
    private var graph: OpaquePointer?
    private var source: OpaquePointer?
    private var sink: OpaquePointer?
    private var samplesIn: Int64 = 0
    private var integrated: Double?
    private var peak: Double?

    /// Nil without libavfilter, or when it refuses.
    init?(format: AudioFormat) {
        self.format = format
        guard build() else { return nil }
    }

    deinit { if graph != nil { AVFilterLibrary.shared?.graph_free?(&graph) } }

    private func build() -> Bool {
        guard let library = AVFilterLibrary.shared, let create = library.graph_create_filter, let link = library.link,
            let find = library.get_by_name, let configure = library.graph_config, let graph = library.graph_alloc?()
        else { return false }
        self.graph = graph
        zt_filter_graph_use_one_thread(graph)
        // One channel is heard from two loudspeakers: so it is measured.
        let options = "metadata=1:peak=true:framelog=verbose" + (format.channelCount == 1 ? ":dualmono=true" : "")
        var last: OpaquePointer?
        for (filter, label, arguments) in [
            ("abuffer", "in", AVFilterLibrary.source(format)), ("ebur128", "meter", options),
            ("abuffersink", "out", nil),
        ] as [(String, String, String?)] {
            var context: OpaquePointer?
            guard let known = find(filter), create(&context, known, label, arguments, nil, graph) >= 0, let context
            else { return false }
            if let last, link(last, 0, context, 0) < 0 { return false }
            if source == nil { source = context }
            last = context
        }
        sink = last
        return configure(graph, nil) >= 0
    }

    /// Takes interleaved samples. False when libavfilter refuses them.
    func add(_ samples: UnsafePointer<Float>, frames: Int) -> Bool {
        guard frames > 0 else { return true }
        guard let source, let add = AVFilterLibrary.shared?.buffersrc_add_frame_flags,
            let owner = Owned<AVFrame>(av_frame_alloc())
        else { return false }
        let frame = owner.raw
        guard AVFilterLibrary.fill(frame, samples, frames: frames, at: samplesIn, format) else { return false }
        samplesIn += Int64(frames)
        guard add(source, frame, 0) >= 0 else { return false }
        return read(frame)
    }

    /// Each piece of a tenth of a second that comes out tells of all that came before.
    private func read(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
        guard let sink, let take = AVFilterLibrary.shared?.buffersink_get_frame else { return false }
        av_frame_unref(frame)
        while take(sink, frame) >= 0 {
            func number(_ name: String) -> Double? {
                av_dict_get(frame.pointee.metadata, "lavfi.r128." + name, nil, 0).flatMap { $0.pointee.value }.flatMap {
                    Double(String(cString: $0))
                }
            }
            integrated = number("I") ?? integrated
            peak = number("true_peak") ?? peak
            av_frame_unref(frame)
        }
        return true
    }

    /// Of all that was added; nil for silence and for less than 0.4 s, which has no loudness.
    var measure: LoudnessMeasure? {
        guard let integrated else { return nil }
        // A factor, told with three digits: at worst it is half a unit of the last one more.
        return LoudnessMeasure(
            integrated: integrated, truePeak: peak.flatMap { $0 >= 0 ? 20 * log10($0 + 0.0005) : nil })
    }
}

/// libavfilter, loaded when the first filter of it is wanted.
package enum AVFilterLibrary {
    /// Nil when it is not installed.
    package static let shared: zt_avfilter? = {
        var functions = zt_avfilter()
        return zt_avfilter_load(&functions) != 0 ? functions : nil
    }()

    /// What an `abuffer` is told of interleaved samples in `format`.
    static func source(_ format: AudioFormat) -> String {
        var layout = AVChannelLayout()
        av_channel_layout_from_mask(&layout, format.channelMask)
        var name = [CChar](repeating: 0, count: 64)
        av_channel_layout_describe(&layout, &name, name.count)
        let text = name.withUnsafeBufferPointer { p in p.baseAddress.map { String(cString: $0) } ?? "stereo" }
        return "time_base=1/\(format.sampleRate):sample_rate=\(format.sampleRate):sample_fmt=flt:channel_layout=\(text)"
    }

    /// Makes `frame` hold a copy of `samples`; false when there is no memory.
    static func fill(
        _ frame: UnsafeMutablePointer<AVFrame>, _ samples: UnsafePointer<Float>, frames: Int, at time: Int64,
        _ format: AudioFormat
    ) -> Bool {
        frame.pointee.format = AV_SAMPLE_FMT_FLT.rawValue
        frame.pointee.sample_rate = Int32(format.sampleRate)
        frame.pointee.nb_samples = Int32(frames)
        frame.pointee.pts = time
        av_channel_layout_from_mask(&frame.pointee.ch_layout, format.channelMask)
        guard av_frame_get_buffer(frame, 0) >= 0, let data = frame.pointee.data.0 else { return false }
        UnsafeMutableRawPointer(data).copyMemory(
            from: samples, byteCount: frames * format.channelCount * MemoryLayout<Float>.size)
        return true
    }
}
