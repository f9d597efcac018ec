import Testing

@testable import PlayerControls

@Suite("Order of a play queue")
struct PlayOrderTests {
    private func order(_ count: Int, at index: Int = 0, wraps: Bool = false, left: Int? = nil) -> PlayOrder<Int> {
        var order = PlayOrder(Array(0..<count))
        order.index = index
        order.setRounds(wraps: wraps, left: left)
        return order
    }

    @Test("a list that does not wrap ends on both sides")
    func plain() {
        #expect(order(3).next(by: 1) == PlayOrderPosition(1) && order(3).next(by: 2) == PlayOrderPosition(2))
        #expect(order(3).next(by: 3) == nil && order(3).next(by: -1) == nil && order(0).next(by: 1) == nil)
        #expect(order(3).next(by: .max) == nil && order(3, at: 2).next(by: .min) == nil)
    }

    @Test("a list that wraps continues on both sides and counts forward rounds")
    func wraps() {
        #expect(order(3, at: 2, wraps: true).next(by: 1) == PlayOrderPosition(0, rounds: 1))
        #expect(order(3, wraps: true).next(by: -1) == PlayOrderPosition(2))
        #expect(order(1, wraps: true).next(by: 1) == nil)
    }

    @Test("a limit counts the rounds between the current entry and the next")
    func limit() {
        var order = order(2, at: 1, wraps: true, left: 1)
        let first = order.next(by: 1)
        #expect(first == PlayOrderPosition(0, rounds: 1))
        #expect(order.next(from: PlayOrderPosition(1, rounds: 1), by: 1) == nil)
        order.follow(PlayOrderPosition(0, rounds: 1))
        #expect(order.index == 0 && order.rounds == 1 && order.roundsLeft == 0)
        order.index = 1
        #expect(order.next(by: 1) == nil && order.next(by: -2) != nil)
        order.setRounds(wraps: true, left: -4)
        #expect(order.roundsLeft == 0)
    }

    @Test("each entry follows the current one at most once")
    func following() {
        #expect(order(4, at: 2).following(9) == [3])
        #expect(order(4, at: 2, wraps: true).following(9) == [3, 0, 1])
        #expect(order(4, at: 2, wraps: true).following(2) == [3, 0])
        #expect(order(4, at: 2, wraps: true, left: 0).following(9) == [3])
        #expect(order(1).following(3).isEmpty)
    }

    @Test("replaced entries keep a valid current index")
    func replaced() {
        var order = order(4, at: 3)
        order.replace([7, 8], index: 1)
        #expect(order.index == 1)
        order.replace([7], index: 1)
        #expect(order.index == 0)
    }
}
