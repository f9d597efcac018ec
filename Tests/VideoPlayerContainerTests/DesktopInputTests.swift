import Foundation
import TestSupport
import Testing
import Zoetrope

@testable import DeclarativeUI
@testable import VideoPlayerContainer

@Suite("Desktop input without a window") @MainActor
struct DesktopInputTests {
    private let context = TestContext()

    init() {
        context.whitelist = TestContext.builtinService + [KeyService.self, ScrollService.self, WindowService.self]
    }

    private var player: AVPlayer { context.render.player }

    // MARK: keys

    @Test("arrow keys change the volume by 5 %; raising it unmutes")
    func volume() {
        for _ in 1...3 { #expect(context.keys.press(.downArrow)) }
        #expect(abs(player.volume - 0.85) < 1e-6)
        for _ in 1...3 { context.keys.press(.upArrow) }
        #expect(player.volume == 1)
        context.keys.press(.upArrow)
        #expect(player.volume == 1)
        context.keys.press("m")
        #expect(player.isMuted)
        context.keys.press(.downArrow)
        #expect(player.isMuted)
        context.keys.press(.upArrow)
        #expect(!player.isMuted)
        for _ in 1...30 { context.keys.press(.downArrow, isRepeat: true) }
        #expect(player.volume == 0)
    }

    @Test("a held key repeats steps but not toggles")
    func repeats() {
        #expect(context.keys.press("m"))
        #expect(context.keys.press("m", isRepeat: true))
        #expect(player.isMuted)
        let log = Log()
        context.keys.configure("x") { log.add("x") }
        context.keys.configure("y", repeats: true) { log.add("y") }
        for key: KeyEquivalent in ["x", "y"] {
            for held in [false, true, true] { context.keys.press(key, isRepeat: held) }
        }
        #expect(log.take() == ["x", "y", "y", "y"])
    }

    @Test("without an item or a duration, keys that need one are ignored")
    func nothing() {
        for key: KeyEquivalent in [.space, .leftArrow, .rightArrow, "0", "5", "9", .escape, "f", "k"] {
            #expect(!context.keys.press(key), "\(key)")
        }
        player.replaceCurrentItem(with: AVPlayerItem(url: URL(fileURLWithPath: "/nonexistent.mp4")))
        #expect(player.currentItem?.duration.seconds.isFinite != true)
        for digit in 0...9 { #expect(!context.keys.press(KeyEquivalent(Character("\(digit)")))) }
        // Space requests playback, even if the player has nothing to play.
        #expect(context.keys.press(.space) && player.rate == 1)
        #expect(context.keys.press(.space) && player.rate == 0)
        for share in [Double.nan, .infinity, -.infinity] {
            context.keys.configure("n", action: .jump(share))
            context.keys.configure("v", action: .volume(share))
            context.keys.configure("s", action: .seek(share))
            for key: KeyEquivalent in ["n", "v", "s"] { #expect(!context.keys.press(key), "\(share) \(key)") }
        }
        #expect(player.volume == 1)
    }

    @Test("digits jump to tenths; arrow keys accumulate and are clamped")
    func seeks() async throws {
        player.replaceCurrentItem(with: AVPlayerItem(url: try TestMedia.url("counter.mp4")))
        let item = try #require(player.currentItem)
        await eventually("a ready item", seen: { "\(item.status) \(String(describing: item.error))" }) {
            item.status != .unknown
        }
        try #require(item.status == .readyToPlay, "\(String(describing: item.error))")
        let whole = try #require(player.currentItem?.duration.seconds)
        func settled(_ wanted: Double, sourceLocation: SourceLocation = #_sourceLocation) async -> Bool {
            await eventually(
                "\(wanted) s", seen: { "\(player.currentTime().seconds) s" }, sourceLocation: sourceLocation
            ) { abs(player.currentTime().seconds - wanted) <= 0.05 }
        }
        #expect(context.keys.press("5"))
        #expect(await settled(whole / 2))
        context.keys.configure(.rightArrow, action: .seek(whole / 10))
        context.keys.configure(.leftArrow, action: .seek(-whole))
        // The second press arrives before the first seek has finished.
        #expect(context.keys.press(.rightArrow) && context.keys.press(.rightArrow, isRepeat: true))
        #expect(await settled(whole * 0.7))
        #expect(context.keys.press(.leftArrow))
        #expect(await settled(0))
        #expect(context.keys.press("9"))
        #expect(await settled(whole * 0.9))
        #expect(context.keys.press("0"))
        #expect(await settled(0))
    }

    @Test("keys can be configured, removed and reset; modifiers matter, Caps Lock doesn't")
    func table() {
        let log = Log()
        let keys = context.keys
        keys.configure("K") { log.add("k") }
        keys.configure("k", modifiers: .command) { log.add("ctrl k") }
        keys.configure("7") { log.add("7") }
        keys.press("k")
        keys.press("k", modifiers: .capsLock)
        keys.press("k", modifiers: [.control, .command])
        #expect(!keys.press("k", modifiers: .shift) && !keys.press("k", modifiers: .option))
        keys.press("7", modifiers: .shift)
        #expect(log.take() == ["k", "k", "ctrl k", "7"])
        keys.remove("m")
        #expect(!keys.press("m") && !player.isMuted)
        keys.configure("m", action: .volume(-0.5))
        #expect(keys.press("m") && player.volume == 0.5 && !player.isMuted)
        keys.removeAll()
        #expect(!keys.press("k") && !keys.press(.upArrow))
        keys.reset()
        #expect(keys.press("m") && player.isMuted && !keys.press("k"))
    }

    // MARK: controls

    @Test("automatic controls and the pointer appear on motion and hide after it")
    func pointer() {
        let time = context.holdTime()
        let control = context.control
        control.configure(displayStyle: .auto(firstAppear: false, animation: nil, duration: 5))
        #expect(control.hidesPointer)
        control.pointerMoved(to: CGPoint(x: 10, y: 10))
        #expect(control.isBeingPresented && !control.hidesPointer)
        time.advance(4)
        control.pointerMoved(to: CGPoint(x: 11, y: 10))
        time.advance(4)
        #expect(control.isBeingPresented)
        time.advance(1.1)
        #expect(!control.isBeingPresented && control.hidesPointer)
        // A motion of less than three points does not count.
        control.pointerMoved(to: CGPoint(x: 12, y: 11))
        #expect(!control.isBeingPresented)
        control.pointerMoved(to: CGPoint(x: 20, y: 10))
        #expect(control.isBeingPresented)
        time.advance(5.1)
        control.pointerLeft()
        control.pointerMoved(to: CGPoint(x: 21, y: 10))
        #expect(control.isBeingPresented && time.waiting == 1)
    }

    @Test("controls stay while the pointer is on them; a tap hides them")
    func resting() {
        let time = context.holdTime()
        let control = context.control
        control.configure(displayStyle: .auto(firstAppear: true, animation: nil, duration: 5))
        control.pointer(true, .bottom)
        control.pointer(true, .center)
        control.pointer(false, .center)
        time.advance(60)
        #expect(control.isBeingPresented)
        control.pointer(false, .bottom)
        time.advance(5.1)
        #expect(!control.isBeingPresented)
        control.pointerMoved(to: .zero)
        control.pointer(true, .bottom)
        context.gesture.tap(at: .zero)
        #expect(!control.isBeingPresented)
    }

    @Test("only the auto style reacts to the pointer and keys", arguments: 0..<4)
    func otherStyles(_ index: Int) {
        let style: ControlService.DisplayStyle = [
            .always, .never, .manual(firstAppear: false, animation: nil), .custom(animation: nil),
        ][index]
        let control = context.control
        control.configure(displayStyle: .manual(firstAppear: false, animation: nil))
        control.configure(displayStyle: style)
        let before = control.isBeingPresented
        control.pointerMoved(to: CGPoint(x: 10, y: 10))
        context.keys.press("m")
        #expect(control.isBeingPresented == before && !control.hidesPointer)
    }

    @Test("keys that act show the controls; Tab first shows, then enters them")
    func keysShow() {
        let time = context.holdTime()
        let control = context.control
        control.configure(displayStyle: .auto(firstAppear: false, animation: nil, duration: 5))
        context.keys.press("x")
        #expect(!control.isBeingPresented)
        context.keys.press("m")
        #expect(control.isBeingPresented)
        time.advance(4)
        context.keys.press("m")
        time.advance(4)
        #expect(control.isBeingPresented)
        time.advance(2)
        #expect(!control.isBeingPresented)
        let tab = KeyPress(phase: .down, key: .tab, characters: "\t", modifiers: [])
        #expect(context.keys.handle(tab) == .handled && control.isBeingPresented)
        #expect(context.keys.handle(tab) == .ignored)
    }

    // MARK: wheels

    private func scroll(_ x: Double, _ y: Double, _ phase: ScrollWheelEvent.Phase = .none, precise: Bool = false)
        -> Bool
    {
        context.scroll.handle(
            ScrollWheelEvent(
                phase: phase, scrollingDeltaX: x, scrollingDeltaY: y, hasPreciseScrollingDeltas: precise,
                location: .zero, modifiers: []))
    }

    @Test("a wheel changes the volume; ten points of scrolling equal one notch")
    func wheel() {
        #expect(scroll(0, -2) && abs(player.volume - 0.9) < 1e-6)
        #expect(scroll(0, 1) && abs(player.volume - 0.95) < 1e-6)
        #expect(
            scroll(0, -30, .began, precise: true) && scroll(0, -10, .changed, precise: true)
                && abs(player.volume - 0.75) < 1e-6)
        #expect(scroll(0, 0, .ended))
        // Without a video to seek in, the page can handle the scroll event.
        #expect(!scroll(1, 0))
    }

    @Test("scrolling keeps its first direction, and directions can be configured")
    func directions() {
        let log = Log()
        context.scroll.configure(.horizontal) { log.add("x \($0)") }
        #expect(scroll(-3, 1, .began) && scroll(1, 8, .changed) && scroll(0, 0, .ended))
        #expect(log.take() == ["x 3.0", "x -1.0"] && player.volume == 1)
        #expect(scroll(0, -1, .began) && abs(player.volume - 0.95) < 1e-6)
        _ = scroll(0, 0, .ended)
        context.scroll.remove(.vertical)
        #expect(!scroll(0, -1))
        context.scroll.configure(.horizontal, action: .volume(0.1))
        #expect(scroll(2, 0) && abs(player.volume - 0.75) < 1e-6)
        context.scroll.reset()
        #expect(scroll(0, 1) && abs(player.volume - 0.8) < 1e-6)
    }

    // MARK: the window

    @Test("the status follows full screen first, then the container's aspect ratio")
    func following() {
        typealias Status = StatusService.Status
        #expect(Status.followed(isFullScreen: true, size: CGSize(width: 100, height: 300)) == .fullScreen)
        #expect(Status.followed(isFullScreen: false, size: CGSize(width: 100, height: 101)) == .portrait)
        #expect(Status.followed(isFullScreen: false, size: CGSize(width: 100, height: 100)) == .halfScreen)
    }

    @Test("without a window full screen requests do nothing")
    func noWindow() {
        context.window.toggleFullScreen()
        context.window.enterFullScreen()
        context.window.exitFullScreen()
        context.gesture.doubleTap(at: .zero)
        #expect(context.window.window == nil && !context.window.isFullScreen && !context.status.isFullScreen)
        let bare = TestContext()
        bare.register(GestureService.self) { GestureService($0) }
        bare.gesture.doubleTap(at: .zero)
    }
}
