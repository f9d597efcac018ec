import CFFmpeg
import Foundation
import MediaCore

/// A reader of one subtitle track of a local file, with its own thread and demuxer. It reads the whole track,
/// independently of playback, loops and seeks, so that cues which began long before the target of a seek are available.
///
/// Containers with an index (MP4) are read only at the positions of the track. Other containers (Matroska) are read
/// completely, once.
final class SubtitleScanner: Sendable {
    private let interrupt = InterruptToken()
    private let thread: WorkerThread

    /// Starts to read.
    ///
    /// - Parameters:
    ///   - first: The media time of interest. Reading starts a minute before it and continues to the end. The part
    ///     before that is read last.
    ///   - textOnly: Whether a track of bitmaps is ignored.
    ///   - ended: Called on the thread when reading has ended, successfully or not.
    init(
        url: URL, stream: Int, first: MediaTime, store: SubtitleStore, textOnly: Bool = false,
        ended: (@Sendable () -> Void)? = nil
    ) {
        let interrupt = interrupt
        thread = WorkerThread(name: "zt-subtitles") {
            SubtitleScanner.read(url, stream, first, store, textOnly, interrupt)
            ended?()
        }
    }

    /// Stops reading and waits for the thread to end. Must be called once.
    func stop() {
        interrupt.interrupt()
        thread.join()
    }

    /// The time before `first` at which reading starts.
    private static let lead: MediaTime = 60_000_000_000

    private static func read(
        _ url: URL, _ index: Int, _ first: MediaTime, _ store: SubtitleStore, _ textOnly: Bool,
        _ interrupt: InterruptToken
    ) {
        // A file that cannot be opened cannot be played either, and playback reports the error.
        guard let source = try? MediaSource(url: url, interrupt: interrupt), source.streams.indices.contains(index),
            let stream = source.streams[index]
        else { return }
        if textOnly, let codec = stream.pointee.codecpar.flatMap({ avcodec_descriptor_get($0.pointee.codec_id) }),
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
            let owner = Owned<AVPacket>(av_packet_alloc())
        else { return }
        let packet = owner.raw

        func run(until limit: MediaTime) {
            while !interrupt.isInterrupted, source.readPastDamage(packet) >= 0 {
                defer { av_packet_unref(packet) }
                guard Int(packet.pointee.stream_index) == index else { continue }
                decoder.decode(packet)
                if let timestamp = MediaTime(stamp: packet.pointee.pts, base: stream.pointee.time_base),
                    timestamp - offset > limit
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

    /// Returns the fonts that a Matroska file contains for its subtitles.
    ///
    /// libavformat recognizes two MIME types of fonts. There are about a dozen, and some files have none or a wrong
    /// one. An attachment therefore counts as a font by its type, its name or its first bytes.
    static func fonts(_ source: MediaSource) -> [SubtitleHeader.Font] {
        var total = 0
        return source.streams.compactMap { stream -> SubtitleHeader.Font? in
            guard let stream, let parameters = stream.pointee.codecpar,
                parameters.pointee.codec_type == AVMEDIA_TYPE_ATTACHMENT,
                let start = parameters.pointee.extradata, parameters.pointee.extradata_size > 0
            else { return nil }
            func tag(_ key: String) -> String? {
                av_dict_get(stream.pointee.metadata, key, nil, 0).map { String(cString: $0.pointee.value) }
            }
            let bytes = UnsafeBufferPointer(start: start, count: Int(parameters.pointee.extradata_size))
            let codec = parameters.pointee.codec_id
            guard
                codec == AV_CODEC_ID_TTF || codec == AV_CODEC_ID_OTF
                    || isFont(type: tag("mimetype"), name: tag("filename"), bytes),
                total + bytes.count <= SubtitleHeader.mostFontBytes
            else { return nil }
            total += bytes.count
            return SubtitleHeader.Font(name: tag("filename") ?? "font", bytes: Array(bytes))
        }
    }

    static func isFont(type: String?, name: String?, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let type = type?.lowercased() ?? ""
        if type.hasPrefix("font/")
            || ["font-", "x-font", "truetype", "opentype"].contains(where: { type.contains($0) })
        {
            return true
        }
        let ending = name?.lowercased().split(separator: ".").last.map(String.init) ?? ""
        if ["ttf", "otf", "ttc", "otc", "pfa", "pfb", "woff", "woff2"].contains(ending) { return true }
        // OpenType with TrueType or PostScript outlines, Apple's two formats, a collection, WOFF and Type 1.
        let magics: [[UInt8]] =
            [[0, 1, 0, 0], [0x80, 1]]
            + ["OTTO", "true", "typ1", "ttcf", "wOFF", "wOF2", "%!PS-AdobeFont"].map { Array($0.utf8) }
        return magics.contains { bytes.starts(with: $0) }
    }
}
