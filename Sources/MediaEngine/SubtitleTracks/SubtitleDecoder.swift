import CFFmpeg
import Foundation
import MediaCore
import Streaming

/// A decoder for the packets of a subtitle track. It is not `Sendable`; one thread uses it.
package final class SubtitleDecoder {
    private var decoder: Owned<AVCodecContext>
    private var context: UnsafeMutablePointer<AVCodecContext> { decoder.raw }
    private let parameters: CodecParameters
    private let codec: AVCodecID
    private let timeBase: AVRational
    /// The offset from the container's zero to media time zero.
    private let startOffset: MediaTime
    private let store: SubtitleStore
    /// Whether something has been read since the decoder was created or flushed.
    private var isReading = false
    /// The number of packets that could not be decoded, and of cues that do not end after their start.
    package private(set) var failures = 0
    /// The number of cues whose text was cut.
    package private(set) var shortened = 0

    /// The duration that muxers write for “until the next one”: 2³² ms, rounded down because some write 1 ms less.
    private static let untilNext: MediaTime = 4_294_967_000_000_000
    /// The maximum duration of a bitmap that is not ended by another one.
    private static let longestBitmap: MediaTime = 60_000_000_000
    /// The maximum duration of a caption that is not ended by another one.
    private static let longestCaption: MediaTime = 16_000_000_000

    /// Creates a decoder. Returns `nil` if libavcodec has none for the track.
    package convenience init?(stream: UnsafeMutablePointer<AVStream>, startOffset: MediaTime, store: SubtitleStore) {
        guard let parameters = stream.pointee.codecpar else { return nil }
        self.init(parameters: parameters, timeBase: stream.pointee.time_base, startOffset: startOffset, store: store)
    }

    package init?(
        parameters: UnsafePointer<AVCodecParameters>, timeBase: AVRational, startOffset: MediaTime, store: SubtitleStore
    ) {
        guard let copy = CodecParameters(copying: parameters), let decoder = SubtitleDecoder.open(copy, timeBase) else {
            return nil
        }
        codec = parameters.pointee.codec_id
        self.parameters = copy
        self.decoder = decoder
        self.timeBase = timeBase
        self.startOffset = startOffset
        self.store = store
        if codec == AV_CODEC_ID_ASS || codec == AV_CODEC_ID_SSA || codec == AV_CODEC_ID_EIA_608,
            let header = SubtitleDecoder.header(context)
        {
            var all = store.header.header
            all.script = header
            all.isCaption = codec == AV_CODEC_ID_EIA_608
            store.setHeader(all)
        }
    }

    private static func open(_ parameters: CodecParameters, _ timeBase: AVRational) -> Owned<AVCodecContext>? {
        let codec = parameters.raw.pointee.codec_id
        guard let decoder = avcodec_find_decoder(codec),
            let owner = Owned<AVCodecContext>(avcodec_alloc_context3(decoder))
        else { return nil }
        let context = owner.raw
        var options = CodecOptions()
        context.pointee.pkt_timebase = timeBase
        if codec == AV_CODEC_ID_EIA_608 {
            // These options return captions when they are drawn, not when they are removed.
            options.set("real_time", "1")
            options.set("real_time_latency_msec", "0")
        }
        guard avcodec_parameters_to_context(context, parameters.raw) >= 0,
            avcodec_open2(context, decoder, &options.raw) >= 0
        else { return nil }
        context.pointee.pkt_timebase = timeBase
        return owner
    }

    private static func header(_ context: UnsafeMutablePointer<AVCodecContext>) -> String? {
        guard let bytes = context.pointee.subtitle_header, context.pointee.subtitle_header_size > 0 else { return nil }
        return String(
            decoding: UnsafeBufferPointer(start: bytes, count: Int(context.pointee.subtitle_header_size)), as: UTF8.self
        )
    }

    /// Resets the decoder because reading continues at another position.
    package func flush() {
        isReading = false
        store.endReading()
        guard codec == AV_CODEC_ID_EIA_608, let fresh = SubtitleDecoder.open(parameters, timeBase) else {
            return avcodec_flush_buffers(context)
        }
        // After a flush, the caption decoder still waits for the latest time that it has received, so it is created
        // again.
        decoder = fresh
    }

    /// Records that the track has been read from `start` to `end`, because packets of other tracks or frames with these
    /// times were read. Content whose end was not read before a jump is then shown until `end` only.
    package func didRead(from start: MediaTime, to end: MediaTime) {
        beginReading(at: start)
        store.didRead(to: end.nanoseconds)
    }

    private func beginReading(at start: MediaTime) {
        guard !isReading else { return }
        isReading = true
        store.beginReading(at: start.nanoseconds)
    }

    /// Decodes a packet into the store.
    package func decode(_ packet: UnsafeMutablePointer<AVPacket>) {
        guard
            let timestamp = MediaTime(
                stamp: packet.pointee.pts != zt_nopts() ? packet.pointee.pts : packet.pointee.dts, base: timeBase),
            timestamp > .min, timestamp < .max
        else {
            failures += 1
            return
        }
        let start = timestamp - startOffset
        var length = packet.pointee.duration > 0 ? MediaTime(stamp: packet.pointee.duration, base: timeBase) : nil
        if let known = length, known >= SubtitleDecoder.untilNext { length = nil }
        beginReading(at: start)
        if codec == AV_CODEC_ID_WEBVTT { return webVTT(packet, start, length) }

        var subtitle = AVSubtitle()
        var isComplete: Int32 = 0
        guard avcodec_decode_subtitle2(context, &subtitle, &isComplete, packet) >= 0 else {
            failures += 1
            return
        }
        guard isComplete != 0 else { return }
        defer { avsubtitle_free(&subtitle) }
        let begin = start + MediaTime(microseconds: Int64(subtitle.start_display_time) * 1000)
        let hasEndTime =
            subtitle.end_display_time != UInt32.max && subtitle.end_display_time > subtitle.start_display_time
        let end =
            hasEndTime
            ? start + MediaTime(microseconds: Int64(subtitle.end_display_time) * 1000) : length.map { start + $0 }
        // The end time of a DVB page is a timeout, for receivers that miss the event which removes the page.
        let isEndKnown = length != nil || hasEndTime && codec != AV_CODEC_ID_DVB_SUBTITLE
        take(subtitle, begin, end, isEndKnown: isEndKnown)
    }

    private func take(_ subtitle: AVSubtitle, _ begin: MediaTime, _ end: MediaTime?, isEndKnown: Bool) {
        var events: [String] = []
        var rectangles: [SubtitleBitmap.Rectangle] = []
        for index in 0..<Int(subtitle.num_rects) {
            guard let rectangle = subtitle.rects?[index] else { continue }
            switch rectangle.pointee.type {
            case SUBTITLE_ASS:
                if let line = rectangle.pointee.ass { events.append(SubtitleDecoder.event(String(cString: line))) }
            case SUBTITLE_TEXT:
                if let text = rectangle.pointee.text {
                    events.append(SubtitleDecoder.event(text: String(cString: text)))
                }
            case SUBTITLE_BITMAP:
                if let bitmap = SubtitleDecoder.rectangle(rectangle.pointee) { rectangles.append(bitmap) }
            default: continue
            }
        }
        if codec == AV_CODEC_ID_EIA_608 {
            let isBlank = events.allSatisfy { SubtitleCue.plain(event: $0).allSatisfy(\.isWhitespace) }
            store.show(
                isBlank ? nil : .events(events), from: begin.nanoseconds,
                until: (begin + SubtitleDecoder.longestCaption).nanoseconds, isEndKnown: false)
        } else if !events.isEmpty {
            // A text without a duration is shown for five seconds.
            let end = end ?? begin + 5_000_000_000
            if end > begin {
                shortened += store.add([
                    SubtitleCue(start: begin.nanoseconds, end: end.nanoseconds, body: .events(events))
                ])
            } else {
                failures += 1
            }
        } else if subtitle.num_rects == 0 || !rectangles.isEmpty {
            let canvas = canvas(for: rectangles)
            let bitmap = SubtitleBitmap(
                rectangles: rectangles, canvasWidth: canvas.width, canvasHeight: canvas.height,
                hasSquarePixels: codec == AV_CODEC_ID_HDMV_PGS_SUBTITLE)
            store.show(
                rectangles.isEmpty ? nil : .bitmap(bitmap), from: begin.nanoseconds,
                until: (end ?? begin + SubtitleDecoder.longestBitmap).nanoseconds, isEndKnown: isEndKnown)
        }
    }

    /// Returns the size of the canvas, at least as large as the rectangles require. If the decoder does not know the
    /// size, the result is that of standard definition. Rectangles that do not fit into it require at least 1920 ×
    /// 1080.
    private func canvas(for rectangles: [SubtitleBitmap.Rectangle]) -> (width: Int, height: Int) {
        let right = rectangles.map { $0.x + $0.width }.max() ?? 0
        let bottom = rectangles.map { $0.y + $0.height }.max() ?? 0
        let width = Int(context.pointee.width).bounded(to: 0...65_535)
        let height = Int(context.pointee.height).bounded(to: 0...65_535)
        if width > 0, height > 0 { return (max(width, right), max(height, bottom)) }
        return right <= 720 && bottom <= 576
            ? (720, bottom <= 480 && codec == AV_CODEC_ID_DVD_SUBTITLE ? 480 : 576)
            : (max(1920, right), max(1080, bottom))
    }

    /// Returns an event without its leading number: `Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`.
    static func event(_ line: String) -> String {
        guard let comma = line.firstIndex(of: ",") else { return line }
        return String(line[line.index(after: comma)...])
    }

    /// Returns plain text as an event.
    package static func event(text: String) -> String {
        "0,Default,,0,0,0,,\(escaped(text))"
    }

    /// Returns plain text, escaped for an event.
    package static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "{", with: "\\{").replacingOccurrences(of: "\r", with: "")
            .trimmingCharacters(in: .newlines).replacingOccurrences(of: "\n", with: "\\N")
    }

    private static func rectangle(_ source: AVSubtitleRect) -> SubtitleBitmap.Rectangle? {
        let width = Int(source.w)
        let height = Int(source.h)
        let stride = Int(source.linesize.0)
        guard width > 0, height > 0, width <= 8192, height <= 8192, stride >= width, let indices = source.data.0,
            let table = source.data.1
        else { return nil }
        // The entries are 0xAARRGGBB with straight alpha.
        let palette: [UInt32] = table.withMemoryRebound(to: UInt32.self, capacity: 256) { entries in
            (0..<256).map { index in
                guard index < max(Int(source.nb_colors), 1) else { return 0 }
                let word = entries[index]
                let alpha = word >> 24
                func scaled(_ shift: UInt32) -> UInt32 { (((word >> shift & 255) * alpha + 127) / 255) << shift }
                return alpha << 24 | scaled(16) | scaled(8) | scaled(0)
            }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height)
        for y in 0..<height { bytes += UnsafeBufferPointer(start: indices + y * stride, count: width) }
        guard bytes.contains(where: { palette[Int($0)] != 0 }) else { return nil }
        return SubtitleBitmap.Rectangle(
            x: Int(source.x).bounded(to: 0...65_535), y: Int(source.y).bounded(to: 0...65_535), width: width,
            height: height, palette: palette, indices: bytes)
    }

    /// Decodes a WebVTT cue with its settings, which a conversion to ASS would lose.
    private func webVTT(_ packet: UnsafeMutablePointer<AVPacket>, _ start: MediaTime, _ length: MediaTime?) {
        func side(_ type: AVPacketSideDataType) -> [UInt8] {
            var size = 0
            guard let bytes = av_packet_get_side_data(packet, type, &size) else { return [] }
            return Array(UnsafeBufferPointer(start: bytes, count: size))
        }
        guard let data = packet.pointee.data, let length else {
            failures += 1
            return
        }
        var header: [UInt8] = []
        if let extra = context.pointee.extradata, context.pointee.extradata_size > 0 {
            header = Array(UnsafeBufferPointer(start: extra, count: Int(context.pointee.extradata_size)))
        }
        let cue = WebVTTCue(
            identifier: String(decoding: side(AV_PKT_DATA_WEBVTT_IDENTIFIER), as: UTF8.self), start: start.nanoseconds,
            end: (start + length).nanoseconds,
            settings: side(AV_PKT_DATA_WEBVTT_SETTINGS),
            text: Array(UnsafeBufferPointer(start: data, count: Int(packet.pointee.size))),
            header: header)
        if packet.pointee.size > WebVTTText.longest { shortened += 1 }
        store.add([SubtitleCue(start: cue.start, end: cue.end, body: .webVTT(cue))])
    }
}
