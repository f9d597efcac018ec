import Foundation
import Testing
import Zoetrope

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph
@testable import MPlayerKit

/// Tests that a body which creates or uses a model does not depend on the state of its player.
@Suite("Dependencies of bodies that touch models") @MainActor
struct BodyDependencyTests {
    private struct Probe: View {
        let touch: @MainActor () -> Void
        var body: some View {
            touch()
            return Color.clear
        }
    }

    /// Returns how often a body that calls `touch` is evaluated again because of `change`.
    private func evaluations(of touch: @escaping @MainActor () -> Void, after change: () -> Void) -> Int {
        var count = 0
        let host = ViewHost(display: false)
        defer { host.close() }
        host.mount(
            Probe {
                count += 1
                touch()
            })
        change()
        host.graph.flush()
        return count - 1
    }

    private func change(_ player: AVPlayer) {
        player.isMuted = !player.isMuted
        player.volume = 0.5
        player.rate = 1
        player.rate = 0
        player.replaceCurrentItem(with: AVPlayerItem(url: URL(fileURLWithPath: "/nonexistent/other.mp4")))
        player.replaceCurrentItem(with: nil)
    }

    @Test("a body that makes and commands a model is evaluated once")
    func model() {
        var model: PlayerModel?
        let again = evaluations(of: {
            let fresh = PlayerModel()
            model = fresh
            fresh.player.replaceCurrentItem(with: AVPlayerItem(url: URL(fileURLWithPath: "/nonexistent/film.mp4")))
            fresh.play()
            fresh.seek(.zero)
            fresh.skip(10)
            fresh.togglePiP()
            fresh.subtitle = nil
            fresh.audio = nil
            fresh.pause()
        }) { if let model { change(model.player) } }
        #expect(again == 0 && model != nil)
    }

    @Test("a body that makes a preview's model is evaluated once")
    func preview() {
        var model: PlayerPreviewModel?
        let again = evaluations(of: {
            let fresh = PlayerPreviewModel()
            model = fresh
            fresh.seek(.zero)
        }) { if let model { change(model.player) } }
        #expect(again == 0 && model != nil)
    }
}
