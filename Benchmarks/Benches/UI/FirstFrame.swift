import Foundation
import MediaEngine
import Zoetrope

/// The smallest app with a player. It ends when the first frame was shown.
struct FirstFrame: App {
    private static let player = AVPlayer(url: URL(fileURLWithPath: UIBench.file))

    var body: some Scene {
        WindowGroup("bench") { VideoPlayer(player: Self.player).onAppear { Self.begin() } }
            .defaultSize(width: 640, height: 360)
    }

    private static func begin() {
        player.play()
        Task { @MainActor in
            while player.statistics.framesShown == 0 { try? await Task.sleep(nanoseconds: 1_000_000) }
            exit(0)
        }
    }
}
