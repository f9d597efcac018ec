import CGTK
import Foundation
import Testing

@testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

@Suite("Space in a navigation bar") @MainActor
struct NavigationBarTests {
    private static let title = "Full-screen system player", below = "MPlayerKit"

    /// The second page of a stack, with an app's button at the trailing end of the bar.
    private func stage(
        _ direction: LayoutDirection = .leftToRight, title: String = NavigationBarTests.title,
        below: String = NavigationBarTests.below
    ) -> Stage {
        Stage(900, 300) {
            NavigationStack(path: .constant(NavigationPath([1]))) {
                Text(verbatim: "root").navigationTitle(below).navigationDestination(for: Int.self) { _ in
                    Color.clear.navigationTitle(title).toolbar {
                        ToolbarItem(placement: .topBarTrailing) { Color.red.frame(width: 40, height: 20).mark("item") }
                    }
                }
            }
            .environment(\.layoutDirection, direction)
        }
    }

    private struct Places: Equatable {
        var back, title, item: CGRect
        func mirrored(_ width: CGFloat) -> Places {
            func turned(_ rect: CGRect) -> CGRect {
                CGRect(x: width - rect.maxX, y: rect.minY, width: rect.width, height: rect.height)
            }
            return Places(back: turned(back), title: turned(title), item: turned(item))
        }
    }
    private func places(_ stage: Stage, _ title: String = NavigationBarTests.title) throws -> Places {
        try Places(
            back: #require(stage.elements.first { $0 is ButtonElement }?.frameInHost),
            title: #require(stage.frame(title)), item: #require(stage.frame(of: "item")))
    }
    private func words(_ stage: Stage, _ title: String = NavigationBarTests.title) -> String {
        stage.shownTexts.first { $0 != title } ?? ""
    }

    @Test("a narrowing bar moves its title, shortens Back, then truncates the title")
    func narrowing() throws {
        let stage = stage()
        let wide = try places(stage)
        let whole = wide.title.width
        #expect(abs(wide.title.midX - 450) <= 0.5)
        var said: [String] = []
        var aside = 0
        for width in stride(from: CGFloat(900), through: 150, by: -1) {
            stage.layOut(width, 300)
            let now = try places(stage)
            let words = words(stage)
            let isCut = now.title.width < whole
            // The parts are side by side, inside the bar.
            #expect(
                now.back.minX >= 0 && now.back.maxX < now.title.minX && now.title.maxX < now.item.minX
                    && now.item.maxX <= width, "\(width): \(now)")
            #expect(now.item.width == 40 && now.title.height == wide.title.height && now.title.width > 0)
            if abs(now.title.midX - width / 2) > 0.5 {
                // The title is as close to the middle as possible.
                #expect(now.title.minX - now.back.maxX < 7 || now.item.minX - now.title.maxX < 7, "\(width): \(now)")
                aside += isCut ? 0 : 1
            }
            // The title is shortened only when no more space is left.
            if isCut {
                #expect(
                    words.isEmpty && now.item.minX - now.back.maxX - now.title.width < 20, "\(width): \(now) \(words)")
            }
            let state = isCut ? "cut" : words
            if said.last != state { said.append(state) }
        }
        #expect(said == [Self.below, "Back", "", "cut"])
        #expect(aside > 0)
    }

    @Test(
        "a right-to-left bar is the mirrored left-to-right bar",
        arguments: [900, 420, 380, 340, 300, 240, 180] as [CGFloat])
    func mirrored(_ width: CGFloat) throws {
        let left = stage()
        let right = stage(.rightToLeft)
        left.layOut(width, 300)
        right.layOut(width, 300)
        #expect(try places(right) == places(left).mirrored(width))
        #expect(words(right) == words(left))
    }

    @Test("a short page name never becomes Back; the spoken label stays")
    func names() throws {
        let short = stage(below: "Go")
        let long = stage()
        for width in stride(from: CGFloat(500), through: 150, by: -1) {
            short.layOut(width, 300)
            long.layOut(width, 300)
            #expect(["Go", ""].contains(words(short)))
            #expect(long.elements.compactMap { ($0 as? ButtonElement)?.accessibility.label } == [Self.below])
        }
        #expect(words(short).isEmpty)
    }

    @Test("a bar looks the same after narrowing and widening")
    func again() throws {
        let stage = stage()
        let before = try places(stage)
        stage.layOut(160, 300)
        #expect(words(stage).isEmpty)
        stage.layOut(900, 300)
        #expect(try places(stage) == before)
        #expect(words(stage) == Self.below)
    }

    @Test("a principal item acts as title; without one items use all space")
    func principal() throws {
        let stage = Stage(600, 200) {
            NavigationStack {
                Color.clear.toolbar {
                    ToolbarItem(placement: .topBarLeading) { Color.red.frame(width: 120, height: 20).mark("leading") }
                    ToolbarItem(placement: .principal) { Color.green.frame(width: 200, height: 20).mark("middle") }
                    ToolbarItem(placement: .topBarTrailing) { Color.blue.frame(width: 40, height: 20).mark("trailing") }
                }
            }
        }
        #expect(stage.frame(of: "middle")?.midX == 300)
        stage.layOut(400, 200)
        let leading = try #require(stage.frame(of: "leading"))
        let middle = try #require(stage.frame(of: "middle"))
        let trailing = try #require(stage.frame(of: "trailing"))
        #expect(leading.maxX < middle.minX && middle.minX - leading.maxX < 7 && middle.maxX < trailing.minX)
        #expect([leading.width, middle.width, trailing.width] == [120, 200, 40])

        let growing = Stage(600, 200) {
            NavigationStack {
                Color.clear.toolbar {
                    ToolbarItem(placement: .topBarLeading) { Color.red.frame(width: 120, height: 20).mark("leading") }
                    ToolbarItem(placement: .topBarTrailing) {
                        Color.blue.frame(minWidth: 10, maxWidth: .infinity, maxHeight: 20).mark("growing")
                    }
                }
            }
        }
        #expect(growing.frame(of: "leading")?.width == 120)
        #expect((growing.frame(of: "growing")?.width ?? 0) > 450 && growing.frame(of: "growing")?.maxX == 594)
    }

    private struct Disabling: View {
        let made: (Binding<Bool>) -> Void
        @State private var isOff = false
        var body: some View {
            let _ = made($isOff)
            NavigationStack(path: .constant(NavigationPath([1]))) {
                Text(verbatim: "root").navigationTitle("Root").navigationDestination(for: Int.self) { _ in
                    Color.clear.navigationTitle("Page")
                }
            }
            .disabled(isOff)
        }
    }
    @Test("a bar with the same contents follows changes of its environment")
    func environment() throws {
        nonisolated(unsafe) var isOff: Binding<Bool>?
        let stage = Stage(400, 200) { Disabling { isOff = $0 } }
        func back() throws -> ButtonElement {
            try #require(stage.elements.first { $0 is ButtonElement } as? ButtonElement)
        }
        #expect(try back().isEnabled)
        isOff?.wrappedValue = true
        stage.layOut()
        #expect(try !back().isEnabled)
        isOff?.wrappedValue = false
        stage.layOut()
        #expect(try back().isEnabled)
    }

    @Test("a window is at least as wide as its bar's minimum")
    func least() throws {
        let stage = stage()
        let least = CGFloat(stage.host.surface.measure(GTK_ORIENTATION_HORIZONTAL, -1).minimum)
        stage.layOut(least, 300)
        let now = try places(stage)
        #expect(now.back.maxX < now.title.minX && now.title.maxX < now.item.minX && now.item.maxX <= least)
        #expect(least < 200)
    }
}
