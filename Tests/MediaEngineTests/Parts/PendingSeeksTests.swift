import MediaCore
import Testing

@testable import MediaEngine

@Suite("Pending seeks")
@MainActor
struct PendingSeeksTests {
    private let seeks = PendingSeeks()
    private let answers = Answers()

    @MainActor
    private final class Answers {
        var all: [String] = []
    }

    private func begin(to target: MediaTime, _ name: String) -> UInt64 {
        seeks.begin(to: target) { [answers] in answers.all.append("\(name) \($0)") }
    }

    @Test("the target is kept until the newest seek is answered")
    func target() {
        let first = begin(to: 1, "first")
        let second = begin(to: 2, "second")
        #expect(seeks.target == 2 && !seeks.isNewest(first) && seeks.isNewest(second))
        seeks.finish(first)?(false)
        #expect(seeks.target == 2)
        seeks.finish(second)?(true)
        #expect(seeks.target == nil && answers.all == ["first false", "second true"])
    }

    @Test("every seek is answered once")
    func once() {
        let id = begin(to: 1, "seek")
        #expect(seeks.finish(id) != nil && seeks.finish(id) == nil)
    }

    @Test("steps wait for the seek and are taken once")
    func steps() {
        #expect(!seeks.wait(toStep: 1))
        let id = begin(to: 1, "seek")
        #expect(seeks.wait(toStep: 3) && seeks.wait(toStep: -1) && seeks.takeSteps() == 0)
        _ = seeks.finish(id)
        #expect(seeks.takeSteps() == 2 && seeks.takeSteps() == 0)
    }

    @Test("any number of steps is added without an overflow")
    func manySteps() {
        let id = begin(to: 1, "seek")
        for _ in 0..<3 { #expect(seeks.wait(toStep: PendingSeeks.limited(.max))) }
        _ = seeks.finish(id)
        #expect(seeks.takeSteps() == PendingSeeks.limited(.max))
    }

    @Test("another seek and playing drop steps", arguments: [true, false])
    func dropped(plays: Bool) {
        seeks.didStep(to: 5)
        let id = begin(to: 1, "first")
        #expect(seeks.steppedTime == nil && seeks.wait(toStep: 1))
        let newest = plays ? id : begin(to: 2, "second")
        if plays { seeks.endSteps() }
        _ = seeks.finish(newest)
        #expect(seeks.takeSteps() == 0)
    }

    @Test("an item change keeps the answers of seeks before it")
    func itemChange() {
        let id = begin(to: 1, "seek")
        seeks.didStep(to: 1)
        seeks.itemDidChange()
        #expect(seeks.target == nil && seeks.steppedTime == nil)
        seeks.finish(id)?(false)
        #expect(answers.all == ["seek false"])
    }

    @Test("abandoned seeks are all answered, and later ones are new")
    func abandoned() {
        let id = begin(to: 1, "first")
        _ = begin(to: 2, "second")
        for answer in seeks.abandon() { answer(false) }
        #expect(answers.all.sorted() == ["first false", "second false"] && seeks.target == nil)
        #expect(seeks.finish(id) == nil && seeks.abandon().isEmpty)
        let last = begin(to: 3, "last")
        #expect(last > id && seeks.isNewest(last))
    }
}
