import Foundation
import Testing

@testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

@Suite("Position of a scroll view") @MainActor
struct ScrollPositionTests {
    /// The bindings that a test gets from the views that it makes.
    @MainActor private final class Handle {
        var position: Binding<Int?>?
        var count: Binding<Int>?
    }

    /// Rows of 100 points, whose number changes without an evaluation of the view around them.
    private struct Rows: View {
        let handle: Handle
        let isLazy: Bool
        @State private var count = 5
        var body: some View {
            handle.count = $count
            return Group {
                if isLazy { LazyVStack(spacing: 0) { rows } } else { VStack(spacing: 0) { rows } }
            }
        }
        private var rows: some View {
            ForEach(Array(0..<count), id: \.self) { _ in Color.red.frame(width: 50, height: 100) }
        }
    }

    private struct Area: View {
        let handle: Handle
        let isLazy: Bool
        @State private var position: Int?
        var body: some View {
            handle.position = $position
            return ScrollView { Rows(handle: handle, isLazy: isLazy) }.scrollPosition(id: $position)
        }
    }

    private func stage(_ handle: Handle, isLazy: Bool) -> Stage {
        Stage(400, 300) { Area(handle: handle, isLazy: isLazy) }
    }

    @Test("an id whose view appears later is scrolled to once", arguments: [true, false])
    func later(isLazy: Bool) {
        let handle = Handle()
        let stage = stage(handle, isLazy: isLazy)
        handle.position?.wrappedValue = 15
        stage.layOut()
        #expect(stage.scroll?.offset.y == 0)
        handle.count?.wrappedValue = 20
        stage.layOut()
        #expect(stage.scroll?.offset.y == 1500)
        stage.scroll(to: 0)
        handle.count?.wrappedValue = 21
        stage.layOut()
        #expect(stage.scroll?.offset.y == 0)
    }

    @Test("an id is scrolled to if its view appears at once", arguments: [true, false])
    func together(isLazy: Bool) {
        let handle = Handle()
        let stage = stage(handle, isLazy: isLazy)
        handle.position?.wrappedValue = 2
        stage.layOut()
        #expect(stage.scroll?.offset.y == 200)
        handle.count?.wrappedValue = 20
        handle.position?.wrappedValue = 15
        stage.layOut()
        #expect(stage.scroll?.offset.y == 1500)
    }

    /// Returns the CPU time of this thread, in seconds.
    private func threadTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    /// Lays out rows of 100 points, and returns the CPU time of finding the row at rest, in seconds.
    private func restingTime(_ count: Int, isGrid: Bool) throws -> Double {
        let stage = Stage(400, 300) {
            ScrollView {
                let rows = ForEach(0..<count, id: \.self) { _ in Color.red.frame(height: 100) }
                if isGrid {
                    LazyVGrid(columns: [GridItem()], spacing: 0) { rows }.scrollTargetLayout()
                } else {
                    LazyVStack(spacing: 0) { rows }.scrollTargetLayout()
                }
            }
            .scrollTargetBehavior(.viewAligned)
        }
        let scroll = try #require(stage.scroll)
        var shortest = Double.infinity
        for row in 1...3 {
            stage.scroll(to: CGFloat(row) * 1000 + 30)
            let start = threadTime()
            let goal = scroll.restingOffset().y
            shortest = min(shortest, threadTime() - start)
            #expect(goal == CGFloat(row) * 1000)
        }
        return shortest
    }

    @Test("the time to find the resting row is proportional to the rows", arguments: [true, false])
    func proportional(isGrid: Bool) throws {
        let few = try restingTime(500, isGrid: isGrid)
        let many = try restingTime(4000, isGrid: isGrid)
        // If the container searched for each row, eight times as many rows would take 64 times as long.
        #expect(many < 24 * few)
    }

    @Test("the view at rest replaces an id without a view")
    func rest() {
        let handle = Handle()
        let stage = stage(handle, isLazy: false)
        handle.position?.wrappedValue = 1
        stage.layOut()
        #expect(stage.scroll?.offset.y == 100)
        handle.position?.wrappedValue = 15
        stage.layOut()
        stage.scroll?.settling.onRest?()
        #expect(handle.position?.wrappedValue == 1)
        handle.count?.wrappedValue = 20
        stage.layOut()
        #expect(stage.scroll?.offset.y == 100)
    }
}
