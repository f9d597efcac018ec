import Foundation
import MediaCore
import MediaEngine
import PlayerControls
import Streaming

/// The report of `zoetrope probe` about an HLS stream: variants, renditions, captions, encryption and session data.
struct ProbeStream: Encodable {
    struct Variant: Encodable {
        var url: String, peakBitRate: Double?, averageBitRate: Double?, width: Int?, height: Int?, frameRate: Double?
        var codecs: [String], videoRange: String?, channels: Int?
    }
    struct Rendition: Encodable {
        var type: String, name: String, language: String?, isDefault: Bool, isForced: Bool, channels: Int?,
            instreamID: String?
        var characteristics: [String]
    }
    struct Datum: Encodable {
        var id: String, language: String?, value: String?
    }

    var isLive: Bool
    /// The range to which playback can seek, in seconds.
    var seekableStart: Double?, seekableEnd: Double?
    /// The attribute `METHOD` of the first key.
    var encryption: String?
    var iFrameStreams: Int
    var variants: [Variant], renditions: [Rendition], sessionData: [Datum]

    init(_ details: StreamDetails, _ metadata: [AVMetadataItem]) {
        isLive = details.isLive
        seekableStart = details.seekable?.lowerBound
        seekableEnd = details.seekable?.upperBound
        encryption = details.encryption
        iFrameStreams = details.iFrameStreams
        variants = details.variants.map { v in
            let size = v.videoAttributes?.presentationSize ?? .zero
            return Variant(
                url: v.url.withoutCredentials.absoluteString, peakBitRate: v.peakBitRate,
                averageBitRate: v.averageBitRate,
                width: size.width > 0 ? Int(saturating: size.width) : nil,
                height: size.height > 0 ? Int(saturating: size.height) : nil,
                frameRate: v.videoAttributes?.nominalFrameRate, codecs: v.codecs,
                videoRange: v.videoAttributes?.videoRange.rawValue,
                channels: v.audioAttributes?.channelCount)
        }
        let presentation = details.presentation
        renditions = (presentation.audio + presentation.subtitles + presentation.captions).map { option in
            let type =
                switch option.kind {
                case .audio: "audio"
                case .video: "video"
                case .subtitles: "subtitles"
                case .closedCaptions: "captions"
                }
            return Rendition(
                type: type, name: option.name, language: option.language, isDefault: option.isDefault,
                isForced: option.isForced,
                channels: option.channels, instreamID: option.instreamID, characteristics: option.characteristics)
        }
        sessionData = metadata.filter { $0.keySpace == .hlsSessionData }.map {
            Datum(id: $0.keyText, language: $0.extendedLanguageTag, value: $0.stringValue)
        }
    }

    /// The rows about the stream for the top of the table.
    var lines: [(String, String)] {
        var lines = [("Stream", isLive ? "live" : "on demand")]
        if isLive, let seekableStart, let seekableEnd {
            lines.append(
                ("Seekable", "\(TimeText.milliseconds(seekableStart)) to \(TimeText.milliseconds(seekableEnd))"))
        }
        if let encryption { lines.append(("Encryption", encryption)) }
        if iFrameStreams > 0 { lines.append(("I-frame streams", "\(iFrameStreams)")) }
        return lines
    }

    /// The tables below the tracks.
    var tables: String {
        var text = ""
        if !variants.isEmpty {
            text +=
                "\n\n"
                + ProbeReport.columns(
                    [["", "Peak", "Average", "Size", "Codecs", ""]]
                        + variants.enumerated().map { n, v in
                            var rest: [String] = []
                            if let rate = v.frameRate { rest.append(String(format: "%.6g fps", rate)) }
                            if let range = v.videoRange, range != "sdr" { rest.append(range.uppercased()) }
                            if let channels = v.channels {
                                rest.append("\(channels) channel\(channels == 1 ? "" : "s")")
                            }
                            let size = v.width.flatMap { w in v.height.map { "\(w)×\($0)" } } ?? "-"
                            return [
                                "\(n + 1)", v.peakBitRate.map(ProbeReport.rate) ?? "-",
                                v.averageBitRate.map(ProbeReport.rate) ?? "-", size,
                                v.codecs.isEmpty ? "-" : v.codecs.joined(separator: ","), rest.joined(separator: ", "),
                            ]
                        })
        }
        if !renditions.isEmpty {
            text +=
                "\n\n"
                + ProbeReport.columns(
                    [["Rendition", "Language", "Name", ""]]
                        + renditions.map { r in
                            var rest: [String] = []
                            if let id = r.instreamID { rest.append(id) }
                            if let channels = r.channels {
                                rest.append("\(channels) channel\(channels == 1 ? "" : "s")")
                            }
                            if r.isDefault { rest.append("default") }
                            if r.isForced { rest.append("forced") }
                            return [
                                r.type, r.language ?? "-", r.name, (rest + r.characteristics).joined(separator: ", "),
                            ]
                        })
        }
        return text
    }
}
