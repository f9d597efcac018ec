import CFFmpeg
import MediaCore

/// A time stretcher, which changes the speed of audio but keeps its pitch. Uses two `atempo` filters of libavfilter in
/// a row.
///
/// Once engaged, it stays in use until the next seek, so that returning to speed 1 is seamless too.
final class TimeStretcher {
    /// The speeds at which the pitch is kept. There is no audio at other speeds.
    static let range: ClosedRange<Float> = 0.25...4

    private let format: AudioFormat
    private var graph: OpaquePointer?
    private var source: OpaquePointer?
    private var sink: OpaquePointer?
    private var samplesIn: Int64 = 0
    private(set) var speed: Float = 1

    init(format: AudioFormat) { self.format = format }
    deinit { freeGraph() }

    private func freeGraph() {
        guard graph != nil else { return }
        AVFilterLibrary.shared?.graph_free?(&graph)
    }

    var isEngaged: Bool { graph != nil }

    /// Bypasses the filters and discards the samples in them.
    func reset() {
        freeGraph()
        source = nil
        sink = nil
        speed = 1
        samplesIn = 0
    }

    /// Sets the speed, clamped to `range`.
    ///
    /// - Returns: `false` if libavfilter is missing or rejects the speed. Without filters, `process` passes samples
    ///   unchanged.
    func setSpeed(_ new: Float) -> Bool {
        let wanted = min(max(new, TimeStretcher.range.lowerBound), TimeStretcher.range.upperBound)
        if wanted == speed { return true }
        if graph == nil, !build() { return false }
        speed = wanted
        // Each stage applies the square root: 0.25 requires two stages of 0.5, and two of 2 sound better than one of 4.
        let stage = wanted.squareRoot()
        for name in ["t0", "t1"] {
            guard let send = AVFilterLibrary.shared?.graph_send_command,
                send(graph, name, "tempo", "\(stage)", nil, 0, 0) >= 0
            else { return false }
        }
        return true
    }

    private func build() -> Bool {
        guard let library = AVFilterLibrary.shared, let create = library.graph_create_filter, let link = library.link,
            let find = library.get_by_name, let configure = library.graph_config,
            let graph = library.graph_alloc?()
        else { return false }
        self.graph = graph
        zt_filter_graph_use_one_thread(graph)
        var stages: [OpaquePointer] = []
        let plan: [(String, String, String?)] = [
            ("abuffer", "in", AVFilterLibrary.source(format)), ("atempo", "t0", "tempo=1"), ("atempo", "t1", "tempo=1"),
            ("abuffersink", "out", nil),
        ]
        for (filter, label, options) in plan {
            var context: OpaquePointer?
            guard create(&context, find(filter), label, options, nil, graph) >= 0,
                let context
            else {
                reset()
                return false
            }
            if let last = stages.last, link(last, 0, context, 0) < 0 {
                reset()
                return false
            }
            stages.append(context)
        }
        guard configure(graph, nil) >= 0 else {
            reset()
            return false
        }
        source = stages.first
        sink = stages.last
        samplesIn = 0
        return true
    }

    /// Processes interleaved samples and passes the available results to `deliver`.
    ///
    /// - Parameter samples: The samples; `nil` to drain the filters at the end.
    func process(_ samples: UnsafePointer<Float>?, frames: Int, deliver: (UnsafePointer<Float>, Int) -> Void) {
        guard let source, let sink, let add = AVFilterLibrary.shared?.buffersrc_add_frame_flags,
            let take = AVFilterLibrary.shared?.buffersink_get_frame, let owner = Owned<AVFrame>(av_frame_alloc())
        else {
            if let samples, frames > 0 { deliver(samples, frames) }
            return
        }
        let frame = owner.raw
        if let samples, frames > 0 {
            guard AVFilterLibrary.fill(frame, samples, frames: frames, at: samplesIn, format) else { return }
            samplesIn += Int64(frames)
            guard add(source, frame, 0) >= 0 else { return }
        } else {
            guard add(source, nil, 0) >= 0 else { return }
        }
        while take(sink, frame) >= 0 {
            let count = Int(frame.pointee.nb_samples)
            if count > 0, let data = frame.pointee.data.0 {
                data.withMemoryRebound(to: Float.self, capacity: count * format.channelCount) { deliver($0, count) }
            }
            av_frame_unref(frame)
        }
    }
}
