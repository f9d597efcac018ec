import Export
import Foundation
import MediaCore
import MediaEngine
import TestSupport

/// What every file goes through. Each step ends in a result or in an `AVError` that says something; anything else is a
/// finding.
enum Trial {
    enum Step: String, CaseIterable { case probe, snapshot, export, play, loop }

    /// How much faster than the machine's time passes while playing.
    static let acceleration = 32
    /// Films here last 0.6 s. After so much time of the player's since the first picture, or so much of the machine's
    /// since the begin, one that goes on is left: a wrong length may say centuries.
    private static let playing: Int64 = 3_000_000_000, patience = Duration.milliseconds(300)

    /// - Returns: what is wrong; nil: nothing.
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

    /// The player as an app has it, its real pipeline, clock and (silent) sound; only time is faster.
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
