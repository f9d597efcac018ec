import Foundation
import OpenCombine
import TestSupport
import Testing

@testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

/// Tests of which points of a drawing take input, without a pointer.
@Suite("Hit testing") @MainActor
struct HitTestingTests {
    private static let ink = Color(red: 1, green: 0, blue: 0)

    /// The first element of type `kind` on the stage.
    private func only<E: Element>(_ kind: E.Type, _ stage: Stage) throws -> E {
        try #require(stage.elements.compactMap { $0 as? E }.first)
    }

    /// Returns `view` with one more random effect.
    private func changed(_ view: AnyView, _ numbers: inout SeededNumbers) -> AnyView {
        let anchors: [UnitPoint] = [.center, .topLeading, .bottomTrailing, UnitPoint(x: 0.2, y: 1.3)]
        let anchor = anchors[numbers.below(4)]
        let (x, y) = (CGFloat(numbers.below(80)) - 40, CGFloat(numbers.below(80)) - 40)
        switch numbers.below(8) {
        case 0: return AnyView(view.offset(x: x, y: y))
        case 1: return AnyView(view.scaleEffect(0.4 + CGFloat(numbers.below(16)) / 10, anchor: anchor))
        case 2: return AnyView(view.scaleEffect(x: -1.2, y: 0.7, anchor: anchor))
        case 3: return AnyView(view.rotationEffect(.degrees(Double(numbers.below(360))), anchor: anchor))
        case 4: return AnyView(view.clipShape(RoundedRectangle(cornerRadius: 12)))
        case 5: return AnyView(view.frame(width: 50, height: 30).clipped())
        case 6: return AnyView(view.padding(6).clipShape(Circle()))
        default: return AnyView(view.frame(width: 40, height: 40))
        }
    }

    @Test("exactly the drawn pixels take input", arguments: SeededRuns.of(40))
    func pixels(seed: Int) throws {
        var numbers = SeededNumbers(seed: UInt64(seed))
        let size = CGSize(width: 20 + CGFloat(numbers.below(60)), height: 20 + CGFloat(numbers.below(60)))
        var view =
            numbers.below(2) == 0
            ? AnyView(Rectangle().fill(Self.ink).frame(width: size.width, height: size.height))
            : AnyView(Ellipse().fill(Self.ink).frame(width: size.width, height: size.height))
        for _ in 0...numbers.below(4) { view = changed(view, &numbers) }
        view = AnyView(view.onTapGesture {})
        for _ in 0..<numbers.below(3) { view = changed(view, &numbers) }
        let stage = Stage(200, 200) { view }
        let tapped = try only(GestureElement.self, stage)
        let drawn = stage.drawing()
        for x in stride(from: 4, to: 196, by: 7) {
            for y in stride(from: 4, to: 196, by: 7) {
                // Skip pixels at an edge, which are only partly covered.
                let around = [-1, 0, 1].flatMap { dx in [-1, 0, 1].map { drawn.pixel(x + dx, y + $0)[3] } }
                guard let first = around.first, first == 0 || first == 255, around.allSatisfy({ $0 == first }) else {
                    continue
                }
                let own = tapped.hit(CGPoint(x: Double(x) + 0.5, y: Double(y) + 0.5))
                #expect((own != nil) == (first == 255), "at \(x), \(y)")
                if let own {
                    let back = tapped.toHost(own)
                    #expect(abs(back.x - Double(x) - 0.5) < 1e-6 && abs(back.y - Double(y) - 0.5) < 1e-6)
                }
            }
        }
    }

    @Test("an offset view takes input where it is drawn")
    func offset() throws {
        let stage = Stage(200, 100) {
            Circle().fill(Self.ink).frame(width: 20, height: 20).offset(x: 60).gesture(DragGesture())
        }
        let knob = try only(GestureElement.self, stage)
        // 160 is the center of the drawn circle. The gesture's coordinate space has not moved with the drawing.
        #expect(knob.hit(CGPoint(x: 160, y: 50)) == CGPoint(x: 70, y: 10))
        #expect(knob.hit(CGPoint(x: 100, y: 50)) == nil)
    }

    @Test("a view rotated in space takes input where it is drawn")
    func rotatedInSpace() throws {
        // Rotated by 60° around a vertical axis, the square is half as wide.
        let stage = Stage(200, 200) {
            Self.ink.frame(width: 100, height: 100).rotation3DEffect(.degrees(60), axis: (0, 1, 0)).onTapGesture {}
        }
        let tapped = try only(GestureElement.self, stage)
        for (x, isDrawn) in [(60, false), (72, false), (78, true), (100, true), (122, true), (128, false)] {
            #expect((stage.pixel(x, 60)[3] > 0) == isDrawn, "\(x)")
            #expect((tapped.hit(CGPoint(x: x, y: 60)) != nil) == isDrawn, "\(x)")
        }
    }

    @Test("the hole of an even-odd fill lets input through", arguments: [true, false])
    func hole(isEvenOdd: Bool) throws {
        let frame = Path { path in
            path.addRect(CGRect(x: 0, y: 0, width: 100, height: 100))
            path.addRect(CGRect(x: 30, y: 30, width: 40, height: 40))
        }
        let stage = Stage(100, 100) { frame.fill(Self.ink, style: FillStyle(eoFill: isEvenOdd)).onTapGesture {} }
        let tapped = try only(GestureElement.self, stage)
        #expect((tapped.hit(CGPoint(x: 50, y: 50)) == nil) == isEvenOdd)
        #expect((stage.pixel(50, 50)[3] == 0) == isEvenOdd)
        #expect(tapped.hit(CGPoint(x: 10, y: 50)) != nil)
    }

    enum Unseen: CaseIterable { case transparent, hidden, passed, squeezed, masked }

    private func unseen(_ kind: Unseen, _ view: some View) -> AnyView {
        switch kind {
        case .transparent: AnyView(view.opacity(0))
        case .hidden: AnyView(view.hidden())
        case .passed: AnyView(view.allowsHitTesting(false))
        case .squeezed: AnyView(view.scaleEffect(0))
        case .masked: AnyView(view.offset(x: 200).clipped())
        }
    }

    @Test("gestures inside and around invisible views take no input", arguments: Unseen.allCases)
    func unseen(kind: Unseen) throws {
        let middle = CGPoint(x: 50, y: 50)
        let around = Stage(100, 100) { unseen(kind, Self.ink.onTapGesture {}.onHover { _ in }) }
        #expect(try only(GestureElement.self, around).hit(middle) == nil)
        #expect(try only(HoverElement.self, around).hit(middle) == nil)
        let inside = Stage(100, 100) { ZStack { unseen(kind, Self.ink) }.onTapGesture {} }
        #expect(try only(GestureElement.self, inside).hit(middle) == nil)
        let seen = Stage(100, 100) { ZStack { Self.ink.opacity(0.01) }.onTapGesture {} }
        #expect(try only(GestureElement.self, seen).hit(middle) != nil)
    }

    @Test("a view takes input again when it is shown again")
    func shownAgain() throws {
        struct Fading: View {
            @ObservedObject var model: Model
            var body: some View { HitTestingTests.ink.onTapGesture {}.opacity(model.isShown ? 1 : 0) }
        }
        final class Model: ObservableObject { @Published var isShown = false }
        let model = Model()
        let stage = Stage(100, 100) { Fading(model: model) }
        let middle = CGPoint(x: 50, y: 50)
        #expect(try only(GestureElement.self, stage).hit(middle) == nil)
        model.isShown = true
        stage.layOut()
        #expect(try only(GestureElement.self, stage).hit(middle) == middle)
    }

    @Test("drag and drop use the drawn position of a view")
    func transfers() throws {
        var dropped: CGPoint?
        let stage = Stage(200, 200) {
            Self.ink.frame(width: 40, height: 40)
                .onDrop(of: [.text], isTargeted: nil) { _, point in
                    dropped = point
                    return true
                }
                .onDrag { NSItemProvider(.text("a")) }
                .scaleEffect(2).rotationEffect(.degrees(90))
        }
        let drop = try only(DropElement.self, stage)
        let drag = try only(DragElement.self, stage)
        // The view is drawn 80 points wide, around the middle.
        for (point, isIn) in [(CGPoint(x: 65, y: 70), true), (CGPoint(x: 55, y: 70), false)] {
            #expect(drop.accepts(at: point) == isIn)
            #expect((drag.hit(point) != nil) == isIn)
        }
        #expect(drop.drop([NSItemProvider(.text("a"))], CGPoint(x: 65, y: 70)))
        // The view is rotated clockwise by 90° and scaled by 2: a point above its center on the screen is at its left,
        // at half the distance.
        let point = try #require(dropped)
        #expect(abs(point.x - 5) < 1e-6 && abs(point.y - 37.5) < 1e-6)
    }

    @Test("a point is converted to the spaces around a scaled view")
    func spaces() throws {
        let stage = Stage(200, 200) {
            Self.ink.frame(width: 20, height: 20).onTapGesture {}.scaleEffect(3)
                .frame(width: 100, height: 100).coordinateSpace(name: "box")
        }
        let tapped = try only(GestureElement.self, stage)
        let corner = CGPoint(x: 20, y: 20)
        #expect(tapped.point(corner, in: .local) == corner)
        #expect(tapped.point(corner, in: .named("box")) == CGPoint(x: 80, y: 80))
        #expect(tapped.point(corner, in: .global) == CGPoint(x: 130, y: 130))
        #expect(tapped.point(corner, in: .named("none")) == corner)
    }

    @Test("a gesture's point is converted to a scroll view's visible area")
    func scrollSpace() throws {
        let stage = Stage(200, 200) {
            VStack(spacing: 0) {
                Self.ink.frame(height: 40)
                ScrollView {
                    VStack(spacing: 0) {
                        Self.ink.frame(width: 200, height: 60)
                        Self.ink.frame(width: 200, height: 20).gesture(DragGesture(coordinateSpace: .scrollView))
                        Self.ink.frame(width: 200, height: 600)
                    }
                }
            }
        }
        stage.scroll(to: 25)
        let dragged = try #require(stage.everything.first { $0 is GestureElement } as? GestureElement)
        guard case .drag(_, let space) = dragged.recognizers.first?.kind else {
            Issue.record("no drag gesture")
            return
        }
        #expect(dragged.point(.zero, in: space) == CGPoint(x: 0, y: 35))
        #expect(dragged.point(.zero, in: .global) == CGPoint(x: 0, y: 75))
        let other = NamedCoordinateSpace.scrollView(axis: .horizontal).coordinateSpace
        #expect(dragged.point(.zero, in: other) == .zero)
    }

    @Test("a control reports whether it is clipped completely")
    func cutOff() throws {
        let cut = Stage(200, 200) {
            Button("A") {}.frame(width: 60, height: 30).offset(x: 100).frame(width: 80, height: 80).clipped()
        }
        #expect(try only(ButtonElement.self, cut).isCutOff)
        let partly = Stage(200, 200) {
            Button("A") {}.frame(width: 60, height: 30).offset(x: 50).frame(width: 80, height: 80).clipped()
        }
        #expect(try !only(ButtonElement.self, partly).isCutOff)
    }
}

/// Tests of pointer input to views that are drawn away from their layout position.
@Suite("Hit testing in a window", .serialized)
struct HitTestingWindowTests {
    private func with(_ body: (PrivateDisplay, AppProcess) async throws -> Void) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let app = try AppProcess("Input", ["moved"], display: display)
        try await app.wait(for: "ready")
        _ = try await offPool {
            let deadline = Deadline()
            while !deadline.isPast, !(try display.screenshot().isNear(20, 20, [255, 59, 48])) {}
        }
        try await body(display, app)
    }

    @Test("a knob with an offset can be dragged")
    func knob() async throws {
        try await with { display, app in
            try display.xdotool(["mousemove", "400", "50", "mousedown", "1"])
            for step in 1...6 { try display.xdotool(["mousemove", "\(400 + step * 10)", "50"]) }
            try display.xdotool(["mouseup", "1"])
            try await app.wait(for: "knob 60")
        }
    }

    @Test("rotated, scaled and moved views take input where they are drawn")
    func moved() async throws {
        try await with { display, app in
            // The first point is outside the bar's layout frame, but on its drawing. The second is inside the layout
            // frame, but beside the drawing.
            try display.xdotool(["mousemove", "100", "185", "click", "1"])
            try await app.wait(for: "bar")
            try display.xdotool(["mousemove", "140", "150", "click", "1"])
            try await app.wait(for: "beside the bar")
            try display.xdotool(["mousemove", "252", "150", "click", "1"])
            try await app.wait(for: "scaled")
            try display.xdotool(["mousemove", "560", "150"])
            try await app.wait(for: "hover true")
            try display.xdotool(["mousemove", "480", "150"])
            try await app.wait(for: "hover false")
        }
    }

    @Test("invisible views let the pointer through")
    func unseen() async throws {
        try await with { display, app in
            for (x, line) in [(100, "behind the ghost"), (300, "behind the label"), (590, "behind the cut")] {
                try display.xdotool(["mousemove", "\(x)", "250", "click", "1"])
                try await app.wait(for: line)
            }
            let wrong = ["ghost", "hidden", "never", "cut tap", "cut button"]
            #expect(!app.lines.contains { wrong.contains($0) })
        }
    }
}
