import Foundation
import OpenCombine
import Testing

@_spi(Graph) @testable import ViewGraph

/// A publisher that counts its subscriptions, and equals another one with the same subject.
private struct Counted: Publisher {
    typealias Output = Int
    typealias Failure = Never
    let subject: PassthroughSubject<Int, Never>
    let count: Counts
    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
        count.subscriptions += 1
        subject.receive(subscriber: subscriber)
    }
}
private final class Counts { var subscriptions = 0 }

@Suite("Publishers of onReceive") @MainActor
struct PublisherTests {
    @MainActor private final class Handles {
        var subject: Binding<PassthroughSubject<Int, Never>>?
        var number: Binding<Int>?
        var log: [String] = []
    }

    @Test("another publisher in a later body replaces the first")
    func replaced() {
        struct Root: View {
            @State var subject: PassthroughSubject<Int, Never>
            let handles: Handles
            var body: some View {
                let _ = handles.subject = $subject
                Text("x").onReceive(subject) { handles.log.append("\($0)") }
            }
        }
        let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let handles = Handles()
        let stage = Stage { Root(subject: first, handles: handles) }
        first.send(1)
        handles.subject?.wrappedValue = second
        stage.layOut()
        first.send(2)
        second.send(3)
        #expect(handles.log == ["1", "3"])
    }

    @Test("an equal publisher made in each body keeps its subscription", arguments: [false, true])
    func equal(isErased: Bool) {
        struct Root: View {
            @State var number = 0
            let isErased: Bool
            let subject: PassthroughSubject<Int, Never>
            let counts: Counts
            let handles: Handles
            var body: some View {
                let _ = handles.number = $number
                let publisher = Counted(subject: subject, count: counts)
                let log: (Int) -> Void = { handles.log.append("\(number) \($0)") }
                if isErased {
                    Text("\(number)").onReceive(publisher.eraseToAnyPublisher(), perform: log)
                } else {
                    Text("\(number)").onReceive(publisher, perform: log)
                }
            }
        }
        let (counts, handles) = (Counts(), Handles())
        let subject = PassthroughSubject<Int, Never>()
        let stage = Stage { Root(isErased: isErased, subject: subject, counts: counts, handles: handles) }
        for number in 1...3 {
            handles.number?.wrappedValue = number
            stage.layOut()
            subject.send(7)
        }
        #expect(counts.subscriptions == 1)
        #expect(handles.log == ["1 7", "2 7", "3 7"])
    }

    @Test("a closure with captures in the publisher follows the view's values")
    func captures() {
        struct Root: View {
            @State var number = 0
            let subject: PassthroughSubject<Int, Never>
            let handles: Handles
            var body: some View {
                let _ = handles.number = $number
                let number = number
                Text("\(number)").onReceive(subject.filter { $0 == number }) { handles.log.append("\($0)") }
            }
        }
        let handles = Handles()
        let subject = PassthroughSubject<Int, Never>()
        let stage = Stage { Root(subject: subject, handles: handles) }
        handles.number?.wrappedValue = 2
        stage.layOut()
        for value in 0...3 { subject.send(value) }
        #expect(handles.log == ["2"])
    }

    @Test("the subscription ends with the view")
    func ends() {
        struct Root: View {
            @State var number = 0
            let subject: PassthroughSubject<Int, Never>
            let handles: Handles
            var body: some View {
                let _ = handles.number = $number
                if number == 0 { Text("x").onReceive(subject) { handles.log.append("\($0)") } }
            }
        }
        let handles = Handles()
        let subject = PassthroughSubject<Int, Never>()
        let stage = Stage { Root(subject: subject, handles: handles) }
        handles.number?.wrappedValue = 1
        stage.layOut()
        subject.send(1)
        #expect(handles.log.isEmpty)
    }
}
