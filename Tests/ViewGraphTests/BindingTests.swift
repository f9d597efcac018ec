import Foundation
import Observation
import OpenCombine
import Testing

@_spi(Graph) @testable import ViewGraph

@MainActor private final class Settings: ObservableObject {
    @Published var level = 0.25
    @Published var isOn = false
    @Published var name = "a"
    @Published var count = 1
    @Published var other = 0
    @Published var choice: String? = nil
    @Published var pair = Pair()
    @Published var items = [Item(id: 1, name: "one"), Item(id: 2, name: "two"), Item(id: 3, name: "three")]
    @Published var inner = Inner()
    /// A binding that is created once, so that it is identical each time it is passed on.
    lazy var once = Binding(get: { [unowned self] in count }, set: { [unowned self] in count = $0 })
}
@MainActor private final class Inner: ObservableObject { @Published var volume = 1 }
private struct Pair { var first = 1, second = Deep() }
private struct Deep { var value = "x" }
private struct Item: Identifiable {
    let id: Int
    var name: String
}

@MainActor private struct Number: View {
    let name: String
    @Binding var value: Int
    var body: some View {
        let _ = Count.mark(name)
        Text(verbatim: "\(name) \(value)")
    }
}
@MainActor private struct Word: View {
    @Binding var value: String
    var body: some View {
        let _ = Count.mark("word")
        Text(verbatim: value)
    }
}
/// A view that passes a binding on without reading it.
@MainActor private struct Passer<Value, Content: View>: View {
    @Binding var value: Value
    let content: (Binding<Value>) -> Content
    init(_ value: Binding<Value>, @ViewBuilder content: @escaping (Binding<Value>) -> Content) {
        _value = value
        self.content = content
    }
    var body: some View { content($value) }
}
@MainActor private struct Watching<Content: View>: View {
    @ObservedObject var settings: Settings
    @ViewBuilder let content: @MainActor (ObjectBindings<Settings>) -> Content
    var body: some View { content($settings) }
}

/// Tests that a view with a binding shows the current value.
@Suite("Bindings", .serialized) @MainActor
struct BindingTests {
    init() { Count.evaluations = [:] }

    @Test("children follow bindings of observed, owned and environment objects")
    func children() {
        @MainActor struct Below: View {
            @EnvironmentObject var settings: Settings
            var body: some View { Number(name: "environment", value: $settings.count) }
        }
        @MainActor struct Owner: View {
            @StateObject var settings: Settings
            var body: some View {
                Number(name: "owned", value: $settings.count)
                Watching(settings: settings) { Number(name: "observed", value: $0.count) }
                Below().environmentObject(settings)
            }
        }
        let settings = Settings()
        let stage = Stage { Owner(settings: settings) }
        for n in 2...4 {
            settings.count = n
            stage.layOut()
            #expect(stage.texts == ["owned \(n)", "observed \(n)", "environment \(n)"])
        }
    }

    @Test("a binding passes through any number of views")
    func levels() {
        let settings = Settings()
        let stage = Stage {
            Watching(settings: settings) {
                Passer($0.count) { Passer($0) { Passer($0) { Number(name: "deep", value: $0) } } }
                Passer($0.pair) { Passer($0.second) { Passer($0.value) { Word(value: $0) } } }
            }
        }
        settings.count = 7
        settings.pair.second.value = "y"
        stage.layOut()
        #expect(stage.texts == ["deep 7", "y"])
    }

    @Test("custom bindings follow their source, also when made once and shared")
    func custom() {
        let settings = Settings()
        let stage = Stage {
            Watching(settings: settings) { _ in
                Number(name: "made", value: Binding(get: { settings.count }, set: { settings.count = $0 }))
                Number(name: "kept", value: settings.once)
                Passer(settings.once) { Number(name: "below", value: $0) }
            }
        }
        settings.count = 5
        stage.layOut()
        #expect(stage.texts == ["made 5", "kept 5", "below 5"])
    }

    @Test("a binding to an optional appears and disappears with the value")
    func optional() {
        let settings = Settings()
        let stage = Stage {
            Watching(settings: settings) {
                if let choice = Binding($0.choice) { Word(value: choice) } else { Text(verbatim: "none") }
            }
        }
        for (value, shown) in [("a", "a"), ("b", "b"), (nil, "none"), ("c", "c")] as [(String?, String)] {
            settings.choice = value
            stage.layOut()
            #expect(stage.texts == [shown])
        }
    }

    @Test("bindings to elements follow changes, moves and removals")
    func elements() {
        let settings = Settings()
        let stage = Stage {
            Watching(settings: settings) { bindings in
                Word(value: bindings.items[0].name)
                ForEach(bindings.items) { Word(value: $0.name) }
            }
        }
        #expect(stage.texts == ["one", "one", "two", "three"])
        settings.items[0].name = "eins"
        settings.items[2].name = "drei"
        stage.layOut()
        #expect(stage.texts == ["eins", "eins", "two", "drei"])
        settings.items.swapAt(0, 2)
        stage.layOut()
        #expect(stage.texts == ["drei", "drei", "two", "eins"])
        settings.items.removeFirst()
        stage.layOut()
        #expect(stage.texts == ["two", "two", "eins"])
    }

    @Test("an element's binding writes to a moved element, not a removed one")
    func elementWrites() {
        let settings = Settings()
        var kept: [Int: Binding<Item>] = [:]
        let stage = Stage {
            Watching(settings: settings) {
                ForEach($0.items) { item in
                    let _ = kept[item.wrappedValue.id] = item
                    Word(value: item.name)
                }
            }
        }
        let (first, third) = (kept[1], kept[3])
        settings.items.reverse()
        first?.wrappedValue.name = "eins"
        #expect(settings.items.map(\.name) == ["three", "two", "eins"])
        settings.items.removeFirst()
        third?.wrappedValue.name = "drei"
        #expect(settings.items.map(\.name) == ["two", "eins"])
        #expect(third?.wrappedValue.id == 3)
        stage.layOut()
        #expect(stage.texts == ["two", "eins"])
    }

    @Test("a binding past the end keeps its last value and ignores writes")
    func pastTheEnd() {
        let settings = Settings()
        var kept: Binding<Item>?
        let stage = Stage {
            Watching(settings: settings) {
                let _ = kept = $0.items[2]
                Text(verbatim: "x")
            }
        }
        #expect(kept?.wrappedValue.name == "three")
        settings.items = []
        #expect(kept?.wrappedValue.name == "three")
        kept?.wrappedValue = Item(id: 9, name: "nine")
        #expect(settings.items.isEmpty)
        _ = stage
    }

    @Test("a binding follows changes of a nested object")
    func nested() {
        let settings = Settings()
        let stage = Stage { Watching(settings: settings) { Number(name: "inner", value: $0.inner.volume) } }
        settings.inner.volume = 3
        stage.layOut()
        #expect(stage.texts == ["inner 3"])
    }

    @Test("a binding follows a replaced object")
    func replaced() {
        @MainActor struct Root: View {
            @State var settings: Settings
            let told: (Binding<Settings>) -> Void
            var body: some View {
                let _ = told($settings)
                Watching(settings: settings) { Number(name: "n", value: $0.count) }
            }
        }
        let (first, second) = (Settings(), Settings())
        second.count = 8
        nonisolated(unsafe) var binding: Binding<Settings>?
        let stage = Stage { Root(settings: first) { binding = $0 } }
        binding?.wrappedValue = second
        stage.layOut()
        first.count = 2
        stage.layOut()
        #expect(stage.texts == ["n 8"])
        second.count = 9
        stage.layOut()
        #expect(stage.texts == ["n 9"])
    }

    @Test("Bindable follows an @Observable object")
    func bindable() {
        @MainActor struct Root: View {
            @Bindable var model: Plain
            var body: some View { Passer($model.count) { Number(name: "n", value: $0) } }
        }
        let model = Plain()
        let stage = Stage { Root(model: model) }
        model.count = 4
        stage.layOut()
        #expect(stage.texts == ["n 4"])
    }

    @Test("only views of changed values are evaluated; equal constants change nothing")
    func sparing() {
        @MainActor struct Root: View {
            @ObservedObject var settings: Settings
            var body: some View {
                let _ = Count.mark("root")
                Number(name: "count", value: $settings.count)
                Number(name: "other", value: $settings.other)
                Number(name: "constant", value: .constant(3))
            }
        }
        let settings = Settings()
        let stage = Stage { Root(settings: settings) }
        for n in 2...6 {
            settings.count = n
            stage.layOut()
        }
        #expect(stage.texts == ["count 6", "other 0", "constant 3"])
        #expect(Count.evaluations == ["root": 6, "count": 6, "other": 1, "constant": 1])
    }

    @Test("a binding with another animation is a different binding")
    func animation() {
        @MainActor struct Child: View {
            @Binding var value: Int
            let told: (Transaction) -> Void
            var body: some View {
                let _ = told(_value.transaction)
                Text(verbatim: "x")
            }
        }
        @MainActor struct Root: View {
            @State var value = 0
            @State var isAnimated = false
            let bool: (Binding<Bool>) -> Void
            let told: (Transaction) -> Void
            var body: some View {
                let _ = bool($isAnimated)
                Child(value: isAnimated ? $value.animation(.linear(duration: 1)) : $value, told: told)
            }
        }
        nonisolated(unsafe) var flag: Binding<Bool>?
        nonisolated(unsafe) var last: Transaction?
        let stage = Stage { Root(bool: { flag = $0 }, told: { last = $0 }) }
        flag?.wrappedValue = true
        stage.layOut()
        #expect(last?.animation != nil)
    }

    // MARK: closures evaluated outside the body that contains them

    @Test("views follow state, bindings and models read in a ForEach closure")
    func forEachReads() {
        @MainActor struct Root: View {
            @State var chosen = 0
            let told: (Binding<Int>) -> Void
            let model: Plain
            @Binding var word: String
            var body: some View {
                let _ = told($chosen)
                ForEach(0..<2) { Text(verbatim: "\($0 == chosen ? "!" : "-")\(model.count)\(word)") }
            }
        }
        let model = Plain()
        let settings = Settings()
        nonisolated(unsafe) var chosen: Binding<Int>?
        let stage = Stage { Watching(settings: settings) { Root(told: { chosen = $0 }, model: model, word: $0.name) } }
        #expect(stage.texts == ["!0a", "-0a"])
        chosen?.wrappedValue = 1
        stage.layOut()
        #expect(stage.texts == ["-0a", "!0a"])
        model.count = 5
        stage.layOut()
        #expect(stage.texts == ["-5a", "!5a"])
        settings.name = "b"
        stage.layOut()
        #expect(stage.texts == ["-5b", "!5b"])
    }

    @Test("views follow models and bindings read in a GeometryReader closure")
    func geometryReads() {
        @MainActor struct Root: View {
            let model: Plain
            @Binding var word: String
            var body: some View { GeometryReader { _ in Text(verbatim: "\(model.count)\(word)") } }
        }
        let model = Plain()
        let settings = Settings()
        let stage = Stage { Watching(settings: settings) { Root(model: model, word: $0.name) } }
        model.count = 2
        stage.layOut()
        #expect(stage.texts == ["2a"])
        settings.name = "b"
        stage.layOut()
        #expect(stage.texts == ["2b"])
    }
}

@Observable @MainActor private final class Plain { var count = 0 }
