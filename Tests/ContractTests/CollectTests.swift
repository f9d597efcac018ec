import Foundation
import Testing
import Zoetrope

@Suite("Values collected by time") @MainActor
struct CollectTests {
    @Test("values arrive in arrays; completion delivers the remaining ones")
    func end() {
        var told: [[Int]] = []
        var isOver = false
        let subject = PassthroughSubject<Int, Never>()
        // The interval is too long to end during the test.
        let sink = subject.collect(.byTime(DispatchQueue.main, .seconds(3600)))
            .sink(receiveCompletion: { _ in isOver = true }, receiveValue: { told.append($0) })
        subject.send(1)
        subject.send(2)
        #expect(told.isEmpty)
        subject.send(completion: .finished)
        #expect(told == [[1, 2]] && isOver)
        sink.cancel()
    }

    @Test("a full array comes before the interval is over")
    func count() {
        var told: [[Int]] = []
        let subject = PassthroughSubject<Int, Never>()
        let sink = subject.collect(.byTimeOrCount(DispatchQueue.main, .seconds(3600), 2)).sink { told.append($0) }
        for value in 1...5 { subject.send(value) }
        #expect(told == [[1, 2], [3, 4]])
        sink.cancel()
        subject.send(completion: .finished)
        #expect(told.count == 2)
    }

    @Test("the end of an interval delivers the collected values")
    func interval() async {
        let subject = PassthroughSubject<Int, Never>()
        var sink: AnyCancellable?
        let first = await withCheckedContinuation { continuation in
            sink = subject.collect(.byTime(DispatchQueue.main, .milliseconds(1))).first()
                .sink { continuation.resume(returning: $0) }
            subject.send(7)
        }
        #expect(first == [7])
        sink?.cancel()
        subject.send(completion: .finished)
    }

    private struct Failed: Error {}
    @Test("a failure drops what was collected")
    func failure() {
        var told: [String] = []
        let subject = PassthroughSubject<Int, any Error>()
        let sink = subject.collect(.byTime(DispatchQueue.main, .seconds(3600)))
            .sink(
                receiveCompletion: { if case .failure = $0 { told.append("failed") } },
                receiveValue: { told.append("\($0)") })
        subject.send(1)
        subject.send(completion: .failure(Failed()))
        #expect(told == ["failed"])
        sink.cancel()
    }
}
