import CFFmpeg
import Foundation
import MediaCore

/// A meter that measures the loudness of samples with libavfilter's `ebur128`.
final class LoudnessMeter {
    private let format: AudioFormat
    private var graph: OpaquePointer?
    private var source: OpaquePointer?
    private var sink: OpaquePointer?
    private var samplesIn: Int64 = 0
    private var integrated: Double?
    private var peak: Double?

    /// Creates a meter; nil if libavfilter is missing or does not support the format.
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
        // Mono audio is heard from two loudspeakers, so it is measured as two channels.
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

    /// Adds interleaved samples. Returns false if libavfilter fails.
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

    /// Reads the results of the filter, which returns one every 0.1 s. Each result covers all samples so far.
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

    /// The loudness of all added samples; nil for silence, and for less than 0.4 s, which has no loudness.
    var measure: LoudnessMeasure? {
        guard let integrated else { return nil }
        // The peak is a factor with three decimals. Half a unit of the last digit is added, so that the peak is never
        // underestimated.
        return LoudnessMeasure(
            integrated: integrated, truePeak: peak.flatMap { $0 >= 0 ? 20 * log10($0 + 0.0005) : nil })
    }
}

/// The functions of libavfilter, which is loaded when a filter is first needed.
package enum AVFilterLibrary {
    /// The loaded functions; nil if libavfilter is not installed.
    package static let shared: zt_avfilter? = {
        var functions = zt_avfilter()
        return zt_avfilter_load(&functions) != 0 ? functions : nil
    }()

    /// Returns the arguments of an `abuffer` filter for interleaved samples in `format`.
    static func source(_ format: AudioFormat) -> String {
        var layout = AVChannelLayout()
        av_channel_layout_from_mask(&layout, format.channelMask)
        var name = [CChar](repeating: 0, count: 64)
        av_channel_layout_describe(&layout, &name, name.count)
        let text = name.withUnsafeBufferPointer { p in p.baseAddress.map { String(cString: $0) } ?? "stereo" }
        return "time_base=1/\(format.sampleRate):sample_rate=\(format.sampleRate):sample_fmt=flt:channel_layout=\(text)"
    }

    /// Copies `samples` into `frame`. Returns false if there is not enough memory.
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
