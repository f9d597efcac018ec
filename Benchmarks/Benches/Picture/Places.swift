import Foundation
import MediaCore
import MediaEngine

extension PictureBench {
    /// Requests thumbnails for positions all over `file`, one after the other in a scattered order. Meanwhile the file
    /// plays and a display pulls its frames.
    static func places(_ file: URL) {
        Task { @MainActor in
            let player = AVPlayer(title: "bench", audioServer: nil)
            let item = AVPlayerItem(url: file)
            player.replaceCurrentItem(with: item)
            let display = PulledDisplay(player.videoFrameSource)
            player.play()
            while player.currentTime().seconds < 1 { try? await Task.sleep(nanoseconds: 20_000_000) }
            let length = item.duration.seconds
            let dropped = player.statistics.framesDropped
            let shown = player.statistics.framesShown
            let pictures = item.seekThumbnails
            // The stride is prime to the number of positions, so every position occurs once.
            let count = 40
            let cold = await times((0..<count).map { Double($0 * 17 % count) / Double(count) * length }) { place in
                await withCheckedContinuation { continuation in
                    pictures.make(at: place, of: length) { continuation.resume(returning: $0 != nil) }
                }
            }
            let kept = await times((0..<count).map { Double($0 * 17 % count) / Double(count) * length }) {
                pictures.kept(at: $0, of: length) != nil
            }
            let after = player.statistics
            let values: [String: Double] = [
                "coldP50": cold.middle, "coldP95": cold.late, "keptP95": kept.late,
                "missing": Double(cold.missing + kept.missing),
                "dropped": Double(after.framesDropped - dropped), "shown": Double(after.framesShown - shown),
                "keptKiB": Double(pictures.statistics.bytes) / 1024,
            ]
            if let data = try? JSONSerialization.data(withJSONObject: values, options: [.sortedKeys]) {
                print(String(decoding: data, as: UTF8.self))
            }
            display.stop()
            exit(0)
        }
        RunLoop.main.run()
    }

    /// Measures the time of each request.
    /// - Returns: The median and the 95th percentile in milliseconds, and the number of missing thumbnails.
    @MainActor
    private static func times(_ places: [Double], _ get: (Double) async -> Bool) async -> (
        middle: Double, late: Double, missing: Int
    ) {
        var all: [Double] = []
        var missing = 0
        for place in places {
            let begin = HostClock.now()
            if await get(place) == false { missing += 1 }
            all.append(Double(HostClock.now() - begin) / 1e6)
        }
        all.sort()
        return (all[all.count / 2], all[all.count * 95 / 100], missing)
    }
}
