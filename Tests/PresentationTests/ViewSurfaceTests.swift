import Filters
import Foundation
import MediaEngine
import Overlays
import TestSupport
import Testing

@testable import Presentation

/// Tests of when a view's own surface shows a frame and when it is hidden.
@MainActor
@Suite("View surface")
struct ViewSurfaceTests {
    /// A surface without a windowing system.
    private final class Surface: VideoSurface {
        var answer = PresentationResult.shown
        var isMapped = false
        var isObscured = false
        var usesOwnConnection = true
        private(set) var isClosed = false
        private var area = PicturePainter.Area(x: 0, y: 0, width: 0, height: 0)

        func isPlaced(at area: PicturePainter.Area) -> Bool { area == self.area }
        func place(_ area: PicturePainter.Area, scale: Int, pixels: SurfacePixels) { self.area = area }
        func show(_ sequence: UInt64?, _ paint: (UnsafeMutableRawPointer, Int) -> Bool) -> PresentationResult {
            if answer == .shown { isMapped = true }
            return answer
        }
        func alter(_ change: (UnsafeMutableRawPointer, Int) -> [PicturePainter.Area]) -> Bool { false }
        func hide() { isMapped = false }
        func close() { (isMapped, isClosed) = (false, true) }
    }

    private let space = CanvasSpace(width: 32, height: 18, scale: 1)

    private func picture() throws -> ViewSurface.Picture {
        let frame = try #require(TestPicture.quadrants(width: 32, height: 18))
        let placement = VideoPlacement(picture: frame.presentationSize, width: 32, height: 18, gravity: .resizeAspect)
        return ViewSurface.Picture(
            frame: frame,
            state: DrawnVideo.State(
                sequence: 1, x: 10, y: 20, placement: placement, appearanceVersion: 0, overlays: [], cover: VideoCover()
            ),
            overlays: [], colors: nil)
    }

    /// Waits until the main queue has run all earlier blocks.
    private func drain() async {
        await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
    }

    @Test("a surface is hidden after GTK has drawn below it")
    func hiding() async throws {
        let surface = Surface()
        var (drawings, syncs) = (0, 0)
        let view = ViewSurface(PicturePainter()) { drawings += 1 }
        _ = view.show(try picture(), over: nil, in: space, sequence: 1) { .made(surface) }
        #expect(view.isStaying && surface.isMapped)
        view.hide(isVisible: true)
        view.framePassed(isVisible: true) { syncs += 1 }
        #expect(surface.isMapped && !view.isStaying && drawings == 0)
        await drain()
        #expect(surface.isMapped && drawings == 1)
        view.framePassed(isVisible: true) { syncs += 1 }
        #expect(!surface.isMapped && syncs == 1)
    }

    @Test("a surface that shows a frame again stays")
    func staying() async throws {
        let surface = Surface()
        let view = ViewSurface(PicturePainter()) {}
        _ = view.show(try picture(), over: nil, in: space, sequence: 1) { .made(surface) }
        view.hide(isVisible: true)
        _ = view.show(try picture(), over: nil, in: space, sequence: 1) { .impossible }
        await drain()
        view.framePassed(isVisible: true) {}
        #expect(surface.isMapped && view.isStaying)
    }

    @Test("a surface of an invisible view is hidden at once")
    func invisible() throws {
        let surface = Surface()
        let view = ViewSurface(PicturePainter()) {}
        _ = view.show(try picture(), over: nil, in: space, sequence: 1) { .made(surface) }
        view.hide(isVisible: false)
        #expect(!surface.isMapped)
    }

    @Test("a surface is made once for a window")
    func making() throws {
        var attempts = 0
        let view = ViewSurface(PicturePainter()) {}
        func show(_ attempt: ViewSurface.Attempt) throws -> PresentationResult {
            view.show(try picture(), over: nil, in: space, sequence: 1) {
                attempts += 1
                return attempt
            }
        }
        #expect(try show(.tooEarly) == .refused && view.isUntried)
        #expect(try show(.impossible) == .refused && !view.isUntried)
        #expect(try show(.made(Surface())) == .refused && attempts == 2)
        view.close()
        #expect(try show(.made(Surface())) == .shown && attempts == 3)
    }

    @Test("a surface that refuses a frame is closed for good")
    func refusing() async throws {
        let surface = Surface()
        surface.answer = .refused
        var drawings = 0
        let view = ViewSurface(PicturePainter()) { drawings += 1 }
        #expect(try view.show(picture(), over: nil, in: space, sequence: 1) { .made(surface) } == .refused)
        #expect(surface.isClosed && !view.isThere && !view.isUntried)
        await drain()
        #expect(drawings == 1)
    }

    @Test("only windows over a surface's own area obscure it")
    func obscured() throws {
        let surface = Surface()
        let view = ViewSurface(PicturePainter()) {}
        let picture = try picture()
        _ = view.show(picture, over: nil, in: space, sequence: 1) { .made(surface) }
        surface.isObscured = true
        #expect(view.isObscured(picture.state, [], in: space))
        var moved = picture.state
        moved.x += 5
        #expect(!view.isObscured(moved, [], in: space))
    }
}
