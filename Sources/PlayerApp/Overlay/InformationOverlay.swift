import Foundation
import MediaCore
import MediaEngine
import PlayerControls
import Presentation

/// The playback information over the video: the item, its tracks and the performance. It is updated once per second
/// while it is visible. Main actor.
@MainActor
package final class InformationOverlay {
    package let panel = OverlayPanel(at: .topLeading, name: PlayerWords.localized("Playback Information"))
    private weak var player: AVPlayer?
    private weak var item: AVPlayerItem?
    private var timer: (any DispatchSourceTimer)?
    private var tracks: [(key: String, text: String)] = []
    private var previous: (shown: Int, at: HostTime)?

    package init(_ player: AVPlayer) {
        self.player = player
    }

    /// Whether the information is visible. Hidden information is not updated.
    package var isSeen = false {
        didSet {
            guard isSeen != oldValue else { return }
            timer?.cancel()
            timer = nil
            guard isSeen else { return }
            previous = nil
            update()
            let timer = DispatchSource.makeTimerSource(queue: .main)
            timer.schedule(deadline: .now() + 1, repeating: 1)
            timer.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.update() } }
            timer.resume()
            self.timer = timer
        }
    }

    private func update() {
        guard let player else { return }
        if player.currentItem !== item {
            item = player.currentItem
            tracks = []
            read()
        }
        panel.fill([rows(player)])
    }

    /// Reads the codecs and rates, once for each item.
    private func read() {
        guard let item else { return }
        Task { [weak self] in
            guard let all = try? await item.asset.load(.tracks) else { return }
            var rows: [(key: String, text: String)] = []
            for track in all.prefix(32) {
                guard let row = InformationOverlay.row(of: track) else { continue }
                rows.append(row)
            }
            guard let self, item === self.item else { return }
            tracks = rows
            if isSeen { update() }
        }
    }

    private func localized(_ text: String) -> String { PlayerWords.localized(text) }

    private func rows(_ player: AVPlayer) -> [(key: String, text: String)] {
        guard let item = player.currentItem else { return [(localized("Nothing is playing"), "")] }
        let location = item.asset.url.location
        var rows: [(key: String, text: String)] = [
            (
                localized(item.asset.url.isFileURL ? "File" : "URL"),
                location.count > 80 ? "…" + location.suffix(79) : location
            )
        ]
        rows += tracks
        let size = item.presentationSize
        if size.width > 0 {
            rows.append((localized("Display Size"), "\(Int(saturating: size.width)) × \(Int(saturating: size.height))"))
        }
        let statistics = player.statistics
        let now = HostTime.now()
        var shown =
            "\(statistics.framesShown) \(localized("displayed")), \(statistics.framesDropped) \(localized("dropped"))"
        if let previous, now > previous.at, statistics.framesShown >= previous.shown {
            let rate = Double(statistics.framesShown - previous.shown) / (Double(now - previous.at) / 1e9)
            shown += String(format: ", %.1f fps", rate)
        }
        previous = (statistics.framesShown, now)
        rows.append((localized("Frames"), shown))
        if let late = statistics.offsets.last {
            rows.append((localized("Frame Delay"), String(format: "%.1f ms", late)))
        }
        let time = player.currentTime().seconds
        rows.append(
            (
                localized("Position"),
                "\(PlaybackControl(player).positionText)  (\(time.isFinite ? String(format: "%.3f s", time) : "–"))"
            ))
        rows.append((localized("Speed"), String(format: "%g×", PlaybackControl(player).speed)))
        rows.append((localized("Buffer"), buffer(item, time)))
        if let event = item.accessLog()?.events.last {
            if event.observedBitrate > 0 {
                rows.append((localized("Download Speed"), InformationOverlay.rate(event.observedBitrate)))
            }
            if event.indicatedBitrate > 0 {
                rows.append((localized("Quality"), InformationOverlay.rate(event.indicatedBitrate)))
            }
        }
        if statistics.stalls > 0 {
            rows.append(
                (localized("Interruptions"), String(format: "%d×, %.1f s", statistics.stalls, statistics.stallSeconds)))
        }
        rows.append((localized("Time of Day"), Date.now.formatted(date: .omitted, time: .standard)))
        return rows
    }

    private func buffer(_ item: AVPlayerItem, _ time: Double) -> String {
        if item.asset.url.isFileURL { return localized("Whole file") }
        let ahead = item.loadedTimeRanges.compactMap { value -> Double? in
            let (start, end) = (value.timeRangeValue.start.seconds, value.timeRangeValue.end.seconds)
            return start.isFinite && end.isFinite && start - 0.1 <= time && time < end ? end - time : nil
        }.max()
        return ahead.map { String(format: "%.1f s", $0) } ?? "–"
    }

    /// Returns the codec and the properties of a track; nil for tracks that are neither video nor audio.
    private static func row(of track: AVAssetTrack) -> (key: String, text: String)? {
        let bits = track.estimatedDataRate > 0 ? rate(Double(track.estimatedDataRate)) : nil
        switch track.mediaType {
        case .video:
            let size = track.naturalSize
            let parts: [String?] = [
                [track.codecName, track.profile].compactMap { $0 }.joined(separator: " "),
                size.width > 0 ? "\(Int(saturating: size.width)) × \(Int(saturating: size.height))" : nil,
                track.nominalFrameRate > 0 ? String(format: "%.4g fps", track.nominalFrameRate) : nil,
                track.pixelFormat,
                bits,
            ]
            return (PlayerWords.localized("Video"), parts.compactMap { $0 }.joined(separator: ", "))
        case .audio:
            let parts: [String?] = [
                [track.codecName, track.profile].compactMap { $0 }.joined(separator: " "),
                track.sampleRate > 0 ? String(format: "%g kHz", track.sampleRate / 1000) : nil,
                track.channelLayout ?? (track.channelCount > 0 ? "\(track.channelCount)" : nil),
                track.extendedLanguageTag, bits,
            ]
            return (PlayerWords.localized("Audio"), parts.compactMap { $0 }.joined(separator: ", "))
        default: return nil
        }
    }

    isolated deinit { timer?.cancel() }

    private static func rate(_ bits: Double) -> String {
        bits >= 1e6 ? String(format: "%.2f Mbit/s", bits / 1e6) : String(format: "%.0f kbit/s", bits / 1e3)
    }
}
