import Foundation
import MediaCore
import MediaEngine

extension PictureBench {
    /// Seeks like a person who drags the knob of the seek bar: 60 targets per second for `seconds` seconds, over the
    /// whole file and back. A display pulls the frames. At the end, the frame of the last target must be shown.
    static func scrub(_ file: URL, seconds: Double = 4) {
        Task { @MainActor in
            let player = AVPlayer(title: "bench", audioServer: nil)
            let item = AVPlayerItem(url: file)
            player.replaceCurrentItem(with: item)
            let display = PulledDisplay(player.videoFrameSource)
            while item.status == .unknown || display.shown.frames == 0 {
                try? await Task.sleep(nanoseconds: 10_000_000)
            }
            let length = item.duration.seconds - 0.5
            let before = display.shown.frames
            let (begin, cpu) = (Usage.wall(), Usage.cpu())
            var target = 0.0
            var last: Task<Bool, Never>?
            let count = Int(seconds * 60)
            var turn = (time: begin, frames: before)
            for number in 1...count {
                if number == count / 2 { turn = (Usage.wall(), display.shown.frames) }
                let share = Double(number) / Double(count)
                target = length * (share < 0.5 ? 2 * share : 2 - 1.6 * share)
                let time = CMTime(seconds: target, preferredTimescale: 90_000)
                last = Task { await player.seek(to: time) }
                let rest = begin + Double(number) / 60 - Usage.wall()
                if rest > 0 { try? await Task.sleep(nanoseconds: UInt64(rest * 1e9)) }
            }
            let shown = Double(display.shown.frames - before) / (Usage.wall() - begin)
            let backward = Double(display.shown.frames - turn.frames) / (Usage.wall() - turn.time)
            let used = (Usage.cpu() - cpu) / (Usage.wall() - begin)
            let ended = Usage.wall()
            _ = await last?.value
            let late = Usage.wall() - ended
            while display.shown.last.map({ abs($0 - target) > 1.01 / 30 }) ?? true, Usage.wall() - ended < 5 {
                try? await Task.sleep(nanoseconds: 5_000_000)
            }
            display.stop()
            Usage.end([
                "framesPerSecond": shown, "backwardPerSecond": backward, "cpu": used, "lastMs": late * 1000,
                "lastError": abs((display.shown.last ?? 0) - target),
            ])
        }
        RunLoop.main.run()
    }
}
