import Foundation
import Testing

@testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

/// A layout in rows that wrap at the available width, written as an app would write it.
private struct Flow: Layout {
    var spacing: CGFloat = 0
    struct Cache {
        var sizes: [CGSize]
        var made: Int
    }

    func makeCache(subviews: Subviews) -> Cache {
        Cache(sizes: subviews.map { $0.sizeThatFits(.unspecified) }, made: 1)
    }
    private func places(_ width: CGFloat, _ cache: Cache) -> (points: [CGPoint], size: CGSize) {
        var points: [CGPoint] = []
        var at = CGPoint.zero
        var line: CGFloat = 0
        var widest: CGFloat = 0
        for size in cache.sizes {
            if at.x > 0, at.x + size.width > width {
                at = CGPoint(x: 0, y: at.y + line + spacing)
                line = 0
            }
            points.append(at)
            at.x += size.width + spacing
            line = max(line, size.height)
            widest = max(widest, at.x - spacing)
        }
        return (points, CGSize(width: widest, height: at.y + line))
    }
    func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout Cache) -> CGSize {
        places(proposal.replacingUnspecifiedDimensions(by: CGSize(width: CGFloat.infinity, height: 0)).width, cache)
            .size
    }
    func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout Cache) {
        for (subview, point) in zip(subviews, places(bounds.width, cache).points) {
            subview.place(at: CGPoint(x: bounds.minX + point.x, y: bounds.minY + point.y), proposal: .unspecified)
        }
    }
}

private struct Ring: LayoutValueKey { static let defaultValue = 0.0 }

/// A layout on a circle: the `Ring` value of each view is its angle, in turns.
private struct Radial: Layout {
    var radius: CGFloat
    var animatableData: CGFloat {
        get { radius }
        set { radius = newValue }
    }
    func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) -> CGSize {
        proposal.replacingUnspecifiedDimensions()
    }
    func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) {
        for subview in subviews {
            let turn = subview[Ring.self] * 2 * Double.pi
            subview.place(
                at: CGPoint(x: bounds.midX + radius * cos(turn), y: bounds.midY + radius * sin(turn)), anchor: .center,
                proposal: .unspecified)
        }
    }
}

@Suite("Custom layouts") @MainActor
struct LayoutProtocolTests {
    private func near(_ a: CGRect?, _ x: CGFloat, _ y: CGFloat) -> Bool {
        a.map { abs($0.midX - x) < 1e-3 && abs($0.midY - y) < 1e-3 } ?? false
    }

    @Test("a custom layout measures and places its views")
    func flow() {
        let stage = Stage(100, 100) {
            Flow(spacing: 10) {
                ForEach(0..<4) { index in Color.red.frame(width: 40, height: 20).mark("\(index)") }
            }
            .mark("flow")
        }
        #expect(stage.frame(of: "flow") == CGRect(x: 5, y: 25, width: 90, height: 50))
        #expect(stage.frame(of: "1") == CGRect(x: 55, y: 25, width: 40, height: 20))
        #expect(stage.frame(of: "2") == CGRect(x: 5, y: 55, width: 40, height: 20))
        stage.layOut(200, 100)
        #expect(stage.frame(of: "flow")?.size == CGSize(width: 190, height: 20))
    }

    @Test("a layout reads values and priorities; unplaced views are centered")
    func values() {
        struct Silent: Layout {
            let tell: @Sendable (Double) -> Void
            func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) -> CGSize {
                for subview in subviews { tell(subview.priority) }
                return proposal.replacingUnspecifiedDimensions()
            }
            func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) {}
        }
        let stage = Stage(200, 100) {
            Radial(radius: 30) {
                Color.red.frame(width: 10, height: 10).mark("right")
                Color.red.frame(width: 10, height: 10).mark("down").padding(1).layoutValue(key: Ring.self, value: 0.25)
            }
        }
        #expect(near(stage.frame(of: "right"), 130, 50) && near(stage.frame(of: "down"), 100, 80))
        nonisolated(unsafe) var priorities: [Double] = []
        let silent = Stage(200, 100) {
            Silent(tell: { priorities.append($0) }) {
                Color.red.frame(width: 10, height: 10).layoutPriority(3).mark("middle")
            }
        }
        #expect(near(silent.frame(of: "middle"), 100, 50) && priorities.first == 3)
    }

    @Test("a layout's animatable data is interpolated")
    func animation() {
        struct Grows: View {
            @State var radius: CGFloat = 20
            var body: some View {
                Radial(radius: radius) {
                    Color.red.frame(width: 10, height: 10).mark("dot").onAppear {
                        withAnimation(.linear(duration: 1)) { radius = 60 }
                    }
                }
            }
        }
        let stage = Stage(200, 100) { Grows() }
        stage.layOut()
        for (time, x) in [(0.5, 140.0), (0.75, 150.0), (1.0, 160.0), (1.5, 160.0)] {
            stage.time = time
            _ = stage.host.surface.root.isAnimating(time)
            stage.layOut()
            #expect(near(stage.frame(of: "dot"), x, 50), "\(time): \(String(describing: stage.frame(of: "dot")))")
        }
    }

    @Test("stack layouts match stacks; views keep state when the layout changes")
    func anyLayout() {
        struct Switches: View {
            let isRow: Binding<Bool>
            @State var made = 0
            var body: some View {
                let layout =
                    isRow.wrappedValue
                    ? AnyLayout(HStackLayout(spacing: 4)) : AnyLayout(VStackLayout(alignment: .leading, spacing: 2))
                layout {
                    Text("first").onAppear { made += 1 }
                    Color.red.frame(width: 30, height: 10).mark("a")
                    Color.blue.frame(width: 30, height: 10).mark("b")
                    Text("made \(made)")
                }
            }
        }
        let row = State(wrappedValue: true)
        let stage = Stage(400, 300) { Switches(isRow: row.projectedValue) }
        stage.layOut()
        let before = (stage.frame(of: "a"), stage.frame(of: "b"))
        #expect((before.1?.minX ?? 0) - (before.0?.maxX ?? 0) == 4 && before.0?.midY == before.1?.midY)
        row.wrappedValue = false
        stage.layOut()
        #expect(stage.frame(of: "a")?.minX == stage.frame(of: "b")?.minX)
        #expect((stage.frame(of: "b")?.minY ?? 0) - (stage.frame(of: "a")?.maxY ?? 0) == 2)
        #expect(stage.texts.contains("made 1"))
        let spaced = Stage(200, 50) {
            HStackLayout(spacing: 0) {
                Color.red.frame(width: 20).mark("a")
                Spacer()
                Color.red.frame(width: 20).mark("b")
            }
        }
        #expect(spaced.frame(of: "b")?.maxX == 200 && spaced.frame(of: "a")?.minX == 0)
        let divided = Stage(200, 50) { HStackLayout { Divider().mark("line") } }
        #expect(divided.frame(of: "line")?.width == 1)
    }

    @Test("dividers and spacers follow the axis of a changed stack")
    func turned() {
        struct Turns<V: View>: View {
            let isRow: State<Bool>
            let content: V
            var body: some View {
                let layout =
                    isRow.wrappedValue ? AnyLayout(HStackLayout(spacing: 0)) : AnyLayout(VStackLayout(spacing: 0))
                layout { content }
            }
        }
        func sizes<V: View>(_ content: V) -> [CGSize?] {
            let isRow = State(wrappedValue: true)
            let stage = Stage(200, 200) { Turns(isRow: isRow, content: content.mark("it")) }
            let before = stage.frame(of: "it")?.size
            isRow.wrappedValue = false
            stage.layOut()
            return [before, stage.frame(of: "it")?.size]
        }
        #expect(sizes(Divider()) == [CGSize(width: 1, height: 200), CGSize(width: 200, height: 1)])
        #expect(sizes(Spacer()) == [CGSize(width: 200, height: 0), CGSize(width: 0, height: 200)])
        #expect(sizes(Divider().padding(0)) == [CGSize(width: 1, height: 200), CGSize(width: 200, height: 1)])
    }

    @Test("a layout without alignments uses those of its views")
    func mergedGuides() {
        func tops<L: Layout>(_ layout: L) -> CGFloat {
            let stage = Stage(300, 100) {
                HStack(alignment: .top, spacing: 0) {
                    Color.red.frame(width: 20, height: 20).mark("a")
                    layout { Color.red.frame(width: 20, height: 20).alignmentGuide(.top) { _ in -10 }.mark("b") }
                }
            }
            return (stage.frame(of: "b")?.minY ?? 0) - (stage.frame(of: "a")?.minY ?? 0)
        }
        #expect(tops(Flow()) == 10 && tops(AnyLayout(Flow())) == 10)
        // The layout's baselines are those of the first and the last line.
        func baseline(_ alignment: VerticalAlignment) -> CGFloat {
            let stage = Stage(300, 200) {
                HStack(alignment: alignment, spacing: 0) {
                    Text(verbatim: "a").mark("a")
                    Flow(spacing: 0) {
                        Text(verbatim: "b").mark("b")
                        Color.red.frame(width: 1000, height: 1)
                        Text(verbatim: "c").mark("c")
                    }.frame(width: 100)
                }
            }
            let a = stage.frame(of: "a")?.minY ?? 0
            return a - (stage.frame(of: alignment == .firstTextBaseline ? "b" : "c")?.minY ?? 1000)
        }
        #expect(abs(baseline(.firstTextBaseline)) < 0.5 && abs(baseline(.lastTextBaseline)) < 0.5)
    }

    @Test("layouts report whether they align baselines; custom layouts always do")
    func baselines() {
        func uses<L: Layout>(_ layout: L) -> Bool? {
            let stage = Stage(100, 100) { layout { Color.red.frame(width: 10, height: 10).mark("it") } }
            return stage.elements.first { ($0 as? TraitElement<Mark>) != nil }?.parent?.usesBaselines
        }
        #expect(uses(HStackLayout(alignment: .firstTextBaseline)) == true && uses(HStackLayout()) == false)
        #expect(
            uses(AnyLayout(HStackLayout(alignment: .lastTextBaseline))) == true
                && uses(AnyLayout(VStackLayout())) == false)
        #expect(
            uses(GridLayout(alignment: .leadingFirstTextBaseline)) == true && uses(GridLayout()) == false
                && uses(Flow()) == true)
    }
}
