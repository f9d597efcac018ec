import CFFmpeg
import MediaCore

/// A time stretcher, which changes the speed of audio but keeps its pitch. Uses two `atempo` filters of libavfilter in
/// a row.
///
/// Once created, the filters stay in use until `reset()`, so that returning to speed 1 is seamless too.
///
/// At speeds that the filters do not support, or if libavfilter is missing, it delivers silence of the right length.
/// The number of delivered frames always matches the speed, because the clock counts these frames.
final class TimeStretcher {
    /// The speeds at which the pitch is kept. There is no audio at other speeds.
    static let range: ClosedRange<Float> = 0.25...4

    private let format: AudioFormat
    private let load: () -> zt_avfilter?
    /// Loaded when the speed changes for the first time, because libavfilter brings dozens of other libraries.
    private lazy var library = load()
    private var graph: OpaquePointer?
    private var source: OpaquePointer?
    private var sink: OpaquePointer?
    private var samplesIn: Int64 = 0
    private(set) var speed = 1.0
    /// Whether silence replaces the samples, because they cannot be stretched.
    private(set) var isSilent = false
    /// The fraction of a frame by which the delivered silence is too short, from 0 to 1.
    private var silenceDebt = 0.0
    private let silence: [Float]
    private static let silentFrames = 1024

    init(format: AudioFormat, library: @autoclosure @escaping () -> zt_avfilter? = AVFilterLibrary.shared) {
        self.format = format
        load = library
        silence = [Float](repeating: 0, count: TimeStretcher.silentFrames * format.channelCount)
    }
    deinit { freeGraph() }

    /// Frees the filters and discards the samples in them.
    private func freeGraph() {
        source = nil
        sink = nil
        samplesIn = 0
        guard graph != nil else { return }
        library?.graph_free?(&graph)
    }

    /// Returns to speed 1 without filters and discards the samples in them.
    func reset() {
        freeGraph()
        speed = 1
        isSilent = false
        silenceDebt = 0
    }

    /// Sets the speed of the samples that follow.
    ///
    /// - Returns: `false` if the speed is outside `range`, or libavfilter is missing or rejects it. `process` then
    ///   delivers silence until another speed is set.
    @discardableResult
    func setSpeed(_ new: Double) -> Bool {
        if new == speed, !isSilent { return true }
        speed = new
        isSilent = !stretches(to: Float(new))
        if isSilent { freeGraph() }
        return !isSilent
    }

    /// Sets the speed of the filters, and creates them if needed. Returns whether samples can be played at that speed.
    private func stretches(to speed: Float) -> Bool {
        if graph == nil, speed == 1 { return true }
        guard TimeStretcher.range.contains(speed), graph != nil || build(), let send = library?.graph_send_command
        else { return false }
        // Each stage applies the square root: 0.25 requires two stages of 0.5, and two of 2 sound better than one of 4.
        let stage = speed.squareRoot()
        return ["t0", "t1"].allSatisfy { (name: String) in send(graph, name, "tempo", "\(stage)", nil, 0, 0) >= 0 }
    }

    /// Creates the filters. If that fails, the caller frees those that exist.
    private func build() -> Bool {
        guard let library, let create = library.graph_create_filter, let link = library.link,
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
            guard let known = find(filter), create(&context, known, label, options, nil, graph) >= 0, let context
            else { return false }
            if let last = stages.last, link(last, 0, context, 0) < 0 { return false }
            stages.append(context)
        }
        guard configure(graph, nil) >= 0 else { return false }
        source = stages.first
        sink = stages.last
        samplesIn = 0
        return true
    }

    /// Processes interleaved samples and passes the available results to `deliver`.
    ///
    /// - Parameter samples: The samples; `nil` to drain the filters at the end.
    func process(_ samples: UnsafePointer<Float>?, frames: Int, deliver: (UnsafePointer<Float>, Int) -> Void) {
        if isSilent { return deliverSilence(for: frames, to: deliver) }
        guard graph != nil else {
            if let samples, frames > 0 { deliver(samples, frames) }
            return
        }
        guard let source, let sink, let add = library?.buffersrc_add_frame_flags,
            let take = library?.buffersink_get_frame, let owner = Owned<AVFrame>(av_frame_alloc())
        else { return deliverSilence(for: frames, to: deliver) }
        let frame = owner.raw
        if let samples, frames > 0 {
            guard AVFilterLibrary.fill(frame, samples, frames: frames, at: samplesIn, format) else {
                return deliverSilence(for: frames, to: deliver)
            }
            samplesIn += Int64(frames)
            guard add(source, frame, 0) >= 0 else { return deliverSilence(for: frames, to: deliver) }
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

    /// Delivers silence with the duration of `frames` at the current speed.
    private func deliverSilence(for frames: Int, to deliver: (UnsafePointer<Float>, Int) -> Void) {
        silenceDebt += Double(frames) / speed
        var left = Int(silenceDebt)
        silenceDebt -= Double(left)
        silence.withUnsafeBufferPointer { silence in
            guard let base = silence.baseAddress else { return }
            while left > 0 {
                let count = min(left, TimeStretcher.silentFrames)
                deliver(base, count)
                left -= count
            }
        }
    }
}
