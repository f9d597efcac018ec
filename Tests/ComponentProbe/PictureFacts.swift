import Foundation
import MediaCore
import MediaEngine

/// What the player of the current item has shown so far, and the longest time without a new picture.
@MainActor
enum PictureFacts {
    private static var item: AVPlayerItem?
    private static var timer: DispatchSourceTimer?
    private static var seen = (pictures: 0, at: HostClock.now())
    private static var longest: Int64 = 0

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
        if shown == seen.pictures, player.timeControlStatus == .playing { longest = max(longest, now - seen.at) } else { seen = (shown, now) }
    }

    /// Also begins the measurement anew.
    static func say() {
        guard let item, let player = item.player else { return ProbeModel.say("picture none") }
        let statistics = player.statistics
        ProbeModel.say("picture {\"shown\":\(statistics.framesShown),\"dropped\":\(statistics.framesDropped),\"underruns\":\(statistics.underruns),"
            + "\"time\":\(item.currentTime().seconds),\"loops\":\(statistics.loops),\"host\":\(Double(HostClock.now()) / 1e9),\"gap\":\(Double(longest) / 1e9),\"rate\":\(player.rate)}")
        longest = 0
        seen = (statistics.framesShown, HostClock.now())
    }
}
