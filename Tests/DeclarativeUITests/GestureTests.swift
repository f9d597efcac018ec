import Foundation
import TestSupport
import Testing

@testable import DeclarativeUI

/// Tests of gestures and the recognizers they produce, without a pointer.
@Suite("Gestures in process") @MainActor
struct GestureTests {
    /// Proof that app code can name the types of modified gestures.
    private struct Named {
        var drag: _EndedGesture<_ChangedGesture<DragGesture>>?
        var tap: _EndedGesture<SpatialTapGesture>?
        var press: _EndedGesture<LongPressGesture>?
        var turn: _EndedGesture<_ChangedGesture<RotationGesture>>?
        var both: SimultaneousGesture<DragGesture, MagnificationGesture>?
        var either: ExclusiveGesture<TapGesture, LongPressGesture>?
        var after: SequenceGesture<LongPressGesture, DragGesture>?
        var any: AnyGesture<CGFloat>?
    }

    @Test("gesture modifiers and compositions have SwiftUI's types")
    func names() {
        var named = Named()
        named.drag = DragGesture().onChanged { _ in }.onEnded { _ in }
        named.tap = SpatialTapGesture(count: 2).onEnded { _ in }
        named.press = LongPressGesture().onEnded { _ in }
        named.turn = RotationGesture().onChanged { _ in }.onEnded { _ in }
        named.both = DragGesture().simultaneously(with: MagnificationGesture())
        named.either = TapGesture().exclusively(before: LongPressGesture())
        named.after = LongPressGesture().sequenced(before: DragGesture())
        named.any = AnyGesture(MagnificationGesture().map { $0 * 2 })
        #expect(recognizers(named.drag).count == 1)
        #expect(recognizers(Named().drag).isEmpty)
        #expect(recognizers(named.both).count == 2)
    }

    private func recognizers<G: Gesture>(_ gesture: G, _ memory: _GestureMemory = _GestureMemory()) -> [_Recognizer] {
        memory.rewind()
        return gesture._recognizers(memory, _GestureEvents())
    }
    private func drag(_ x: CGFloat) -> DragGesture.Value {
        DragGesture.Value(time: Date(), location: CGPoint(x: x, y: 0), startLocation: .zero, velocity: .zero)
    }
    private func magnified(_ factor: CGFloat) -> MagnifyGesture.Value {
        MagnifyGesture.Value(
            time: Date(), magnification: factor, velocity: 0, startAnchor: .center, startLocation: .zero)
    }

    @Test("simultaneous gestures report both values and end with the last one")
    func simultaneous() {
        var told: [String] = []
        let memory = _GestureMemory()
        let make = {
            self.recognizers(
                DragGesture().simultaneously(with: MagnificationGesture())
                    .onChanged {
                        told.append(
                            "changed \($0.first.map { "\(Int($0.location.x))" } ?? "-") \($0.second.map { "\($0)" } ?? "-")"
                        )
                    }
                    .onEnded {
                        told.append(
                            "ended \($0.first.map { "\(Int($0.location.x))" } ?? "-") \($0.second.map { "\($0)" } ?? "-")"
                        )
                    }, memory)
        }
        var all = make()
        #expect(all[0].partners == [ObjectIdentifier(all[1])] && all[1].partners == [ObjectIdentifier(all[0])])
        all[0].onDrag?(drag(10), false)
        all = make()
        all[1].onMagnify?(magnified(2), false)
        all[0].onDrag?(drag(20), true)
        #expect(told == ["changed 10 -", "changed 10 2.0"])
        all[1].onMagnify?(magnified(3), true)
        #expect(told.last == "ended 20 3.0")
        // The gesture can begin again.
        all[1].onMagnify?(magnified(1.5), false)
        #expect(told.last == "changed - 1.5")
    }

    @Test("a sequence reports its second gesture only after the first")
    func sequence() {
        var told: [String] = []
        let all = recognizers(
            LongPressGesture().sequenced(before: DragGesture())
                .onChanged {
                    told.append("\($0 == .first(true) ? "first" : $0 == .second(true, nil) ? "second" : "drag")")
                }
                .onEnded { _ in told.append("ended") })
        #expect(!all[1].isOpen())
        all[1].onDrag?(drag(5), false)
        #expect(told.isEmpty)
        all[0].onPressing?(true)
        all[0].onPoint?(.zero)
        #expect(all[1].isOpen() && told == ["first", "second"])
        all[1].onDrag?(drag(5), false)
        all[1].onDrag?(drag(6), true)
        #expect(told == ["first", "second", "drag", "ended"] && !all[1].isOpen())
        all[0].onPoint?(.zero)
        all[1].onCancel?()
        #expect(!all[1].isOpen())
    }

    @Test("gesture state resets when the gesture ends or is cancelled")
    func state() {
        let state = GestureState(wrappedValue: 1.0)
        let all = recognizers(RotateGesture().updating(state) { value, now, _ in now = value.rotation.degrees })
        let turned = RotateGesture.Value(
            time: Date(), rotation: .degrees(30), velocity: .zero, startAnchor: .center, startLocation: .zero)
        all[0].onRotate?(turned, false)
        #expect(abs(state.wrappedValue - 30) < 1e-9)
        all[0].onRotate?(turned, true)
        #expect(state.wrappedValue == 1)
        all[0].onRotate?(turned, false)
        all[0].onCancel?()
        #expect(state.wrappedValue == 1)
    }

    @Test("a rotation continues beyond a full turn in either direction")
    func turns() {
        var track = AngleTrack()
        for step in 0...40 { track.take(Double(step) * 0.2) }
        #expect(abs(track.total - 8) < 1e-9)
        var wrapped = AngleTrack()
        for angle in [0.1, 6.2, 6.0, 0.2, 3.0, 6.0, 0.1] { wrapped.take(angle) }
        #expect(abs(wrapped.total - 2 * .pi) < 1e-9)
        wrapped.take(.nan)
        #expect(wrapped.total.isFinite)
        var told: [Angle] = []
        let all = recognizers(RotationGesture(minimumAngleDelta: .degrees(2)).onChanged { told.append($0) })
        #expect(all[0].kind == .rotate(least: Angle.degrees(2).radians))
        all[0].onRotate?(
            RotateGesture.Value(
                time: Date(), rotation: .degrees(90), velocity: .zero, startAnchor: .center, startLocation: .zero),
            false)
        #expect(told == [.degrees(90)])
    }

    @Test("a custom gesture behaves like its body")
    func own() {
        struct Swipe: Gesture {
            typealias Value = DragGesture.Value
            let action: () -> Void
            var body: _EndedGesture<DragGesture> { DragGesture(minimumDistance: 30).onEnded { _ in action() } }
        }
        var count = 0
        let all = recognizers(Swipe { count += 1 })
        #expect(all.map(\.kind) == [.drag(distance: 30, space: .local)])
        all[0].onDrag?(drag(40), true)
        #expect(count == 1)
    }
}

/// Tests of pointer gestures in a real window.
@Suite("Gestures in a window", .serialized)
struct GestureWindowTests {
    private func with(_ body: (PrivateDisplay, AppProcess) async throws -> Void) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let app = try AppProcess("Input", ["gestures"], display: display)
        try await app.wait(for: "ready")
        _ = try await display.settled { $0.isNear(20, 20, [255, 59, 48]) }
        try await body(display, app)
    }
    private func click(_ display: PrivateDisplay, _ x: Int, _ y: Int, times: Int = 1) throws {
        try display.xdotool(["mousemove", "\(x)", "\(y)", "click", "--repeat", "\(times)", "--delay", "50", "1"])
    }
    private func drag(_ display: PrivateDisplay, _ x: Int, _ y: Int, by distance: Int) throws {
        try display.xdotool(["mousemove", "\(x)", "\(y)", "mousedown", "1"])
        for step in 1...6 { try display.xdotool(["mousemove", "\(x + step * distance / 6)", "\(y)"]) }
        try display.xdotool(["mouseup", "1"])
    }
    private func count(_ line: String, _ app: AppProcess) -> Int { app.lines.filter { $0 == line }.count }

    @Test("a single tap waits for a double tap and yields to it")
    func taps() async throws {
        try await with { display, app in
            try click(display, 75, 50)
            try await app.wait(for: "single A")
            try click(display, 75, 50, times: 2)
            try await app.wait(for: "double A")
            try click(display, 525, 50, times: 2)
            try await app.wait(for: "double D")
            // This single click takes as long to recognize as a single click on A would have.
            try click(display, 525, 50)
            try await app.wait(for: "single D")
            #expect(count("single A", app) == 1 && count("single D", app) == 1)
        }
    }

    @Test("a drag on a tappable view is recognized without a tap")
    func dragOfTapped() async throws {
        try await with { display, app in
            try click(display, 200, 50)
            try await app.wait(for: "tap B")
            try drag(display, 200, 50, by: 60)
            try await app.wait(for: "drag B 60 0")
            try click(display, 75, 50)
            try await app.wait(for: "single A")
            #expect(count("tap B", app) == 1)
        }
    }

    @Test("a sequence needs a press and then a drag")
    func sequence() async throws {
        try await with { display, app in
            try drag(display, 330, 50, by: 60)
            try display.xdotool(["mousemove", "330", "50", "mousedown", "1"])
            try await app.wait(for: "pressed C")
            for step in 1...5 { try display.xdotool(["mousemove", "\(330 + step * 10)", "50"]) }
            try display.xdotool(["mouseup", "1"])
            try await app.wait(for: "sequence C 50")
            #expect(app.lines.filter { $0.hasPrefix("sequence C") }.count == 1)
        }
    }

    @Test("disabled and removed views report the end of a long press")
    func pressOfChangedView() async throws {
        try await with { display, app in
            try display.xdotool(["mousemove", "225", "250", "mousedown", "1"])
            try await app.wait(for: "off I true")
            try display.xdotool(["mouseup", "1"])
            try await app.wait(for: "pressing I false")
            try display.xdotool(["mousemove", "375", "250", "mousedown", "1"])
            try await app.wait(for: "pressing J true")
            // The view is removed while the button is down.
            try await app.wait(for: "pressing J false")
            try display.xdotool(["mouseup", "1"])
            #expect(count("pressing I true", app) == 1 && count("pressing J false", app) == 1)
        }
    }

    @Test("a drag that its view disables is canceled")
    func disabledDrag() async throws {
        try await with { display, app in
            try display.xdotool(["mousemove", "75", "250", "mousedown", "1"])
            try await app.wait(for: "cut K true")
            // The button is still down.
            try await app.wait(for: "cut K false")
            try display.xdotool(["mouseup", "1"])
            #expect(count("cut K true", app) == 1)
        }
    }

    @Test("a drag continues when its minimum distance changes")
    func changedDrag() async throws {
        try await with { display, app in
            try display.xdotool(["mousemove", "525", "250", "mousedown", "1", "mousemove", "545", "250"])
            try await app.wait(for: "moved L true")
            try display.xdotool(["mousemove", "565", "250", "mouseup", "1"])
            try await app.wait(for: "drag L 40")
            try await app.wait(for: "moved L false")
        }
    }

    @Test("simultaneous gestures both fire; masks and priorities exclude the inner one")
    func beside() async throws {
        try await with { display, app in
            try click(display, 75, 150)
            try await app.wait(for: "inner E")
            try await app.wait(for: "outer E")
            try click(display, 225, 150)
            try await app.wait(for: "outer F")
            try click(display, 525, 150)
            try await app.wait(for: "high H")
            try display.xdotool(["mousemove", "375", "150", "mousedown", "1"])
            try await app.wait(for: "held true")
            try display.xdotool(["mouseup", "1"])
            try await app.wait(for: "held false")
            #expect(!app.lines.contains("inner F") && !app.lines.contains("inner H"))
        }
    }
}
