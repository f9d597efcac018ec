import AVFoundation
import SwiftUI
import Testing
import VideoPlayerContainer

@Suite("Sources with Apple's imports") @MainActor
struct AppleModulesTests {
    @Test("types under Apple's module names are Zoetrope's own types")
    func types() {
        #expect(String(reflecting: SwiftUI.Color.self) == "DeclarativeUI.Color")
        #expect(String(reflecting: AppleTap<TapGesture>.self) == "AppleModulesTests.AppleTap<DeclarativeUI.TapGesture>")
        #expect(NarrowImports.playlist.count == 3 && NarrowImports.time.seconds == 1)
    }

    @Test("the views of a source with Apple's imports can be made")
    func views() {
        let view = AppleView()
        _ = view.body
        #expect(view.layer() is CAShapeLayer)
        #expect(AppleModel().rate == 0)
    }

    @Test("a container's services of a source with Apple's imports follow its player")
    func container() {
        let context = Context()
        let service = context[ApplePlaybackService.self]
        #expect(!service.playOrPaused)
        service.didClick()
        #expect(service.playOrPaused && context.render.player.rate == 1)
        service.didClick()
        #expect(!service.playOrPaused)
        _ = AppleContainerView().body
    }
}
