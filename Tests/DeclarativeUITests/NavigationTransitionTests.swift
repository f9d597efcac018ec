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

    @Test("a page removed during its zoom returns from where it is")
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

    private struct Phone: View {
        let handle: Handle
        var direction = LayoutDirection.leftToRight
        @State private var path: [Int] = []
        var body: some View {
            let _ = handle.path = $path
            NavigationStack(path: $path) {
                Color(red: 0, green: 0, blue: 1).frame(width: 400, height: 300)
                    .navigationDestination(for: Int.self) { number in
                        Color(red: number == 1 ? 1 : 0, green: number == 1 ? 0 : 1, blue: 0).navigationBarHidden()
                    }
            }
            .platformStyle(.phone).environment(\.layoutDirection, direction)
        }
    }

    @Test("in the phone style, pages slide over each other", arguments: LayoutDirection.allCases)
    func slide(direction: LayoutDirection) throws {
        let stage = Stage(400, 300) { Phone(handle: handle, direction: direction) }
        let isMirrored = direction == .rightToLeft
        let (near, far) = isMirrored ? (398, 2) : (2, 398)
        handle.path?.wrappedValue = [1]
        stage.layOut()
        let (below, page) = (try #require(pages(stage).first), try #require(pages(stage).last))
        let start = try #require(page.presence?.zoomed(page, 0))
        #expect(start.rect == CGRect(x: isMirrored ? -400 : 400, y: 0, width: 400, height: 300) && start.opacity == 1)
        #expect(!below.isHidden && below.isInert)
        stage.time = Motion.pushSeconds / 3
        let middle = stage.drawing()
        #expect(middle.pixel(far, 150) == red)
        // The page below is dimmed.
        let dimmed = middle.pixel(near, 150)
        #expect(dimmed[0] == 0 && dimmed[2] > 225 && dimmed[2] < 255, "\(dimmed)")
        let shift = try #require(below.presence?.zoomed(below, stage.time)).rect.minX
        #expect(isMirrored ? shift > 20 && shift < 400 / 3 : shift < -20 && shift > -400 / 3)
        finish(stage, at: 1)
        #expect(stage.pixel(near, 150) == red && below.isHidden && !below.isInert && below.presence == nil)

        handle.path?.wrappedValue = []
        stage.layOut()
        #expect(stack(stage)?.leaving.first === page && !below.isHidden && !below.isInert)
        stage.time = 1 + Motion.pushSeconds / 3
        let back = stage.drawing()
        #expect(back.pixel(far, 150) == red && back.pixel(near, 150)[2] > 225 && back.pixel(near, 150)[0] == 0)
        finish(stage, at: 2)
        #expect(stage.pixel(far, 150) == [0, 0, 255, 255] && stack(stage)?.leaving.isEmpty == true)
    }

    @Test("sliding pages are visible only in their own stack")
    func slideInColumn() {
        struct Columns: View {
            let handle: Handle
            @State private var path: [Int] = []
            var body: some View {
                let _ = handle.path = $path
                HStack(spacing: 0) {
                    Color(red: 0, green: 1, blue: 0)
                    NavigationStack(path: $path) {
                        Color(red: 0, green: 0, blue: 1).navigationDestination(for: Int.self) { _ in
                            Color(red: 1, green: 0, blue: 0).navigationBarHidden()
                        }
                    }
                    .frame(width: 200)
                }
                .platformStyle(.phone)
            }
        }
        let stage = Stage(400, 300) { Columns(handle: handle) }
        handle.path?.wrappedValue = [1]
        stage.layOut()
        stage.time = Motion.pushSeconds / 3
        let middle = stage.drawing()
        // The page below has moved 20 points and more.
        #expect(middle.pixel(190, 150) == [0, 255, 0, 255] && middle.pixel(398, 150) == red)
    }

    @Test("several pages that are pushed at once slide as one")
    func slideSeveral() throws {
        let stage = Stage(400, 300) { Phone(handle: handle) }
        handle.path?.wrappedValue = [1, 2]
        stage.layOut()
        #expect(pages(stage).map(\.isHidden) == [false, true, false])
        stage.time = Motion.pushSeconds / 3
        let middle = stage.drawing()
        #expect(middle.pixel(398, 150) == [0, 255, 0, 255] && middle.pixel(2, 150)[2] > 225)
        finish(stage, at: 1)
        #expect(pages(stage).map(\.isHidden) == [true, true, false])
        // A page that takes the place of another one slides over it alone.
        handle.path?.wrappedValue = [1, 1]
        stage.layOut()
        #expect(stack(stage)?.leaving.isEmpty == true)
        finish(stage, at: 2)
        #expect(stage.pixel(2, 150) == red)
    }

    @Test("reduced motion crossfades a phone's pages; without animations, they change at once")
    func slideReduced() throws {
        let stage = Stage(400, 300) { Phone(handle: handle) }
        Motion.isReduced = true
        handle.path?.wrappedValue = [1]
        stage.layOut()
        Motion.isReduced = false
        let page = try #require(pages(stage).last)
        stage.time = Motion.standardSeconds / 3
        let middle = try #require(page.presence?.zoomed(page, stage.time))
        #expect(middle.transform.isIdentity && middle.opacity > 0 && middle.opacity < 1)
        finish(stage, at: 1)
        var transaction = Transaction()
        transaction.disablesAnimations = true
        withTransaction(transaction) { handle.path?.wrappedValue = [] }
        stage.layOut()
        #expect(stack(stage)?.leaving.isEmpty == true && stage.pixel(200, 150) == [0, 0, 255, 255])
    }

    @Test("pages without a zoom and paths of new stacks appear at once")
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
