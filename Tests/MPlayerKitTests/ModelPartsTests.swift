import Foundation
import TestSupport
import Testing
import Zoetrope

@testable import MPlayerKit

/// Tests of the parts of the player model, each by itself.
@Suite("Parts of the player model") @MainActor
struct ModelPartsTests {
    @Test("only the newest of several seeks ends them")
    func seeks() {
        var seek = PendingSeek()
        let first = seek.begin(CMTime(value: 1, timescale: 1))
        let second = seek.begin(CMTime(value: 2, timescale: 1))
        #expect(!seek.end(first) && seek.target == CMTime(value: 2, timescale: 1))
        #expect(seek.end(second) && seek.target == nil && !seek.end(second))
        let third = seek.begin(.zero)
        seek.forget()
        #expect(!seek.end(third) && seek.target == nil)
    }

    @Test("a load cancels earlier loads and their artwork")
    func loads() async throws {
        let loading = ItemLoading()
        let item = AVPlayerItem(url: URL(fileURLWithPath: "/never"))
        let first = loading.begin(item)
        let isFirst = Task { await loading.open(item, first) }
        loading.loadArtwork { await Task.yield() }
        let artwork = try #require(loading.artwork)
        await Task.yield()
        let second = loading.begin(AVPlayerItem(url: URL(fileURLWithPath: "/other")))
        #expect(await !isFirst.value)
        #expect(!loading.isCurrent(first) && loading.isCurrent(second))
        #expect(artwork.isCancelled && loading.artwork == nil)
    }
}
