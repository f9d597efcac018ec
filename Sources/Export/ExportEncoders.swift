import CFFmpeg
import MediaCore
import MediaEngine

/// The installed encoders that an export to one file type uses.
struct ExportEncoders: Sendable, Equatable {
    /// The encoders' names in libavcodec. `audio` is nil for a GIF, or if no audio encoder is requested.
    let video: String
    let audio: String?

    /// Chooses the first installed encoders for a file type.
    /// - Parameters:
    ///   - hasSound: Whether an audio encoder is needed.
    ///   - isInstalled: Returns whether the encoder with a name is installed. Tests replace it.
    /// - Throws: `.encoderNotFound`, which names the package to install. `.operationNotSupported` for a type that can't
    ///   be written.
    static func choose(
        for type: AVFileType, hasSound: Bool, at location: String,
        isInstalled: (String) -> Bool = { avcodec_find_encoder_by_name($0) != nil }
    ) throws(AVError) -> ExportEncoders {
        guard let encoderNames = candidates[type] else {
            throw AVError(
                .operationNotSupported, at: location,
                reason: "the file type “\(type.rawValue)” is not supported for export",
                suggestion:
                    "Choose \(AVFileType.allWritable.map { "." + $0.preferredPathExtension }.joined(separator: ", "))")
        }
        func pick(_ names: [String], _ what: String) throws(AVError) -> String {
            if let name = names.first(where: isInstalled) { return name }
            throw AVError(
                .encoderNotFound, at: location,
                reason:
                    "the installed FFmpeg has no \(what) encoder for .\(type.preferredPathExtension) files (\(names.joined(separator: ", ")))",
                suggestion:
                    "Install an FFmpeg build that has it: libavcodec-extra (Debian, Ubuntu) or ffmpeg from RPM Fusion (Fedora)"
            )
        }
        return ExportEncoders(
            video: try pick(encoderNames.video, "video"),
            audio: hasSound && !encoderNames.sound.isEmpty ? try pick(encoderNames.sound, "audio") : nil)
    }

    private static let candidates: [AVFileType: (video: [String], sound: [String])] = {
        let h264 = ["libx264", "libopenh264", "mpeg4"]
        let aac = ["aac"]
        return [
            .mp4: (h264, aac), .mov: (h264, aac), .m4v: (h264, aac), .mkv: (h264, aac),
            .webm: (["libvpx-vp9", "libvpx"], ["libopus", "libvorbis"]), .gif: (["gif"], []),
        ]
    }()

    /// Returns the format in which `encoder` accepts the audio of `source`.
    static func audioFormat(for source: OfflineReader.Sound, encoder: String) -> AudioFormat {
        let aacRates = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000]
        let takesRate =
            switch encoder {
            case "aac": aacRates.contains(source.sampleRate)
            case "libopus": source.sampleRate == 48000
            default: (8000...96000).contains(source.sampleRate)
            }
        // All these encoders support the layouts mono, stereo, 5.1 and 7.1 (libavutil/channel_layout.h).
        let mask: UInt64 =
            switch source.channelCount {
            case 1: 0x4
            case 6, 7: 0x3F
            case 8...: 0x63F
            default: 0x3
            }
        return AudioFormat(sampleRate: takesRate ? source.sampleRate : 48000, channelMask: mask)
    }

    /// Returns whether the audio track can be copied into the file so that it sounds the same there.
    ///
    /// Codecs with a run-in (AAC, MP3, Opus) need timestamps that are exact to the sample, and a container that stores
    /// the end of the run-in.
    static func canCopy(_ sound: OfflineReader.Sound, into type: AVFileType) -> Bool {
        let isExact = sound.timeBase.num == 1 && Int(sound.timeBase.den) == sound.sampleRate
        let isMilliseconds = sound.timeBase.num == 1 && sound.timeBase.den == 1000
        let hasRunIn =
            ![AV_CODEC_ID_AC3, AV_CODEC_ID_EAC3, AV_CODEC_ID_ALAC, AV_CODEC_ID_FLAC].contains(sound.codec)
            && !sound.isPCM
        switch type {
        case .mp4, .m4v:
            guard
                [AV_CODEC_ID_AAC, AV_CODEC_ID_MP3, AV_CODEC_ID_AC3, AV_CODEC_ID_EAC3, AV_CODEC_ID_ALAC].contains(
                    sound.codec)
            else { return false }
            return isExact || !hasRunIn && !isMilliseconds
        case .mov:
            let takes =
                [AV_CODEC_ID_AAC, AV_CODEC_ID_MP3, AV_CODEC_ID_AC3, AV_CODEC_ID_EAC3, AV_CODEC_ID_ALAC].contains(
                    sound.codec)
                || [
                    AV_CODEC_ID_PCM_S16LE, AV_CODEC_ID_PCM_S16BE, AV_CODEC_ID_PCM_S24LE, AV_CODEC_ID_PCM_S32LE,
                    AV_CODEC_ID_PCM_F32LE,
                ].contains(sound.codec)
            return takes && (isExact || !hasRunIn && !isMilliseconds)
        case .mkv, .webm:
            let takes =
                type == .webm
                ? [AV_CODEC_ID_OPUS, AV_CODEC_ID_VORBIS].contains(sound.codec)
                : avformat_query_codec(av_guess_format("matroska", nil, nil), sound.codec, FF_COMPLIANCE_NORMAL) == 1
            return takes && (isMilliseconds || !hasRunIn)
        default: return false
        }
    }
}

extension OfflineReader.Sound {
    /// Whether the codec is PCM. libavcodec's PCM codecs have the numbers 0x10000 to 0x10FFF (codec_id.h).
    var isPCM: Bool { (0x10000..<0x11000).contains(codec.rawValue) }
}
