import CFFmpeg
import MediaCore
import MediaEngine

/// The first pass of a GIF export: finds the 256 colors that suit all frames best. Stores a histogram but no frames.
final class PaletteFinder {
    private var graph: FilterGraph?
    private let location: String
    private var colors: [UInt32] = []

    init(location: String) { self.location = location }

    func take(_ item: ExportFrame) throws(AVError) {
        let frame = item.frame
        let graph: FilterGraph
        if let known = self.graph {
            graph = known
        } else {
            graph = try FilterGraph(
                "palettegen", options: "max_colors=256:stats_mode=full",
                inputs: [.init(width: frame.width, height: frame.height)], location: location)
            self.graph = graph
        }
        guard let copy = frame.opaqueBGRA(stamp: item.start.nanoseconds / 10_000_000) else {
            throw AVError(.unknown, at: location, reason: "there is not enough memory")
        }
        try graph.push(copy.raw)
    }

    /// Returns the palette as 32-bit BGRA values.
    func finish() throws(AVError) -> [UInt32] {
        guard let graph else {
            throw AVError(.encodeFailed, at: location, reason: "there is no frame to make a palette from")
        }
        try graph.push(nil)
        try graph.pull { frame in
            guard let data = frame.pointee.data.0, frame.pointee.width == 16, frame.pointee.height == 16 else { return }
            let stride = Int(frame.pointee.linesize.0)
            for index in 0..<256 {
                let offset = (index / 16) * stride + (index % 16) * 4
                colors.append(UnsafeRawPointer(data).loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            }
        }
        guard colors.count == 256 else {
            throw AVError(.encodeFailed, at: location, reason: "no palette could be made for the frames")
        }
        return colors
    }
}

/// The second pass of a GIF export: writes a GIF that loops forever, with one palette for all frames.
final class GIFWriter {
    private let file: OutputFile
    private let stream: UnsafeMutablePointer<AVStream>
    private let palette: [UInt32]
    private let location: String
    private var graph: FilterGraph?
    private var encoder: OpenEncoder?
    /// The start of the first frame, which is subtracted from all times, because a GIF begins with its first frame.
    private var origin: MediaTime?
    private var last = Int64.min
    private var lastDuration: Int64 = 0
    private static let hundredths = AVRational(num: 1, den: 100)

    init(path: FilePath, target: String, palette: [UInt32]) throws(AVError) {
        location = target
        self.palette = palette
        file = try OutputFile(.gif, path: path, target: target)
        stream = try file.addStream()
    }

    func take(_ item: ExportFrame) throws(AVError) {
        let graph: FilterGraph
        if let known = self.graph { graph = known } else { graph = try begin(item.frame) }
        let origin = origin ?? item.start
        self.origin = origin
        // The times are rounded, not the durations, so that rounding errors do not add up.
        let begin = item.start - origin
        let timestamp = max(begin.stamp(in: GIFWriter.hundredths), last == .min ? 0 : last + 1)
        last = timestamp
        lastDuration = max(1, (begin + item.duration).stamp(in: GIFWriter.hundredths) - timestamp)
        guard let copy = item.frame.opaqueBGRA(stamp: timestamp) else {
            throw AVError(.unknown, at: location, reason: "there is not enough memory")
        }
        try graph.push(copy.raw)
        try graph.pull(encode)
    }

    func finish() throws(AVError) {
        guard let graph else {
            throw AVError(
                .encodeFailed, at: location, reason: "the time range contains no frame to write",
                suggestion: "Choose another time range")
        }
        try graph.push(nil)
        try graph.pull(encode)
        try send(nil)
        file.setOption("final_delay", "\(min(65_535, lastDuration))")
        try file.finish()
    }

    private func begin(_ frame: VideoFrame) throws(AVError) -> FilterGraph {
        let graph = try FilterGraph(
            "paletteuse", options: "dither=bayer:bayer_scale=3:diff_mode=rectangle",
            inputs: [.init(width: frame.width, height: frame.height), .init(width: 16, height: 16)], location: location)
        self.graph = graph
        guard let colors = paletteFrame() else {
            throw AVError(.unknown, at: location, reason: "there is not enough memory")
        }
        try graph.push(colors.raw, into: 1)
        try graph.push(nil, into: 1)
        let encoder = try OpenEncoder("gif", location: location, failure: "a frame could not be encoded") { context in
            context.pointee.width = Int32(frame.width)
            context.pointee.height = Int32(frame.height)
            context.pointee.pix_fmt = AV_PIX_FMT_PAL8
            context.pointee.time_base = GIFWriter.hundredths
        }
        self.encoder = encoder
        avcodec_parameters_from_context(stream.pointee.codecpar, encoder.context)
        stream.pointee.time_base = GIFWriter.hundredths
        // The value 0 means an infinite loop (application extension NETSCAPE2.0).
        file.setOption("loop", "0")
        try file.begin(ExportTracks.Details())
        return graph
    }

    /// Returns the palette as a frame, the second input of `paletteuse`. One entry may become transparent, for pixels
    /// that do not change.
    private func paletteFrame() -> Owned<AVFrame>? {
        guard let owned = Owned<AVFrame>(av_frame_alloc()) else { return nil }
        let frame = owned.raw
        frame.pointee.format = AV_PIX_FMT_BGRA.rawValue
        frame.pointee.width = 16
        frame.pointee.height = 16
        guard av_frame_get_buffer(frame, 0) >= 0, let data = frame.pointee.data.0 else { return nil }
        let stride = Int(frame.pointee.linesize.0)
        for (index, color) in palette.enumerated() {
            let offset = (index / 16) * stride + (index % 16) * 4
            UnsafeMutableRawPointer(data).storeBytes(of: color, toByteOffset: offset, as: UInt32.self)
        }
        frame.pointee.pts = 0
        return owned
    }

    private func encode(_ frame: UnsafeMutablePointer<AVFrame>) throws(AVError) { try send(frame) }

    private func send(_ frame: UnsafeMutablePointer<AVFrame>?) throws(AVError) {
        try encoder?.send(frame) { packet throws(AVError) in
            av_packet_rescale_ts(packet, GIFWriter.hundredths, stream.pointee.time_base)
            packet.pointee.stream_index = stream.pointee.index
            try file.write(packet)
        }
    }
}
