import CFFmpeg
import Foundation
import MediaCore
import Streaming

/// The details of an asset whose container has been opened. `AVAsset.load(_:)` returns its values.
package struct AssetDetails: Sendable {
    /// The names of the container format in libavformat, such as `mov,mp4,m4a,3gp,3g2,mj2`.
    package let formatName: String
    /// The name of the container format for display, such as `QuickTime / MOV`.
    package let formatLongName: String
    /// The duration; `.indefinite` if it is unknown.
    package let duration: CMTime
    /// The overall bit rate in bit/s; 0 if unknown.
    package let dataRate: Int64
    package let tracks: [AVAssetTrack]
    /// The metadata, including artwork.
    package let metadata: [AVMetadataItem]
    package let chapters: [AVTimedMetadataGroup]
    /// The reason why the asset cannot be played; nil if it can be played.
    package let unplayable: AVError?
    /// The error for a file that is shorter than its header specifies; nil if no such difference is found.
    package let truncation: AVError?
    /// The details of an HLS stream; nil for a file.
    package let stream: StreamDetails?
    /// The reason why the tracks are unknown; nil if they are known.
    let tracksProblem: AVError?
    /// Whether the asset is a composition.
    let isComposition: Bool
    /// The tracks among which a player can select. A composition plays all of its enabled tracks.
    var selectableTracks: [AVAssetTrack] { isComposition ? [] : tracks }

    /// Opens, probes and closes `url`. Blocks the calling thread, so never call it on the main actor.
    ///
    /// Returns or throws in finite time for any file.
    ///
    /// - Throws: `.fileFormatNotRecognized` for text and still images; animations (GIF, APNG) count as video.
    ///   `.noPlayableTracks` for any other file without audio and video, such as subtitles.
    package static func read(
        _ url: URL, options: HTTPOptions = HTTPOptions(), interrupt: InterruptToken = InterruptToken()
    ) throws(AVError) -> AssetDetails {
        switch try MediaFound.at(
            url, options: options, forwardBytes: FrameExtractor.forwardBytes, interrupt: interrupt)
        {
        case .file(let source):
            try source.requireMedia()
            let details = AssetDetails(source)
            if details.unplayable == nil { try source.requirePackets() }
            return details
        case .composition(let plan): return plan.details
        case .stream: return try readStream(url, options: options, interrupt: interrupt)
        }
    }

    init(_ source: MediaSource) {
        let context = source.context.pointee
        formatName = source.formatName
        formatLongName = context.iformat?.pointee.long_name.map { String(cString: $0) } ?? formatName
        let whole = source.duration?.exactTime ?? .indefinite
        duration = whole
        dataRate = max(0, context.bit_rate)
        var tracks: [AVAssetTrack] = []
        var items = AVMetadataItem.items(of: context.metadata)
        for case let stream? in source.streams {
            if stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 {
                if let artwork = AssetDetails.artwork(stream) { items.append(artwork) }
            } else if stream.pointee.codecpar?.pointee.codec_id != AV_CODEC_ID_BIN_DATA {
                // A `bin_data` stream is the text track of chapters in a MOV file, which libavformat has already read.
                tracks.append(AVAssetTrack(stream: stream, in: source, assetDuration: whole))
            }
        }
        self.tracks = tracks
        // In Ogg and some other formats, the tags of the file belong to its only stream.
        if !items.contains(where: { $0.commonKey == .commonKeyTitle }), tracks.count == 1, let only = tracks.first {
            items += only.metadata.filter { $0.keyText.lowercased() != "language" }
        }
        if let title = source.remote?.file.radioTitle {
            items.removeAll { $0.commonKey == .commonKeyTitle }
            items.insert(AVMetadataItem(key: "title", text: title), at: 0)
        }
        metadata = items
        chapters = AssetDetails.chapters(source)
        unplayable = source.locked ?? AssetDetails.unplayable(tracks, at: source.location)
        truncation = source.truncation
        stream = nil
        tracksProblem = nil
        isComposition = false
    }

    /// Creates the details of a composition.
    init(composition tracks: [AVAssetTrack], duration: CMTime) {
        formatName = "composition"
        formatLongName = "Composition"
        self.duration = duration
        dataRate = 0
        self.tracks = tracks
        metadata = []
        chapters = []
        unplayable = tracks.contains { $0.isEnabled && $0.isPlayable } ? nil : CompositionPlan.emptyError
        truncation = nil
        stream = nil
        tracksProblem = nil
        isComposition = true
    }

    /// Creates the details of an HLS stream.
    init(
        _ stream: StreamDetails, duration: CMTime, tracks: [AVAssetTrack], metadata: [AVMetadataItem],
        problem: AVError?, location: String
    ) {
        formatName = "hls"
        formatLongName = "HTTP Live Streaming"
        self.duration = duration
        let rate = stream.presentation.variants.last?.attributes.sustainedBitRate ?? 0
        dataRate = rate > 1 ? Int64(saturating: rate) : 0
        self.tracks = tracks
        self.metadata = metadata
        chapters = []
        unplayable = problem ?? AssetDetails.unplayable(tracks, at: location)
        truncation = nil
        self.stream = stream
        tracksProblem = problem
        isComposition = false
    }

    /// The lyrics in `metadata`, under the names that the containers' tags have in libavformat; nil if there are none.
    var lyrics: String? {
        metadata.first { item in
            let key = item.keyText.lowercased()
            // The key of an ID3 frame ends with its language, such as `lyrics-eng`.
            return key == "lyrics" || key.hasPrefix("lyrics-") || key == "unsyncedlyrics"
        }?.stringValue
    }

    private static func unplayable(_ tracks: [AVAssetTrack], at location: String) -> AVError? {
        let media = tracks.filter { $0.mediaType == .video || $0.mediaType == .audio }
        if media.contains(where: \.isPlayable) { return nil }
        if media.isEmpty {
            return AVError(.noPlayableTracks, at: location, reason: "the file contains no audio or video")
        }
        let missing = media.filter {
            $0.codecName == "none" || $0.codecName.hasPrefix("unknown")
                || avcodec_find_decoder_by_name($0.codecName) == nil
        }
        guard let first = missing.first else {
            return AVError(
                .fileFailedToParse, at: location, reason: "the tracks are too damaged to identify their contents",
                suggestion: "Copy or download the file again")
        }
        let codec = first.fourCharCode.isEmpty ? first.codecName : first.fourCharCode
        return AVError(
            .decoderNotFound, at: location,
            reason: "no decoder for the \(first.mediaType.name) codec “\(codec)” is installed",
            suggestion: DecoderPackage.suggestion(for: [first.codecName]))
    }

    private static func artwork(_ stream: UnsafeMutablePointer<AVStream>) -> AVMetadataItem? {
        let packet = stream.pointee.attached_pic
        guard let bytes = packet.data, packet.size > 0, let parameters = stream.pointee.codecpar else { return nil }
        let type =
            switch parameters.pointee.codec_id {
            case AV_CODEC_ID_MJPEG: "image/jpeg"
            case AV_CODEC_ID_PNG: "image/png"
            case AV_CODEC_ID_GIF: "image/gif"
            case AV_CODEC_ID_BMP: "image/bmp"
            case AV_CODEC_ID_WEBP: "image/webp"
            default: "application/octet-stream"
            }
        return AVMetadataItem(artwork: Data(bytes: bytes, count: Int(packet.size)), type: type)
    }

    private static func chapters(_ source: MediaSource) -> [AVTimedMetadataGroup] {
        if let ordered = source.ordered {
            return ordered.chapters.map { chapter in
                AVTimedMetadataGroup(
                    items: chapter.titles.prefix(1).map { AVMetadataItem(key: "title", text: $0.text) },
                    timeRange: CMTimeRange(start: chapter.start.time, end: chapter.end.time))
            }
        }
        let list = UnsafeBufferPointer(
            start: source.context.pointee.chapters, count: Int(source.context.pointee.nb_chapters))
        return list.compactMap { chapter in
            guard let c = chapter?.pointee else { return nil }
            func time(_ timestamp: Int64) -> CMTime {
                ((MediaTime(stamp: timestamp, base: c.time_base) ?? source.startTime) - source.startTime).time
            }
            let range = CMTimeRange(start: time(c.start), end: max(time(c.start), time(c.end)))
            return AVTimedMetadataGroup(items: AVMetadataItem.items(of: c.metadata), timeRange: range)
        }
    }
}
