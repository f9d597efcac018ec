import Foundation
import MediaEngine
import Testing

@testable import PlayerControls

@Suite("Items that follow the current one") @MainActor
struct UpcomingItemsTests {
    private func items(_ count: Int) -> [AVPlayerItem] {
        (0..<count).map { AVPlayerItem(url: URL(fileURLWithPath: "/nonexistent/\($0).mp4")) }
    }
    private func upcoming(_ items: [AVPlayerItem]) -> UpcomingItems {
        var upcoming = UpcomingItems(limit: 4)
        for (index, item) in items.enumerated() {
            upcoming.append(item, at: PlayOrderPosition(index % 2, rounds: index / 2))
        }
        return upcoming
    }

    @Test("the rounds of later items count from the current one")
    func rounds() {
        let items = items(4)
        var upcoming = upcoming(items)
        #expect(upcoming.isFull && upcoming.lastPosition == PlayOrderPosition(1, rounds: 1))
        let found = upcoming.find(items[2])
        #expect(found?.index == 2 && found?.orderPosition == PlayOrderPosition(0, rounds: 1))
        upcoming.advance(to: 2)
        #expect(upcoming.items == [items[3]] && upcoming.lastPosition == PlayOrderPosition(1))
        #expect(upcoming.find(items[2]) == nil && !upcoming.isFull)
    }

    @Test("skipped items are counted until no item is skipped")
    func skipped() {
        var upcoming = upcoming(items(4))
        upcoming.advance(to: 1)
        #expect(upcoming.skipped == 1)
        upcoming.skipAll()
        #expect(upcoming.skipped == 3 && upcoming.items.count == 2)
        upcoming.advance(to: 0)
        #expect(upcoming.skipped == 0)
    }

    @Test("removed items are returned in order")
    func removed() {
        let items = items(3)
        var upcoming = upcoming(items)
        let last = upcoming.remove(from: 1)
        #expect(last == [items[1], items[2]] && upcoming.items == [items[0]])
        let none = upcoming.remove(from: 7)
        #expect(none.isEmpty && !upcoming.isEmpty)
        let all = upcoming.remove()
        #expect(all == [items[0]] && upcoming.isEmpty && upcoming.lastPosition == nil)
    }
}
