import CGTK
import Foundation
import MediaCore
import Testing

@testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

/// Tests of the numbers that apps may compute before they have data: NaN, infinite, negative or huge.
@Suite("Invalid numbers from apps") @MainActor
struct NumberTests {
    nonisolated static let bad: [CGFloat] = [
        .nan, .infinity, -.infinity, -7, 0, 1e300, -1e300, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
        .signalingNaN,
    ]

    /// Lays out and draws the content, and checks that every frame is finite.
    private func bears<V: View>(_ what: String, _ number: CGFloat, @ViewBuilder _ content: @escaping () -> V) {
        let stage = Stage(100, 80) {
            HStack {
                content()
                Text(verbatim: "beside")
            }
        }
        _ = stage.pixel(50, 40)
        stage.layOut(40, 300)
        _ = stage.pixel(20, 150)
        _ = stage.host.surface.measure(GTK_ORIENTATION_HORIZONTAL, -1)
        _ = stage.host.surface.measure(GTK_ORIENTATION_VERTICAL, 100)
        for element in stage.elements {
            _ = element.contains(CGPoint(x: 5, y: 5))
            let frame = element.frame
            #expect(
                [frame.minX, frame.minY, frame.width, frame.height].allSatisfy { $0.isFinite && abs($0) < 1e9 },
                "\(what)(\(number)): \(type(of: element)) \(frame)")
        }
    }

    @Test("frames, paddings and stacks accept invalid numbers", arguments: bad)
    func layout(_ n: CGFloat) {
        bears("frame", n) { Text("a").frame(width: n, height: n) }
        bears("frame min", n) { Color.red.frame(minWidth: n, minHeight: n) }
        bears("frame ideal", n) { Color.red.frame(idealWidth: n, idealHeight: n).fixedSize() }
        bears("frame max", n) { Color.red.frame(maxWidth: n, maxHeight: n) }
        bears("frame all", n) {
            Color.red.frame(minWidth: n, idealWidth: n, maxWidth: n, minHeight: n, idealHeight: n, maxHeight: n)
        }
        bears("padding", n) { Text("a").padding(n) }
        bears("position", n) { Text("a").position(x: n, y: n) }
        bears("aspect", n) { Color.red.aspectRatio(n, contentMode: .fit) }
        bears("aspect fill", n) { Color.red.aspectRatio(CGSize(width: n, height: 1), contentMode: .fill) }
        bears("spacing", n) {
            HStack(spacing: n) {
                Text("a")
                Text("b")
            }
        }
        bears("spacing", n) {
            VStack(spacing: n) {
                Text("a")
                Text("b")
            }
        }
        bears("lazy", n) { ScrollView { LazyVStack(spacing: n) { ForEach(0..<3) { Text("\($0)").frame(height: n) } } } }
        bears("spacer", n) {
            HStack {
                Spacer(minLength: n)
                Text("a")
            }
        }
        bears("guide", n) {
            VStack(alignment: .leading) {
                Text("a").alignmentGuide(.leading) { _ in n }
                Text("b")
            }
        }
        bears("priority", n) {
            HStack {
                Text("a").layoutPriority(n)
                Text("b").layoutPriority(1)
            }
        }
        bears("zIndex", n) {
            ZStack {
                Text("a").zIndex(n)
                Text("b").zIndex(1)
                Text("c").zIndex(n)
            }
        }
        bears("reader", n) {
            GeometryReader { space in Color.red.frame(width: space.size.width * n, height: space.size.height / n) }
        }
        bears("list", n) {
            List {
                Text("a").frame(height: n)
                Text("b")
            }
        }
        bears("grid", n) { Grid2(n: n) }
    }
    private struct Grid2: View {
        let n: CGFloat
        var body: some View {
            VStack {
                HStack {
                    Color.red.frame(width: n)
                    Color.blue
                }
                Divider()
            }
        }
    }

    @Test("effects, shapes and text accept invalid numbers", arguments: bad)
    func drawing(_ n: CGFloat) {
        bears("offset", n) { Text("a").offset(x: n, y: n) }
        bears("scale", n) { Button("a") {}.scaleEffect(n, anchor: UnitPoint(x: n, y: n)) }
        bears("scale", n) { Text("a").scaleEffect(x: n, y: 1) }
        bears("rotation", n) { Button("a") {}.rotationEffect(.degrees(n)) }
        bears("rotation", n) { Text("a").rotationEffect(.radians(n), anchor: UnitPoint(x: n, y: 0)) }
        bears("blur", n) { Text("a").blur(radius: min(n, 50)) }
        bears("shadow", n) { Text("a").shadow(radius: min(n, 50), x: n, y: n) }
        bears("opacity", n) { Text("a").opacity(n) }
        bears("radius", n) { Color.red.cornerRadius(n) }
        bears("rounded", n) {
            RoundedRectangle(cornerSize: CGSize(width: n, height: 3)).strokeBorder(Color.red, lineWidth: n)
        }
        bears("stroke", n) {
            Circle().stroke(Color.red, style: StrokeStyle(lineWidth: n, miterLimit: n, dash: [n, 1], dashPhase: n))
        }
        bears("trim", n) { Circle().trim(from: n, to: 1).stroke(Color.red) }
        bears("inset", n) { Circle().inset(by: n).fill(Color.red) }
        bears("transformed", n) { Capsule().rotation(.degrees(n)).scale(n).offset(x: n).fill(Color.red) }
        bears("font", n) { Text("a").font(.system(size: n)) }
        bears("font", n) { Text("a").font(.custom("sans", size: n)) }
        bears("kerning", n) { Text("abc").kerning(n) }
        bears("gradient", n) {
            LinearGradient(
                stops: [.init(color: .red, location: n), .init(color: .blue, location: 1)],
                startPoint: UnitPoint(x: n, y: 0), endPoint: .bottom)
        }
        bears("gradient", n) {
            RadialGradient(colors: [.red, .blue], center: UnitPoint(x: n, y: n), startRadius: n, endRadius: n)
        }
        bears("gradient", n) {
            AngularGradient(colors: [.red, .blue], center: .center, startAngle: .degrees(n), endAngle: .radians(n))
        }
        bears("colour", n) { Color(red: n, green: n, blue: n, opacity: n) }
        bears("image", n) { Image(systemName: "star").resizable().frame(width: n, height: n) }
        bears("slider", n) { Slider(value: .constant(n), in: 0...1) }
        bears("progress", n) { ProgressView(value: n, total: n) }
        bears("transition", n) { Text("a").transition(.offset(x: n, y: n).combined(with: .scale(scale: n))) }
    }

    @Test("paths accept invalid numbers", arguments: bad)
    func paths(_ n: CGFloat) {
        let make: [(inout Path) -> Void] = [
            {
                $0.move(to: CGPoint(x: n, y: n))
                $0.addLine(to: CGPoint(x: 10, y: 10))
            },
            {
                $0.addLine(to: CGPoint(x: n, y: 0))
                $0.addCurve(to: CGPoint(x: 1, y: n), control1: CGPoint(x: n, y: 0), control2: .zero)
                $0.closeSubpath()
            },
            { $0.addQuadCurve(to: CGPoint(x: n, y: n), control: CGPoint(x: n, y: 1)) },
            { $0.addRect(CGRect(x: n, y: n, width: n, height: n)) },
            { $0.addEllipse(in: CGRect(x: 0, y: 0, width: n, height: 10)) },
            {
                $0.addRoundedRect(in: CGRect(x: 0, y: 0, width: 40, height: n), cornerSize: CGSize(width: n, height: n))
            },
            {
                $0.addArc(
                    center: CGPoint(x: n, y: 5), radius: n, startAngle: .degrees(n), endAngle: .degrees(90),
                    clockwise: true)
            },
            { $0.addArc(center: .zero, radius: 10, startAngle: .zero, endAngle: .radians(n), clockwise: false) },
        ]
        for (index, make) in make.enumerated() {
            let path = Path(make)
            _ = path.contains(CGPoint(x: 5, y: 5))
            _ = path.trimmedPath(from: 0.2, to: 0.8)
            let bounds = path.boundingRect
            #expect(
                bounds.isNull || [bounds.minX, bounds.minY, bounds.width, bounds.height].allSatisfy(\.isFinite),
                "path \(index)")
            bears("path \(index)", n) { path.fill(Color.red) }
            bears("path \(index)", n) {
                path.applying(CGAffineTransform(a: n, b: 0, c: 0, d: n, tx: n, ty: 0)).stroke(Color.red, lineWidth: 2)
            }
            bears("clip \(index)", n) { Color.red.clipShape(path) }
        }
    }

    @Test("animations with invalid numbers stay finite", arguments: bad)
    func animations(_ n: CGFloat) {
        for animation: Animation in [
            .linear(duration: n), .spring(response: n, dampingFraction: n), .linear.delay(n), .linear.speed(n),
            .timingCurve(n, n, n, n, duration: 1),
            .linear(duration: 1).repeatCount(Int(clamping: Int64(min(1e6, max(-1e6, n.isNaN ? 0 : n))))),
        ] {
            let value = animation.progress(at: 0.5).value
            #expect(value.isFinite, "\(animation)")
        }
        _ = Animation.linear(duration: 1e-300).repeatForever().progress(at: 1e9)
    }

    @Test("a line limit accepts any number", arguments: [Int.min, -1, 0, 1, Int.max])
    func lines(_ n: Int) {
        bears("lines", CGFloat(n)) { Text("several words that take more than a line").lineLimit(n) }
    }
}
