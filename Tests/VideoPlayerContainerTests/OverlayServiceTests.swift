import Testing
import Zoetrope

@testable import VideoPlayerContainer

@Suite("Overlay, render, plugin, toast, status and size services") @MainActor
struct OverlayServiceTests {
    private let context = Context()

    // MARK: plugin

    @Test("one plugin at a time is displayed, and each change is published")
    func plugin() {
        let plugin = context.plugin
        let log = Log()
        #expect(!plugin.isBeingPresented)
        plugin.dismiss()
        let observation = plugin.objectWillChange.sink { log.add("change") }
        plugin.present(.topLeading) { AnyView(Text("a")) }
        #expect(plugin.isBeingPresented && plugin.alignment == .topLeading && log.take() == ["change"])
        plugin.present(.bottom, animation: nil, transition: .scale.combined(with: .opacity)) { AnyView(Text("b")) }
        #expect(plugin.isBeingPresented && plugin.alignment == .bottom && log.take() == ["change"])
        plugin.dismiss()
        #expect(!plugin.isBeingPresented && log.take() == ["change"])
        plugin.dismiss(animation: nil)
        #expect(log.take() == [])
        withExtendedLifetime(observation) {}
    }

    // MARK: toast

    private func shown() -> [String] { context.toast.toasts.map { "\($0.object)" } }

    @Test("each toast is displayed for the duration, the newest last")
    func toasts() {
        let time = context.holdTime()
        let toast = context.toast
        #expect(
            toast.insets == EdgeInsets(top: 48, leading: 10, bottom: 48, trailing: 0) && toast.lineSpacing == 8
                && toast.content == nil)
        toast.toast("a")
        time.advance(1)
        toast.toast("b")
        #expect(shown() == ["a", "b"])
        time.advance(1.9)
        #expect(shown() == ["a", "b"])
        time.advance(0.2)
        #expect(shown() == ["b"])
        time.advance(1)
        #expect(shown() == [] && time.waiting == 0)
    }

    @Test("a new duration applies to later toasts only")
    func toastDurations() {
        let time = context.holdTime()
        let toast = context.toast
        toast.toast("a")
        toast.configure(duration: .milliseconds(500))
        toast.toast("b")
        time.advance(0.6)
        #expect(shown() == ["a"])
        for (duration, seconds) in [
            (.seconds(2), 2), (.milliseconds(1500), 1.5), (.microseconds(250_000), 0.25),
            (.nanoseconds(125_000_000), 0.125),
        ]
            as [(DispatchTimeInterval, Double)]
        {
            time.advance(10)
            toast.configure(duration: duration)
            toast.toast("c")
            time.advance(seconds - 0.001)
            #expect(shown() == ["c"], "\(duration)")
            time.advance(0.002)
            #expect(shown() == [], "\(duration)")
        }
    }

    @Test("an endless toast stays; one with no positive duration disappears immediately")
    func toastExtremes() {
        let time = context.holdTime()
        let toast = context.toast
        for duration in [.seconds(0), .seconds(-5), .nanoseconds(0), .seconds(Int.min)] as [DispatchTimeInterval] {
            toast.configure(duration: duration)
            toast.toast("a")
            #expect(shown() == ["a"], "\(duration)")
            time.advance(0)
            #expect(shown() == [], "\(duration)")
        }
        toast.configure(duration: .seconds(Int.max))
        toast.toast("long")
        toast.configure(duration: .never)
        toast.toast("never")
        time.advance(86_400)
        #expect(shown() == ["long", "never"])
        time.advance(366 * 86_400)
        #expect(shown() == ["never"] && time.waiting == 0)
    }

    @Test("two toasts of the same object are separate")
    func equalToasts() {
        let time = context.holdTime()
        context.toast.toast(1)
        time.advance(1)
        context.toast.toast(1)
        time.advance(2.5)
        #expect(shown() == ["1"])
    }

    @Test("an invalid line spacing becomes the default, a negative one 0")
    func lineSpacing() {
        for (given, kept) in [(12, 12), (-3, 0), (.nan, 8), (.infinity, 8)] as [(CGFloat, CGFloat)] {
            context.toast.configure(lineSpacing: given)
            #expect(context.toast.lineSpacing == kept, "\(given)")
        }
    }

    // MARK: overlays

    @Test("all five overlays are enabled at first, then the named ones")
    func overlays() {
        let player = context.container
        #expect(PlayerService.Overlay.allCases == [.render, .feature, .plugin, .control, .toast])
        #expect(player.enabled == Set(PlayerService.Overlay.allCases))
        player.enable(overlays: [.render, .toast, .render])
        #expect(player.enabled == [.render, .toast])
        player.enable(overlays: [])
        #expect(player.enabled.isEmpty)
    }

    @Test("each overlay has one custom view above it; the latest wins")
    func customOverlays() {
        let player = context.container
        var made: [String] = []
        player.enable(overlays: [])
        #expect(player.custom(above: .control) == nil)
        player.configure(overlay: .control) {
            made.append("a")
            return AnyView(Text("a"))
        }
        #expect(made == [])
        player.configure(overlay: .control) {
            made.append("b")
            return AnyView(Text("b"))
        }
        #expect(player.custom(above: .control) != nil && made == ["b"] && player.custom(above: .render) == nil)
    }

    // MARK: player and layer

    @Test("the layer displays the service's own player until another is attached")
    func attach() {
        let render = context.render
        let own = render.player
        let other = AVPlayer()
        #expect(render.layer.player === own)
        render.attach(player: other)
        #expect(render.player === other && render.layer.player === other && render.layer === context.render.layer)
        render.attach(player: own)
        #expect(render.player === own && render.layer.player === own)
    }

    @Test("only releasing the view stops the own player, never an attached one")
    func release() {
        let render = context.render
        let own = render.player
        let other = AVPlayer()
        let item = { AVPlayerItem(url: URL(fileURLWithPath: "/nonexistent.mp4")) }
        own.replaceCurrentItem(with: item())
        own.play()
        render.attach(player: other)
        #expect(own.rate == 1 && own.currentItem != nil)
        other.replaceCurrentItem(with: item())
        other.play()
        render.release()
        #expect(own.rate == 0 && own.currentItem == nil && other.rate == 1 && other.currentItem != nil)
    }

    // MARK: status and size

    @Test("the status is half screen at first, and only changes are published")
    func status() {
        let status = context.status
        let log = Log()
        #expect(status.status == .halfScreen && status.isHalfScreen && !status.isFullScreen && !status.isPortrait)
        let observation = status.$status.dropFirst().sink { log.add("\($0)") }
        status.toFullScreen()
        #expect(status.isFullScreen && !status.isHalfScreen && !status.isPortrait)
        status.toFullScreen()
        status.toPortrait()
        #expect(status.isPortrait && status.status == .portrait)
        status.toHalfScreen()
        #expect(status.isHalfScreen && log.take() == ["fullScreen", "portrait", "halfScreen"])
        withExtendedLifetime(observation) {}
    }

    @Test("the size is zero before layout, never invalid, and not published")
    func viewSize() {
        let size = context.viewSize
        let log = Log()
        #expect(size.width == 0 && size.height == 0)
        let observation = size.objectWillChange.sink { log.add("change") }
        size.change(to: CGSize(width: 320, height: 180))
        #expect(size.width == 320 && size.height == 180)
        for strange in [CGSize(width: CGFloat.nan, height: -3), CGSize(width: -1, height: CGFloat.infinity)] {
            size.change(to: strange)
            #expect(size.width == 0 && size.height == 0)
        }
        #expect(log.take() == [])
        withExtendedLifetime(observation) {}
    }
}
