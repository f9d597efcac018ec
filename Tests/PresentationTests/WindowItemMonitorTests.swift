import MediaEngine
import TestSupport
import Testing

@testable import Presentation

@Suite("Items of a window") @MainActor
struct WindowItemMonitorTests {
    @Test("in a grid, the next item ends an error; the current doesn't")
    func endOfError() async throws {
        let player = AVQueuePlayer(title: "test", audioServer: "unix:/nonexistent/zoetrope")
        let first = AVPlayerItem(url: try TestMedia.url("loop-aac.mp4"))
        player.replaceCurrentItem(with: first)
        var ready = 0
        let monitor = WindowItemMonitor(player, reportsFailures: false) { event in
            switch event {
            case .ready: ready += 1
            case .failed, .tracksFailed: Issue.record("a grid leaves failures to its views")
            case .expectsSize, .changed: break
            }
        }
        monitor.endsError = false
        await eventually { first.status == .readyToPlay }
        #expect(ready == 0)
        player.replaceCurrentItem(with: AVPlayerItem(url: try TestMedia.url("loop-flac.mkv")))
        await eventually("the next item ends the error") { ready > 0 }
        withExtendedLifetime(monitor) {}
    }
}
