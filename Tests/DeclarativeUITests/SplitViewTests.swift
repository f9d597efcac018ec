import Foundation
import Testing

@testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

/// Tests of the columns of a split view and their navigation stacks, in process.
@Suite("Split views, in process") @MainActor
struct SplitViewTests {
    @MainActor final class Handle {
        /// The navigation of the first column.
        var links: (any Navigation)?
        var word: Binding<String>?
        var isTold: Binding<Bool>?
        var isPushed: Binding<Bool>?
        var path: Binding<[Int]>?
        var visibility: Binding<NavigationSplitViewVisibility>?
        var counts: [String: Binding<Int>] = [:]
        var dismiss: DismissAction?
    }
    /// A view that gives the test the navigation of its column, in place of links.
    private struct Links: View {
        let handle: Handle
        @Environment(\.navigation) private var navigation
        var body: some View {
            handle.links = navigation
            return Text(verbatim: "links")
        }
    }
    private struct Counter: View {
        let name: String
        var word = ""
        let handle: Handle
        @State private var count = 0
        @Environment(\.dismiss) private var dismiss
        var body: some View {
            handle.counts[name] = $count
            handle.dismiss = dismiss
            return Text(verbatim: "\(name)\(word): \(count)")
        }
    }

    /// The destination is declared in the first column, and the page appears in the second.
    @Test("a page keeps its state when its destination changes or is removed")
    func destinationBefore() {
        struct Split: View {
            let handle: Handle
            @State private var word = "a"
            @State private var isTold = true
            var body: some View {
                handle.word = $word
                handle.isTold = $isTold
                return NavigationSplitView {
                    VStack {
                        Links(handle: handle)
                        if isTold {
                            Text(verbatim: "told").navigationDestination(for: Int.self) {
                                Counter(name: "page \($0)", word: word, handle: handle)
                            }
                        }
                    }
                } detail: {
                    Text(verbatim: "detail \(word)")
                }
            }
        }
        let handle = Handle()
        let stage = Stage(800, 300) { Split(handle: handle) }
        handle.links?.push(AnyHashable(7))
        stage.layOut()
        #expect(stage.shownTexts.contains("page 7a: 0") && !stage.shownTexts.contains("detail a"))
        handle.counts["page 7"]?.wrappedValue = 3
        handle.word?.wrappedValue = "b"
        stage.layOut()
        #expect(stage.shownTexts.contains("page 7b: 3"), "\(stage.shownTexts)")
        handle.isTold?.wrappedValue = false
        handle.word?.wrappedValue = "c"
        stage.layOut()
        #expect(stage.shownTexts.contains { $0.hasPrefix("page 7") && $0.hasSuffix(": 3") }, "\(stage.shownTexts)")
    }

    @Test("an earlier column's link pushes over the last stack's kept root")
    func stack() {
        struct Split: View {
            let handle: Handle
            var body: some View {
                NavigationSplitView {
                    Links(handle: handle)
                } detail: {
                    NavigationStack {
                        Counter(name: "root", handle: handle).navigationTitle("Root")
                            .navigationDestination(for: Int.self) { Counter(name: "page \($0)", handle: handle) }
                    }
                }
            }
        }
        let handle = Handle()
        let stage = Stage(800, 300) { Split(handle: handle) }
        handle.counts["root"]?.wrappedValue = 2
        stage.layOut()
        handle.links?.push(AnyHashable(7))
        stage.layOut()
        // The title of the root page is the back button.
        #expect(
            stage.shownTexts.contains("page 7: 0") && stage.shownTexts.contains("Root")
                && !stage.shownTexts.contains("root: 2"), "\(stage.shownTexts)")
        handle.links?.push(AnyHashable(8))
        stage.layOut()
        #expect(stage.shownTexts.contains("page 8: 0"))
        handle.dismiss?()
        stage.layOut()
        #expect(
            stage.shownTexts.contains("root: 2") && !stage.shownTexts.contains { $0.hasPrefix("page") },
            "\(stage.shownTexts)")
        // A link that has its own destination view.
        let token = LinkToken()
        handle.links?.push(AnyView(Text(verbatim: "own page")), token)
        stage.layOut()
        #expect(stage.shownTexts.contains("own page") && handle.links?.isShowing(token) == true)
        handle.links?.refresh(token, AnyView(Text(verbatim: "own page now")))
        stage.layOut()
        #expect(stage.shownTexts.contains("own page now"))
        handle.links?.pop(token)
        stage.layOut()
        #expect(stage.shownTexts.contains("root: 2"))
    }

    @Test("a link's value becomes the path of the last column's stack")
    func path() {
        struct Split: View {
            let handle: Handle
            @State private var path: [Int] = []
            @State private var word = "a"
            var body: some View {
                handle.path = $path
                handle.word = $word
                return NavigationSplitView {
                    Links(handle: handle).navigationDestination(for: Int.self) {
                        Counter(name: "page \($0)", word: word, handle: handle)
                    }
                } detail: {
                    NavigationStack(path: $path) { Text(verbatim: "root") }
                }
            }
        }
        let handle = Handle()
        let stage = Stage(800, 300) { Split(handle: handle) }
        handle.links?.push(AnyHashable(7))
        stage.layOut()
        #expect(handle.path?.wrappedValue == [7] && stage.shownTexts.contains("page 7a: 0"), "\(stage.shownTexts)")
        handle.counts["page 7"]?.wrappedValue = 1
        handle.word?.wrappedValue = "b"
        stage.layOut()
        #expect(stage.shownTexts.contains("page 7b: 1"), "\(stage.shownTexts)")
        handle.path?.wrappedValue = [7, 8]
        stage.layOut()
        handle.links?.push(AnyHashable(7))
        stage.layOut()
        #expect(handle.path?.wrappedValue == [7] && stage.shownTexts.contains("page 7b: 1"), "\(stage.shownTexts)")
        handle.links?.push(AnyView(Text(verbatim: "own page")), LinkToken())
        stage.layOut()
        #expect(handle.path?.wrappedValue == [] && stage.shownTexts.contains("own page"))
        handle.links?.push(AnyHashable(9))
        stage.layOut()
        #expect(
            handle.path?.wrappedValue == [9] && stage.shownTexts.contains("page 9b: 0")
                && !stage.shownTexts.contains("own page"), "\(stage.shownTexts)")
    }

    @Test("the destination nearest to the root wins, without endless pages")
    func nearestToRoot() {
        @MainActor final class Made { var pages = 0 }
        struct Stack: View {
            let handle: Handle
            let made: Made
            @State private var word = "a"
            var body: some View {
                handle.word = $word
                return NavigationStack(path: .constant([1, 2])) {
                    Text(verbatim: "root").navigationDestination(for: Int.self) { number in
                        made.pages += 1
                        return Text(verbatim: "page \(number) \(word)").navigationDestination(for: Int.self) {
                            Text(verbatim: "other \($0)")
                        }
                    }
                }
            }
        }
        let handle = Handle()
        let made = Made()
        let stage = Stage { Stack(handle: handle, made: made) }
        #expect(stage.shownTexts.contains("page 2 a"), "\(stage.shownTexts)")
        handle.word?.wrappedValue = "b"
        stage.layOut()
        #expect(stage.shownTexts.contains("page 2 b") && made.pages < 20, "\(stage.shownTexts), \(made.pages)")
    }

    @Test("a hidden column keeps its state, width and pushed pages")
    func hiding() {
        struct Split: View {
            let handle: Handle
            @State private var visibility = NavigationSplitViewVisibility.all
            @State private var isPushed = false
            var body: some View {
                handle.visibility = $visibility
                handle.isPushed = $isPushed
                return NavigationSplitView(columnVisibility: $visibility) {
                    Counter(name: "side", handle: handle).navigationTitle("Sidebar")
                        .navigationDestination(isPresented: $isPushed) { Text(verbatim: "pushed") }
                } detail: {
                    Color.red.mark("detail")
                }
            }
        }
        let handle = Handle()
        let stage = Stage(800, 300) { Split(handle: handle) }
        handle.counts["side"]?.wrappedValue = 5
        stage.layOut()
        drag(stage, 60)
        stage.layOut()
        #expect(stage.frame(of: "detail")?.minX == 281)
        handle.isPushed?.wrappedValue = true
        stage.layOut()
        #expect(stage.shownTexts.contains("pushed"))
        handle.visibility?.wrappedValue = .detailOnly
        stage.layOut()
        #expect(
            !stage.shownTexts.contains("side: 5") && stage.shownTexts.contains("pushed")
                && handle.isPushed?.wrappedValue == true, "\(stage.shownTexts)")
        handle.isPushed?.wrappedValue = false
        stage.layOut()
        #expect(stage.frame(of: "detail")?.minX == 0 && stage.frame(of: "detail")?.width == 800)
        handle.visibility?.wrappedValue = .all
        stage.layOut()
        #expect(stage.shownTexts.contains("side: 5") && stage.frame(of: "detail")?.minX == 281, "\(stage.shownTexts)")
    }

    /// The drag recognizer of the divider beside the first column.
    private func line(_ stage: Stage) -> _Recognizer? {
        stage.elements.lazy.compactMap { ($0 as? GestureElement)?.recognizers.first { $0.onDrag != nil } }.first
    }
    private func drag(_ stage: Stage, _ x: CGFloat, isOver: Bool = true) {
        let value = DragGesture.Value(
            time: Date(), location: CGPoint(x: x, y: 0), startLocation: .zero, velocity: .zero)
        line(stage)?.onDrag?(value, false)
        stage.layOut()
        if isOver { line(stage)?.onDrag?(value, true) }
    }

    @Test("a cancelled drag of the divider leaves the next drag correct")
    func cancelled() {
        let stage = Stage(800, 300) {
            NavigationSplitView {
                Text(verbatim: "side")
            } detail: {
                Color.red.mark("detail")
            }
        }
        #expect(stage.frame(of: "detail")?.minX == 221)
        drag(stage, 30, isOver: false)
        line(stage)?.onCancel?()
        stage.layOut()
        #expect(stage.frame(of: "detail")?.minX == 251)
        drag(stage, 10)
        stage.layOut()
        #expect(stage.frame(of: "detail")?.minX == 261)
    }

    @Test("from right to left, the divider follows the pointer")
    func mirrored() {
        let stage = Stage(800, 300) {
            NavigationSplitView {
                Text(verbatim: "side")
            } detail: {
                Color.red.mark("detail")
            }.environment(\.layoutDirection, .rightToLeft)
        }
        #expect(stage.frame(of: "detail")?.maxX == 579)
        drag(stage, -30)
        stage.layOut()
        #expect(stage.frame(of: "detail")?.maxX == 549)
    }

    @Test("the last column keeps its minimum width and takes the rest")
    func lastWidth() {
        func width(_ room: CGFloat) -> CGFloat? {
            Stage(room, 300) {
                NavigationSplitView {
                    Text(verbatim: "side")
                } detail: {
                    Color.red.mark("detail").navigationSplitViewColumnWidth(min: 400, ideal: 500)
                }
            }.frame(of: "detail")?.width
        }
        #expect(width(500) == 400 && width(821) == 600)
    }
}
