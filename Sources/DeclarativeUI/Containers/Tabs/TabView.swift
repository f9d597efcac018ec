import Foundation

/// A set of pages, of which one is shown. Matches SwiftUI's `TabView`.
///
/// ```swift
/// TabView {
///     Tab("Library", systemImage: "film") { LibraryView() }
///     Tab("Downloads", systemImage: "arrow.down.circle") { DownloadsView() }
/// }
/// ```
/// The user changes the page in a bar or, in the page style, by swiping. Ctrl+Page Up and Ctrl+Page Down also change
/// the page. A page is created when it is shown for the first time, and keeps its state from then on. The selection
/// identifies a page by its `tag`, else by its id in the `ForEach`, else by its number, from 0.
public struct TabView<SelectionValue: Hashable, Content: View>: View {
    let selection: Binding<SelectionValue>?
    let content: Content
    @State private var own: AnyHashable?
    @Environment(\.tabLook) private var look
    @Environment(\.platformStyle) private var platform
    @State private var wheel = PagingWheel()

    /// Creates a tab view whose shown page is in the app's state.
    ///
    /// - Parameters:
    ///   - selection: The value of the shown page. A value without a page shows the first page. The user cannot select
    ///     pages whose value has another type. With nil instead of a binding, the view keeps the selection itself.
    ///   - content: The pages.
    public init(selection: Binding<SelectionValue>?, @ViewBuilder content: () -> Content) {
        self.selection = selection
        self.content = content()
    }

    public var body: some View {
        let pages = PageList.pages(content)
        let tags = pages.indices.map { pages[$0].tag ?? AnyHashable($0) }
        let selectedTag = selection.map { Tag.plain($0.wrappedValue) } ?? own
        // A selection without a page shows the first page.
        let index = tags.firstIndex { $0 == selectedTag } ?? 0
        let select: @MainActor (Int) -> Void = { next in
            guard tags.indices.contains(next) else { return }
            if let selection {
                if let value = tags[next].base as? SelectionValue { selection.wrappedValue = value }
            } else {
                own = tags[next]
            }
        }
        if look.isPaged {
            ZStack(alignment: .bottom) {
                TabDeck(pages: pages, index: index, isPaged: true, select: select)
                    .onScrollWheel { event in
                        guard platform == .phone, let step = wheel.step(event) else { return false }
                        if tags.indices.contains(index + step) { select(index + step) }
                        return true
                    }
                if look.hasDots, pages.count > 1 { PageDots(count: pages.count, index: index, select: select) }
            }
        } else {
            VStack(spacing: 0) {
                let isBelow = platform == .phone
                if !isBelow { TabBar(pages: pages, index: index, select: select) }
                TabDeck(pages: pages, index: index, isPaged: false, select: select)
                if isBelow { TabBar(pages: pages, index: index, select: select) }
            }
        }
    }
}

extension TabView where SelectionValue == Int {
    /// Creates a tab view that keeps the selection itself and starts with the first page.
    public init(@ViewBuilder content: () -> Content) { self.init(selection: nil, content: content) }
}

/// A converter from wheel events to page changes: one page for each notch, or for each stroke of two fingers.
@MainActor
final class PagingWheel {
    /// The distance of the current stroke, in points if the event's deltas are precise, else in notches.
    private var sum: CGFloat = 0
    private var hasTurned = false
    nonisolated init() {}

    /// Returns 1 for the next page and -1 for the previous one. Returns 0 while the fingers have not moved far enough,
    /// and nil if the event does not scroll.
    func step(_ event: ScrollWheelEvent) -> Int? {
        let delta =
            abs(event.scrollingDeltaX) > abs(event.scrollingDeltaY) ? event.scrollingDeltaX : event.scrollingDeltaY
        switch event.phase {
        case .none: return delta == 0 ? nil : delta > 0 ? -1 : 1
        case .began: (sum, hasTurned) = (0, false)
        case .changed: break
        case .ended:
            (sum, hasTurned) = (0, false)
            return 0
        }
        sum += delta
        guard !hasTurned, abs(sum) >= (event.hasPreciseScrollingDeltas ? 40 : 1) else { return 0 }
        hasTurned = true
        return sum > 0 ? -1 : 1
    }
}

/// The look of a tab view, which its style determines.
public struct TabLook: Hashable, Sendable {
    var isPaged = false, hasDots = false
}
/// A style of tab views. Matches SwiftUI's `TabViewStyle`; only the styles of this module are supported.
public protocol TabViewStyle { var _look: TabLook { get } }
/// The default tab view style: a bar of buttons above the pages, or below them with the platform style `phone`.
public struct DefaultTabViewStyle: TabViewStyle {
    /// Creates the style. The short form is `.automatic`.
    public init() {}
    public var _look: TabLook { TabLook() }
}
/// A tab view style that shows one page at a time. Dragging and the arrow keys change the page.
public struct PageTabViewStyle: TabViewStyle {
    /// The visibility of the dots that show the position of the current page.
    public struct IndexDisplayMode: Hashable, Sendable {
        private let name: String
        /// The same as `always`. A single page never has dots.
        public static let automatic = IndexDisplayMode(name: "automatic")
        /// Dots if there are several pages.
        public static let always = IndexDisplayMode(name: "always")
        /// No dots.
        public static let never = IndexDisplayMode(name: "never")
    }
    let mode: IndexDisplayMode
    /// Creates the style. The short form is `.page(indexDisplayMode:)`.
    public init(indexDisplayMode: IndexDisplayMode = .automatic) { mode = indexDisplayMode }
    public var _look: TabLook { TabLook(isPaged: true, hasDots: mode != .never) }
}
extension TabViewStyle where Self == DefaultTabViewStyle {
    /// A style with a bar of buttons.
    public static var automatic: DefaultTabViewStyle { DefaultTabViewStyle() }
}
extension TabViewStyle where Self == PageTabViewStyle {
    /// A style that shows one page at a time, with dots if there are several pages.
    public static var page: PageTabViewStyle { PageTabViewStyle() }
    /// Returns a style that shows one page at a time, with or without dots.
    public static func page(indexDisplayMode: PageTabViewStyle.IndexDisplayMode) -> PageTabViewStyle {
        PageTabViewStyle(indexDisplayMode: indexDisplayMode)
    }
}

private struct TabLookKey: EnvironmentKey { static let defaultValue = TabLook() }
extension EnvironmentValues {
    var tabLook: TabLook {
        get { self[TabLookKey.self] }
        set { self[TabLookKey.self] = newValue }
    }
}
extension View {
    /// Sets the style of the tab views in this view.
    public func tabViewStyle<S: TabViewStyle>(_ style: S) -> some View { setting(\.tabLook, style._look) }
}
