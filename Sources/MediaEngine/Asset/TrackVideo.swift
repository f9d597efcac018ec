import CFFmpeg
import Foundation
import MediaCore

/// The video format of a video track.
struct TrackVideo: Sendable {
    /// The stored frame size in pixels.
    let naturalSize: CGSize
    /// The display size in square pixels, after pixel aspect ratio and rotation.
    private(set) var presentationSize: CGSize
    let pixelAspectRatio: Double
    private(set) var orientation: PictureOrientation
    /// The average frame rate in frames per second; 0 if unknown.
    let frameRate: Double
    let isVariableFrameRate: Bool
    /// The pixel format as libavutil names it.
    let pixelFormat: String?
    /// The number of bits per color component; nil if unknown.
    let bitDepth: Int?
    let hasAlpha: Bool
    // Names of ISO/IEC 23091-2 as libavutil spells them; nil if unspecified.
    let colorPrimaries, transferFunction, yCbCrMatrix: String?
    let isFullRange: Bool?

    /// Creates a description of `stream`; nil if the track is not video.
    init?(_ stream: UnsafeMutablePointer<AVStream>, _ parameters: AVCodecParameters, in source: AVAssetTrack.Container)
    {
        guard parameters.codec_type == AVMEDIA_TYPE_VIDEO else { return nil }
        let s = stream.pointee
        pixelAspectRatio = TrackAspect(stream).ratio
        orientation = PictureOrientation(stream) ?? .upright
        naturalSize = CGSize(width: Double(parameters.width), height: Double(parameters.height))
        presentationSize = TrackVideo.presentationSize(naturalSize, pixelAspectRatio, orientation)

        let average = s.avg_frame_rate.num > 0 && s.avg_frame_rate.den > 0 ? s.avg_frame_rate : s.r_frame_rate
        frameRate = source.rendition?.frameRate ?? (average.num > 0 && average.den > 0 ? av_q2d(average) : 0)
        // For a stream, too few frames are read to decide.
        isVariableFrameRate = source.rendition == nil && TrackVideo.isVariable(stream, in: source)

        let format = av_pix_fmt_desc_get(AVPixelFormat(parameters.format))?.pointee
        pixelFormat = format?.name.map { String(cString: $0) }
        bitDepth = format.map { Int($0.comp.0.depth) }
        // The transparency of a palette is unknown before the first frame, and GIF's decoder gives alpha to all frames.
        let flags = format?.flags ?? 0
        hasAlpha =
            flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0 && flags & UInt64(AV_PIX_FMT_FLAG_PAL) == 0
            && parameters.codec_id != AV_CODEC_ID_GIF
            || AlphaDecoder.isAnnounced(by: stream)

        func name(_ text: UnsafePointer<CChar>?) -> String? {
            let text = text.map { String(cString: $0) }
            return text == "unknown" || text == "reserved" || text == "" ? nil : text
        }
        colorPrimaries = name(av_color_primaries_name(parameters.color_primaries))
        transferFunction = name(av_color_transfer_name(parameters.color_trc))
        yCbCrMatrix = name(av_color_space_name(parameters.color_space))
        isFullRange =
            parameters.color_range == AVCOL_RANGE_UNSPECIFIED ? nil : parameters.color_range == AVCOL_RANGE_JPEG
    }

    private static func presentationSize(_ size: CGSize, _ pixelAspectRatio: Double, _ orientation: PictureOrientation)
        -> CGSize
    {
        let shown = PictureLimits.presentationSize(
            width: Int(size.width), height: Int(size.height), pixelAspectRatio: pixelAspectRatio,
            orientation: orientation)
        return CGSize(width: shown.width.rounded(), height: shown.height.rounded())
    }

    /// Replaces the orientation that the container gives.
    mutating func show(_ orientation: PictureOrientation) {
        self.orientation = orientation
        presentationSize = TrackVideo.presentationSize(naturalSize, pixelAspectRatio, orientation)
    }

    /// Whether the container gives enough information to start a decoder.
    var isComplete: Bool { naturalSize.width > 0 && naturalSize.height > 0 && pixelFormat != nil }

    var preferredTransform: CGAffineTransform {
        orientation.transform(width: naturalSize.width, height: naturalSize.height)
    }

    /// Returns whether the frames have different durations. The index of a MOV file contains the time of each sample,
    /// and the first 5000 samples decide. For other formats, compares the average frame rate with the lowest rate that
    /// fits all timestamps.
    private static func isVariable(_ stream: UnsafeMutablePointer<AVStream>, in source: AVAssetTrack.Container) -> Bool
    {
        let count = avformat_index_get_entries_count(stream)
        if source.formatName.hasPrefix("mov"), count > 2 {
            var previous: Int64?
            var shortest = Int64.max
            var longest = Int64.min
            // The last sample is ignored, because muxers extend it to the end of the track.
            for i in 0..<min(count - 1, 5000) {
                guard let entry = avformat_index_get_entry(stream, i) else { break }
                let time = entry.pointee.timestamp
                if let previous {
                    shortest = min(shortest, time.subtractingSaturating(previous))
                    longest = max(longest, time.subtractingSaturating(previous))
                }
                previous = time
            }
            return longest > shortest && Double(longest) - Double(shortest) > max(1, Double(shortest) * 0.05)
        }
        let average = av_q2d(stream.pointee.avg_frame_rate)
        let base = av_q2d(stream.pointee.r_frame_rate)
        guard average.isFinite, base.isFinite, average > 0, base > 0 else { return false }
        let ratio = base / average
        // Twice the frame rate is the field rate of interlaced video.
        return abs(ratio - 1) > 0.02 && abs(ratio - 2) > 0.02
    }
}
