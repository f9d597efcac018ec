import CGTK
import Foundation
import Testing

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

@Suite("Parts of a scroll area") @MainActor
struct ScrollPartTests {
    /// Timers that the test fires by hand, and the number of times that scrolling came to rest.
    @MainActor private final class Timers {
        var pending: [@MainActor () -> Void] = []
        var rests = 0
        func end(_ index: Int) { if pending.indices.contains(index) { pending[index]() } }
    }
    private func settling(_ timers: Timers) -> ScrollSettling {
        let settling = ScrollSettling { _, body in timers.pending.append(body) }
        settling.onQuiet = { timers.rests += 1 }
        return settling
    }

    @Test("a later movement restarts the wait for the end")
    func restart() {
        let timers = Timers()
        let settling = settling(timers)
        settling.rule = .pages
        settling.moved()
        settling.moved()
        #expect(timers.pending.count == 2)
        timers.end(0)
        #expect(timers.rests == 0)
        timers.end(1)
        #expect(timers.rests == 1)
    }

    @Test("movements start no wait if nothing depends on their end")
    func noWait() {
        let timers = Timers()
        let settling = settling(timers)
        settling.moved()
        #expect(timers.pending.isEmpty)
        settling.onRest = {}
        settling.moved()
        #expect(timers.pending.count == 1)
    }

    @Test("the focus is visible after a key, and hidden after a click")
    func focus() {
        var focus = ScrollFocus()
        #expect(!focus.isShown(hasFocus: true, isVisibleInGTK: false))
        #expect(focus.isShown(hasFocus: true, isVisibleInGTK: true))
        focus.keyUsed()
        #expect(focus.isShown(hasFocus: true, isVisibleInGTK: false))
        #expect(!focus.isShown(hasFocus: false, isVisibleInGTK: true))
        focus.forgetKeys()
        #expect(!focus.isShown(hasFocus: true, isVisibleInGTK: false))
    }

    @Test("only a change of the visible focus is reported")
    func focusChange() {
        var focus = ScrollFocus()
        let changes = [false, true, true, false].map { focus.update($0) }
        #expect(changes == [false, true, false, true])
    }

    /// An element that records each call of `forgetArrangement(of:)` and whether `followers` was notifying during the
    /// call.
    private final class Follower: Element {
        weak var followers: SizeFollowers?
        var calls: [Bool] = []
        override func forgetArrangement(of child: Element?) { calls.append(followers?.isNotifying ?? false) }
    }

    @Test("followers are laid out again only after a new size")
    func followers() {
        let followers = SizeFollowers()
        let element = Follower()
        element.followers = followers
        followers.add(element)
        #expect(element.calls.isEmpty)
        followers.update(CGSize(width: 100, height: 50))
        #expect(element.calls == [true])
        followers.update(CGSize(width: 100, height: 50))
        #expect(element.calls == [true])
        #expect(followers.size == CGSize(width: 100, height: 50) && !followers.isNotifying)
    }

    @Test("bars have a policy for each axis")
    func bars() {
        let shown = ScrollBars(axes: .horizontal)
        #expect(shown.policy(.horizontal) == GTK_POLICY_AUTOMATIC && shown.policy(.vertical) == GTK_POLICY_NEVER)
        #expect(shown.sizing == .scrolledHorizontally)
        let hidden = ScrollBars(axes: [.horizontal, .vertical], showsIndicators: false)
        #expect(hidden.policy(.horizontal) == GTK_POLICY_EXTERNAL && hidden.policy(.vertical) == GTK_POLICY_EXTERNAL)
        #expect(hidden.sizing == .scrolledBoth)
        #expect(ScrollBars().sizing == .scrolledVertically)
    }
}
