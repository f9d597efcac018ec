import EngineTestSupport
import Foundation
import MediaCore
import Observation
import Synchronization
import Testing

@testable import MediaEngine

@Suite("Property tracking")
@MainActor
struct PropertyTrackingTests {
    private let player = AVPlayer(title: "tracking", audioServer: "unix:/nowhere")

    /// Returns whether `change` changes a property that `read` reads.
    private func depends(_ read: () -> Void, on change: () -> Void) -> Bool {
        let isChanged = Mutex(false)
        withObservationTracking(read) { isChanged.withLock { $0 = true } }
        change()
        return isChanged.withLock { $0 }
    }

    @Test("a getter depends on its own property only")
    func own() {
        defer { player.close() }
        #expect(depends({ _ = player.volume }, on: { player.volume = 0.5 }))
        #expect(!depends({ _ = player.volume }, on: { player.isMuted = true }))
        #expect(depends({ _ = player.rate }, on: { player.play() }))
        #expect(depends({ _ = player.timeControlStatus }, on: { player.pause() }))
    }

    @Test("an equal value changes nothing")
    func equal() {
        defer { player.close() }
        #expect(!depends({ _ = player.volume }, on: { player.volume = 1 }))
    }

    @Test("setters and methods depend on nothing they read")
    func methods() {
        defer { player.close() }
        let item = AVPlayerItem(url: URL(fileURLWithPath: "/missing.mp4"))
        let other = AVPlayerItem(url: URL(fileURLWithPath: "/missing too.mp4"))
        #expect(
            !depends(
                {
                    player.replaceCurrentItem(with: item)
                    player.play()
                    player.volume = 0.5
                    player.seek(to: .zero) { _ in }
                    _ = player.currentTime()
                    item.step(byCount: 1)
                    item.preferredPeakBitRate = 1
                },
                on: {
                    player.replaceCurrentItem(with: other)
                    player.pause()
                    player.volume = 1
                    item.preferredPeakBitRate = 2
                }))
    }

    @Test("a property that is read in a tracked block restarts the block")
    func item() {
        defer { player.close() }
        let item = AVPlayerItem(url: URL(fileURLWithPath: "/missing.mp4"))
        #expect(depends({ _ = player.currentItem }, on: { player.replaceCurrentItem(with: item) }))
        #expect(depends({ _ = item.externalMetadata }, on: { item.externalMetadata = [AVMutableMetadataItem()] }))
        #expect(!depends({ _ = item.externalMetadata }, on: { item.preferredPeakBitRate = 3 }))
    }

    @Test("observers see all changes of a buffer at once")
    func together() {
        let item = AVPlayerItem(url: URL(fileURLWithPath: "/buffer.mp4"))
        var seen: [Bool] = []
        let observation = item.observe(\.isPlaybackLikelyToKeepUp) { item, _ in
            seen.append(item.isPlaybackBufferEmpty)
        }
        item.opened(ItemDescription(duration: 1_000_000_000))
        item.stalled()
        #expect(seen == [false, true])
        observation.invalidate()
    }
}
