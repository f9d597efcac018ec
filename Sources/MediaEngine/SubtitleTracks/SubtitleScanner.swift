import CFFmpeg
import Foundation
import MediaCore

/// Reads one subtitle track of a local file to its end, on a thread and with a demuxer of its own: cues are there
/// whatever is played, looped or sought, and also those that began long before a seek's target.
///
/// Containers with an index (MP4) are read only where the track is; others (Matroska) whole, once.
final class SubtitleScanner: Sendable {
    private let interrupt = InterruptToken()
    private let thread: WorkerThread

    /// - Parameters:
    ///   - first: media time; from a little before here to the end is read first, then what lies before.
    ///   - wordsOnly: of a track of pictures nothing is read.
    ///   - ended: called on the thread when all has been read, or nothing more will be.
    init(
        url: URL, stream: Int, first: MediaTime, store: SubtitleStore, wordsOnly: Bool = false,
        ended: (@Sendable () -> Void)? = nil
    ) {
        let interrupt = interrupt
        thread = WorkerThread(name: "zt-subtitles") {
            SubtitleScanner.read(url, stream, first, store, wordsOnly, interrupt)
            ended?()
        }
    }

    /// Ends reading and waits for its end. Call once.
    func stop() {
        interrupt.interrupt()
        thread.join()
    }

    /// How long before the place that matters reading begins.
    private static let lead: MediaTime = 60_000_000_000

    private static func read(
        _ url: URL, _ index: Int, _ first: MediaTime, _ store: SubtitleStore, _ wordsOnly: Bool,
        _ interrupt: InterruptToken
    ) {
        // What cannot be opened cannot be played either, and playing says so.
        guard let source = try? MediaSource(url: url, interrupt: interrupt), source.streams.indices.contains(index),
            let stream = source.streams[index]
        else { return }
        if wordsOnly, let codec = stream.pointee.codecpar.flatMap({ avcodec_descriptor_get($0.pointee.codec_id) }),
            codec.pointee.props & AV_CODEC_PROP_TEXT_SUB == 0
        {
            return
        }
        let offset = source.startTime
        for case let other? in source.streams {
            other.pointee.discard = other == stream ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
        store.setHeader(SubtitleHeader(fonts: fonts(source)))
        guard let decoder = SubtitleDecoder(stream: stream, startOffset: offset, store: store),
            let packet = av_packet_alloc()
        else { return }
        var owned: UnsafeMutablePointer<AVPacket>? = packet
        defer { av_packet_free(&owned) }

        func run(until limit: MediaTime) {
            var broken = 0
            while !interrupt.isInterrupted {
                let rc = source.read(packet)
                if rc < 0 {
                    broken += 1
                    if rc == zt_averror_invaliddata(), broken < 64 { continue }
                    return
                }
                defer { av_packet_unref(packet) }
                guard Int(packet.pointee.stream_index) == index else { continue }
                decoder.decode(packet)
                if let stamp = MediaTime(stamp: packet.pointee.pts, base: stream.pointee.time_base),
                    stamp - offset > limit
                {
                    return
                }
            }
        }
        let begin = first - lead
        if begin > 0, source.seek(to: begin) >= 0 {
            run(until: .max)
            guard !interrupt.isInterrupted, source.seek(to: .zero) >= 0 else { return }
            decoder.flush()
            run(until: begin)
        } else {
            run(until: .max)
        }
    }

    /// Fonts that a Matroska file brings for its subtitles.
    static func fonts(_ source: MediaSource) -> [SubtitleHeader.Font] {
        source.streams.compactMap { stream -> SubtitleHeader.Font? in
            guard let stream, let parameters = stream.pointee.codecpar,
                parameters.pointee.codec_type == AVMEDIA_TYPE_ATTACHMENT,
                parameters.pointee.codec_id == AV_CODEC_ID_TTF || parameters.pointee.codec_id == AV_CODEC_ID_OTF,
                let bytes = parameters.pointee.extradata, parameters.pointee.extradata_size > 0
            else { return nil }
            let name =
                av_dict_get(stream.pointee.metadata, "filename", nil, 0).map { String(cString: $0.pointee.value) }
                ?? "font"
            return SubtitleHeader.Font(
                name: name,
                bytes: Array(UnsafeBufferPointer(start: bytes, count: Int(parameters.pointee.extradata_size))))
        }
    }
}
