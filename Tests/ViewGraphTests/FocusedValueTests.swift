import Foundation
import Testing

@_spi(Graph) @testable import ViewGraph

private struct NumberKey: FocusedValueKey { typealias Value = Int }
private struct TitleKey: PreferenceKey {
    static var defaultValue: String { "" }
    static func reduce(value: inout String, nextValue: () -> String) { value = nextValue() }
}
private struct DeedKey: FocusedValueKey { typealias Value = () -> Int }
extension FocusedValues {
    fileprivate var number: Int? {
        get { self[NumberKey.self] }
        set { self[NumberKey.self] = newValue }
    }
    fileprivate var deed: (() -> Int)? {
        get { self[DeedKey.self] }
        set { self[DeedKey.self] = newValue }
    }
}

/// Tests of the values that the front window publishes, without windows.
@Suite("Focused values, in process", .serialized) @MainActor
struct FocusedValueTests {
    /// A replacement for the front window that only provides focused values.
    private final class Front: FocusableScene, PreferenceObserver {
        weak var graph: ViewGraph?
        let order = 0
        var focusedValues: FocusedValues { graph?.root?.preference(FocusedValuesKey.self) ?? FocusedValues() }
        func check() { FocusedScene.update(self) }
    }
    @MainActor final class Seen {
        var evaluations = 0
        var number: Binding<Int>?
        var deed: (() -> Int)?
    }
    /// A view that reads focused values and also publishes one.
    private struct Reader: View {
        let seen: Seen
        @FocusedValue(\.number) private var number
        @FocusedValue(\.deed) private var deed
        var body: some View {
            seen.evaluations += 1
            seen.deed = deed
            return Text(verbatim: "\(number ?? 0)").preference(
                key: TitleKey.self, value: "Title \(number ?? 0)")
        }
    }
    private struct Whole: View {
        let seen: Seen
        @State private var number = 1
        var body: some View {
            seen.number = $number
            let told = number
            return VStack {
                Reader(seen: seen)
                Text(verbatim: "teller").focusedSceneValue(\.number, told).focusedSceneValue(\.deed) { told * 10 }
            }
        }
    }

    @Test("focused values and preferences of one view cause no evaluation loop")
    func circle() {
        let seen = Seen()
        let front = Front()
        let stage = Stage { Whole(seen: seen) }
        front.graph = stage.host.graph
        stage.host.graph.add(front)
        defer {
            stage.host.graph.remove(front)
            FocusedScene.closed(front)
        }
        FocusedScene.didBecomeFront(front)
        stage.layOut()
        #expect(stage.texts.first == "1" && seen.deed?() == 10)
        let before = seen.evaluations
        seen.number?.wrappedValue = 2
        stage.layOut()
        #expect(stage.texts.first == "2" && seen.deed?() == 20)
        #expect((1...3).contains(seen.evaluations - before), "\(seen.evaluations - before)")
        let settled = seen.evaluations
        // Check again without a change.
        stage.host.graph.change { stage.host.graph.preferencesMayHaveChanged() }
        stage.layOut()
        #expect(seen.evaluations == settled)
    }
}
