import Foundation
import MediaCore
import OpenCombine
import TestSupport
import Testing

@testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

@Suite("Canvas") @MainActor
struct CanvasTests {
    private let red = Color(red: 1, green: 0, blue: 0), blue = Color(red: 0, green: 0, blue: 1)
    private func near(_ a: [UInt8], _ b: [Int], within tolerance: Int = 6) -> Bool {
        a.count == b.count && zip(a, b).allSatisfy { abs(Int($0) - $1) <= tolerance }
    }

    @Test("a canvas fills and strokes within its bounds only")
    func paths() {
        let stage = Stage(100, 100) {
            Canvas { context, size in
                context.fill(Path(CGRect(x: 0, y: 0, width: 20, height: size.height)), with: .color(red))
                var line = Path()
                line.move(to: CGPoint(x: 0, y: 50))
                line.addLine(to: CGPoint(x: 400, y: 50))
                context.stroke(line, with: .color(blue), lineWidth: 10)
            }
            .frame(width: 60, height: 100)
        }
        #expect(near(stage.pixel(25, 10), [255, 0, 0, 255]))
        #expect(near(stage.pixel(60, 50), [0, 0, 255, 255]) && near(stage.pixel(60, 70), [0, 0, 0, 0]))
        #expect(near(stage.pixel(90, 50), [0, 0, 0, 0]))
    }

    @Test("a copied context has its own transform, clip and opacity")
    func states() {
        let stage = Stage(100, 100) {
            Canvas { context, _ in
                var moved = context
                moved.translateBy(x: 50, y: 50)
                moved.rotate(by: .degrees(90))
                moved.fill(Path(CGRect(x: 0, y: -10, width: 40, height: 20)), with: .color(red))
                var clipped = context
                clipped.clip(to: Path(CGRect(x: 0, y: 0, width: 10, height: 10)))
                #expect(clipped.clipBoundingRect == CGRect(x: 0, y: 0, width: 10, height: 10))
                clipped.opacity = 0.5
                clipped.fill(Path(CGRect(x: 0, y: 0, width: 40, height: 40)), with: .color(blue))
                var around = context
                around.clip(to: Path(CGRect(x: 0, y: 0, width: 90, height: 100)), options: .inverse)
                around.fill(Path(CGRect(x: 0, y: 0, width: 100, height: 100)), with: .color(blue))
            }
        }
        #expect(near(stage.pixel(50, 80), [255, 0, 0, 255]) && near(stage.pixel(80, 50), [0, 0, 0, 0]))
        #expect(near(stage.pixel(5, 5), [0, 0, 128, 128]) && near(stage.pixel(15, 5), [0, 0, 0, 0]))
        #expect(near(stage.pixel(95, 50), [0, 0, 255, 255]))
    }

    @Test("gradients use context points; a layer fades and blends as one")
    func shadings() {
        let stage = Stage(100, 100) {
            Canvas { context, size in
                context.fill(
                    Path(CGRect(x: 0, y: 0, width: 100, height: 20)),
                    with: .linearGradient(
                        Gradient(colors: [red, blue]), startPoint: .zero, endPoint: CGPoint(x: 100, y: 0)))
                context.opacity = 0.5
                context.drawLayer { layer in
                    layer.fill(Path(CGRect(x: 0, y: 40, width: 60, height: 20)), with: .color(red))
                    layer.fill(Path(CGRect(x: 40, y: 40, width: 60, height: 20)), with: .color(blue))
                }
                context.opacity = 1
                context.blendMode = .destinationOut
                context.fill(Path(CGRect(x: 0, y: 80, width: 10, height: 20)), with: .color(red))
            }
            .background(Color(red: 0, green: 0, blue: 0))
        }
        #expect(
            near(stage.pixel(1, 10), [252, 0, 3, 255]) && near(stage.pixel(50, 10), [127, 0, 128, 255], within: 8))
        #expect(near(stage.pixel(50, 50), [0, 0, 128, 255]) && near(stage.pixel(20, 50), [128, 0, 0, 255]))
    }

    @Test(
        "a blend mode applies to a symbol as a whole",
        arguments: [
            (GraphicsContext.BlendMode.destinationOut, [0, 0, 0, 0], [255, 0, 0, 255]),
            (.sourceAtop, [0, 0, 255, 255], [255, 0, 0, 255]), (.sourceIn, [0, 0, 255, 255], [0, 0, 0, 0]),
            (.destinationIn, [255, 0, 0, 255], [0, 0, 0, 0]),
        ])
    func blendedSymbol(mode: GraphicsContext.BlendMode, inside: [Int], outside: [Int]) {
        let symbolColor = blue
        let stage = Stage(100, 100) {
            Canvas { context, size in
                context.fill(Path(CGRect(origin: .zero, size: size)), with: .color(red))
                context.blendMode = mode
                if let symbol = context.resolveSymbol(id: "square") {
                    context.draw(symbol, at: CGPoint(x: 50, y: 50))
                }
            } symbols: {
                symbolColor.frame(width: 40, height: 40).tag("square")
            }
        }
        #expect(near(stage.pixel(50, 50), inside) && near(stage.pixel(10, 10), outside))
    }

    @Test("a canvas draws and measures text, images and tagged symbols")
    func resolved() {
        let symbolColor = blue
        let stage = Stage(100, 100) {
            Canvas { context, _ in
                let text = context.resolve(Text("W").font(.system(size: 60)))
                let size = text.measure(in: CGSize(width: 100, height: 100))
                #expect(size.width > 20 && size.height > 30 && text.firstBaseline(in: size) < size.height)
                var colored = text
                colored.shading = .color(red)
                context.draw(colored, at: CGPoint(x: 30, y: 50))
                #expect(context.resolveSymbol(id: "no such") == nil)
                if let symbol = context.resolveSymbol(id: "dot") {
                    #expect(symbol.size == CGSize(width: 20, height: 20))
                    context.draw(symbol, at: CGPoint(x: 90, y: 90))
                }
                #expect(context.resolve(Image(systemName: "play.fill")).size.width > 5)
            } symbols: {
                symbolColor.frame(width: 20, height: 20).tag("dot")
            }
        }
        #expect(near(stage.pixel(90, 90), [0, 0, 255, 255]) && near(stage.pixel(75, 75), [0, 0, 0, 0]))
        let reds = (0..<60).flatMap { x in stride(from: 25, to: 75, by: 2).map { (x, $0) } }.filter {
            stage.pixel($0.0, $0.1).first ?? 0 > 200
        }
        #expect(reds.count > 20)
    }

    @Test("a canvas redraws when its state changes and ignores invalid numbers")
    func reads() {
        let isBlue = State(wrappedValue: false)
        var drawn = 0
        let stage = Stage(100, 100) {
            Canvas { context, _ in
                drawn += 1
                var broken = context
                broken.scaleBy(x: .nan, y: 0)
                broken.fill(Path(CGRect(x: 0, y: 0, width: 10, height: 10)), with: .color(.white))
                broken.clip(to: Path(CGRect(x: 0, y: 0, width: 10, height: 10)))
                broken.draw(Text("x"), at: CGPoint(x: CGFloat.infinity, y: .nan))
                context.fill(
                    Path(CGRect(x: 0, y: 0, width: 100, height: 100)), with: .color(isBlue.wrappedValue ? blue : red))
            }
        }
        #expect(near(stage.pixel(50, 50), [255, 0, 0, 255]) && near(stage.pixel(60, 50), [255, 0, 0, 255]))
        #expect(drawn == 1)
        isBlue.wrappedValue = true
        #expect(near(stage.pixel(50, 50), [0, 0, 255, 255]) && drawn == 2)
    }
}

/// A view that shows its content only while `isThere` is true.
private struct Late<Content: View>: View {
    let isThere: State<Bool>
    let content: () -> Content
    var body: some View { if isThere.wrappedValue { content() } }
}

@Suite("Timelines") @MainActor
struct TimelineTests {
    /// A clock that the test advances by hand.
    private final class Clock {
        var now = Date(timeIntervalSinceReferenceDate: 1000)
        var due: (seconds: Double, action: @MainActor () -> Void)?
        @MainActor func pass(_ seconds: Double) {
            now += seconds
            due?.action()
        }
    }
    private func stage<V: View>(_ clock: Clock, @ViewBuilder _ content: @escaping () -> V) -> Stage {
        let isThere = State(wrappedValue: false)
        let stage = Stage(200, 100) { Late(isThere: isThere, content: content) }
        stage.host.graph.date = { clock.now }
        stage.host.graph.wake = { clock.due = ($0, $1) }
        isThere.wrappedValue = true
        stage.layOut()
        return stage
    }
    private func seconds(_ stage: Stage) -> [String] {
        stage.layOut()
        return stage.texts
    }

    @Test("a periodic timeline shows its last date and continues at the next")
    func periodic() {
        let clock = Clock()
        let start = clock.now - 12
        let stage = stage(clock) {
            TimelineView(.periodic(from: start, by: 5)) { context in
                Text("\(Int(context.date.timeIntervalSince(start)))")
            }
        }
        #expect(seconds(stage) == ["10"] && clock.due?.seconds == 3)
        clock.pass(3)
        #expect(seconds(stage) == ["15"] && clock.due?.seconds == 5)
        // The clock is late by one interval: the timeline skips the missed date.
        clock.pass(11)
        #expect(seconds(stage) == ["25"] && clock.due?.seconds == 4)
    }

    @Test("a timeline that missed many dates continues from now")
    func missed() {
        let clock = Clock()
        let start = clock.now
        let stage = stage(clock) {
            TimelineView(.periodic(from: start, by: 0.01)) { context in
                Text("\(Int(context.date.timeIntervalSince(start).rounded()))")
            }
        }
        #expect(seconds(stage) == ["0"])
        // Five hours pass, as if the computer had slept.
        clock.now += 18_000
        let action = clock.due?.action
        clock.due = nil
        action?()
        #expect(seconds(stage) == ["18000"] && (clock.due?.seconds ?? 1) < 0.02)
        clock.pass(1)
        #expect(seconds(stage) == ["18001"])
        let single = Array(
            PeriodicTimelineSchedule(from: start, by: .infinity).entries(from: start, mode: .normal).prefix(2))
        #expect(single.first == start && single.allSatisfy { $0.timeIntervalSinceReferenceDate.isFinite })
    }

    @Test("explicit dates are shown in order; minutes begin at whole minutes")
    func explicit() {
        let clock = Clock()
        let first = clock.now
        let stage = stage(clock) {
            TimelineView(.explicit([first + 1, first + 2])) { context in
                Text("\(Int(context.date.timeIntervalSince(first)))")
            }
        }
        #expect(seconds(stage) == ["1"])
        clock.pass(2)
        #expect(seconds(stage) == ["2"])
        clock.due = nil
        clock.pass(100)
        #expect(seconds(stage) == ["2"] && clock.due == nil)
        let minutes = Array(
            EveryMinuteTimelineSchedule().entries(from: Date(timeIntervalSinceReferenceDate: 130), mode: .normal)
                .prefix(2))
        #expect(minutes.map(\.timeIntervalSinceReferenceDate) == [120, 180])
    }

    @Test("an animated timeline follows display refreshes, its interval and pause")
    func animation() {
        let clock = Clock()
        let first = clock.now
        let isPaused = State(wrappedValue: false)
        struct Turning: View {
            let isPaused: State<Bool>
            let first: Date
            var body: some View {
                TimelineView(.animation(minimumInterval: 0.1, paused: isPaused.wrappedValue)) { context in
                    Text("\(Int((context.date.timeIntervalSince(first) * 100).rounded()))")
                }
            }
        }
        let stage = stage(clock) { Turning(isPaused: isPaused, first: first) }
        func turn(_ seconds: Double) -> [String] {
            clock.now += seconds
            _ = stage.host.surface.root.isAnimating(0)
            return self.seconds(stage)
        }
        #expect(turn(0.05) == ["0"])
        #expect(turn(0.1) == ["15"])
        isPaused.wrappedValue = true
        let paused = self.seconds(stage)
        #expect(turn(5) == paused)
    }
}

/// Tests, without a window, of the values that a represented widget reads.
@Suite("Represented views, in process") @MainActor
struct RepresentedStateTests {
    @MainActor final class Seen { var words: [String] = [] }
    final class Words: ObservableObject { let word = "object" }
    struct Asking: GtkWidgetRepresentable {
        let seen: Seen
        @EnvironmentObject var words: Words
        @Environment(\.isEnabled) private var isEnabled
        @State private var number = 4
        func makeCoordinator() -> String {
            seen.words.append("\(words.word) \(isEnabled) \(number)")
            return "coordinator"
        }
        func makeWidget(context: Context) -> GTKWidget {
            seen.words.append(context.coordinator)
            // Any pointer serves: nothing uses this widget.
            return GTKWidget(Unmanaged.passUnretained(seen).toOpaque())
        }
        func updateWidget(_ widget: GTKWidget, context: Context) {}
    }

    /// The second part: if a required environment object is missing, no widget is made.
    @Test("a coordinator is made after properties are set, before the first widget")
    func coordinator() throws {
        let seen = Seen()
        let words = Words()
        let stage = Stage { Asking(seen: seen).environmentObject(words).disabled(true) }
        let element = try #require(stage.elements.first { $0 is RepresentedElement } as? RepresentedElement)
        #expect(element.make() != nil && element.make() != nil)
        #expect(seen.words == ["object false 4", "coordinator", "coordinator"])
        let lacking = Stage { Asking(seen: seen) }
        let other = try #require(lacking.elements.first { $0 is RepresentedElement } as? RepresentedElement)
        #expect(other.make() == nil && seen.words.count == 3)
    }
}

/// Tests of custom GTK widgets and canvases in a window.
@Suite("Custom widgets and canvases in a window", .serialized)
struct RepresentedTests {
    @Test("a custom widget is made once, updated, pressed and dismantled")
    func widget() async throws {
        let probe = try await ControlProbe(["represented"])
        #expect(try await probe.comes { probe.said.contains("updated=Pressed 0 true") })
        #expect(try probe.frame("filled").width == 70)
        try probe.click("button")
        try await probe.expect("updated=Pressed 1 true")
        try probe.click("away")
        try await probe.expect("dismantled=Pressed 1")
        #expect(try await probe.comes { probe.said.contains("controller=disappeared") })
        #expect(
            probe.said.filter { $0 == "widget=made" }.count == 1
                && probe.said.filter { $0 == "coordinator=made" }.count == 1)
        #expect(
            probe.said.filter { $0.hasPrefix("controller=") } == [
                "controller=loaded", "controller=appeared", "controller=disappeared",
            ])
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }

    @Test("a custom widget is made when its missing environment object is set")
    func supplied() async throws {
        let probe = try await ControlProbe(["supplied"])
        #expect(try await probe.comes { (try? probe.frame("supply")) != nil })
        #expect(!probe.said.contains { $0.hasPrefix("needing=") })
        try probe.click("supply")
        try await probe.expect("needing=supplied")
        try await probe.expect("needing=updated")
        #expect(probe.said.filter { $0 == "needing=supplied" }.count == 1)
    }

    @Test("a canvas follows its state, and an animated canvas the display")
    func canvas() async throws {
        let probe = try await ControlProbe(["canvas"])
        #expect(try await probe.shows([255, 0, 0], "canvas", 0.1))
        try await probe.expect("turned=true")
        try await probe.expect("turned=true")
        try probe.click("canvas", 0.1)
        #expect(try await probe.shows([0, 0, 255], "canvas", 0.1))
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }
}
