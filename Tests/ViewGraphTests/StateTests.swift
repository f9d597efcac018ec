import Foundation
import Observation
import OpenCombine
import Testing

@_spi(Graph) @testable import ViewGraph

/// The number of evaluations of bodies, by name.
@MainActor
final class Count {
    static var evaluations: [String: Int] = [:]
    static func mark(_ name: String) { evaluations[name, default: 0] += 1 }
}

@MainActor private struct Counter: View {
    @State var value = 0
    let name: String
    var onMade: (Binding<Int>) -> Void = { _ in }
    var body: some View {
        let _ = Count.mark(name)
        let _ = onMade($value)
        Text(verbatim: "\(name) \(value)")
    }
}

@MainActor private final class Handles {
    var ints: [String: Binding<Int>] = [:]
    var bools: [String: Binding<Bool>] = [:]
    var strings: [String: Binding<String>] = [:]
}

@Observable @MainActor private final class Model {
    var name = "a"
    var other = 0
}

private final class Shared: ObservableObject, Observable {
    @Published var name = "a"
}

private final class Classic: ObservableObject {
    @Published var name = "a"
    @Published var other = 0
}

private struct FirstKey: EnvironmentKey { static let defaultValue = 0 }
private struct SecondKey: EnvironmentKey { static let defaultValue = 0 }

extension EnvironmentValues {
    fileprivate var first: Int {
        get { self[FirstKey.self] }
        set { self[FirstKey.self] = newValue }
    }
    fileprivate var second: Int {
        get { self[SecondKey.self] }
        set { self[SecondKey.self] = newValue }
    }
}

@Suite("State, identity and diffing", .serialized) @MainActor
struct StateTests {
    init() { Count.evaluations = [:] }

    @Test("state survives evaluation and ends with its view's identity")
    func survives() {
        @MainActor struct Parent: View {
            @State var title = "one"
            @State var shows = true
            let handles: Handles
            let titles: (Binding<String>) -> Void
            var body: some View {
                let _ = titles($title)
                let _ = handles.bools["shows"] = $shows
                Text(verbatim: title)
                if shows { Counter(name: "c") { handles.ints["c"] = $0 } }
            }
        }
        let handles = Handles()
        nonisolated(unsafe) var title: Binding<String>?
        let stage = Stage { Parent(handles: handles) { title = $0 } }
        #expect(stage.texts == ["one", "c 0"])
        handles.ints["c"]?.wrappedValue = 5
        title?.wrappedValue = "two"
        stage.layOut()
        #expect(stage.texts == ["two", "c 5"])
        handles.bools["shows"]?.wrappedValue = false
        stage.layOut()
        #expect(stage.texts == ["two"])
        handles.bools["shows"]?.wrappedValue = true
        stage.layOut()
        #expect(stage.texts == ["two", "c 0"])
    }

    @Test("a state change evaluates only views that read the state")
    func onlyReaders() {
        @MainActor struct Leaf: View {
            let name: String
            @Binding var value: Int
            var body: some View {
                let _ = Count.mark(name)
                Text(verbatim: "\(name) \(value)")
            }
        }
        @MainActor struct Passer: View {
            @Binding var value: Int
            var body: some View {
                let _ = Count.mark("passer")
                Leaf(name: "reader", value: $value)
            }
        }
        @MainActor struct Plain: View {
            var body: some View {
                let _ = Count.mark("plain")
                Text(verbatim: "plain")
            }
        }
        @MainActor struct Root: View {
            @State var value = 0
            let handles: Handles
            var body: some View {
                let _ = Count.mark("root")
                let _ = handles.ints["value"] = $value
                Passer(value: $value)
                Plain()
            }
        }
        let handles = Handles()
        let stage = Stage { Root(handles: handles) }
        for n in 1...10 {
            handles.ints["value"]?.wrappedValue = n
            stage.layOut()
        }
        #expect(stage.texts == ["reader 10", "plain"])
        #expect(Count.evaluations == ["root": 1, "passer": 1, "reader": 11, "plain": 1])
    }

    @Test("an evaluated parent skips children with equal values")
    func sameChildren() {
        @MainActor struct Child: View {
            let name: String
            let numbers: [Int]
            var body: some View {
                let _ = Count.mark(name)
                Text(verbatim: "\(name) \(numbers.count)")
            }
        }
        @MainActor struct Root: View {
            @State var value = 0
            let handles: Handles
            var body: some View {
                let _ = handles.ints["value"] = $value
                Child(name: "same", numbers: Array(0..<3))
                Child(name: "other", numbers: Array(0..<value))
            }
        }
        let handles = Handles()
        let stage = Stage { Root(handles: handles) }
        handles.ints["value"]?.wrappedValue = 2
        stage.layOut()
        #expect(stage.texts == ["same 3", "other 2"])
        #expect(Count.evaluations == ["same": 1, "other": 2])
    }

    @Test("several changes cause one evaluation; an equal value causes none")
    func coalesces() {
        let handles = Handles()
        let stage = Stage { Counter(name: "c") { handles.ints["c"] = $0 } }
        for n in 1...5 { handles.ints["c"]?.wrappedValue = n }
        stage.layOut()
        #expect(Count.evaluations["c"] == 2)
        handles.ints["c"]?.wrappedValue = 5
        stage.layOut()
        #expect(Count.evaluations["c"] == 2)
    }

    @Test("a change updates views on the next main loop iteration")
    func byItself() async {
        let handles = Handles()
        let stage = Stage { Counter(name: "c") { handles.ints["c"] = $0 } }
        await withCheckedContinuation { done in
            stage.host.graph.onUpdate = { done.resume() }
            handles.ints["c"]?.wrappedValue = 7
        }
        stage.host.graph.onUpdate = nil
        #expect(stage.texts == ["c 7"])
    }

    @Test("ForEach state follows an element's id and ends with it")
    func forEach() {
        @MainActor struct Root: View {
            @State var ids = ["a", "b", "c"]
            let handles: Handles
            let lists: (Binding<[String]>) -> Void
            var body: some View {
                let _ = lists($ids)
                ForEach(ids, id: \.self) { id in Counter(name: id) { handles.ints[id] = $0 } }
            }
        }
        let handles = Handles()
        nonisolated(unsafe) var ids: Binding<[String]>?
        let stage = Stage { Root(handles: handles) { ids = $0 } }
        handles.ints["a"]?.wrappedValue = 1
        handles.ints["c"]?.wrappedValue = 3
        ids?.wrappedValue = ["c", "a", "d"]
        stage.layOut()
        #expect(stage.texts == ["c 3", "a 1", "d 0"])
        ids?.wrappedValue = ["a", "b", "a"]
        stage.layOut()
        #expect(stage.texts == ["a 1", "b 0"])
    }

    @Test("if branches and different ids have separate identities")
    func branches() {
        @MainActor struct Root: View {
            @State var first = true
            @State var id = 0
            let handles: Handles
            var body: some View {
                let _ = handles.bools["first"] = $first
                let _ = handles.ints["id"] = $id
                if first {
                    Counter(name: "x") { handles.ints["x"] = $0 }
                } else {
                    Counter(name: "x") { handles.ints["x"] = $0 }
                }
                Counter(name: "y") { handles.ints["y"] = $0 }.id(id)
            }
        }
        let handles = Handles()
        let stage = Stage { Root(handles: handles) }
        handles.ints["x"]?.wrappedValue = 1
        handles.ints["y"]?.wrappedValue = 1
        handles.bools["first"]?.wrappedValue = false
        stage.layOut()
        #expect(stage.texts == ["x 0", "y 1"])
        handles.ints["id"]?.wrappedValue = 1
        stage.layOut()
        #expect(stage.texts == ["x 0", "y 0"])
    }

    @Test("an @Observable change evaluates only readers of the changed property")
    func observable() {
        @MainActor struct Name: View {
            let model: Model
            var body: some View {
                let _ = Count.mark("name")
                Text(verbatim: model.name)
            }
        }
        @MainActor struct Other: View {
            let model: Model
            var body: some View {
                let _ = Count.mark("other")
                Text(verbatim: "\(model.other)")
            }
        }
        let model = Model()
        let stage = Stage {
            Name(model: model)
            Other(model: model)
        }
        model.name = "b"
        stage.layOut()
        #expect(stage.texts == ["b", "0"])
        #expect(Count.evaluations == ["name": 2, "other": 1])
    }

    @Test("views follow owned, observed and environment ObservableObjects")
    func observableObject() {
        @MainActor struct Watcher: View {
            @ObservedObject var model: Classic
            var body: some View { Text(verbatim: "watched \(model.name)") }
        }
        @MainActor struct Below: View {
            @EnvironmentObject var model: Classic
            var body: some View { Text(verbatim: "environment \(model.name)") }
        }
        @MainActor struct Owner: View {
            @StateObject var model = Classic()
            let seen: (Classic) -> Void
            var body: some View {
                let _ = seen(model)
                Text(verbatim: "owned \(model.name)")
                Watcher(model: model)
                Below().environmentObject(model)
            }
        }
        nonisolated(unsafe) var objects: [Classic] = []
        let stage = Stage { Owner { objects.append($0) } }
        objects.first?.name = "b"
        stage.layOut()
        #expect(stage.texts == ["owned b", "watched b", "environment b"])
        #expect(objects.count == 2 && objects[0] === objects[1])
    }

    @Test("a missing environment object shows a message instead of crashing")
    func missingObject() {
        @MainActor struct Below: View {
            @EnvironmentObject var model: Classic
            var body: some View { Text(verbatim: model.name) }
        }
        let stage = Stage { Below() }
        #expect(stage.texts.count == 1)
        #expect(stage.texts[0].contains("environmentObject"))
    }

    @Test("a missing object's message disappears when the object is set")
    func objectAppears() {
        @MainActor struct Classical: View {
            @EnvironmentObject var model: Shared
            var body: some View { Text(verbatim: model.name) }
        }
        @MainActor struct Modern: View {
            @Environment(Shared.self) var model
            var body: some View { Text(verbatim: model.name) }
        }
        @MainActor struct Root: View {
            @State var provides = false
            let handles: Handles
            let shared: Shared
            var body: some View {
                let _ = handles.bools["provides"] = $provides
                Group {
                    Classical()
                    Modern()
                }.environment(provides ? shared : nil)
            }
        }
        let handles = Handles()
        let stage = Stage { Root(handles: handles, shared: Shared()) }
        for _ in 0..<2 {
            #expect(stage.texts.count == 2 && stage.texts.allSatisfy { $0.contains("Shared") }, "\(stage.texts)")
            handles.bools["provides"]?.wrappedValue = true
            stage.layOut()
            #expect(stage.texts == ["a", "a"])
            handles.bools["provides"]?.wrappedValue = false
            stage.layOut()
        }
    }

    @Test("an environment value reaches its readers and evaluates only them")
    func environment() {
        @MainActor struct Reader: View {
            @Environment(\.lineLimit) var limit
            var body: some View {
                let _ = Count.mark("reader")
                Text(verbatim: "\(limit ?? 0)")
            }
        }
        @MainActor struct Other: View {
            var body: some View {
                let _ = Count.mark("other")
                Text(verbatim: "other")
            }
        }
        @MainActor struct Root: View {
            @State var limit = 1
            let handles: Handles
            var body: some View {
                let _ = handles.ints["limit"] = $limit
                Group {
                    Reader()
                    Other()
                }.lineLimit(limit)
            }
        }
        let handles = Handles()
        let stage = Stage { Root(handles: handles) }
        handles.ints["limit"]?.wrappedValue = 3
        stage.layOut()
        #expect(stage.texts == ["3", "other"])
        #expect(Count.evaluations == ["reader": 2, "other": 1])
    }

    @Test("constant, key path, custom and optional bindings read and write")
    func bindings() {
        struct Pair { var a = 1, b = [1, 2, 3] }
        let state = State(wrappedValue: Pair())
        state.projectedValue.a.wrappedValue = 5
        #expect(state.wrappedValue.a == 5)
        state.projectedValue.b[1].wrappedValue = 9
        #expect(state.wrappedValue.b == [1, 9, 3])
        let constant = Binding.constant(3)
        constant.wrappedValue = 4
        #expect(constant.wrappedValue == 3)
        nonisolated(unsafe) var stored = 0
        let custom = Binding(get: { stored }, set: { stored = $0 * 2 })
        custom.wrappedValue = 4
        #expect(custom.wrappedValue == 8)
        let optional = State<Int?>(wrappedValue: 3)
        #expect(Binding(optional.projectedValue)?.wrappedValue == 3)
        optional.wrappedValue = nil
        #expect(Binding(optional.projectedValue) == nil)
    }

    @Test("lifecycle callbacks run in order")
    func lifecycle() {
        nonisolated(unsafe) var log: [String] = []
        let subject = PassthroughSubject<Int, Never>()
        @MainActor struct Root: View {
            @State var value = 0
            @State var shows = true
            let handles: Handles
            let subject: PassthroughSubject<Int, Never>
            let log: (String) -> Void
            var body: some View {
                let _ = handles.ints["value"] = $value
                let _ = handles.bools["shows"] = $shows
                if shows {
                    Text(verbatim: "\(value)")
                        .onAppear { log("appear") }
                        .onDisappear { log("disappear") }
                        .onChange(of: value) { old, new in log("\(old)→\(new)") }
                        .onReceive(subject) { log("received \($0)") }
                }
            }
        }
        let handles = Handles()
        let stage = Stage { Root(handles: handles, subject: subject) { log.append($0) } }
        handles.ints["value"]?.wrappedValue = 2
        stage.layOut()
        subject.send(7)
        handles.bools["shows"]?.wrappedValue = false
        stage.layOut()
        subject.send(8)
        #expect(log == ["appear", "0→2", "received 7", "disappear"])
    }

    @Test("views handle changes and values that another thread sends")
    func otherThreads() async {
        @MainActor struct Name: View {
            @Binding var name: String
            var body: some View { Text(verbatim: "bound \(name)") }
        }
        @MainActor struct Root: View {
            @ObservedObject var model: Classic
            let subject: PassthroughSubject<Int, Never>
            let log: (Int) -> Void
            var body: some View {
                Text(verbatim: "observed \(model.name)").onReceive(subject) { log($0) }
                Name(name: $model.name)
            }
        }
        nonisolated(unsafe) let model = Classic()
        nonisolated(unsafe) let subject = PassthroughSubject<Int, Never>()
        var log: [Int] = []
        let stage = Stage { Root(model: model, subject: subject) { log.append($0) } }
        // The main actor is busy meanwhile, so that no view is evaluated between the notification and the change.
        blockDuring {
            model.name = "b"
            subject.send(7)
        }
        // The main queue runs this closure after those that the other thread has queued.
        await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
        stage.layOut()
        #expect(stage.texts == ["observed b", "bound b"])
        #expect(log == [7])
    }

    @Test("a task is cancelled with its view and restarts for another id")
    func tasks() async {
        @MainActor struct Root: View {
            @State var id = 1
            let handles: Handles
            let log: @MainActor (String) -> Void
            var body: some View {
                let _ = handles.ints["id"] = $id
                let (id, log) = (id, log)
                Text(verbatim: "x").task(id: id) {
                    log("begin \(id)")
                    await withTaskCancellationHandler {
                        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                            let box = Waiting.shared
                            box.add(done)
                        }
                    } onCancel: {
                        DispatchQueue.main.async { MainActor.assumeIsolated { Waiting.shared.finish() } }
                    }
                    log("end \(id) \(Task.isCancelled)")
                    Waiting.shared.ended?.resume()
                    Waiting.shared.ended = nil
                }
            }
        }
        let handles = Handles()
        nonisolated(unsafe) var log: [String] = []
        let stage = Stage { Root(handles: handles) { log.append($0) } }
        while Waiting.shared.all.isEmpty { await Task.yield() }
        await withCheckedContinuation { done in
            Waiting.shared.ended = done
            handles.ints["id"]?.wrappedValue = 2
            stage.layOut()
        }
        #expect(log.contains("begin 1") && log.contains("end 1 true"))
        while !log.contains("begin 2") { await Task.yield() }
        await withCheckedContinuation { done in
            Waiting.shared.ended = done
            stage.host.close()
        }
        #expect(log.last == "end 2 true")
    }

    @Test("preferences combine values from views below and report changes")
    func preferences() {
        struct Sum: PreferenceKey {
            static let defaultValue = 0
            static func reduce(value: inout Int, nextValue: () -> Int) { value += nextValue() }
        }
        @MainActor struct Root: View {
            @State var value = 1
            let handles: Handles
            let told: (Int) -> Void
            var body: some View {
                let _ = handles.ints["value"] = $value
                VStack {
                    Text(verbatim: "a").preference(key: Sum.self, value: value)
                    HStack { Text(verbatim: "b").preference(key: Sum.self, value: 10) }
                }.onPreferenceChange(Sum.self) { told($0) }
            }
        }
        let handles = Handles()
        nonisolated(unsafe) var told: [Int] = []
        let stage = Stage { Root(handles: handles) { told.append($0) } }
        handles.ints["value"]?.wrappedValue = 5
        stage.layOut()
        #expect(told == [11, 15])
    }

    @Test("a custom modifier has its own state")
    func modifier() {
        struct Counting: ViewModifier {
            @State var count = 0
            let handles: Handles
            func body(content: Content) -> some View {
                let _ = handles.ints["count"] = $count
                VStack {
                    content
                    Text(verbatim: "count \(count)")
                }
            }
        }
        let handles = Handles()
        let stage = Stage { Text(verbatim: "x").modifier(Counting(handles: handles)) }
        handles.ints["count"]?.wrappedValue = 2
        stage.layOut()
        #expect(stage.texts == ["x", "count 2"])
    }

    @Test("views that change each other forever are stopped")
    func circle() {
        @MainActor struct Root: View {
            @State var value = 0
            var body: some View { Text(verbatim: "\(value)").onChange(of: value, initial: true) { value += 1 } }
        }
        let stage = Stage { Root() }
        #expect(stage.texts.count == 1)
    }

    @Test("state stays with its property when an optional property appears", arguments: [true, false])
    func optionalProperties(startsWithNil: Bool) {
        @MainActor struct Row: View {
            var isOn: Binding<Bool>?
            @State var value = 0
            @StateObject var object = Classic()
            let handles: Handles
            var body: some View {
                let _ = handles.ints["value"] = $value
                let _ = handles.strings["name"] = $object.name
                Text(verbatim: "\(isOn == nil) \(value) \(object.name)")
            }
        }
        @MainActor struct Root: View {
            @State var isOn = false
            @State var isPassed: Bool
            let handles: Handles
            var body: some View {
                let _ = handles.bools["isPassed"] = $isPassed
                Row(isOn: isPassed ? $isOn : nil, handles: handles)
            }
        }
        let handles = Handles()
        let stage = Stage { Root(isPassed: !startsWithNil, handles: handles) }
        handles.ints["value"]?.wrappedValue = 5
        handles.strings["name"]?.wrappedValue = "b"
        stage.layOut()
        for isPassed in [startsWithNil, !startsWithNil] {
            handles.bools["isPassed"]?.wrappedValue = isPassed
            stage.layOut()
            #expect(stage.texts == ["\(!isPassed) 5 b"])
        }
    }

    @Test("an optional dynamic property that is first nil keeps its state later")
    func laterProperty() {
        @MainActor struct Part: DynamicProperty {
            @State var value = 0
        }
        @MainActor struct Row: View {
            var part: Part?
            let handles: Handles
            var body: some View {
                let _ = handles.ints["value"] = part?.$value
                Text(verbatim: "\(part?.value ?? -1)")
            }
        }
        @MainActor struct Root: View {
            @State var count = 0
            let handles: Handles
            var body: some View {
                let _ = handles.ints["count"] = $count
                Row(part: count == 0 ? nil : Part(), handles: handles)
            }
        }
        let handles = Handles()
        let stage = Stage { Root(handles: handles) }
        handles.ints["count"]?.wrappedValue = 1
        stage.layOut()
        handles.ints["value"]?.wrappedValue = 5
        handles.ints["count"]?.wrappedValue = 2
        stage.layOut()
        #expect(stage.texts == ["5"])
    }

    /// As many keys as needed: each key's type contains the previous one.
    struct NestedKey<Previous>: EnvironmentKey {
        static var defaultValue: Int { -1 }
        static func write(_ range: Range<Int>, into environment: inout EnvironmentValues) {
            guard let first = range.first else { return }
            environment[NestedKey.self] = first
            NestedKey<NestedKey>.write(range.dropFirst(), into: &environment)
        }
        static func read(_ count: Int, from environment: EnvironmentValues) -> [Int] {
            count == 0
                ? [] : [environment[NestedKey.self]] + NestedKey<NestedKey>.read(count - 1, from: environment)
        }
    }

    @Test("an environment keeps each of many values, and copies are independent")
    func manyEnvironmentValues() {
        final class Shared {}
        let shared = Shared()
        var first = EnvironmentValues()
        first.setObject(shared)
        NestedKey<Void>.write(0..<30, into: &first)
        #expect(NestedKey<Void>.read(31, from: first) == Array(0..<30) + [-1])
        #expect(first.object(Shared.self) === shared)
        var second = first
        NestedKey<Void>.write(100..<112, into: &second)
        second.setObject(nil as Shared?)
        #expect(NestedKey<Void>.read(30, from: second) == Array(100..<112) + Array(12..<30))
        #expect(second.object(Shared.self) == nil)
        #expect(NestedKey<Void>.read(30, from: first) == Array(0..<30))
        #expect(first.object(Shared.self) === shared)
    }

    @Test("rows of one environment share the one inside until it changes")
    func rowEnvironment() {
        var list = EnvironmentValues()
        #expect(list.inRow.isSame(as: list))
        list.isLazy = true
        let inside = list.inRow
        #expect(!inside.isLazy)
        #expect(list.inRow.isSame(as: inside))
        list[NestedKey<Void>.self] = 1
        #expect(list.inRow[NestedKey<Void>.self] == 1)
        #expect(inside[NestedKey<Void>.self] == -1)
    }

    @Test("an environment modifier with another key path or type sets other values")
    func environmentKeys() {
        @MainActor struct Reader: View {
            @Environment(\.first) private var first
            @Environment(\.second) private var second
            @Environment(Model.self) private var model: Model?
            @Environment(Shared.self) private var shared: Shared?
            var body: some View { Text(verbatim: "\(first) \(second), \(model == nil) \(shared == nil)") }
        }
        @MainActor struct Root: View {
            @State var isOther = false
            let model = Model()
            let shared = Shared()
            let handles: Handles
            var body: some View {
                let _ = handles.bools["isOther"] = $isOther
                Group {
                    Reader().environment(isOther ? \.second : \.first, 1)
                    // Both views have the same type.
                    isOther
                        ? AnyView(Reader().environment(nil as Shared?))
                        : AnyView(Reader().environment(nil as Model?))
                }
                .environment(model)
                .environment(shared)
            }
        }
        let handles = Handles()
        let stage = Stage { Root(handles: handles) }
        #expect(stage.texts == ["1 0, false false", "0 0, true false"])
        handles.bools["isOther"]?.wrappedValue = true
        stage.layOut()
        #expect(stage.texts == ["0 1, false false", "0 0, false true"])
    }

    @Test("AnyView keeps state only while its type is the same")
    func anyView() {
        @MainActor struct Root: View {
            @State var kind = 0
            let handles: Handles
            var view: AnyView {
                kind < 2 ? AnyView(Counter(name: "a") { handles.ints["a"] = $0 }) : AnyView(Text(verbatim: "other"))
            }
            var body: some View {
                let _ = handles.ints["kind"] = $kind
                view
            }
        }
        let handles = Handles()
        let stage = Stage { Root(handles: handles) }
        handles.ints["a"]?.wrappedValue = 4
        handles.ints["kind"]?.wrappedValue = 1
        stage.layOut()
        #expect(stage.texts == ["a 4"])
        handles.ints["kind"]?.wrappedValue = 2
        stage.layOut()
        #expect(stage.texts == ["other"])
    }
}

/// Runs `change` on another thread and blocks until it returns.
private func blockDuring(_ change: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        change()
        done.signal()
    }
    done.wait()
}

@MainActor private final class Waiting {
    static let shared = Waiting()
    var all: [CheckedContinuation<Void, Never>] = []
    var ended: CheckedContinuation<Void, Never>?
    func add(_ done: CheckedContinuation<Void, Never>) { all.append(done) }
    func finish() {
        for one in all { one.resume() }
        all = []
    }
}
