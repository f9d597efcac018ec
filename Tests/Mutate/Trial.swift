import Export
import Foundation
import MediaCore
import MediaEngine
import TestSupport

/// The steps that every file goes through. Each must end with a result or with an `AVError` that has a message.
/// Anything else is a finding.
enum Trial {
    enum Step: String, CaseIterable { case probe, snapshot, export, play, loop }

    /// The speed of the clock during playback, relative to real time.
    static let acceleration = 32
    /// The limits of a playback step: `playing`, in nanoseconds of player time since the first frame, and `patience`,
    /// in real time since the start. The files last 0.6 s, but a damaged duration may be centuries.
    private static let playing: Int64 = 3_000_000_000, patience = Duration.milliseconds(300)

    /// Runs a step.
    /// - Returns: The finding, or nil.
    static func run(_ step: Step, _ url: URL, scratch: URL) async -> String? {
        do throws(AVError) {
            switch step {
            case .probe:
                let details = try AssetDetails.read(url)
                for track in details.tracks {
                    _ = "\(track.timeRange)\(track.presentationSize)\(track.nominalFrameRate)"
                }
                if let error = details.unplayable { throw error }
            case .snapshot:
                let generator = AVAssetImageGenerator(asset: AVURLAsset(url: url))
                for time in [0, 0.3, 1e9] {
                    _ = try generator.copyImage(at: CMTime(seconds: time, preferredTimescale: 1000)).encoded(as: .jpeg)
                }
            case .export:
                let target = scratch.appendingPathComponent("export.mp4")
                defer { try? FileManager.default.removeItem(at: target) }
                guard
                    let session = AVAssetExportSession(
                        asset: AVURLAsset(url: url), presetName: AVAssetExportPresetLowQuality)
                else { return "no such preset" }
                session.replacesExistingFile = true
                try await session.export(to: target)
            case .play: return await play(url, loops: false)
            case .loop: return await play(url, loops: true)
            }
            return nil
        } catch {
            return error.reason.isEmpty ? "an error without a reason: \(error.code)" : nil
        }
    }

    /// Plays with an app's player: real pipeline and clock, and silent audio. Only the time runs faster.
    @MainActor private static func play(_ url: URL, loops: Bool) async -> String? {
        let player = AVQueuePlayer(items: [])
        let item = AVPlayerItem(url: url)
        var looper: AVPlayerLooper?
        if loops { looper = AVPlayerLooper(player: player, templateItem: item) } else { player.insert(item) }
        player.actionAtItemEnd = .pause
        defer {
            looper?.disableLooping()
            player.removeAllItems()
        }
        player.play()
        let begun = ContinuousClock.now
        var shown: Int64?
        while ContinuousClock.now - begun < patience, shown.map({ HostClock.now() - $0 < playing }) ?? true {
            if player.videoFrameSource.pull(forHostTime: .now()) != nil { shown = shown ?? HostClock.now() }
            if item.status == .failed {
                guard let error = item.error as? AVError, !error.reason.isEmpty else {
                    return "failed without a reason"
                }
                return nil
            }
            if loops ? item.loopCount >= 3 : player.isAtEnd { break }
            await letTimePass(0.001, because: "a display asks for frames now and then")
        }
        _ = (player.currentTime(), item.presentationSize)
        return nil
    }
}
