import CGTK
import Foundation
import Testing

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

@Suite("Parts of a surface") @MainActor
struct SurfacePartsTests {
    @Test("a layout ends when no element needs another round")
    func rounds() {
        var progress = LayoutProgress()
        progress.begin(CGSize(width: 100, height: 50))
        var rounds = 0
        while progress.startRound() {
            rounds += 1
            if rounds < 3 { progress.invalidate() }
        }
        #expect(rounds == 3 && progress.isRunning)
        progress.end()
        #expect(!progress.isRunning && progress.size == CGSize(width: 100, height: 50))
    }

    @Test("elements that always need a layout get eight rounds")
    func endless() {
        var progress = LayoutProgress()
        var rounds = 0
        for _ in 0..<2 {
            progress.begin(.zero)
            while progress.startRound() {
                rounds += 1
                progress.invalidate()
            }
            progress.end()
        }
        #expect(rounds == 16)
    }

    /// Content that takes at least 80 × 40.5 points and prefers 300 × 100.
    private final class Content: Element {
        override func measure(_ proposal: ProposedViewSize) -> CGSize {
            CGSize(width: max(80, proposal.width ?? 300), height: max(40.5, proposal.height ?? 100))
        }
    }
    private let screen = CGSize(width: 1000, height: 30)

    private func measured(_ lengths: ContentLengths, _ orientation: GtkOrientation) -> [Int] {
        let length = lengths.measure(Content(), orientation, -1, screen: screen)
        return [length.minimum, length.natural]
    }

    @Test("a window is as large as its content, within the screen")
    func window() {
        var lengths = ContentLengths()
        #expect(measured(lengths, GTK_ORIENTATION_HORIZONTAL) == [80, 300])
        #expect(measured(lengths, GTK_ORIENTATION_VERTICAL) == [30, 100])
        lengths.hasMinimum = false
        #expect(measured(lengths, GTK_ORIENTATION_HORIZONTAL) == [0, 300])
        #expect(measured(lengths, GTK_ORIENTATION_VERTICAL) == [0, 100])
    }

    @Test("a scrolled surface is as long as its content")
    func scrolled() {
        var lengths = ContentLengths()
        lengths.sizing = .scrolledVertically
        #expect(measured(lengths, GTK_ORIENTATION_HORIZONTAL) == [0, 300])
        #expect(measured(lengths, GTK_ORIENTATION_VERTICAL) == [100, 100])
        lengths.sizing = .scrolledHorizontally
        #expect(measured(lengths, GTK_ORIENTATION_HORIZONTAL) == [300, 300])
        #expect(measured(lengths, GTK_ORIENTATION_VERTICAL) == [0, 100])
    }
}

@Suite("Kept render nodes") @MainActor
struct KeptNodesTests {
    private func colorNode() -> OpaquePointer? {
        NodePixels.registerNodes
        var color = GdkRGBA(red: 1, green: 0, blue: 0, alpha: 1)
        var rect = CGRect(x: 0, y: 0, width: 10, height: 10).graphene
        return gsk_color_node_new(&color, &rect)
    }

    @Test("a node is made once, until all nodes are removed")
    func making() {
        let nodes = KeptNodes()
        var count = 0
        func node() -> OpaquePointer? {
            nodes.node(at: 1) {
                count += 1
                return colorNode()
            }
        }
        let first = node()
        let again = node()
        #expect(first != nil && first == again && count == 1)
        nodes.removeAll()
        _ = node()
        #expect(count == 2)
    }

    @Test("drawing without the nodes keeps their order")
    func bypassing() {
        let nodes = KeptNodes()
        _ = nodes.takeIndex()
        let (wasBypassed, inside) = nodes.bypass { (nodes.areBypassed, nodes.takeIndex()) }
        let next = nodes.takeIndex()
        #expect(wasBypassed && inside == 1 && next == 1 && !nodes.areBypassed)
        nodes.rewind()
        let first = nodes.takeIndex()
        #expect(first == 0)
    }
}
