import Foundation
import MediaCore
import MediaEngine

extension ComponentProbe {
    /// The counts of displayed frames of the current item's player, and the longest time without a new frame. The time
    /// is measured twice: in full, and without the time when the main loop did not run. A busy machine lengthens only
    /// the first.
    @MainActor
    enum PictureFacts {
        private static var item: AVPlayerItem?
        private static var timer: DispatchSourceTimer?
        private static var seen = (pictures: 0, at: HostClock.now())
        private static var longest: Int64 = 0
        private static var turned = (last: HostClock.now(), since: Int64(0), longest: Int64(0))

        static func follow(_ new: AVPlayerItem) {
            item = new
            guard timer == nil else { return }
            let source = DispatchSource.makeTimerSource(queue: .main)
            source.schedule(deadline: .now(), repeating: .milliseconds(5))
            source.setEventHandler { MainActor.assumeIsolated { look() } }
            source.resume()
            timer = source
        }

        private static func look() {
            guard let player = item?.player else { return }
            let (shown, now) = (player.statistics.framesShown, HostClock.now())
            turned.since += min(now - turned.last, 20_000_000)
            turned.last = now
            if shown == seen.pictures, player.timeControlStatus == .playing {
                longest = max(longest, now - seen.at)
                turned.longest = max(turned.longest, turned.since)
            } else {
                seen = (shown, now)
                turned.since = 0
            }
        }

        /// Prints the facts and restarts the measurement.
        static func say() {
            guard let item, let player = item.player else { return ProbeModel.say("picture none") }
            let statistics = player.statistics
            // The two host times are just before and after the item's time is read.
            let from = HostClock.now()
            let time = item.currentTime().seconds
            let to = HostClock.now()
            ProbeModel.say(
                "picture {\"shown\":\(statistics.framesShown),\"dropped\":\(statistics.framesDropped),\"underruns\":\(statistics.underruns),"
                    + "\"time\":\(time),\"loops\":\(statistics.loops),\"host\":[\(Double(from) / 1e9),\(Double(to) / 1e9)],\"gap\":\(Double(longest) / 1e9),"
                    + "\"turning\":\(Double(turned.longest) / 1e9),\"rate\":\(player.rate)}")
            longest = 0
            seen = (statistics.framesShown, HostClock.now())
            turned = (HostClock.now(), 0, 0)
        }
    }
}
