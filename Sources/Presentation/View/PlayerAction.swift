import Foundation
import MediaCore
import MediaEngine

/// What keys and menus do with players, whatever window these are in.
package enum PlayerAction: Equatable, Sendable {
    case playPause
    /// Seconds, on or back.
    case seek(Double)
    /// A share of the duration, 0 to 1.
    case place(Double)
    case start, end
    /// Of 1.
    case volume(Float)
    case mute
    case fullscreen, leaveFullscreen, loop
    /// +1 faster, −1 slower, 0 normal.
    case speed(Int)
    /// So many times as fast as now.
    case speedTimes(Float)
    /// Pictures, on or back.
    case step(Int)
    case close

    /// Does it with all of `players`, as the first of them stands. Main actor.
    /// - Returns: what to tell the user of it; nil for what is a window's to do, and for nothing.
    @MainActor
    package func perform(on players: [AVPlayer]) -> String? {
        guard let player = players.first else { return nil }
        switch self {
        case .playPause:
            if player.isAtEnd { for p in players { p.seek(to: .zero) } }
            for p in players { if p.rate == 0 { p.play() } else { p.pause() } }
            return PlayerWords.localized(player.rate == 0 ? "Paused" : "Playing")
        case .seek(let seconds):
            let now = player.currentTime().seconds
            let target = max(0, (now.isFinite ? now : 0) + seconds)
            for p in players { p.seek(to: CMTime(seconds: target, preferredTimescale: 1_000_000)) }
            return PlayerAction.time(of: player)
        case .place(let share):
            guard let whole = player.currentItem?.duration.seconds, whole.isFinite else {
                return PlayerAction.time(of: player)
            }
            let target = whole * min(max(0, share), 1)
            for p in players { p.seek(to: CMTime(seconds: target, preferredTimescale: 1_000_000)) }
            return PlayerAction.time(of: player)
        case .start, .end:
            for p in players { p.seek(to: self == .start ? .zero : .positiveInfinity) }
            return PlayerAction.time(of: player)
        case .volume(let change):
            for p in players { p.volume = ((p.volume + change) * 100).rounded() / 100 }
            return PlayerWords.localized("Volume: %@%", "\(Int((player.volume * 100).rounded()))")
        case .mute:
            let muted = !player.isMuted
            for p in players { p.isMuted = muted }
            return PlayerWords.localized(muted ? "Muted" : "Unmuted")
        case .speed(let factor):
            let steps: [Float] = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4]
            let now = player.rate == 0 ? player.defaultRate : player.rate
            let next =
                factor == 0
                ? 1 : factor > 0 ? steps.first { $0 > now + 0.001 } ?? 4 : steps.last { $0 < now - 0.001 } ?? 0.25
            return PlayerAction.setSpeed(next, of: players)
        case .speedTimes(let factor):
            let now = player.rate == 0 ? player.defaultRate : player.rate
            return PlayerAction.setSpeed(min(max(0.05, now * factor), 16), of: players)
        case .step(let count):
            for p in players { p.currentItem?.step(byCount: count) }
            return PlayerAction.time(of: player)
        case .fullscreen, .leaveFullscreen, .loop, .close: return nil
        }
    }

    /// What plays goes on so; what stands will. - Returns: what to tell of it.
    @MainActor
    package static func setSpeed(_ speed: Float, of players: [AVPlayer]) -> String {
        for p in players {
            p.defaultRate = speed
            if p.rate != 0 { p.rate = speed }
        }
        let rounded = (speed * 100).rounded() / 100
        return
            "\(PlayerWords.localized("Speed")): \(rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded))×"
    }

    /// 0:12 / 1:30.
    @MainActor
    package static func time(of player: AVPlayer) -> String {
        let whole = player.currentItem?.duration.seconds ?? .nan
        return OSD.clock(player.currentTime().seconds) + (whole.isFinite ? " / " + OSD.clock(whole) : "")
    }
}
