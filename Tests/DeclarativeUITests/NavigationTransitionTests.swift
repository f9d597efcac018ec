import Foundation
import Testing

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

/// Tests of the pages of a stack that zoom out of a view and back into it, in process.
@Suite("Navigation transitions") @MainActor
struct NavigationTransitionTests {
    @MainActor private final class Handle {
        var path: Binding<[Int]>?
    }
    private struct Root: View {
        let handle: Handle
        @State private var path: [Int] = []
        @Namespace private var space
        var body: some View {
            let _ = handle.path = $path
            NavigationStack(path: $path) {
                VStack(spacing: 0) {
                    Spacer(minLength: 0)
                    Color(red: 0, green: 0, blue: 1).frame(width: 100, height: 50)
                        .matchedTransitionSource(id: 1, in: space) {
                            $0.background(.green).clipShape(.rect(cornerRadius: 10)).shadow(radius: 4)
                        }
                }
                .frame(width: 400, height: 300)
                .navigationDestination(for: Int.self) { number in
                    Color(red: 1, green: 0, blue: 0)
                        .navigationTransition(.zoom(sourceID: number, in: space))
                        .navigationBarHidden()
                }
            }
        }
    }

    private let handle = Handle()
    private let red: [UInt8] = [255, 0, 0, 255]
    private func stage() -> Stage { Stage(400, 300) { Root(handle: handle) } }
    private func stack(_ stage: Stage) -> NavigationElement? {
        stage.elements.first { $0 is NavigationElement } as? NavigationElement
    }
    private func pages(_ stage: Stage) -> [HideableLayers] {
        stack(stage)?.children.compactMap { $0 as? HideableLayers } ?? []
    }
    private func finish(_ stage: Stage, at time: Double) {
        stage.time = time
        _ = stage.host.surface.root.isAnimating(time)
        stage.layOut()
    }

    @Test("a pushed page zooms out of its source, above the page below")
    func push() throws {
        let stage = stage()
        handle.path?.wrappedValue = [1]
        stage.layOut()
        let page = try #require(pages(stage).last)
        let below = try #require(pages(stage).dropLast().last)
        let start = try #require(page.presence?.zoomed(page, 0))
        #expect(start.rect == CGRect(x: 150, y: 250, width: 100, height: 50) && start.opacity == 0)
        // The page fills the source's frame without distortion.
        #expect(start.transform.a == 0.25 && start.transform.d == 0.25)
        #expect(!below.isHidden && below.isInert)
        stage.time = Motion.slowSeconds / 2
        let middle = try #require(page.presence?.zoomed(page, stage.time))
        #expect(middle.rect.minX > 1 && middle.rect.minX < 149 && middle.rect.width > 101)
        let drawing = stage.drawing()
        #expect(drawing.pixel(200, Int(middle.rect.midY)) == red && drawing.pixel(0, 0) != red)
        finish(stage, at: 1)
        #expect(stage.pixel(0, 0) == red)
        #expect(below.isHidden && !below.isInert)
    }

    @Test("a removed page zooms back into its source")
    func pop() throws {
        let stage = stage()
        handle.path?.wrappedValue = [1]
        stage.layOut()
        finish(stage, at: 1)
        handle.path?.wrappedValue = []
        stage.layOut()
        let page = try #require(stack(stage)?.leaving.first)
        stage.time = 1 + Motion.slowSeconds / 2
        let middle = try #require(page.presence?.zoomed(page, stage.time))
        #expect(middle.rect.minX > 1 && middle.rect.maxX < 399)
        #expect(stage.drawing().pixel(0, 0) != red)
        #expect(pages(stage).map(\.isHidden) == [false])
        finish(stage, at: 2)
        #expect(stage.pixel(200, 275) == [0, 0, 255, 255])
        #expect(stack(stage)?.leaving.isEmpty == true)
    }

    @Test("a page that is removed during its zoom returns from where it is")
    func interrupted() throws {
        let stage = stage()
        handle.path?.wrappedValue = [1]
        stage.layOut()
        stage.time = 0.05
        let page = try #require(pages(stage).last)
        let shown = try #require(page.presence?.zoomed(page, stage.time)).rect
        handle.path?.wrappedValue = []
        stage.layOut()
        let rest = try #require(page.presence?.zoomed(page, stage.time)).rect
        #expect(abs(rest.minX - shown.minX) < 0.01 && abs(rest.width - shown.width) < 0.01)
        #expect(pages(stage).map(\.isInert) == [false])
    }

    @Test("without a source, and with reduced motion, pages are crossfaded", arguments: [false, true])
    func crossfade(isReduced: Bool) throws {
        Motion.isReduced = isReduced
        defer { Motion.isReduced = false }
        let stage = stage()
        handle.path?.wrappedValue = [isReduced ? 1 : 2]
        stage.layOut()
        stage.time = 0.08
        let page = try #require(pages(stage).last)
        let middle = try #require(page.presence?.zoomed(page, stage.time))
        #expect(middle.transform.isIdentity && middle.rect == CGRect(x: 0, y: 0, width: 400, height: 300))
        #expect(middle.opacity > 0 && middle.opacity < 1)
        #expect((1..<255).contains(stage.drawing().pixel(0, 0)[3]))
        finish(stage, at: 1)
        #expect(stage.pixel(0, 0) == red)
    }

    @Test("a page without a zoom, and a path of a new stack, appear at once")
    func plain() throws {
        struct Plain: View {
            let handle: Handle
            let transition: Bool
            @State var path: [Int]
            @Namespace private var space
            var body: some View {
                let _ = handle.path = $path
                NavigationStack(path: $path) {
                    Color.blue.matchedTransitionSource(id: 1, in: space).navigationDestination(for: Int.self) { _ in
                        if transition {
                            Color.red.navigationTransition(.zoom(sourceID: 1, in: space))
                        } else {
                            Color.red.navigationTransition(.automatic)
                        }
                    }
                }
            }
        }
        let pushed = Stage(400, 300) { Plain(handle: handle, transition: false, path: []) }
        handle.path?.wrappedValue = [1]
        pushed.layOut()
        #expect(pages(pushed).map(\.isHidden) == [true, false] && pages(pushed).last?.presence == nil)
        let opened = Stage(400, 300) { Plain(handle: handle, transition: true, path: [1]) }
        #expect(pages(opened).map(\.isHidden) == [true, false] && pages(opened).last?.presence == nil)
    }
}
