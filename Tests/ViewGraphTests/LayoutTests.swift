import Foundation
import Testing

@_spi(Graph) @testable import ViewGraph

/// Tests of sizes and positions that SwiftUI documents or shows.
@Suite("Layout by proposals") @MainActor
struct LayoutTests {
    @Test("an inert element stays so when its parent receives input again")
    func inert() {
        let (parent, child, inner, later) = (LayersElement(), LayersElement(), LayersElement(), LayersElement())
        parent.setChildren([child])
        child.setChildren([inner])
        child.setInert(true)
        parent.setInert(true)
        parent.setInert(false)
        #expect(!parent.isInert && child.isInert && inner.isInert)
        child.setChildren([inner, later])
        #expect(later.isInert)
        child.setInert(false)
        #expect(!child.isInert && !inner.isInert && !later.isInert)
    }

    @Test("a color fills the proposed size")
    func color() {
        let stage = Stage(200, 100) { Color.red.mark("c") }
        #expect(stage.frame(of: "c") == CGRect(x: 0, y: 0, width: 200, height: 100))
    }

    @Test("a fixed frame keeps its size in the middle of the window")
    func fixed() {
        let stage = Stage(200, 100) { Color.red.frame(width: 50, height: 20).mark("c") }
        #expect(stage.frame(of: "c") == CGRect(x: 75, y: 40, width: 50, height: 20))
    }

    @Test("a stack shares its space equally among flexible views")
    func shares() {
        let stage = Stage(208, 100) {
            HStack {
                Color.red.mark("a")
                Color.blue.mark("b")
            }
        }
        #expect(stage.frame(of: "a") == CGRect(x: 0, y: 0, width: 100, height: 100))
        #expect(stage.frame(of: "b") == CGRect(x: 108, y: 0, width: 100, height: 100))
    }

    @Test("less flexible views are sized first, flexible views get the rest")
    func flexibility() {
        let stage = Stage(300, 100) {
            HStack(spacing: 0) {
                Color.red.mark("a")
                Color.green.frame(width: 60).mark("b")
                Color.blue.frame(minWidth: 10, maxWidth: 40).mark("c")
            }
        }
        #expect(stage.frame(of: "a")?.width == 200)
        #expect(stage.frame(of: "b") == CGRect(x: 200, y: 0, width: 60, height: 100))
        #expect(stage.frame(of: "c") == CGRect(x: 260, y: 0, width: 40, height: 100))
    }

    @Test("a higher priority gets everything except the others' minimum")
    func priority() {
        let stage = Stage(300, 100) {
            HStack(spacing: 0) {
                Color.red.frame(minWidth: 50).mark("a")
                Color.blue.layoutPriority(1).mark("b")
            }
        }
        #expect(stage.frame(of: "a")?.width == 50)
        #expect(stage.frame(of: "b")?.width == 250)
    }

    @Test("a spacer pushes views apart along its stack only")
    func spacer() {
        let stage = Stage(300, 100) {
            HStack(spacing: 0) {
                Color.red.frame(width: 40, height: 30).mark("a")
                Spacer()
                Color.blue.frame(width: 40, height: 10).mark("b")
            }.mark("stack")
        }
        #expect(stage.frame(of: "a") == CGRect(x: 0, y: 35, width: 40, height: 30))
        #expect(stage.frame(of: "b") == CGRect(x: 260, y: 45, width: 40, height: 10))
        #expect(stage.frame(of: "stack")?.height == 30)
    }

    @Test("a spacer takes the rest unless it has a priority")
    func spacerLast() {
        let stage = Stage(300, 100) {
            VStack(spacing: 0) {
                HStack(spacing: 0) {
                    Color.red.frame(minWidth: 10, maxWidth: 200).mark("a")
                    Spacer(minLength: 20).mark("gap")
                }
                HStack(spacing: 0) {
                    Color.red.frame(minWidth: 10, maxWidth: 200).mark("b")
                    Spacer(minLength: 20).layoutPriority(1)
                }
            }
        }
        #expect(stage.frame(of: "a")?.width == 200)
        #expect(stage.frame(of: "gap")?.width == 100)
        #expect(stage.frame(of: "b")?.width == 10)
    }

    @Test("stacks align their views", arguments: [("leading", CGFloat(0)), ("center", 40), ("trailing", 80)])
    func alignment(_ name: String, _ x: CGFloat) {
        let alignments: [String: HorizontalAlignment] = ["leading": .leading, "center": .center, "trailing": .trailing]
        let stage = Stage(100, 100) {
            VStack(alignment: alignments[name] ?? .center, spacing: 0) {
                Color.red.frame(width: 100, height: 10)
                Color.blue.frame(width: 20, height: 10).mark("small")
            }
        }
        #expect(stage.frame(of: "small")?.minX == x)
    }

    @Test("a custom alignment guide moves a view against its siblings")
    func guide() {
        let stage = Stage(100, 100) {
            VStack(alignment: .leading, spacing: 0) {
                Color.red.frame(width: 20, height: 10).mark("a")
                Color.blue.frame(width: 20, height: 10).alignmentGuide(.leading) { $0.width / 2 }.mark("b")
            }
        }
        #expect((stage.frame(of: "a")?.minX ?? 0) - (stage.frame(of: "b")?.minX ?? 0) == 10)
    }

    @Test("a ZStack fits its largest view and aligns the others")
    func layers() {
        let stage = Stage(300, 300) {
            ZStack(alignment: .bottomTrailing) {
                Color.red.frame(width: 100, height: 80).mark("large")
                Color.blue.frame(width: 20, height: 10).mark("small")
            }
        }
        #expect(stage.frame(of: "large") == CGRect(x: 100, y: 110, width: 100, height: 80))
        #expect(stage.frame(of: "small") == CGRect(x: 180, y: 180, width: 20, height: 10))
    }

    @Test("padding surrounds the content and reduces the proposed size")
    func padding() {
        let stage = Stage(200, 100) { Color.red.mark("c").padding(.horizontal, 30).padding(5) }
        #expect(stage.frame(of: "c") == CGRect(x: 35, y: 5, width: 130, height: 90))
    }

    @Test("a flexible frame applies minimum, maximum and ideal sizes")
    func flexible() {
        let stage = Stage(200, 100) {
            Color.red.frame(width: 10, height: 10).frame(maxWidth: .infinity, alignment: .leading).mark("wide")
        }
        #expect(stage.frame(of: "wide") == CGRect(x: 0, y: 45, width: 200, height: 10))
        let least = Stage(200, 100) { Color.red.frame(width: 10, height: 10).frame(minWidth: 50).mark("f") }
        #expect(least.frame(of: "f")?.width == 50)
        let most = Stage(200, 100) { Color.red.frame(maxWidth: 70, maxHeight: 30).mark("f") }
        #expect(most.frame(of: "f")?.size == CGSize(width: 70, height: 30))
        let ideal = Stage(200, 100) { Color.red.frame(idealWidth: 33, idealHeight: 12).fixedSize().mark("f") }
        #expect(ideal.frame(of: "f")?.size == CGSize(width: 33, height: 12))
    }

    @Test("an aspect ratio fits or fills the proposed size")
    func aspect() {
        let fit = Stage(200, 100) { Color.red.aspectRatio(1, contentMode: .fit).mark("c") }
        #expect(fit.frame(of: "c") == CGRect(x: 50, y: 0, width: 100, height: 100))
        let fill = Stage(200, 100) { Color.red.aspectRatio(1, contentMode: .fill).mark("c") }
        #expect(fill.frame(of: "c") == CGRect(x: 0, y: -50, width: 200, height: 200))
        let wide = Stage(200, 100) { Color.red.aspectRatio(16.0 / 9, contentMode: .fit).mark("c") }
        #expect(wide.frame(of: "c")?.height == 100)
    }

    @Test("overlay and background receive their view's size and keep it")
    func overlay() {
        let stage = Stage(200, 100) {
            Color.red.frame(width: 60, height: 40)
                .overlay(alignment: .topTrailing) { Color.blue.frame(width: 10, height: 10).mark("badge") }
                .background { Color.green.mark("back") }
                .mark("all")
        }
        #expect(stage.frame(of: "all") == CGRect(x: 70, y: 30, width: 60, height: 40))
        #expect(stage.frame(of: "back") == CGRect(x: 70, y: 30, width: 60, height: 40))
        #expect(stage.frame(of: "badge") == CGRect(x: 120, y: 30, width: 10, height: 10))
    }

    @Test("a geometry reader fills its space and reports its size")
    func geometry() {
        let stage = Stage(200, 100) {
            HStack(spacing: 0) {
                Color.red.frame(width: 50)
                GeometryReader { proxy in
                    Text(verbatim: "\(Int(proxy.size.width))×\(Int(proxy.size.height))").mark("t")
                }
            }
        }
        #expect(stage.texts == ["150×100"])
        #expect(stage.frame(of: "t")?.origin == CGPoint(x: 50, y: 0))
        stage.layOut(300, 80)
        #expect(stage.texts == ["250×80"])
    }

    @Test("a geometry reader reports its frame in a named space")
    func space() {
        let stage = Stage(200, 100) {
            VStack(spacing: 0) {
                Color.red.frame(height: 30)
                VStack(spacing: 0) {
                    Color.blue.frame(height: 20)
                    GeometryReader { proxy in
                        Text(
                            verbatim:
                                "\(Int(proxy.frame(in: .named("box")).minY)) \(Int(proxy.frame(in: .global).minY))")
                    }
                }.coordinateSpace(name: "box")
            }
        }
        #expect(stage.texts == ["20 50"])
    }

    @Test("geometry readers of fixed size follow when they or ancestors move")
    func moved() {
        @MainActor struct Page: View {
            @State var hasBanner = false
            let made: (Binding<Bool>) -> Void
            var body: some View {
                let _ = made($hasBanner)
                VStack(spacing: 0) {
                    if hasBanner { Color.red.frame(height: 30) }
                    Position().frame(height: 20)
                    Position().frame(height: 20).padding(10)
                    // This stack moves and grows. The position of its reader in the stack is the same as before.
                    VStack(spacing: 0) {
                        Position().frame(height: 20)
                        if hasBanner { Color.red.frame(height: 30) }
                    }
                    Spacer(minLength: 0)
                }
            }
        }
        struct Position: View {
            var body: some View {
                GeometryReader { proxy in Text(verbatim: "\(Int(proxy.frame(in: .global).minY))") }
            }
        }
        nonisolated(unsafe) var hasBanner: Binding<Bool>?
        let stage = Stage(200, 300) { Page { hasBanner = $0 } }
        #expect(stage.texts == ["0", "30", "60"])
        hasBanner?.wrappedValue = true
        stage.layOut()
        #expect(stage.texts == ["30", "60", "90"])
        let evaluations = stage.host.graph.evaluations
        stage.layOut()
        #expect(stage.host.graph.evaluations == evaluations)
    }

    @Test("a modifier on a group applies to each view")
    func group() {
        let stage = Stage(100, 100) {
            VStack(spacing: 0) {
                Group {
                    Color.red.mark("a")
                    Color.blue.mark("b")
                }.frame(height: 10)
            }
        }
        #expect(stage.frame(of: "a")?.height == 10)
        #expect(stage.frame(of: "b")?.minY == 50)
    }

    @Test("an empty stack takes no space; stacks accept many views")
    func counts() {
        let stage = Stage(100, 200) {
            VStack(spacing: 0) {
                VStack {}.mark("none")
                Color.red.frame(height: 10)
                Color.red.frame(height: 10)
                Color.red.frame(height: 10)
                Color.red.frame(height: 10)
                Color.red.frame(height: 10)
                Color.red.frame(height: 10)
                Color.red.frame(height: 10)
                Color.red.frame(height: 10)
                Color.red.frame(height: 10)
                Color.red.frame(height: 10)
                Color.red.frame(height: 10)
                Color.blue.frame(height: 10).mark("last")
            }
        }
        #expect(stage.frame(of: "none")?.size == .zero)
        #expect(stage.frame(of: "last")?.minY == 150)
    }
}
