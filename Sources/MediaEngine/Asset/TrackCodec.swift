import CFFmpeg

/// The codec of a track.
struct TrackCodec: Sendable {
    /// The name of the codec in libavcodec.
    let name: String
    /// The container's four-character code; empty if there is none.
    let fourCharCode: String
    let profile: String?
    /// Whether a decoder is installed.
    let hasDecoder: Bool

    init(_ parameters: AVCodecParameters) {
        name = String(cString: avcodec_get_name(parameters.codec_id))
        let tag = (0..<4).map { UInt8(truncatingIfNeeded: parameters.codec_tag >> (8 * UInt32($0))) }
        fourCharCode = tag.allSatisfy { (32..<127).contains($0) } ? String(decoding: tag, as: UTF8.self) : ""
        profile = avcodec_profile_name(parameters.codec_id, parameters.profile).map { String(cString: $0) }
        hasDecoder = avcodec_find_decoder(parameters.codec_id) != nil
    }
}
