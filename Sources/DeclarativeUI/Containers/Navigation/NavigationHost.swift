import CGTK
import Foundation
import Presentation
@_spi(Graph) import ViewGraph

/// A view that shows the pages of a navigation stack.
struct NavigationHost: _PrimitiveView {
    let root: AnyView
    /// The values of the app's path, or nil if the stack keeps its own path.
    let values: [AnyHashable]?
    let setValues: (@MainActor ([AnyHashable]) -> Void)?
    /// The connection from this column to the next column of a split view, or nil if there is none.
    var next: ColumnLink?
    /// The connection from the previous column of a split view to this column, or nil if there is none.
    var column: ColumnLink?
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> { NavigationFiber(view, inputs) }
}

/// The operations that views in a navigation stack request from the stack.
@MainActor
protocol Navigation: AnyObject {
    func push(_ value: AnyHashable)
    func push(_ page: AnyView, _ token: LinkToken, _ onRemove: (@MainActor () -> Void)?)
    func isShowing(_ token: LinkToken) -> Bool
    func refresh(_ token: LinkToken, _ page: AnyView)
    func pop(_ token: LinkToken)
    func register(_ type: ObjectIdentifier, _ owner: AnyObject, _ build: @escaping @MainActor (AnyHashable) -> AnyView?)
    func unregister(_ type: ObjectIdentifier, _ owner: AnyObject)
}
extension Navigation {
    func push(_ page: AnyView, _ token: LinkToken) { push(page, token, nil) }
}

/// A weak reference to a navigation stack, so that the environment does not keep the stack alive.
@MainActor
final class NavigationReference {
    weak var target: (any Navigation)?
    init(_ target: (any Navigation)?) { self.target = target }
}
private struct NavigationKey: EnvironmentKey { static let defaultValue: NavigationReference? = nil }
extension EnvironmentValues {
    var navigationReference: NavigationReference? {
        get { self[NavigationKey.self] }
        set { self[NavigationKey.self] = newValue }
    }
    @MainActor var navigation: (any Navigation)? { navigationReference?.target }
}

final class NavigationFiber: _ViewFiber<NavigationHost>, NavigationColumn, PreferenceObserver {
    @MainActor private final class Page {
        /// The page's value in the path, or nil for the first page and for pages that a link or a binding pushed.
        let value: AnyHashable?
        let token: LinkToken?
        let onRemove: (@MainActor () -> Void)?
        let element = HideableLayers()
        var fiber: _ViewFiber<RootView>?
        /// Whether a link of the previous column shows this page in place of the column's first page.
        var isFirst = false
        /// The edit mode of a page above the first one. The first page has that of the views around the stack.
        let editing = EditModeStore()
        /// The last environment of the stack, and the environment of the page that was derived from it.
        var environments: (above: EnvironmentValues, below: EnvironmentValues)?
        init(value: AnyHashable? = nil, token: LinkToken? = nil, onRemove: (@MainActor () -> Void)? = nil) {
            self.value = value
            self.token = token
            self.onRemove = onRemove
        }
    }
    private let element = NavigationElement()
    /// The pages, from the bottom to the top.
    private var pages: [Page] = []
    private var bar: _ViewFiber<RootView>?
    private var bottomBar: _ViewFiber<RootView>?
    /// The closures that build pages, by the type of the value. The first one of each type is used. It belongs to the
    /// page that is nearest to the root.
    private var builders: [ObjectIdentifier: [(owner: AnyObject, build: @MainActor (AnyHashable) -> AnyView?)]] = [:]
    /// The types whose pages are being built again.
    private var rebuilding: Set<ObjectIdentifier> = []
    /// The navigation stack that is the first page of this column.
    private weak var stack: (any NavigationColumn)?
    private lazy var reference = NavigationReference(self)
    /// The page that was last visible below a page that appears.
    private weak var covered: Page?
    private var shown: BarContent?

    override init(_ view: NavigationHost, _ inputs: _FiberInputs) {
        super.init(view, inputs)
        element.goBack = { [weak self] in self?.goBack() ?? false }
        connect()
        add(Page(), view.root)
        if let values = view.values { follow(values) }
        graph.add(self)
    }

    override var children: [_Fiber] { pages.compactMap(\.fiber) + [bar, bottomBar].compactMap { $0 } }
    override var elements: [Element] { [element] }

    override func update(_ view: NavigationHost, _ environment: EnvironmentValues) {
        if (self.environment.splitToggle == nil) != (environment.splitToggle == nil) {
            graph.preferencesMayHaveChanged()
        }
        let isOther = !self.environment.isSame(as: environment)
        super.update(view, environment)
        connect()
        if let first = pages.first { refresh(first, view.root) }
        if let values = view.values { follow(values) }
        for page in pages.dropFirst() {
            guard let fiber = page.fiber else { continue }
            // A page whose destination has disappeared keeps its content.
            refresh(page, page.value.flatMap { built($0) } ?? fiber.view.content)
        }
        // `check()` updates the bars only when their contents change.
        if isOther, let top = pages.last {
            for bar in [bar, bottomBar].compactMap(\.self) { bar.update(bar.view, self.environment(top)) }
        }
    }

    /// Registers this stack with its columns.
    private func connect() {
        view.column?.target = self
        view.next?.source = self
        outer?.attachStack(self)
    }
    /// The column of a split view whose first page contains this stack, or nil if there is none.
    private var outer: (any NavigationColumn)? {
        environment.isColumnRoot && view.column == nil && view.next == nil
            ? environment.navigation as? any NavigationColumn : nil
    }

    /// Returns the preference of the page on top, or nil for preferences of the bars. The window does not need
    /// preferences of the bars, because this stack shows the bars itself.
    override func preference<K: PreferenceKey>(_ key: K.Type) -> K.Value? {
        if key == HasStackKey.self { return true as? K.Value }
        return key == ToolbarKey.self || key == BarLooksKey.self || key == TitleModeKey.self
            || key == NavigationTransitionKey.self
            ? nil : pages.last?.fiber?.preference(key)
    }
    override func structureChanged() {}

    override func removed() {
        graph.remove(self)
        outer?.detachStack(self)
    }

    // MARK: Pages

    private func environment(_ page: Page) -> EnvironmentValues {
        if let known = page.environments, known.above.isSame(as: environment) { return known.below }
        var below = environment
        below.navigationReference = reference
        below.isLazy = false
        below.isInList = false
        below.isColumnRoot = view.column != nil && page === pages.first
        // A stack inside a column is in the same column.
        if view.next != nil || view.column != nil { below.isInSidebar = view.column == nil }
        below.splitToggle = view.next != nil || view.column != nil ? environment.splitToggle : nil
        if page !== pages.first { below.editMode = page.editing.binding }
        if page !== pages.first, !page.isFirst {
            below.isPresented = true
            below.dismiss = DismissAction { [weak self, weak page] in
                if let self, let page { self.pop(page) }
            }
        }
        page.environments = (environment, below)
        return below
    }

    private func add(_ page: Page, _ view: AnyView) {
        // A page that was added in the same update has not been visible.
        let below = pages.last.map { $0.element.isPlaced ? $0 : covered ?? $0 }
        pages.append(page)
        let scope = AppearanceScope(in: appearanceScope, isOn: true)
        page.element.scope = scope
        page.fiber =
            RootView._makeFiber(RootView(content: view, root: page.element), inputs(environment(page), in: scope))
            as _ViewFiber<RootView>
        // The first page, and pages in a window that is opening, appear at once.
        let zoom = element.isPlaced && element.isShown && below != nil && !page.isFirst ? transition(of: page) : nil
        arrange(zooming: page, zoom, over: zoom == nil ? nil : below)
    }

    /// Returns the transition with which `page` appears or disappears, or nil for none.
    private func transition(of page: Page, isReplaced: Bool = false) -> Zoom? {
        if let zoom = requestedZoom(of: page) { return zoom }
        guard environment.platformStyle == .phone, !page.isFirst, !isReplaced, !graph.transaction.disablesAnimations
        else { return nil }
        return Motion.isReduced
            ? Zoom(source: nil, animation: .easeOut(duration: Motion.standardSeconds))
            : Zoom(slide: .page, animation: .easeOut(duration: Motion.pushSeconds))
    }

    /// Returns the transition that the views of `page` request, or nil if they request none.
    private func requestedZoom(of page: Page) -> Zoom? {
        guard let transition = page.fiber?.preference(NavigationTransitionKey.self) ?? nil,
            let source = transition.source
        else { return nil }
        return Motion.isReduced
            ? Zoom(source: nil, animation: .easeOut(duration: Motion.standardSeconds))
            : Zoom(source: MatchedSourceElement.named(source), animation: .easeOut(duration: Motion.slowSeconds))
    }

    private func refresh(_ page: Page, _ view: AnyView) {
        page.fiber?.update(RootView(content: view, root: page.element), environment(page))
    }

    /// Shows the page on top.
    ///
    /// - Parameters:
    ///   - zooming: A page that is added or removed.
    ///   - zoom: The transition of that page, or nil for none.
    ///   - covered: The page that stays visible below that page until the transition ends, or nil for none.
    private func arrange(zooming: Page? = nil, _ zoom: Zoom? = nil, over covered: Page? = nil) {
        element.cover(covered?.element)
        self.covered = covered
        for page in pages { page.element.isHiddenByParent = page !== pages.last && page !== covered }
        if let zooming {
            zooming.element.zoom = zoom
            zooming.element.ground = Paint.windowColor.resolved(dark: environment.colorScheme == .dark, accent: nil)
        }
        element.show(pages.map(\.element), pages.last?.element)
        zooming?.element.zoom = nil
        if let zoom, zoom.slide != nil {
            // The page below moves aside, or back to its place.
            let isPushed = zooming === pages.last
            let below = isPushed ? covered : pages.last
            below?.element.move(Zoom(slide: .below, animation: zoom.animation), isLeaving: isPushed)
        }
        graph.preferencesMayHaveChanged()
    }

    private func page(for value: AnyHashable) -> AnyView {
        if let view = built(value) { return view }
        graph.log(
            "NavigationStack: No navigationDestination(for: \(Swift.type(of: value.base)).self) is registered. Add one inside the stack."
        )
        return AnyView(
            Text(verbatim: "⚠ No navigationDestination(for: \(Swift.type(of: value.base)).self) is registered"))
    }

    /// Returns the page that a `navigationDestination` declares for `value`, or nil if there is none.
    ///
    /// The search starts in this stack. It continues in the column that shows this column's pages, then in the columns
    /// around and before this one.
    private func built(_ value: AnyHashable) -> AnyView? {
        ownPage(for: value) ?? view.next?.target?.ownPage(for: value) ?? previousColumnPage(for: value)
    }

    /// Shows the pages of `values`, and keeps the pages that are shown already.
    private func follow(_ values: [AnyHashable]) {
        var next = 0
        var kept = 1
        for page in pages.dropFirst() {
            if let value = page.value {
                guard next < values.count, values[next] == value else { break }
                next += 1
            }
            kept += 1
        }
        // A page that a link pushed is removed if the path below it changes.
        remove(from: kept, isReplaced: next < values.count)
        for value in values[next...] { add(Page(value: value), page(for: value)) }
    }

    /// Removes the pages from `index`.
    /// - Parameter isReplaced: Whether other pages follow in their place, which then slide instead.
    private func remove(from index: Int, isReplaced: Bool = false) {
        guard index < pages.count else { return }
        let removed = Array(pages[index...])
        let zoom = element.isShown ? removed.last.flatMap { transition(of: $0, isReplaced: isReplaced) } : nil
        pages.removeSubrange(index...)
        arrange(zooming: removed.last, zoom)
        for page in removed.reversed() {
            page.fiber?.remove()
            if let onRemove = page.onRemove { graph.after(onRemove) }
        }
    }

    /// Removes `page` and the pages above it.
    private func pop(_ page: Page) {
        guard let index = pages.firstIndex(where: { $0 === page }), index > 0 else { return }
        let values = pages[..<index].compactMap(\.value)
        graph.change {
            remove(from: index)
            if let path = view.values, path != values { view.setValues?(values) }
        }
    }

    private func goBack() -> Bool {
        guard pages.count > 1, let top = pages.last, !top.isFirst, top.fiber?.preference(BackHiddenKey.self) != true
        else { return false }
        pop(top)
        return true
    }

    // MARK: Navigation

    func push(_ value: AnyHashable) {
        if let next = view.next?.target { return next.showPage(value, page(for: value)) }
        graph.change {
            if let values = view.values {
                view.setValues?(values + [value])
            } else {
                add(Page(value: value), page(for: value))
            }
        }
    }
    func push(_ page: AnyView, _ token: LinkToken, _ onRemove: (@MainActor () -> Void)?) {
        guard !isShowing(token) else { return }
        if let next = view.next?.target { return next.showPage(page, token, onRemove) }
        graph.change { add(Page(token: token, onRemove: onRemove), page) }
    }
    func isShowing(_ token: LinkToken) -> Bool {
        pages.contains { $0.token === token } || stack?.isShowing(token) == true
            || view.next?.target?.isShowing(token) == true
    }
    func refresh(_ token: LinkToken, _ page: AnyView) {
        if let found = pages.first(where: { $0.token === token }) {
            refresh(found, page)
        } else {
            holder(token)?.refresh(token, page)
        }
    }
    func pop(_ token: LinkToken) {
        if let found = pages.first(where: { $0.token === token }) { pop(found) } else { holder(token)?.pop(token) }
    }
    private func holder(_ token: LinkToken) -> (any Navigation)? {
        stack?.isShowing(token) == true ? stack : view.next?.target
    }

    // MARK: Column of a split view

    func attachStack(_ stack: any NavigationColumn) { self.stack = stack }
    func detachStack(_ stack: any NavigationColumn) { if self.stack === stack { self.stack = nil } }

    func showPage(_ value: AnyHashable, _ page: AnyView) {
        if let stack = uncoveredStack() { return stack.showPage(value, page) }
        guard view.column == nil else { return replaceFirstPage(Page(value: value), page) }
        // In a stack, `value` replaces the whole path.
        graph.change {
            guard let values = view.values else {
                guard pages.count < 2 || pages[1].value != value else { return remove(from: 2) }
                remove(from: 1)
                return add(Page(value: value), page)
            }
            if let pushed = pages.dropFirst().firstIndex(where: { $0.value == nil }) { remove(from: pushed) }
            if values == [value] { follow(values) } else { view.setValues?([value]) }
        }
    }
    func showPage(_ page: AnyView, _ token: LinkToken, _ onRemove: (@MainActor () -> Void)?) {
        if let stack = uncoveredStack() { return stack.showPage(page, token, onRemove) }
        guard view.column == nil else { return replaceFirstPage(Page(token: token, onRemove: onRemove), page) }
        graph.change {
            remove(from: 1)
            add(Page(token: token, onRemove: onRemove), page)
            if let values = view.values, !values.isEmpty { view.setValues?([]) }
        }
    }
    /// Returns the stack in this column, after removing the pages that cover it. The stack shows the pages of the
    /// previous column's links.
    private func uncoveredStack() -> (any NavigationColumn)? {
        guard let stack else { return nil }
        graph.change { remove(from: 1) }
        return stack
    }
    /// Shows `page` in place of the first page.
    private func replaceFirstPage(_ page: Page, _ view: AnyView) {
        page.isFirst = true
        graph.change {
            remove(from: 1)
            add(page, view)
        }
    }

    func ownPage(for value: AnyHashable) -> AnyView? {
        builders[ObjectIdentifier(Swift.type(of: value.base))]?.first?.build(value) ?? stack?.ownPage(for: value)
    }
    /// Returns the page for `value` that the previous column declares. A stack also searches the column around it.
    private func previousColumnPage(for value: AnyHashable) -> AnyView? {
        if let outer { return outer.enclosingPage(for: value) }
        return view.column?.source?.ownPage(for: value)
    }
    func enclosingPage(for value: AnyHashable) -> AnyView? {
        builders[ObjectIdentifier(Swift.type(of: value.base))]?.first?.build(value) ?? previousColumnPage(for: value)
    }

    func register(_ type: ObjectIdentifier, _ owner: AnyObject, _ build: @escaping @MainActor (AnyHashable) -> AnyView?)
    {
        var known = builders[type] ?? []
        let index = known.firstIndex { $0.owner === owner } ?? known.count
        let isNew = index == known.count
        if isNew { known.append((owner, build)) } else { known[index].build = build }
        builders[type] = known
        if index == 0 { rebuild(type, isLater: isNew) }
    }
    func unregister(_ type: ObjectIdentifier, _ owner: AnyObject) {
        guard var known = builders[type], let index = known.firstIndex(where: { $0.owner === owner }) else { return }
        known.remove(at: index)
        builders[type] = known.isEmpty ? nil : known
        if index == 0, !known.isEmpty { rebuild(type, isLater: true) }
    }

    /// Builds the pages of `type` again from their destinations. Pages of a path that was set before its destinations
    /// were declared get their content now.
    func rebuild(_ type: ObjectIdentifier, isLater: Bool) {
        // A page may itself declare the destination of its type, which must not build the page again.
        guard !isRemoved, rebuilding.insert(type).inserted else { return }
        defer { rebuilding.remove(type) }
        for page in pages where page.value.map({ ObjectIdentifier(Swift.type(of: $0.base)) == type }) == true {
            guard let value = page.value, page.fiber != nil, let view = built(value) else { continue }
            if isLater {
                graph.after { [weak self, weak page] in if let self, let page { self.refresh(page, view) } }
            } else {
                refresh(page, view)
            }
        }
        stack?.rebuild(type, isLater: isLater)
        view.next?.target?.rebuild(type, isLater: isLater)
    }

    // MARK: Bar

    /// The content of the bar, which is compared to find out whether the bar must change.
    private struct BarContent: Equatable {
        var title: String?
        var back: String?
        var isHidden: Bool
        var isLarge: Bool
        var looks: BarLooks
        var hasToggle: Bool
        var items: [ToolbarEntry.Identity]
    }

    var order: Int { depth }
    func check() {
        guard let top = pages.last?.fiber else { return }
        let below = pages.count > 1 ? pages[pages.count - 2].fiber : nil
        let items = top.preference(ToolbarKey.self) ?? []
        let canGoBack = below != nil && pages.last?.isFirst != true && top.preference(BackHiddenKey.self) != true
        // In a column of a split view, the stack inside the column shows the bar.
        let isCovered = (view.next != nil || view.column != nil) && top.preference(HasStackKey.self) == true
        let toggle = environment.splitToggle
        let content = BarContent(
            title: top.preference(WindowTitleKey.self) ?? nil,
            back: canGoBack ? (below?.preference(WindowTitleKey.self) ?? nil) ?? PlayerWords.localized("Back") : nil,
            isHidden: isCovered || top.preference(BarHiddenKey.self) ?? false,
            isLarge: (top.preference(TitleModeKey.self) ?? nil) == .large,
            looks: top.preference(BarLooksKey.self) ?? BarLooks(), hasToggle: toggle != nil,
            items: items.map(\.identity))
        guard content != shown else { return }
        shown = content
        let environment = pages.last.map { self.environment($0) } ?? environment
        let hasBar =
            !content.isHidden && !content.looks.top.isHidden
            && (content.title != nil || content.back != nil || toggle != nil
                || items.contains { $0.placement.edge != .bottom })
        let barView =
            hasBar
            ? AnyView(
                NavigationBar(
                    title: content.title, back: content.back, goBack: { [weak self] in _ = self?.goBack() },
                    items: items,
                    isLarge: content.isLarge, look: content.looks.top, toggle: toggle)) : AnyView(EmptyView())
        let bottom = items.filter { $0.placement.edge == .bottom }
        let bottomView =
            bottom.isEmpty || content.looks.bottom.isHidden
            ? AnyView(EmptyView()) : AnyView(BottomBar(items: bottom, look: content.looks.bottom))
        bar = show(barView, bar, element.bar, environment)
        bottomBar = show(bottomView, bottomBar, element.bottomBar, environment)
    }

    private func show(
        _ view: AnyView, _ fiber: _ViewFiber<RootView>?, _ root: Element, _ environment: EnvironmentValues
    ) -> _ViewFiber<RootView> {
        let host = RootView(content: view, root: root)
        guard let fiber else { return RootView._makeFiber(host, inputs(environment)) as _ViewFiber<RootView> }
        fiber.update(host, environment)
        return fiber
    }
}

/// An element that shows the pages of a stack between its bars.
final class NavigationElement: BarredElement {
    var goBack: () -> Bool = { false }
    private var shortcuts: WindowShortcuts?
    /// The page that is visible below the page on top until the transition of that page ends, or nil for none.
    private weak var covered: HideableLayers?

    /// Keeps `page` visible, without input, until the transition of the page on top ends.
    func cover(_ page: HideableLayers?) {
        guard page !== covered else { return }
        covered?.setInert(false)
        covered = page
        page?.setInert(true)
    }

    override func isAnimatingItself(_ now: Double) -> Bool {
        if let covered, page?.presence?.isRunning(now) != true {
            cover(nil)
            if covered !== page { covered.isHiddenByParent = true }
        }
        return super.isAnimatingItself(now)
    }

    override func contains(_ point: CGPoint) -> Bool { bounds.contains(point) }

    override func attached(to host: any ElementHost) {
        guard let container = host.container else { return }
        shortcuts = WindowShortcuts(on: container)
        for key in [GDK_KEY_Escape, GDK_KEY_Back] {
            shortcuts?.add(key, GdkModifierType(rawValue: 0)) { [weak self] in self?.handleBackKey() ?? false }
        }
        // The arrow of the back button points to the leading edge.
        for (key, isForMirrored) in [(GDK_KEY_Left, false), (GDK_KEY_Right, true)] {
            shortcuts?.add(key, GDK_ALT_MASK) { [weak self] in
                self.map { $0.isMirrored == isForMirrored && $0.handleBackKey() } ?? false
            }
        }
    }
    private func handleBackKey() -> Bool { isShown && !isInert && goBack() }
    override func detached(from host: any ElementHost) {
        shortcuts?.remove()
        shortcuts = nil
    }
}
