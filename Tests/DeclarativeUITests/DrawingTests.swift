import Foundation
import TestSupport
import Testing

@testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

/// Tests of drawings that GSK makes with cairo, without a window.
@Suite("Drawing") @MainActor
struct DrawingTests {
    @Test("shapes fill or stroke only their own area")
    func shapes() {
        let stage = Stage(100, 100) { Circle().fill(Color(red: 1, green: 0, blue: 0)).frame(width: 80, height: 80) }
        #expect(stage.pixel(50, 50) == [255, 0, 0, 255])
        #expect(stage.pixel(13, 13) == [0, 0, 0, 0])
        let ring = Stage(100, 100) {
            Circle().stroke(Color(red: 0, green: 0, blue: 1), lineWidth: 10).frame(width: 80, height: 80)
        }
        #expect(ring.pixel(50, 50) == [0, 0, 0, 0])
        #expect(ring.pixel(50, 10) == [0, 0, 255, 255])
    }

    @Test("a mask keeps only what its shape or view covers")
    func mask() {
        let stage = Stage(100, 100) { Color(red: 0, green: 1, blue: 0).mask { RoundedRectangle(cornerRadius: 25) } }
        #expect(stage.pixel(1, 1) == [0, 0, 0, 0])
        #expect(stage.pixel(50, 1) == [0, 255, 0, 255])
        let half = Stage(100, 100) {
            Color(red: 0, green: 1, blue: 0).mask {
                HStack(spacing: 0) {
                    Color.black
                    Color.clear
                }
            }
        }
        #expect(half.pixel(25, 50) == [0, 255, 0, 255])
        #expect(half.pixel(75, 50) == [0, 0, 0, 0])
    }

    @Test("clipShape clips to a custom path")
    func clip() {
        struct Triangle: Shape {
            func path(in rect: CGRect) -> Path {
                Path { path in
                    path.move(to: CGPoint(x: rect.minX, y: rect.maxY))
                    path.addLine(to: CGPoint(x: rect.midX, y: rect.minY))
                    path.addLine(to: CGPoint(x: rect.maxX, y: rect.maxY))
                    path.closeSubpath()
                }
            }
        }
        let stage = Stage(100, 100) { Color(red: 0, green: 0, blue: 1).clipShape(Triangle()) }
        #expect(stage.pixel(50, 60) == [0, 0, 255, 255])
        #expect(stage.pixel(5, 5) == [0, 0, 0, 0])
    }

    @Test("a curve after a closed subpath begins at the subpath's start")
    func curveAfterClosing() {
        let path = Path { path in
            path.addLines([CGPoint(x: 10, y: 10), CGPoint(x: 90, y: 10), CGPoint(x: 90, y: 20)])
            path.closeSubpath()
            path.addQuadCurve(to: CGPoint(x: 10, y: 90), control: CGPoint(x: 10, y: 50))
        }
        let stage = Stage(100, 100) { path.stroke(Color(red: 1, green: 0, blue: 0), lineWidth: 6) }
        // The curve is a vertical line, because all its points are at the same x.
        #expect(stage.pixel(10, 40) == [255, 0, 0, 255] && stage.pixel(10, 70) == [255, 0, 0, 255])
        #expect(stage.pixel(20, 50)[3] == 0)
    }

    @Test("opacity, offset, scale and rotation change what is drawn")
    func effects() {
        let faded = Stage(10, 10) { Color(red: 1, green: 1, blue: 1).opacity(0.5) }
        #expect(abs(Int(faded.pixel(5, 5)[3]) - 128) <= 1)
        let moved = Stage(100, 100) {
            Color(red: 1, green: 0, blue: 0).frame(width: 20, height: 20).offset(x: 30, y: 0)
        }
        #expect(moved.pixel(50, 50)[3] == 0)
        #expect(moved.pixel(80, 50) == [255, 0, 0, 255])
        let large = Stage(100, 100) { Color(red: 1, green: 0, blue: 0).frame(width: 20, height: 20).scaleEffect(3) }
        #expect(large.pixel(25, 50) == [255, 0, 0, 255])
        #expect(large.pixel(15, 50)[3] == 0)
        let turned = Stage(100, 100) {
            Color(red: 1, green: 0, blue: 0).frame(width: 80, height: 10).rotationEffect(.degrees(90))
        }
        #expect(turned.pixel(50, 20) == [255, 0, 0, 255])
        #expect(turned.pixel(20, 50)[3] == 0)
    }

    @Test("gradients go from the first color to the last")
    func gradients() {
        let stage = Stage(100, 10) {
            LinearGradient(colors: [.black, .white], startPoint: .leading, endPoint: .trailing)
        }
        #expect(stage.pixel(1, 5)[0] < 10)
        #expect(abs(Int(stage.pixel(50, 5)[0]) - 128) < 6)
        #expect(stage.pixel(98, 5)[0] > 245)
        let around = Stage(100, 100) { AngularGradient(colors: [.black, .white], center: .center) }
        #expect(around.pixel(80, 52)[0] < 20)
        #expect(abs(Int(around.pixel(20, 50)[0]) - 128) < 12)
    }

    @Test("zIndex decides the drawing order")
    func zIndex() {
        let stage = Stage(20, 20) {
            ZStack {
                Color(red: 1, green: 0, blue: 0).zIndex(1)
                Color(red: 0, green: 0, blue: 1)
            }
        }
        #expect(stage.pixel(10, 10) == [255, 0, 0, 255])
    }

    @Test("text has the foreground color of the light or dark appearance")
    func text() {
        func darkest(_ scheme: ColorScheme) -> (alpha: Int, red: Int) {
            let stage = Stage(60, 30) { Text(verbatim: "████").environment(\.colorScheme, scheme) }
            let pixel = stage.pixel(30, 15)
            return (Int(pixel[3]), Int(pixel[0]))
        }
        #expect(darkest(.light).alpha > 200 && darkest(.light).red < 30)
        #expect(darkest(.dark).alpha > 200 && darkest(.dark).red > 225)
    }

    @Test("a missing image shows a placeholder")
    func missing() {
        let file = Stage(40, 40) { Image(fileURL: URL(fileURLWithPath: "/no/such.png")).resizable() }
        #expect(file.pixel(20, 20)[3] > 0)
    }

    @Test(
        "a corner radius is limited to half the shorter side",
        arguments: [RoundedCornerStyle.circular, .continuous])
    func radius(_ style: RoundedCornerStyle) {
        let red = Color(red: 1, green: 0, blue: 0)
        let shape = RoundedRectangle(cornerRadius: 500, style: style)
        struct Custom: Shape {
            let inner: RoundedRectangle
            func path(in rect: CGRect) -> Path { inner.path(in: rect) }
        }
        let stages = [
            Stage(200, 40) { shape.fill(red) }, Stage(200, 40) { red.clipShape(shape) },
            Stage(200, 40) { red.cornerRadius(500) },
            Stage(200, 40) { red.mask { shape } }, Stage(200, 40) { Color.clear.background(red, in: shape) },
            Stage(200, 40) { Custom(inner: shape).fill(red) },
            Stage(200, 40) {
                Color.clear.overlay {
                    Path(roundedRect: CGRect(x: 0, y: 0, width: 200, height: 40), cornerRadius: 500, style: style).fill(
                        red)
                }
            },
            Stage(200, 40) { shape.strokeBorder(red, lineWidth: 12) },
            Stage(200, 40) { RoundedRectangle(cornerSize: CGSize(width: 500, height: 500), style: style).fill(red) },
        ]
        for (index, stage) in stages.enumerated() {
            // The end is a half circle of 20 points: this point is inside it, but outside an ellipse of 100 × 20.
            #expect(stage.pixel(11, 4) == [255, 0, 0, 255], "\(index)")
            #expect(stage.pixel(2, 3)[3] == 0, "\(index)")
            #expect(stage.pixel(40, 1) == [255, 0, 0, 255], "\(index)")
        }
    }

    @Test(
        "a material differs from the window and keeps text readable",
        arguments: [ColorScheme.light, .dark])
    func materials(_ scheme: ColorScheme) {
        for material in [
            Material.ultraThinMaterial, .thinMaterial, .regularMaterial, .thickMaterial, .ultraThickMaterial, .bar,
        ] {
            let stage = Stage(40, 40) {
                Rectangle().fill(.background).overlay { Rectangle().fill(material).frame(width: 20, height: 40) }
                    .environment(\.colorScheme, scheme)
            }
            let ground = stage.pixel(4, 20).map(Int.init)
            let seen = stage.pixel(20, 20).map(Int.init)
            #expect(zip(ground, seen).prefix(3).allSatisfy { abs($0 - $1) >= 10 }, "\(material) \(ground) \(seen)")
            // Text in black or white must have a contrast of 4.5 to 1.
            #expect(scheme == .light ? seen[0] > 120 : seen[0] < 115, "\(material) \(seen)")
        }
    }

    @Test("yielding text disappears while other text covers it, and returns")
    func yielding() {
        @MainActor final class Handle { var text: Binding<String>? }
        @MainActor struct Root: View {
            @State var text = ""
            let handle: Handle
            var body: some View {
                let _ = handle.text = $text
                ZStack {
                    Text(verbatim: "██████████").foregroundColor(Color(red: 1, green: 0, blue: 0)).hiddenUnderText()
                        .mask { Rectangle() }
                    Color.clear
                    Text(verbatim: text).foregroundColor(Color(red: 0, green: 1, blue: 0))
                }
            }
        }
        let handle = Handle()
        let stage = Stage(200, 60) { Root(handle: handle) }
        let words = stage.frame("██████████") ?? .zero
        let (x, y) = (Int(words.minX) + 8, Int(words.midY))
        #expect(stage.pixel(x, y) == [255, 0, 0, 255])
        handle.text?.wrappedValue = "██"
        stage.layOut()
        _ = stage.pixel(x, y)
        #expect(stage.pixel(x, y)[3] == 0)
        #expect(stage.pixel(100, y) == [0, 255, 0, 255])
        handle.text?.wrappedValue = ""
        stage.layOut()
        _ = stage.pixel(x, y)
        #expect(stage.pixel(x, y) == [255, 0, 0, 255])
    }

    @Test("a trimmed path is the given part of its length")
    func trim() {
        let path = Path(CGRect(x: 0, y: 0, width: 100, height: 100)).trimmedPath(from: 0, to: 0.25)
        #expect(path.boundingRect == CGRect(x: 0, y: 0, width: 100, height: 0))
        #expect(Path(CGRect(x: 0, y: 0, width: 10, height: 10)).contains(CGPoint(x: 5, y: 5)))
        #expect(!Path(ellipseIn: CGRect(x: 0, y: 0, width: 10, height: 10)).contains(CGPoint(x: 0.5, y: 0.5)))
    }
}

@Suite("Animation") @MainActor
struct AnimationTests {
    @MainActor private final class Handle { var wide: Binding<Bool>? }

    @Test("withAnimation animates its changes; other changes apply at once")
    func animates() {
        @MainActor struct Root: View {
            @State var wide = false
            let handle: Handle
            var body: some View {
                let _ = handle.wide = $wide
                Color(red: 1, green: 0, blue: 0).frame(width: wide ? 100 : 20, height: 20).mark("c").opacity(
                    wide ? 0.5 : 1)
            }
        }
        let handle = Handle()
        let stage = Stage(100, 20) { Root(handle: handle) }
        #expect(stage.pixel(10, 10)[3] == 0)
        withAnimation(.linear(duration: 1)) { handle.wide?.wrappedValue = true }
        stage.layOut()
        #expect(stage.pixel(10, 10)[3] == 0)
        stage.time = 0.5
        // Halfway, the view is 60 points wide in the middle of 100, at 75 % opacity.
        #expect(stage.pixel(18, 10)[3] == 0)
        #expect(abs(Int(stage.pixel(23, 10)[3]) - 191) <= 2)
        stage.time = 1.01
        #expect(abs(Int(stage.pixel(1, 10)[3]) - 128) <= 1)
        handle.wide?.wrappedValue = false
        stage.layOut()
        #expect(stage.pixel(10, 10)[3] == 0)
    }

    @Test("animation(_:value:) animates changes together with its value")
    func byValue() {
        @MainActor struct Root: View {
            @State var wide = false
            let handle: Handle
            var body: some View {
                let _ = handle.wide = $wide
                Color(red: 1, green: 0, blue: 0).frame(width: 20, height: 20).offset(x: wide ? 40 : 0).animation(
                    .linear(duration: 1), value: wide)
            }
        }
        let handle = Handle()
        let stage = Stage(100, 20) { Root(handle: handle) }
        handle.wide?.wrappedValue = true
        stage.layOut()
        stage.time = 0.5
        #expect(stage.pixel(70, 10)[3] == 255)
        stage.time = 2
        #expect(stage.pixel(90, 10)[3] == 255)
    }

    @Test("a symbol effect that runs once returns while it is active")
    func symbolEffectOnce() async {
        let stage = Stage(20, 20) {
            Color(red: 1, green: 0, blue: 0).symbolEffect(.pulse, options: .nonRepeating.speed(100), isActive: true)
        }
        stage.time = 1
        let faded = stage.pixel(10, 10)[3]
        #expect(abs(Int(faded) - 102) <= 1)
        await eventually("the full opacity") {
            stage.time += 1
            stage.layOut()
            return stage.pixel(10, 10)[3] == 255
        }
    }

    @Test("another change does not end a symbol effect early")
    func symbolEffectAgain() async {
        @MainActor struct Root: View {
            @State var value = false
            let handle: Handle
            var body: some View {
                let _ = handle.wide = $value
                // The motion takes 200 seconds in each direction.
                Color(red: 1, green: 0, blue: 0).symbolEffect(.pulse, options: .speed(0.001), value: value)
            }
        }
        let handle = Handle()
        let stage = Stage(20, 20) { Root(handle: handle) }
        func isFaded() -> Bool {
            stage.layOut()
            // After the animation, but not after the pause of the effect, which depends on the real time.
            stage.time += 1000
            return abs(Int(stage.pixel(10, 10)[3]) - 102) <= 1
        }
        handle.wide?.wrappedValue.toggle()
        await eventually("the faded symbol") { isFaded() }
        for _ in 0..<20 {
            handle.wide?.wrappedValue.toggle()
            stage.layOut()
            // The effect's cancelled task continues as this one does.
            let cancelled = Task { _ = try? await Task.sleep(for: .seconds(200)) }
            cancelled.cancel()
            await cancelled.value
            #expect(isFaded())
        }
    }

    @Test(
        "blurReplace blurs and fades a view, and scales it down or up",
        arguments: [
            (AnyTransition.blurReplace, CGFloat(0.8)), (.blurReplace(.downUp), 0.8), (.blurReplace(.upUp), 1.25),
            (AnyTransition(.blurReplace(.upUp)).combined(with: .identity), 1.25),
        ])
    func blurReplace(_ transition: AnyTransition, _ scale: CGFloat) {
        @MainActor struct Root: View {
            @State var hidden = false
            let handle: Handle
            let transition: AnyTransition
            var body: some View {
                let _ = handle.wide = $hidden
                ZStack {
                    Color.clear
                    if !hidden { Color.red.frame(width: 40, height: 40).mark("a").transition(transition) }
                }
            }
        }
        #expect(transition.removal.scale == scale && transition.insertion.scale == 0.8)
        let handle = Handle()
        let stage = Stage(120, 120) { Root(handle: handle, transition: transition) }
        withAnimation(.linear(duration: 1)) { handle.wide?.wrappedValue = true }
        stage.layOut()
        stage.time = 0.5
        let drawing = stage.drawing()
        // The view has half of its opacity, and its edges are blurred beyond its frame.
        let center = drawing.pixel(60, 60)[3]
        let half = (1 + scale) / 2 * 20
        let outside = drawing.pixel(Int(60 - half - 3), 60)[3]
        #expect((1...128).contains(center) && outside > 0 && outside < center, "\(center) \(outside)")
        stage.time = 1.1
        _ = stage.host.surface.root.isAnimating(stage.time)
        #expect(stage.pixel(60, 60)[3] == 0)
        withAnimation(.linear(duration: 1)) { handle.wide?.wrappedValue = false }
        stage.layOut()
        stage.time = 1.6
        #expect((1...128).contains(stage.pixel(60, 60)[3]))
        stage.time = 2.2
        _ = stage.host.surface.root.isAnimating(stage.time)
        #expect(stage.pixel(60, 60)[3] == 255 && stage.pixel(37, 60)[3] == 0)
    }

    @Test("an inserted shadow has its own color from the start")
    func insertedShadow() {
        @MainActor struct Root: View {
            @State var isShown = false
            let handle: Handle
            var body: some View {
                let _ = handle.wide = $isShown
                if isShown { Color.white.shadow(color: Color(red: 1, green: 0, blue: 0), radius: 8) }
            }
        }
        let shadow = { (animation: Animation?) in
            let handle = Handle()
            let stage = Stage(20, 20) { Root(handle: handle) }
            withAnimation(animation) { handle.wide?.wrappedValue = true }
            stage.layOut()
            return stage.elements.compactMap { ($0 as? EffectElement)?.inspection }.first { $0.hasPrefix("shadow") }
        }
        #expect(shadow(nil) != nil && shadow(.linear(duration: 1)) == shadow(nil))
    }

    @Test("a removed view with a transition is visible until it ends")
    func transition() {
        @MainActor struct Root: View {
            @State var hidden = false
            let handle: Handle
            var body: some View {
                let _ = handle.wide = $hidden
                ZStack {
                    Color.clear
                    if !hidden { Color(red: 1, green: 0, blue: 0).transition(.opacity) }
                }
            }
        }
        let handle = Handle()
        let stage = Stage(20, 20) { Root(handle: handle) }
        withAnimation(.linear(duration: 1)) { handle.wide?.wrappedValue = true }
        stage.layOut()
        stage.time = 0.5
        #expect(abs(Int(stage.pixel(10, 10)[3]) - 128) <= 2)
        stage.time = 1.1
        _ = stage.host.surface.root.isAnimating(stage.time)
        #expect(stage.pixel(10, 10)[3] == 0)
        withAnimation(.linear(duration: 1)) { handle.wide?.wrappedValue = false }
        stage.layOut()
        stage.time = 1.6
        #expect(abs(Int(stage.pixel(10, 10)[3]) - 128) <= 2)
    }

    @Test("curves run from 0 to 1; a spring overshoots and settles")
    func curves() {
        for animation in [Animation.linear, .easeIn, .easeOut, .easeInOut, .spring(), .bouncy] {
            #expect(abs(animation.progress(at: 0).value) < 0.001)
            #expect(animation.progress(at: animation.duration + 0.001).isOver)
            #expect(abs(animation.curve.value(1, duration: animation.duration) - 1) < 0.01)
        }
        let swing = Animation.spring(response: 0.5, dampingFraction: 0.3)
        #expect((0..<100).contains { swing.progress(at: Double($0) * swing.duration / 100).value > 1.1 })
        #expect(Animation.easeIn.progress(at: 0.1).value < Animation.linear.progress(at: 0.1).value)
        #expect(Animation.linear(duration: 1).delay(1).progress(at: 1).value == 0)
        #expect(abs(Animation.linear(duration: 1).repeatForever().progress(at: 1.25).value - 0.75) < 0.001)
    }

    @Test("a level of the foreground has one opacity, set or drawn", arguments: [0, 1, 2, 3])
    func levels(level: Int) {
        func opacity(_ drawn: HierarchicalShapeStyle, set: HierarchicalShapeStyle?) -> Double? {
            var environment = EnvironmentValues()
            environment.foregroundStyle = set.map { AnyShapeStyle($0) }
            guard case .color(let color) = Paint(drawn._style, environment) else { return nil }
            return color.opacity
        }
        let style = HierarchicalShapeStyle(level: level)
        #expect(opacity(style, set: nil) == opacity(.primary, set: style))
    }

    @Test("a faded style of the foreground can be the foreground", arguments: [0, 1, 2, 3])
    func fadedForeground(level: Int) {
        let style = HierarchicalShapeStyle(level: level)
        let expected = HierarchicalShapeStyle.opacity(level) * 0.25
        var environment = EnvironmentValues()
        environment.foregroundStyle = AnyShapeStyle(style.opacity(0.5).opacity(0.5))
        guard case .color(let color) = environment.ink else {
            Issue.record("the paint is no color")
            return
        }
        #expect(color.opacity.isNear(expected))
        // The same style as a part of a text, and as the shading of a canvas's text.
        func alpha(_ style: some ShapeStyle) -> Int {
            Int(Stage(60, 30) { Text(verbatim: "████").foregroundStyle(style) }.pixel(30, 15)[3])
        }
        #expect(abs(alpha(style.opacity(0.25)) - alpha(Color.primary.opacity(expected))) <= 2)
        let canvas = Stage(60, 30) {
            Canvas { context, _ in
                var text = context.resolve(Text(verbatim: "████"))
                text.shading = .style(style.opacity(0.25))
                context.draw(text, in: CGRect(x: 0, y: 0, width: 60, height: 30))
            }
        }
        #expect(canvas.drawing().bytes.contains { $0 > 0 })
    }

    @Test("a speed shortens the delay set before it, not a later one")
    func delayAndSpeed() {
        let linear = Animation.linear(duration: 2)
        #expect(linear.delay(1).speed(2).progress(at: 1).value.isNear(0.5))
        #expect(linear.speed(2).delay(1).progress(at: 1).value == 0)
        #expect(linear.speed(2).delay(1).progress(at: 1.5).value.isNear(0.5))
        // Only the outer of the two speeds shortens the delay between them.
        #expect(linear.speed(2).delay(1).speed(2).progress(at: 0.5).value == 0)
        #expect(linear.speed(2).delay(1).speed(2).progress(at: 0.75).value.isNear(0.5))
        #expect(linear.delay(1).speed(-1) == linear.delay(1) && linear.speed(.nan) == linear)
    }
}

extension Double {
    fileprivate func isNear(_ other: Double) -> Bool { abs(self - other) < 0.001 }
}
