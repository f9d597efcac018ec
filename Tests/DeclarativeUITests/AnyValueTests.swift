import Testing

@testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

@MainActor private final class Handle {
    var number: Binding<Int>?
    var isShown: Binding<Bool>?
    var told: [String] = []
}

/// Tests of modifiers that take a value of any type, and of builders that take several kinds of content.
@Suite("Values of any type, in process") @MainActor
struct AnyValueTests {
    @Test("onChange without a value reports only real changes of an optional")
    func optionalChange() {
        struct Root: View {
            let handle: Handle
            @State var number = 0
            private var half: Int? { number < 2 ? nil : number / 2 }
            var body: some View {
                let _ = handle.number = $number
                Text(verbatim: "\(number)").onChange(of: half) { handle.told.append("half") }
            }
        }
        let handle = Handle()
        let stage = Stage { Root(handle: handle) }
        let count: (Int) -> Int = { number in
            handle.number?.wrappedValue = number
            stage.layOut()
            return handle.told.count
        }
        #expect(count(1) == 0)
        #expect(count(2) == 1)
        #expect(count(3) == 1)
        #expect(count(4) == 2)
        #expect(count(0) == 3)
        #expect(count(1) == 3)
    }

    @Test("a watched value equals only equal values of its own type")
    func watched() {
        #expect(WatchedValue(1) == WatchedValue(1))
        #expect(WatchedValue(1) != WatchedValue(2))
        #expect(WatchedValue(1) != WatchedValue(1.0))
        #expect(WatchedValue(Int?.none) == WatchedValue(Int?.none))
        #expect(WatchedValue(Int?.none) != WatchedValue(Int?.some(0)))
        #expect(WatchedValue([1, 2]) == WatchedValue([1, 2]))
    }

    @Test("animation(_:value:) animates a change only together with its value")
    func animated() {
        struct Root: View {
            let handle: Handle
            @State var number = 0
            var body: some View {
                let _ = handle.number = $number
                Text(verbatim: "\(number)").animation(.linear(duration: 1), value: number > 1)
            }
        }
        let handle = Handle()
        let stage = Stage { Root(handle: handle) }
        handle.number?.wrappedValue = 1
        stage.host.graph.flush()
        #expect(stage.host.graph.layoutAnimation == nil)
        stage.layOut()
        handle.number?.wrappedValue = 2
        stage.host.graph.flush()
        #expect(stage.host.graph.layoutAnimation != nil)
    }

    @Test("views in a toolbar are separate items and keep their state")
    func toolbarViews() {
        struct Kept: View {
            let handle: Handle
            @State var number = 0
            var body: some View {
                let _ = handle.number = $number
                Text(verbatim: "kept \(number)")
            }
        }
        struct Root: View {
            let handle: Handle
            @State var isShown = false
            var body: some View {
                let _ = handle.isShown = $isShown
                NavigationStack {
                    Text(verbatim: "page").toolbar {
                        if isShown { Text(verbatim: "first") }
                        Kept(handle: handle)
                        ToolbarItem(placement: .navigation) { Text(verbatim: "leading") }
                    }
                }
            }
        }
        let handle = Handle()
        let stage = Stage { Root(handle: handle) }
        #expect(stage.texts.sorted() == ["kept 0", "leading", "page"])
        handle.number?.wrappedValue = 3
        stage.layOut()
        handle.isShown?.wrappedValue = true
        stage.layOut()
        #expect(stage.texts.sorted() == ["first", "kept 3", "leading", "page"])
        let first = stage.frame("first")?.minX ?? 0
        let kept = stage.frame("kept 3")?.minX ?? 0
        let leading = stage.frame("leading")?.minX ?? 400
        #expect(leading < first && first < kept)
    }

    @Test("color names mean the same for Color and shape styles, except .primary")
    func colors() {
        #expect(AnyShapeStyle(.red) == AnyShapeStyle(Color.red))
        #expect(AnyShapeStyle(.primary) != AnyShapeStyle(Color.primary))
        for isRed in [true, false] {
            #expect(AnyShapeStyle(isRed ? Color.red : .secondary) == AnyShapeStyle(isRed ? Color.red : Color.secondary))
            #expect(AnyShapeStyle(isRed ? .secondary : Color.red) == AnyShapeStyle(isRed ? Color.secondary : Color.red))
        }
        let named: [Color] = [.red, .clear, .gray]
        #expect(named == [Color.red, Color.clear, Color.gray])
    }
}
