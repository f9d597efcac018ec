import Foundation
import Zoetrope

/// An app whose views create players in their bodies. It prints a line for each new player, for each evaluation of the
/// app's body, and when a player has played for a second.
struct MadeProbe: App {
    var body: some Scene {
        let _ = MadeProbe.say("app")
        WindowGroup("Made") { Film() }.defaultSize(width: 320, height: 240)
    }

    nonisolated static func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

    /// A view with its player as a property, as in many apps.
    private struct Film: View {
        private let player = Film.make()
        var body: some View {
            VideoPlayer(player: player).onAppear { player.play() }
        }

        private static var observers: [Any] = []
        private static func make() -> AVPlayer {
            MadeProbe.say("made")
            let player = AVPlayer(url: URL(fileURLWithPath: Probes.arguments.last ?? ""))
            player.isMuted = true
            observers.append(
                player.addBoundaryTimeObserver(forTimes: [CMTime(value: 1, timescale: 1)]) { MadeProbe.say("played") })
            return player
        }
    }
}
