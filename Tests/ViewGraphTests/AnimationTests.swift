import Foundation
import Testing

@_spi(Graph) @testable import ViewGraph

/// Tests of the curves of animations, of their completion, and of the views that they concern.
@Suite("Animations") @MainActor
struct AnimationTests {
    private func values(_ animation: Animation) -> [Double] {
        (0...100).map { animation.progress(at: Double($0) / 100 * animation.duration * 0.999).value }
    }

    @Test("a spring's initial velocity changes its start, not its end", arguments: [0.5, 1, 2])
    func velocity(damping: Double) {
        let slow = Animation.interpolatingSpring(duration: 0.5, bounce: 1 - damping)
        let fast = Animation.interpolatingSpring(duration: 0.5, bounce: 1 - damping, initialVelocity: 8)
        let early = 0.0001
        #expect(slow.progress(at: 0).value == 0 && abs(fast.progress(at: 0).value) < 1e-9)
        #expect(abs(slow.progress(at: early).value / early) < 0.1)
        #expect(abs(fast.progress(at: early).value / early - 8) < 0.1)
        #expect(abs((values(fast).last ?? 0) - 1) < 0.01)
        #expect(fast.progress(at: fast.duration).isOver)
    }

    @Test("physical and perceptual springs with the same properties are the same")
    func forms() {
        let stiffness = pow(2 * Double.pi / 0.5, 2)
        let physical = Animation.interpolatingSpring(
            mass: 2, stiffness: 2 * stiffness, damping: 2 * 2 * stiffness.squareRoot() * 0.8)
        let perceptual = Animation.interpolatingSpring(duration: 0.5, bounce: 0.2)
        #expect(zip(values(physical), values(perceptual)).allSatisfy { abs($0 - $1) < 1e-6 })
        #expect(values(.interpolatingSpring(stiffness: .nan, damping: -1)).allSatisfy { $0.isFinite })
    }

    @Test("smooth, snappy and bouncy springs overshoot in this order")
    func presets() {
        let peak = { (animation: Animation) in values(animation).max() ?? 0 }
        #expect(peak(.smooth(duration: 0.3)) <= 1)
        #expect(peak(.snappy(duration: 0.3)) > 1)
        #expect(peak(.bouncy(duration: 0.3)) > peak(.snappy(duration: 0.3)))
        #expect(peak(.smooth(extraBounce: 0.3)) == peak(.bouncy()))
    }

    private struct Counter: View {
        @State private var count = 0
        let made: (Binding<Int>) -> Void
        var body: some View {
            let _ = made($count)
            Text("\(count)")
        }
    }

    @Test(
        "a completion waits for the delay and all runs of the animation",
        arguments: [
            (Animation.linear(duration: 1).delay(0.5), AnimationCompletionCriteria.logicallyComplete, 1.5),
            (.linear(duration: 1).speed(2).repeatCount(3), .removed, 1.5),
            (.spring(response: 0.4, dampingFraction: 0.5), .logicallyComplete, 0.4),
            (.linear(duration: 1).repeatForever(), .removed, .infinity),
        ])
    func completion(animation: Animation, criteria: AnimationCompletionCriteria, seconds: Double) {
        nonisolated(unsafe) var count: Binding<Int>?
        let stage = Stage { Counter { count = $0 } }
        var waiting: [(seconds: Double, action: @MainActor () -> Void)] = []
        stage.host.graph.wake = { waiting.append(($0, $1)) }
        var completions = 0
        withAnimation(animation, completionCriteria: criteria) {
            count?.wrappedValue += 1
        } completion: {
            completions += 1
        }
        #expect(stage.texts == ["1"] && completions == 0)
        #expect(waiting.map(\.seconds) == (seconds.isFinite ? [seconds] : []))
        waiting.first?.action()
        #expect(completions == (seconds.isFinite ? 1 : 0))
    }

    @Test("an animation starts after its delay, whatever its duration", arguments: [0, 0.5])
    func delay(duration: Double) {
        let animation = Animation.linear(duration: duration).delay(1)
        for time in [0, 0.5, 0.99] {
            let progress = animation.progress(at: time)
            #expect(progress.value == 0 && !progress.isOver, "\(time)")
        }
        #expect(animation.progress(at: 1 + duration) == (1, true))
        #expect(animation.seconds(until: .removed) == 1 + duration)
        #expect(Animation.linear(duration: 0).progress(at: 0) == (1, true))
    }

    @Test("a spring is removed later than it is logically complete")
    func removal() {
        let spring = Animation.spring(response: 0.4, dampingFraction: 0.5)
        #expect(spring.seconds(until: .removed) > spring.seconds(until: .logicallyComplete))
    }

    @Test("a completion without changes of views is called at once")
    func nothing() {
        let stage = Stage { Text("a") }
        stage.host.graph.wake = { _, _ in Issue.record("nothing is animated") }
        var completions = 0
        withAnimation {
        } completion: {
            completions += 1
        }
        #expect(completions == 1)
    }

    /// A view that records the animation of each of its updates.
    private struct Recorder: _PrimitiveView {
        let name: String
        let value: Int
        let record: (String, Animation?) -> Void
        static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
            LeafFiber(view, inputs, TextElement()) { _, view, fiber in
                view.record(view.name, fiber.graph.transaction.animation)
            }
        }
    }

    @Test("an animated body does not animate the content, nor other bodies")
    func bodies() {
        @MainActor struct Root: View {
            @State var count = 0
            let made: (Binding<Int>) -> Void
            let record: (String, Animation?) -> Void
            var body: some View {
                let _ = made($count)
                Recorder(name: "content", value: count, record: record)
                    .animation(.linear(duration: 1)) {
                        $0.overlay { Recorder(name: "inner", value: count, record: record) }
                    }
                    .animation(.linear(duration: 2)) {
                        $0.overlay { Recorder(name: "outer", value: count, record: record) }
                    }
            }
        }
        nonisolated(unsafe) var count: Binding<Int>?
        nonisolated(unsafe) var found: [String: Animation?] = [:]
        let stage = Stage { Root(made: { count = $0 }, record: { found[$0] = .some($1) }) }
        for around in [nil, Animation.easeIn(duration: 3)] {
            found = [:]
            withAnimation(around) { count?.wrappedValue += 1 }
            stage.layOut()
            #expect(found["content"] == .some(around))
            #expect(found["inner"] == .some(.linear(duration: 1)))
            #expect(found["outer"] == .some(.linear(duration: 2)))
        }
    }

    @Test("animation and transaction apply to changes of views inside them")
    func changesInside() {
        @MainActor struct Child: View {
            @State var count = 0
            let name: String
            let made: (Binding<Int>) -> Void
            let record: (String, Animation?) -> Void
            var body: some View {
                let _ = made($count)
                Recorder(name: name, value: count, record: record)
            }
        }
        nonisolated(unsafe) var counts: [String: Binding<Int>] = [:]
        nonisolated(unsafe) var found: [String: Animation?] = [:]
        func child(_ name: String) -> Child {
            Child(name: name, made: { counts[name] = $0 }, record: { found[$0] = .some($1) })
        }
        let stage = Stage {
            HStack {
                child("animated").animation(.linear(duration: 1))
                child("still").transaction { $0.animation = nil }
                child("content").animation(.linear(duration: 2)) { $0.overlay { child("overlaid") } }
            }
        }
        for around in [nil, Animation.easeIn(duration: 3)] {
            found = [:]
            withAnimation(around) { for count in counts.values { count.wrappedValue += 1 } }
            stage.layOut()
            #expect(found["animated"] == .some(.linear(duration: 1)))
            #expect(found["still"] == .some(nil))
            #expect(found["content"] == .some(around))
            #expect(found["overlaid"] == .some(.linear(duration: 2)))
        }
    }

    @Test("an update of a view calls only modifiers that change transactions")
    func otherModifiers() {
        @MainActor final class Log {
            var count: Binding<Int>?
            var animation: Animation?
            var calls = 0
        }
        struct Other: FiberModifier {
            let log: Log
            func makeStorage(_ fiber: _Fiber) {}
            func transaction(_ storage: Void, _ transaction: Transaction) -> Transaction? {
                log.calls += 1
                return nil
            }
        }
        @MainActor struct Child: View {
            @State var count = 0
            let log: Log
            var body: some View {
                let _ = log.count = $count
                Recorder(name: "child", value: count) { [log] in log.animation = $1 }
            }
        }
        let log = Log()
        let stage = Stage {
            Child(log: log).fiberModifier(Other(log: log)).animation(.linear(duration: 1))
                .fiberModifier(Other(log: log))
        }
        log.count?.wrappedValue = 1
        stage.layOut()
        #expect(log.calls == 0)
        #expect(log.animation == .linear(duration: 1))
    }

    @Test("animation(_:value:) animates distant readers only while its value changes")
    func distantReaders() {
        @MainActor final class Log {
            var counts: [Binding<Int>] = []
            var animation: Animation?
        }
        @MainActor struct Leaf: View {
            @Binding var count: Int
            @State var own = 0
            let log: Log
            var body: some View {
                let _ = log.counts = [log.counts[0], $own]
                Recorder(name: "leaf", value: count + own) { [log] in log.animation = $1 }
            }
        }
        @MainActor struct Middle: View {
            @Binding var count: Int
            let log: Log
            // The body does not read the count, so only the leaf is evaluated when it changes.
            var body: some View { Leaf(count: $count, log: log) }
        }
        @MainActor struct Root: View {
            @State var count = 0
            let log: Log
            var body: some View {
                let _ = log.counts = [$count]
                Middle(count: $count, log: log).animation(.linear(duration: 1), value: count / 10)
            }
        }
        let log = Log()
        let stage = Stage { Root(log: log) }
        let (count, own) = (log.counts[0], log.counts[1])
        let steps: [(binding: Binding<Int>, value: Int, animation: Animation?)] = [
            (count, 10, .linear(duration: 1)), (own, 1, nil), (count, 11, nil), (count, 20, .linear(duration: 1)),
        ]
        for step in steps {
            step.binding.wrappedValue = step.value
            stage.layOut()
            #expect(log.animation == step.animation, "\(step.value)")
        }
    }

    @Test("each withAnimation animates only its own changes, also in actions", arguments: [true, false])
    func ownAnimations(inAction: Bool) {
        @MainActor struct Root: View {
            @State var isOn = false
            @State var values = [0, 0, 0, 0, 0]
            let inAction: Bool
            let made: (Binding<Bool>, Binding<[Int]>) -> Void
            let record: (String, Animation?) -> Void
            var body: some View {
                let _ = made($isOn, $values)
                HStack {
                    recorder(0)
                    recorder(1)
                    recorder(2)
                    recorder(3)
                    recorder(4)
                }
                .onChange(of: isOn) { _, _ in if inAction { Root.change($values) } }
            }
            func recorder(_ index: Int) -> Recorder {
                Recorder(name: "\(index): \(values[index])", value: values[index], record: record)
            }
            static func change(_ values: Binding<[Int]>) {
                values.wrappedValue[0] = 1
                withAnimation(.linear(duration: 1)) {
                    values.wrappedValue[1] = 1
                    withAnimation(.easeIn(duration: 2)) { values.wrappedValue[2] = 1 }
                }
                withAnimation(nil) { values.wrappedValue[3] = 1 }
                values.wrappedValue[4] = 1
            }
        }
        nonisolated(unsafe) var isOn: Binding<Bool>?
        nonisolated(unsafe) var values: Binding<[Int]>?
        nonisolated(unsafe) var found: [String: Animation?] = [:]
        let stage = Stage {
            Root(
                inAction: inAction, made: { (isOn, values) = ($0, $1) },
                record: { if found[$0] == nil { found[$0] = .some($1) } })
        }
        isOn?.wrappedValue = true
        if !inAction, let values { Root.change(values) }
        stage.layOut()
        let expected: [Animation?] = [nil, .linear(duration: 1), .easeIn(duration: 2), nil, nil]
        for (index, animation) in expected.enumerated() {
            #expect(found["\(index): 1"] == .some(animation), "\(index)")
        }
    }

    @Test("a length below 500 points is compact", arguments: [(0.0, true), (499.5, true), (500, false), (1920, false)])
    func sizeClass(length: Double, isCompact: Bool) {
        #expect(UserInterfaceSizeClass(length: CGFloat(length)) == (isCompact ? .compact : .regular))
        #expect(EnvironmentValues().horizontalSizeClass == nil && EnvironmentValues().verticalSizeClass == nil)
    }
}
