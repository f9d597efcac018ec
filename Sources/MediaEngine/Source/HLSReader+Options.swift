import CFFmpeg
import Foundation
import Streaming

extension HLSReader {
    static func settings(_ options: HTTPOptions) -> HLSSession.Settings {
        var settings = HLSSession.Settings()
        settings.options = options
        settings.opening = settings.opening.lasting(options.openingPatience)
        settings.playing = settings.playing.lasting(options.recoveryPatience)
        settings.canDecode = { codecCanBeDecoded($0) }
        return settings
    }

    /// Returns whether a decoder for an RFC 6381 codec name is installed. An unknown name counts as decodable.
    private static func codecCanBeDecoded(_ name: String) -> Bool {
        let known: [(String, AVCodecID)] = [
            ("avc", AV_CODEC_ID_H264), ("hvc1", AV_CODEC_ID_HEVC), ("hev1", AV_CODEC_ID_HEVC),
            ("vp09", AV_CODEC_ID_VP9),
            ("vp08", AV_CODEC_ID_VP8), ("av01", AV_CODEC_ID_AV1), ("mp4v.20", AV_CODEC_ID_MPEG4),
            ("mp4a.40.34", AV_CODEC_ID_MP3),
            ("mp4a.6b", AV_CODEC_ID_MP3), ("mp4a.69", AV_CODEC_ID_MP3), ("mp4a.a5", AV_CODEC_ID_AC3),
            ("mp4a.a6", AV_CODEC_ID_EAC3),
            ("mp4a", AV_CODEC_ID_AAC), ("ac-3", AV_CODEC_ID_AC3), ("ec-3", AV_CODEC_ID_EAC3),
            ("opus", AV_CODEC_ID_OPUS),
            ("flac", AV_CODEC_ID_FLAC), ("alac", AV_CODEC_ID_ALAC),
        ]
        let lower = name.lowercased()
        // FFmpeg 5.1 has no decoder for Dolby Vision and AC-4.
        if ["dvh1", "dvhe", "dav1", "ac-4"].contains(where: lower.hasPrefix) { return false }
        guard let match = known.first(where: { lower.hasPrefix($0.0) }) else { return true }
        return avcodec_find_decoder(match.1) != nil
    }

    /// Returns whether the URL names a playlist: a file URL, or a URL that `options` can request, with the extension
    /// `m3u8` or `m3u`. Other playlists are recognized by content when they are opened.
    static func claims(_ url: URL, _ options: HTTPOptions) -> Bool {
        ["m3u8", "m3u"].contains(url.pathExtension.lowercased()) && (url.isFileURL || options.canRequest(url))
    }
}

extension TrackSelection {
    /// The same selection among the renditions of a stream.
    var stream: StreamSelection {
        switch audio {
        case .automatic: StreamSelection(audio: .automatic)
        case .languages(let tags): StreamSelection(audio: .languages(tags))
        case .stream(let index): StreamSelection(audio: .option(index))
        case .none: StreamSelection(audio: .none)
        }
    }
}
