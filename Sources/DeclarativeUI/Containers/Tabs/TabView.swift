import Foundation

/// Pages of which one is shown, chosen by a bar above them or, in the page style, by swiping. SwiftUI's view.
///
/// A page is made when it is shown for the first time and keeps its state from then on. Its name in the selection is
/// its `tag`, else its id in the `ForEach` it comes from, else its number, from 0.
public struct TabView<SelectionValue: Hashable, Content: View>: View {
    let selection: Binding<SelectionValue>?
    let content: Content
    @State private var own: AnyHashable?
    @Environment(\.tabLook) private var look
    @Environment(\.platformStyle) private var platform
    @State private var wheel = PagingWheel()

    /// A tab view whose page is chosen by `selection`; one that names no page shows the first. With nil the view keeps
    /// the choice itself.
    public init(selection: Binding<SelectionValue>?, @ViewBuilder content: () -> Content) {
        self.selection = selection
        self.content = content()
    }

    public var body: some View {
        let pages = PageList.pages(content)
        let names = pages.indices.map { pages[$0].tag ?? AnyHashable($0) }
        let name = selection.map { Tag.plain($0.wrappedValue) } ?? own
        // A selection that names no page shows the first.
        let index = names.firstIndex { $0 == name } ?? 0
        let select: @MainActor (Int) -> Void = { next in
            guard names.indices.contains(next) else { return }
            if let selection {
                if let value = names[next].base as? SelectionValue { selection.wrappedValue = value }
            } else {
                own = names[next]
            }
        }
        if look.isPaged {
            ZStack(alignment: .bottom) {
                TabDeck(pages: pages, index: index, isPaged: true, select: select)
                    .onScrollWheel { event in
                        guard platform == .phone, let step = wheel.step(event) else { return false }
                        if names.indices.contains(index + step) { select(index + step) }
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
    /// A tab view that keeps the choice itself and begins with the first page.
    public init(@ViewBuilder content: () -> Content) { self.init(selection: nil, content: content) }
}

/// Pages by a wheel: one for each notch or each stroke of two fingers.
@MainActor
final class PagingWheel {
    /// Points or notches since the last page.
    private var sum: CGFloat = 0
    private var hasTurned = false
    nonisolated init() {}

    /// One page on or back; 0 while the fingers have not gone far enough; nil for what is no such movement.
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

/// How tab views look.
public struct TabLook: Hashable, Sendable {
    var isPaged = false, hasDots = false
}
/// How tab views look. SwiftUI's protocol; only the styles below are known.
public protocol TabViewStyle { var _look: TabLook { get } }
/// A bar of buttons above the pages.
public struct DefaultTabViewStyle: TabViewStyle {
    /// Makes the style; `.automatic` is shorter.
    public init() {}
    public var _look: TabLook { TabLook() }
}
/// One page at a time; swiped by dragging, turned by the arrow keys.
public struct PageTabViewStyle: TabViewStyle {
    /// Whether dots tell which page of how many is shown.
    public struct IndexDisplayMode: Hashable, Sendable {
        private let name: String
        /// As always: one page needs none either way.
        public static let automatic = IndexDisplayMode(name: "automatic")
        /// Dots are shown when there is more than one page.
        public static let always = IndexDisplayMode(name: "always")
        /// No dots.
        public static let never = IndexDisplayMode(name: "never")
    }
    let mode: IndexDisplayMode
    /// Makes the style; `.page(indexDisplayMode:)` is shorter.
    public init(indexDisplayMode: IndexDisplayMode = .automatic) { mode = indexDisplayMode }
    public var _look: TabLook { TabLook(isPaged: true, hasDots: mode != .never) }
}
extension TabViewStyle where Self == DefaultTabViewStyle {
    /// A bar of buttons above the pages.
    public static var automatic: DefaultTabViewStyle { DefaultTabViewStyle() }
}
extension TabViewStyle where Self == PageTabViewStyle {
    /// One page at a time, with dots when there is more than one.
    public static var page: PageTabViewStyle { PageTabViewStyle() }
    /// One page at a time, with dots or without.
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
    /// The look of the tab views below.
    public func tabViewStyle<S: TabViewStyle>(_ style: S) -> some View { setting(\.tabLook, style._look) }
}
