import Foundation
import Observation
import Testing

@_spi(Graph) @testable import ViewGraph

/// Tests of the tasks that the graph leaves to its host.
@Suite("View graph and its host") @MainActor
struct GraphTests {
    @Observable @MainActor final class Model { var name = "a" }

    private struct Reader: View {
        @Environment(Model.self) private var model
        var body: some View { Text(verbatim: model.name) }
    }

    @Test("the host's notice replaces a view without its environment object")
    func notice() {
        let without = Stage { Reader() }
        #expect(without.texts.count == 1 && without.texts.first?.hasPrefix("⚠") == true, "\(without.texts)")
        let with = Stage { Reader().environment(Model()) }
        #expect(with.texts == ["a"])
    }

    @Test("a stack's spacing depends on the kinds of its views")
    func company() {
        final class SymbolElement: Element {
            override var stackItemKind: StackItemKind { .symbol }
            override func measure(_ proposal: ProposedViewSize) -> CGSize { CGSize(width: 16, height: 16) }
        }
        struct Symbol: _PrimitiveView {
            static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
                LeafFiber(view, inputs, SymbolElement()) { _, _, _ in }
            }
        }
        let stage = Stage {
            HStack {
                Symbol().mark("symbol")
                Text("label").mark("label")
                Color.red.frame(width: 10).mark("other")
            }
        }
        let space = { (a: String, b: String) in (stage.frame(of: b)?.minX ?? 0) - (stage.frame(of: a)?.maxX ?? 0) }
        #expect(space("symbol", "label") == Space.snug && space("label", "other") == Space.regular)
    }

    @Test("a leaving element stays until its transition ends")
    func leaving() {
        @MainActor struct Root: View {
            @State var isShown = true
            let made: (Binding<Bool>) -> Void
            var body: some View {
                let _ = made($isShown)
                if isShown { Text("a").transition(.opacity) }
            }
        }
        nonisolated(unsafe) var isShown: Binding<Bool>?
        let stage = Stage { Root { isShown = $0 } }
        withAnimation(.linear(duration: 1)) { isShown?.wrappedValue = false }
        stage.layOut()
        #expect(stage.texts.isEmpty && stage.host.root.leaving.count == 1)
        stage.time = 0.5
        let opacity = stage.host.root.leaving.first?.presence?.opacity(stage.time) ?? -1
        #expect(stage.host.root.isAnimating(stage.time) && abs(opacity - 0.5) < 0.001, "\(opacity)")
        stage.time = 1.5
        #expect(!stage.host.root.isAnimating(stage.time) && stage.host.root.leaving.isEmpty)
    }

    @Test("a transaction in an action can disable animation modifiers", arguments: [true, false])
    func disabledAnimation(isDisabled: Bool) {
        @MainActor struct Root: View {
            @State var isOn = false
            @State var isWide = false
            let isDisabled: Bool
            let made: (Binding<Bool>) -> Void
            var body: some View {
                let _ = made($isOn)
                Color.red.frame(width: isWide ? 100 : 20, height: 20).mark("view")
                    .animation(.linear(duration: 1), value: isWide)
                    .onChange(of: isOn) { _, _ in
                        var transaction = Transaction()
                        transaction.disablesAnimations = isDisabled
                        withTransaction(transaction) { isWide = true }
                    }
            }
        }
        nonisolated(unsafe) var isOn: Binding<Bool>?
        let stage = Stage { Root(isDisabled: isDisabled) { isOn = $0 } }
        isOn?.wrappedValue = true
        stage.layOut()
        #expect(stage.frame(of: "view")?.width == 100)
        #expect(stage.host.root.isAnimating(stage.time) == !isDisabled)
    }
}
