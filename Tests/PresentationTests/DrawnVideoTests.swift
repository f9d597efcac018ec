import Filters
import Foundation
import Testing

@testable import Presentation

/// Tests of which parts of a view are redrawn, and of the initial size of its window.
@Suite("Drawn video")
struct DrawnVideoTests {
    private func state(_ sequence: UInt64, x: Int = 0, appearanceVersion: UInt64 = 0) -> DrawnVideo.State {
        DrawnVideo.State(
            sequence: sequence, x: x, y: 0,
            placement: VideoPlacement(picture: .zero, width: 0, height: 0, gravity: .resizeAspect),
            appearanceVersion: appearanceVersion,
            overlays: [], cover: VideoCover())
    }

    @Test("GTK redraws for a new frame or appearance, not for a move")
    func drawing() {
        var video = DrawnVideo()
        #expect(video.isWaitingForFirst && video.changesDrawing(state(1)))
        video.drew(state(1))
        #expect(!video.isWaitingForFirst)
        #expect(!video.changesDrawing(state(1)))
        #expect(!video.changesDrawing(state(1, x: 40)))
        #expect(video.changesDrawing(state(1, appearanceVersion: 7)))
        #expect(video.changesDrawing(state(2)))
        video.forgetState()
        #expect(video.changesDrawing(state(1)))
    }

    @Test("a frame that is drawn again is counted once")
    func count() {
        var video = DrawnVideo()
        video.drew(state(1))
        video.drew(state(1, appearanceVersion: 7))
        #expect(video.count == 1 && video.state == state(1, appearanceVersion: 7))
        video.forgetSequence()
        #expect(video.isWaitingForFirst && video.isNew(1))
        video.drew(state(1))
        #expect(video.count == 2)
    }

    @Test("another source's frame with the same number is drawn")
    func otherSource() {
        var video = DrawnVideo()
        video.drew(state(1))
        video.forgetSequence()
        // A view draws a frame if the state differs from that of the last drawing.
        #expect(video.state != state(1))
    }

    @Test("GTK draws as long as any reason for it exists")
    func reasons() {
        var reasons: GTKReasons = []
        #expect(reasons.set(.covered, true) && !reasons.set(.covered, true))
        #expect(reasons.set(.blended, true) && reasons.set(.covered, false))
        #expect(reasons == .blended)
        #expect(!reasons.set(.coverUnfit, false) && reasons.set(.blended, false))
        #expect(reasons.isEmpty)
    }

    @Test(
        "a window opens in its videos' shape within its limits",
        arguments: [
            (640, 360, 1, 640, 360), (1920, 1080, 1, 1280, 720), (1080, 1920, 1, 405, 720), (64, 36, 1, 160, 90),
            (320, 180, 4, 640, 360), (320, 180, 2, 640, 180),
        ])
    func openingSize(width: Int, height: Int, videos: Int, wide: Int, high: Int) {
        let size = WindowOpening.size(of: CGSize(width: width, height: height), videos: videos)
        #expect(size == CGSize(width: wide, height: high))
    }
}
