import Foundation
import TestSupport
import Testing
import Zoetrope

/// Tests of code written for Apple platforms, compiled as there (Swift 5 mode, without isolation), and run.
@Suite struct DialectTests {
    @Test @MainActor func aViewModelWithoutIsolationFollowsAPlayer() async throws {
        let model = PlayerViewModel()
        #expect(!model.isReady && !model.isPlaying)
        model.open(try TestMedia.url("counter-video.mp4"))
        #expect(await eventually { model.isReady && model.length > 0 && model.thumbnail != nil })
        #expect(model.thumbnail.map { max($0.width, $0.height) } == 64)
        #expect(await eventually { model.buffered == model.length })
        await model.player.seek(to: CMTime(seconds: model.length * 0.4, preferredTimescale: 600))
        model.toggle()
        #expect(await eventually { model.passedMiddle && model.seconds > model.length / 2 })
        await model.player.seek(to: CMTime(seconds: model.length - 0.2, preferredTimescale: 600))
        #expect(await eventually { model.ends == 1 && !model.isPlaying })
        model.close()
    }
}
