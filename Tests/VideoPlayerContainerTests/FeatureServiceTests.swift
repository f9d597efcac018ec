import Testing
import Zoetrope

@testable import VideoPlayerContainer

@Suite("Panels, one at a time") @MainActor
struct FeatureServiceTests {
    private let context = Context()
    private let time: ManualTimer
    private let log = Log()
    private var feature: FeatureService { context.feature }

    init() { time = context.holdTime() }

    private var direction: FeatureService.Direction? { feature.panel?.direction }

    private func present(_ name: String, _ direction: FeatureService.Direction = .right(.cover)) {
        let log = log
        let feature = feature
        feature.present(direction) {
            log.add("before \(name) \(feature.panel == nil ? "none" : "one")")
        } afterPresent: {
            log.add("after \(name)")
        } beforeDismiss: {
            log.add("before dismissing \(name) \(feature.panel == nil ? "none" : "one")")
        } afterDismiss: {
            log.add("after dismissing \(name)")
        } content: {
            AnyView(Text(name))
        }
    }

    @Test("beforePresent runs at once, and afterPresent a quarter of a second later")
    func callbacks() {
        present("a", .left(.squeeze(8)))
        #expect(direction == .left(.squeeze(8)) && log.take() == ["before a none"])
        time.advance(0.249)
        #expect(log.take() == [])
        time.advance(0.002)
        #expect(log.take() == ["after a"])
        feature.dismiss()
        #expect(feature.panel == nil && log.take() == ["before dismissing a one"])
        time.advance(0.249)
        #expect(log.take() == [])
        time.advance(0.002)
        #expect(log.take() == ["after dismissing a"] && time.waiting == 0)
    }

    @Test("a new panel replaces the first, which gets no further callbacks")
    func replaced() {
        present("a")
        present("b", .bottom(.squeeze(0)))
        #expect(direction == .bottom(.squeeze(0)))
        time.advance(1)
        feature.dismiss()
        time.advance(1)
        #expect(
            log.take() == ["before a none", "before b one", "after b", "before dismissing b one", "after dismissing b"])
    }

    @Test("a panel dismissed during its appearance gets no afterPresent callback")
    func shortLived() {
        present("a")
        time.advance(0.1)
        feature.dismiss()
        present("b")
        time.advance(0.2)
        // Panel a was presented more than a quarter of a second ago, but its `afterPresent` must not run, because a was
        // dismissed. That of b is not due yet.
        #expect(log.take() == ["before a none", "before dismissing a one", "before b none"])
        time.advance(1)
        #expect(log.take() == ["after dismissing a", "after b"])
    }

    @Test("dismiss has no effect without a panel, nor when repeated")
    func dismissTwice() {
        feature.dismiss()
        present("a")
        feature.dismiss(animation: nil)
        feature.dismiss()
        time.advance(1)
        #expect(log.take() == ["before a none", "before dismissing a one", "after dismissing a"])
    }

    @Test("a panel may be shown without any callback")
    func bare() {
        feature.present(.top(.cover), animation: nil) { AnyView(EmptyView()) }
        #expect(direction == .top(.cover) && time.waiting == 0)
        feature.dismiss()
        #expect(feature.panel == nil && time.waiting == 0)
    }

    @Test("beforeDismiss may present another panel, which stays")
    func presentWhileDismissing() {
        let feature = feature
        feature.present(
            .left(.cover), beforeDismiss: { feature.present(.top(.cover)) { AnyView(Text("b")) } },
            content: { AnyView(Text("a")) })
        feature.dismiss()
        #expect(direction == .top(.cover))
        feature.dismiss()
        #expect(feature.panel == nil)
    }

    @Test("beforeDismiss runs once even if it dismisses or changes the status")
    func dismissWhileDismissing() {
        let feature = feature
        let context = context
        let log = log
        feature.present(
            .left(.cover),
            beforeDismiss: {
                log.add("before")
                feature.dismiss()
                context.status.toFullScreen()
            }, afterDismiss: { log.add("after") }, content: { AnyView(Text("a")) })
        feature.dismiss()
        time.advance(1)
        #expect(feature.panel == nil && log.take() == ["before", "after"])
        // The callback of the next panel also runs once.
        feature.present(.left(.cover), beforeDismiss: { log.add("before") }, content: { AnyView(Text("b")) })
        feature.dismiss()
        #expect(feature.panel == nil && log.take() == ["before"])
    }

    @Test("a panel presented in beforePresent is replaced by the outer one")
    func presentWhilePresenting() {
        let feature = feature
        let log = log
        feature.present(
            .left(.cover),
            beforePresent: {
                feature.present(.top(.cover), afterPresent: { log.add("inner") }) { AnyView(Text("b")) }
            }, afterPresent: { log.add("outer") }, content: { AnyView(Text("a")) })
        #expect(direction == .left(.cover))
        time.advance(1)
        #expect(log.take() == ["outer"])
    }

    @Test("a status change dismisses the panel, unless configured otherwise")
    func statusChange() {
        present("a")
        _ = log.take()
        context.status.toHalfScreen()
        #expect(direction != nil && log.take() == [])
        context.status.toFullScreen()
        #expect(direction == nil && log.take() == ["before dismissing a one"])
        feature.configure(dismissOnStatusChanged: false)
        present("b")
        context.status.toPortrait()
        #expect(direction != nil)
        feature.configure(dismissOnStatusChanged: true)
        context.status.toHalfScreen()
        #expect(direction == nil)
    }

    @Test("dismissal by tap can be turned off")
    func tapSetting() {
        #expect(feature.dismissesOnTap)
        feature.configure(dismissOnTap: false)
        #expect(!feature.dismissesOnTap)
    }

    @Test("directions are equal if side, style and gap are equal")
    func directions() {
        typealias Direction = FeatureService.Direction
        #expect(Direction.left(.cover) == .left(.cover) && Direction.left(.cover) != .right(.cover))
        #expect(
            Direction.top(.squeeze(1)) == .top(.squeeze(1)) && Direction.top(.squeeze(1)) != .top(.squeeze(2))
                && Direction.top(.squeeze(0)) != .top(.cover))
    }

    @Test("an invalid or negative gap becomes 0", arguments: [CGFloat.nan, .infinity, -.infinity, -5])
    func gaps(_ gap: CGFloat) {
        feature.present(.right(.squeeze(gap))) { AnyView(EmptyView()) }
        #expect(direction?.gap == 0)
    }

    @Test("releasing the context cancels all pending callbacks")
    func contextGone() {
        var other: Context? = Context()
        let time = ManualTimer()
        let log = log
        other?.withDependency(\.timer) { time.timer }
        other?.feature.present(.left(.cover), afterPresent: { log.add("after") }) { AnyView(EmptyView()) }
        #expect(time.waiting == 1)
        other = nil
        #expect(time.waiting == 0)
        time.advance(1)
        #expect(log.take() == [])
    }
}
