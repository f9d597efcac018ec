import Foundation
import OpenCombine
import TestSupport
import Testing

@_spi(Graph) @testable import ViewGraph

/// Changes on other threads, which code in Swift 5 mode can make. The compiler rejects them in Swift 6 mode, so the
/// tests remove the isolation of their closures.
@Suite("Changes of states on other threads", .serialized) @MainActor
struct OtherThreadTests {
    /// Runs `change` on another thread. Blocks the main actor meanwhile.
    private func elsewhere(_ change: @escaping @MainActor () -> Void) {
        let done = DispatchSemaphore(value: 0)
        let free = unsafeBitCast(change, to: (@Sendable () -> Void).self)
        Thread.detachNewThread {
            free()
            done.signal()
        }
        done.wait()
    }
    /// Waits until the main queue has run the closures that other threads have queued.
    private func settle() async {
        for _ in 0..<2 {
            await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
        }
    }

    @MainActor private final class Handles {
        var number: Binding<Int>?
        var words: Binding<[String]>?
        var log: [String] = []
    }
    private struct Root: View {
        @State var number = 0
        @State var words: [String] = []
        let handles: Handles
        var body: some View {
            let _ = (handles.number = $number, handles.words = $words)
            Text("\(number) \(words.joined())")
                .onChange(of: number) { old, new in handles.log.append("\(old)→\(new)") }
        }
    }

    @Test("a state set on another thread reaches its view in order")
    func set() async {
        let handles = Handles()
        let stage = Stage { Root(handles: handles) }
        nonisolated(unsafe) var seen: [Int] = []
        elsewhere {
            for value in 1...3 {
                handles.number?.wrappedValue = value
                seen.append(handles.number?.wrappedValue ?? -1)
            }
            handles.words?.wrappedValue.append("a")
            handles.words?.wrappedValue.append("b")
        }
        // The thread sees its own values. The main actor sees them later.
        #expect(seen == [1, 2, 3])
        #expect(stage.texts == ["0 "] && handles.number?.wrappedValue == 0)
        await settle()
        stage.layOut()
        #expect(stage.texts == ["3 ab"])
        #expect(handles.log == ["0→3"])
    }

    @Test("a later value of the main actor replaces a handed one")
    func replaced() async {
        let handles = Handles()
        let stage = Stage { Root(handles: handles) }
        elsewhere { handles.number?.wrappedValue = 1 }
        handles.number?.wrappedValue = 2
        await settle()
        stage.layOut()
        #expect(stage.texts == ["2 "])
        elsewhere { handles.number?.wrappedValue = 3 }
        await settle()
        #expect(handles.number?.wrappedValue == 3)
    }

    @Test("an action before an animated value arrives replaces that value")
    func replacedByAction() async {
        struct Reacting: View {
            @State var number = 0
            @State var words: [String] = []
            let handles: Handles
            var body: some View {
                let _ = (handles.number = $number, handles.words = $words)
                Text("\(number)").onChange(of: words) { _, _ in number = 2 }
            }
        }
        let handles = Handles()
        let stage = Stage { Reacting(handles: handles) }
        elsewhere { withAnimation(.linear(duration: 1)) { handles.number?.wrappedValue = 1 } }
        handles.words?.wrappedValue = ["a"]
        await settle()
        stage.layOut()
        #expect(stage.texts == ["2"])
    }

    @Test("an animation around a set on another thread is kept")
    func animation() async {
        struct Moved: View {
            @State var number = 0
            let handles: Handles
            var body: some View {
                let _ = handles.number = $number
                Text("\(number)").transaction { handles.log.append($0.animation == nil ? "still" : "animated") }
            }
        }
        let handles = Handles()
        let stage = Stage { Moved(handles: handles) }
        handles.log = []
        elsewhere { withAnimation(.linear(duration: 1)) { handles.number?.wrappedValue = 1 } }
        await settle()
        stage.layOut()
        #expect(handles.log.contains("animated") && stage.texts == ["1"])
    }

    @Test("many threads and the main actor use one state simultaneously")
    func many() async {
        let state = State(wrappedValue: ["start"])
        let box = UnsafeState(state)
        let work = unsafeBitCast(
            { (number: Int) in
                for round in 0..<200 {
                    box.state.wrappedValue = ["\(number)", "\(round)"]
                    precondition(!box.state.wrappedValue.isEmpty)
                }
            } as @MainActor (Int) -> Void, to: (@Sendable (Int) -> Void).self)
        let group = DispatchGroup()
        for number in 0..<4 {
            group.enter()
            Thread.detachNewThread {
                work(number)
                group.leave()
            }
        }
        for round in 0..<200 {
            state.wrappedValue = ["main", "\(round)"]
            await settle()
        }
        while group.wait(timeout: .now()) == .timedOut { await settle() }
        await settle()
        #expect(state.wrappedValue.count == 2)
    }

    @Test("a stored value written on another thread updates its view")
    func appStorage() async throws {
        struct Stored: View {
            @AppStorage("otherThread") var number = 0
            let handles: Handles
            var body: some View {
                let _ = handles.number = $number
                Text("\(number)")
            }
        }
        let name = "zoetrope-other-thread-\(UUID().uuidString)"
        let store = try #require(UserDefaults(suiteName: name))
        defer { store.removePersistentDomain(forName: name) }
        let handles = Handles()
        let stage = Stage { Stored(handles: handles).defaultAppStorage(store) }
        nonisolated(unsafe) var seen = -1
        elsewhere {
            handles.number?.wrappedValue = 5
            seen = handles.number?.wrappedValue ?? -1
        }
        #expect(seen == 5 && store.integer(forKey: "otherThread") == 5)
        await settle()
        stage.layOut()
        #expect(stage.texts == ["5"])
    }

    @Test("a change is seen even if the view is evaluated before it")
    func lateChange() async throws {
        final class Late: ObservableObject {
            let objectWillChange = ObservableObjectPublisher()
            nonisolated(unsafe) var number = 0
        }
        struct Follower: View {
            @ObservedObject var model: Late
            var body: some View { Text("\(model.number)") }
        }
        nonisolated(unsafe) let model = Late()
        let stage = Stage { Follower(model: model) }
        elsewhere { model.objectWillChange.send() }
        await settle()
        stage.layOut()
        model.number = 1
        await eventually("the later value is shown", seen: { "\(stage.texts)" }) {
            stage.layOut()
            return stage.texts == ["1"]
        }
    }
}

/// A state that the test uses on several threads.
private struct UnsafeState: @unchecked Sendable {
    let state: State<[String]>
    init(_ state: State<[String]>) { self.state = state }
}
