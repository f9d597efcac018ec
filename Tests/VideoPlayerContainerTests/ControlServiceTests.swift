import Testing
import Zoetrope

@testable import VideoPlayerContainer

@Suite("Visibility and content of the controls") @MainActor
struct ControlServiceTests {
    private let context = Context()
    private var control: ControlService { context.control }

    private static func text(_ text: String) -> [any View] { [Text(text)] }

    // MARK: visibility

    @Test("the display style sets the initial visibility; custom keeps the current one")
    func styles() {
        #expect(control.isBeingPresented)
        control.configure(displayStyle: .never)
        #expect(!control.isBeingPresented)
        control.configure(displayStyle: .always)
        #expect(control.isBeingPresented)
        control.configure(displayStyle: .manual(firstAppear: false, animation: nil))
        #expect(!control.isBeingPresented)
        control.configure(displayStyle: .custom(animation: .default))
        #expect(!control.isBeingPresented)
        control.configure(displayStyle: .auto(firstAppear: true, animation: .default, duration: 5))
        #expect(control.isBeingPresented)
        control.configure(displayStyle: .custom(animation: nil))
        #expect(control.isBeingPresented)
        control.configure(displayStyle: .auto(firstAppear: false, animation: nil, duration: 5))
        #expect(!control.isBeingPresented)
        control.configure(displayStyle: .manual(firstAppear: true, animation: .default))
        #expect(control.isBeingPresented)
    }

    @Test("present and dismiss do nothing for fixed styles or without a change", arguments: [true, false])
    func noEffect(_ isShown: Bool) {
        let log = Log()
        control.configure(displayStyle: isShown ? .always : .never)
        let observation = control.$isBeingPresented.dropFirst().sink { log.add("\($0)") }
        control.present()
        control.dismiss()
        context.gesture.tap(at: .zero)
        #expect(log.take() == [] && control.isBeingPresented == isShown)
        control.configure(displayStyle: .manual(firstAppear: isShown, animation: nil))
        _ = log.take()
        if isShown { control.present() } else { control.dismiss() }
        #expect(log.take() == [])
        if isShown { control.dismiss() } else { control.present() }
        #expect(log.take() == ["\(!isShown)"])
        withExtendedLifetime(observation) {}
    }

    @Test("a tap toggles auto and manual controls; a double tap does not")
    func taps() {
        _ = control
        context.viewSize.change(to: CGSize(width: 100, height: 100))
        control.configure(displayStyle: .manual(firstAppear: false, animation: nil))
        context.gesture.tap(at: CGPoint(x: 10, y: 10))
        #expect(control.isBeingPresented)
        context.gesture.tap(at: CGPoint(x: 90, y: 10))
        #expect(!control.isBeingPresented)
        context.gesture.doubleTap(at: .zero)
        #expect(!control.isBeingPresented)
        control.configure(displayStyle: .auto(firstAppear: true, animation: nil, duration: 5))
        context.gesture.tap(at: .zero)
        #expect(!control.isBeingPresented)
        context.gesture.tap(at: .zero)
        #expect(control.isBeingPresented)
        control.configure(displayStyle: .custom(animation: nil))
        context.gesture.tap(at: .zero)
        #expect(control.isBeingPresented)
    }

    @Test("automatic controls hide after their duration, counted from when they appear")
    func auto() {
        let time = context.holdTime()
        control.configure(displayStyle: .auto(firstAppear: true, animation: .default, duration: 5))
        time.advance(4.9)
        #expect(control.isBeingPresented)
        time.advance(0.2)
        #expect(!control.isBeingPresented && time.waiting == 0)
        control.present()
        time.advance(4.9)
        // Presenting visible controls does not restart their delay.
        control.present()
        time.advance(0.2)
        #expect(!control.isBeingPresented)
        context.gesture.tap(at: .zero)
        #expect(control.isBeingPresented)
        time.advance(5.1)
        #expect(!control.isBeingPresented && time.waiting == 0)
    }

    @Test("showing the controls again restarts their time; other styles cancel it")
    func autoAnew() {
        let time = context.holdTime()
        control.configure(displayStyle: .auto(firstAppear: true, animation: .default, duration: 5))
        time.advance(4)
        control.dismiss()
        #expect(time.waiting == 0)
        control.present()
        time.advance(4)
        #expect(control.isBeingPresented)
        time.advance(1.1)
        #expect(!control.isBeingPresented)
        // A new style replaces the delay of the previous one.
        control.configure(displayStyle: .auto(firstAppear: true, animation: .default, duration: 5))
        control.configure(displayStyle: .manual(firstAppear: true, animation: nil))
        #expect(time.waiting == 0)
        time.advance(60)
        #expect(control.isBeingPresented)
        control.configure(displayStyle: .auto(firstAppear: false, animation: nil, duration: 1))
        #expect(time.waiting == 0)
        control.present()
        control.configure(displayStyle: .custom(animation: nil))
        time.advance(60)
        #expect(control.isBeingPresented)
    }

    @Test(
        "an invalid duration hides the controls, an infinite one never does",
        arguments: [0, -3, Double.nan, -.infinity, .infinity])
    func durations(_ seconds: Double) {
        let time = context.holdTime()
        control.configure(displayStyle: .auto(firstAppear: true, animation: nil, duration: seconds))
        #expect(control.isBeingPresented)
        time.advance(1e5)
        #expect(control.isBeingPresented == (seconds == .infinity))
    }

    @Test("present() during the hide notification does not keep controls visible")
    func reentrant() {
        let time = context.holdTime()
        let control = control
        control.configure(displayStyle: .auto(firstAppear: true, animation: nil, duration: 1))
        var isFirst = true
        let observation = control.objectWillChange.sink {
            guard isFirst else { return }
            isFirst = false
            control.present()
        }
        time.advance(1)
        #expect(!control.isBeingPresented)
        withExtendedLifetime(observation) {}
    }

    // MARK: content

    @Test("content is created once, and only a later configuration replaces it")
    func content() {
        var runs = 0
        control.configure([.halfScreen(.top1), .fullScreen(.top1)]) { () -> [any View] in
            runs += 1
            return [Text("a"), Spacer(), Text("b").padding()]
        }
        #expect(runs == 1)
        func ids(_ location: ControlService.Location) -> [String] {
            control.looks.contents[location.place]?.map(\.id) ?? []
        }
        #expect(
            ids(.halfScreen(.top1)).count == 3 && ids(.fullScreen(.top1)) == ids(.halfScreen(.top1))
                && ids(.portrait(.top1)).isEmpty && ids(.halfScreen(.top2)).isEmpty)
        let old = ids(.halfScreen(.top1))
        #expect(Set(old).count == 3)
        control.configure(.halfScreen(.top1)) { Self.text("c") }
        #expect(
            ids(.halfScreen(.top1)).count == 1 && Set(old).isDisjoint(with: ids(.halfScreen(.top1)))
                && ids(.fullScreen(.top1)) == old)
        control.configure(.halfScreen(.top1)) { [] }
        #expect(
            control.looks.slot(ControlService.Location.halfScreen(.top1).place) == nil
                && control.looks.isEmpty(ControlService.RawLocation.halfScreen(.top).place))
        #expect(!control.looks.isEmpty(ControlService.RawLocation.fullScreen(.top).place) && runs == 1)
        control.configure([ControlService.Location]()) { () -> [any View] in
            runs += 1
            return []
        }
        #expect(runs == 2)
    }

    @Test("a layout receives the slot's views, whichever is configured first")
    func layout() {
        var seen: [Int] = []
        let place = ControlService.Location.halfScreen(.center).place
        control.configure(.halfScreen(.center)) { views in
            seen.append(views.count)
            return HStack(spacing: 30) { ForEach(views) { $0 } }
        }
        #expect(control.looks.slot(place) == nil && seen == [])
        control.configure(.halfScreen(.center)) { [Text("a"), Text("b")] }
        #expect(control.looks.slot(place) != nil && seen == [2])
    }

    @Test("a region has the insets of its own edges, per status")
    func insets() {
        control.configure(.halfScreen, insets: .init(top: 1, leading: 2, bottom: 3, trailing: 4))
        func insets(_ location: ControlService.RawLocation) -> [CGFloat] {
            let found = control.looks.insets(location.place)
            return [found.top, found.leading, found.bottom, found.trailing]
        }
        #expect(insets(.halfScreen(.top)) == [1, 2, 0, 4] && insets(.halfScreen(.bottom)) == [0, 2, 3, 4])
        #expect(
            insets(.halfScreen(.left)) == [0, 2, 0, 0] && insets(.halfScreen(.right)) == [0, 0, 0, 4]
                && insets(.halfScreen(.center)) == [0, 0, 0, 0])
        #expect(insets(.fullScreen(.top)) == [0, 0, 0, 0] && insets(.portrait(.bottom)) == [0, 0, 0, 0])
    }

    @Test("top and bottom have a shadow that can be replaced or removed")
    func shadows() {
        func has(_ location: ControlService.RawLocation) -> Bool { control.looks.shadow(location.place) != nil }
        #expect(
            has(.halfScreen(.top)) && has(.portrait(.bottom)) && !has(.halfScreen(.left)) && !has(.halfScreen(.right))
                && !has(.halfScreen(.center)))
        control.configure([.halfScreen(.top), .halfScreen(.bottom)], shadow: nil)
        control.configure(.halfScreen(.center), shadow: AnyView(Color.black))
        #expect(
            !has(.halfScreen(.top)) && !has(.halfScreen(.bottom)) && has(.halfScreen(.center)) && has(.fullScreen(.top))
        )
        #expect(control.looks.shadow == nil)
        control.configure(shadow: AnyView(Color.black.opacity(0.2)))
        #expect(control.looks.shadow != nil)
        control.configure(shadow: nil)
        #expect(control.looks.shadow == nil)
    }

    @Test("opacity is clamped from 0 to 1, and NaN becomes 1")
    func opacity() {
        #expect(control.looks.opacity == 1)
        for (given, kept) in [(0.5, 0.5), (-1, 0), (7, 1), (.nan, 1), (.infinity, 1), (-.infinity, 0)]
            as [(CGFloat, CGFloat)]
        {
            control.opacity(given, animation: .default)
            #expect(control.looks.opacity == kept, "\(given)")
        }
    }
}
