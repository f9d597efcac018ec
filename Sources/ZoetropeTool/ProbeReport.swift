import Foundation
import MediaCore
import MediaEngine
import PlayerControls

/// The report of `zoetrope probe`, as JSON and as a table.
struct ProbeReport: Encodable {
    struct Track: Encodable {
        var id: Int32, type: String, codec: String, fourcc: String?, profile: String?, isPlayable: Bool, isDefault: Bool
        var title: String?, language: String?, dataRate: Float?, start: Double, duration: Double?
        var width: Int?, height: Int?, presentationWidth: Int?, presentationHeight: Int?, pixelAspectRatio: Double?
        var rotation: Int?, isMirrored: Bool?, frameRate: Float?, isVariableFrameRate: Bool?, pixelFormat: String?,
            bitDepth: Int?
        var colorPrimaries: String?, transferFunction: String?, yCbCrMatrix: String?, isFullRange: Bool?
        var sampleRate: Double?, channels: Int?, channelLayout: String?
        var characteristics: [String], metadata: [String: String]
    }
    struct Chapter: Encodable {
        var start: Double, end: Double, title: String?
    }
    struct Artwork: Encodable {
        var type: String, bytes: Int
    }

    var file: String, format: String, formatName: String, duration: Double?, dataRate: Int64?
    var isPlayable: Bool, error: String?
    /// The warning that the file is cut off; nil if the file appears to be complete.
    var warning: String?
    var tracks: [Track], chapters: [Chapter], metadata: [String: String], artwork: [Artwork]
    /// The stream; nil for a file.
    var stream: ProbeStream?

    init(_ details: AssetDetails, file: String) {
        self.file = file
        format = details.formatName
        formatName = details.formatLongName
        duration = details.duration.isNumeric ? details.duration.seconds : nil
        dataRate = details.dataRate > 0 ? details.dataRate : nil
        isPlayable = details.unplayable == nil
        error = details.unplayable?.description
        warning = details.truncation?.description
        tracks = details.tracks.map(ProbeReport.track)
        chapters = details.chapters.map {
            Chapter(
                start: $0.timeRange.start.seconds, end: $0.timeRange.end.seconds,
                title: $0.items.first { $0.commonKey == .commonKeyTitle }?.stringValue)
        }
        metadata = ProbeReport.texts(details.metadata)
        artwork = details.metadata.filter { $0.commonKey == .commonKeyArtwork }.map {
            Artwork(type: $0.dataType, bytes: $0.dataValue?.count ?? 0)
        }
        stream = details.stream.map { ProbeStream($0, details.metadata) }
    }

    private static func texts(_ items: [AVMetadataItem]) -> [String: String] {
        Dictionary(
            items.compactMap { item in item.stringValue.map { (item.keyText, $0) } }, uniquingKeysWith: { a, _ in a })
    }

    private static func track(_ t: AVAssetTrack) -> Track {
        let isVideo = t.mediaType == .video
        let isAudio = t.mediaType == .audio
        return Track(
            id: t.trackID, type: t.mediaType.name, codec: t.codecName,
            fourcc: t.fourCharCode.isEmpty ? nil : t.fourCharCode,
            profile: t.profile, isPlayable: t.isPlayable, isDefault: t.isDefault,
            title: t.title, language: t.extendedLanguageTag,
            dataRate: t.estimatedDataRate > 0 ? t.estimatedDataRate : nil,
            start: t.timeRange.start.seconds,
            duration: t.timeRange.duration.isNumeric ? t.timeRange.duration.seconds : nil,
            width: isVideo ? Int(saturating: t.naturalSize.width) : nil,
            height: isVideo ? Int(saturating: t.naturalSize.height) : nil,
            presentationWidth: isVideo ? Int(saturating: t.presentationSize.width) : nil,
            presentationHeight: isVideo ? Int(saturating: t.presentationSize.height) : nil,
            pixelAspectRatio: isVideo ? t.pixelAspectRatio : nil, rotation: isVideo ? t.rotation : nil,
            isMirrored: isVideo ? t.isMirrored : nil,
            frameRate: isVideo ? t.nominalFrameRate : nil, isVariableFrameRate: isVideo ? t.isVariableFrameRate : nil,
            pixelFormat: t.pixelFormat, bitDepth: t.bitDepth, colorPrimaries: t.colorPrimaries,
            transferFunction: t.transferFunction, yCbCrMatrix: t.yCbCrMatrix, isFullRange: t.isFullRange,
            sampleRate: isAudio ? t.sampleRate : nil, channels: isAudio ? t.channelCount : nil,
            channelLayout: t.channelLayout,
            characteristics: t.characteristics.map(\.rawValue).sorted(), metadata: texts(t.metadata))
    }
}

extension ProbeReport {
    /// The report as aligned columns for people.
    var table: String {
        var lines = [
            ("File", file), ("Format", formatName),
            ("Duration", duration.map { TimeText.milliseconds($0) } ?? (stream?.isLive == true ? "live" : "unknown")),
        ]
        if let dataRate { lines.append(("Data rate", ProbeReport.rate(Double(dataRate)))) }
        if let stream { lines += stream.lines }
        if let warning { lines.append(("Warning", warning)) }
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            let text = String(value.map { $0.isNewline || $0 == "\t" ? " " : $0 })
            lines.append((key.prefix(1).uppercased() + key.dropFirst(), text))
        }
        for image in artwork { lines.append(("Artwork", "\(image.type), \(image.bytes) bytes")) }
        let width = min(18, lines.map(\.0.count).max() ?? 0)
        var text = lines.map {
            Formatting.padded(Formatting.plain($0.0), to: width) + "  " + Formatting.plain($0.1)
        }.joined(separator: "\n")
        let rows = tracks.map { ["#\($0.id)", $0.type, $0.codec, $0.language ?? "-", ProbeReport.details($0)] }
        if !rows.isEmpty {
            text += "\n\n" + ProbeReport.columns([["", "Track", "Codec", "Language", "Details"]] + rows)
        }
        if let stream { text += stream.tables }
        if !chapters.isEmpty {
            text +=
                "\n\n"
                + ProbeReport.columns(
                    [["", "Chapter", "Title"]]
                        + chapters.enumerated().map { n, c in
                            ["\(n + 1)", TimeText.milliseconds(c.start), c.title ?? "-"]
                        })
        }
        return text
    }

    private static func details(_ t: Track) -> String {
        var parts: [String] = []
        if let w = t.width, let h = t.height {
            parts.append("\(w)×\(h)")
            if let pw = t.presentationWidth, let ph = t.presentationHeight, (pw, ph) != (w, h) {
                parts.append("displayed \(pw)×\(ph)")
            }
        }
        if t.isMirrored == true { parts.append("mirrored") }
        if let degrees = t.rotation, degrees != 0 { parts.append("rotated \(degrees)°") }
        if let rate = t.frameRate, rate > 0 {
            parts.append(String(format: "%.6g fps", rate) + (t.isVariableFrameRate == true ? " (variable)" : ""))
        }
        if let format = t.pixelFormat { parts.append(format) }
        let colors = [t.colorPrimaries, t.transferFunction, t.yCbCrMatrix].compactMap { $0 }
        if !colors.isEmpty { parts.append(Set(colors).count == 1 ? colors[0] : colors.joined(separator: "/")) }
        if let full = t.isFullRange { parts.append(full ? "full range" : "limited range") }
        if let rate = t.sampleRate { parts.append(String(format: "%.0f Hz", rate)) }
        if let channels = t.channels { parts.append(t.channelLayout ?? "\(channels) channels") }
        if let rate = t.dataRate { parts.append(ProbeReport.rate(Double(rate))) }
        if let title = t.title { parts.append("“\(title)”") }
        if t.isDefault { parts.append("default") }
        if !t.isPlayable { parts.append("cannot be decoded") }
        return parts.joined(separator: ", ")
    }

    static func columns(_ rows: [[String]]) -> String {
        let rows = rows.map { $0.map(Formatting.plain) }
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = row.enumerated().map {
                Formatting.padded($1, to: $0 == count - 1 ? 0 : widths[$0])
            }
            return cells.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    static func rate(_ bits: Double) -> String {
        bits >= 1e6 ? String(format: "%.2f Mbit/s", bits / 1e6) : String(format: "%.0f kbit/s", bits / 1e3)
    }
}
