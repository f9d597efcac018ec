import Foundation
@_spi(Graph) import ViewGraph

/// A counter of open windows.
@MainActor
enum AppWindows {
    static var onLastClosed: (() -> Void)?
    private static var count = 0
    static func opened() { count += 1 }
    /// Returns whether `dismiss` in the root view of a window closes the window. As on iOS, the only window of an app
    /// in the style `phone` stays open, because the app would end with it.
    static func areDismissible(in style: PlatformStyle, count: Int? = nil) -> Bool {
        style != .phone || (count ?? self.count) > 1
    }
    static func closed() {
        count -= 1
        guard count == 0 else { return }
        // Runs later, because the code that closes the last window may open another one.
        OnMain.later { if count == 0 { onLastClosed?() } }
    }
}

/// A window as a view. It adds no element to its parent, and shows its content in its own window.
struct WindowView<Content: View>: _PrimitiveView {
    let title: String
    let settings: WindowSettings
    let content: Content
    /// Called when the user or the app closes the window. The owner must then remove this view. If nil, the window
    /// closes at once.
    var onClosed: (@MainActor () -> Void)?
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> { WindowFiber(view, inputs) }
}

/// The preference for the title of a window.
struct WindowTitleKey: PreferenceKey {
    static let defaultValue: String? = nil
    static func reduce(value: inout String?, nextValue: () -> String?) { value = nextValue() ?? value }
}
/// The preference for the appearance of a window.
struct PreferredSchemeKey: PreferenceKey {
    static let defaultValue: ColorScheme? = nil
    static func reduce(value: inout ColorScheme?, nextValue: () -> ColorScheme?) { value = value ?? nextValue() }
}

final class WindowFiber<Content: View>: _ViewFiber<WindowView<Content>>, PreferenceObserver, RaisableWindow, MenuWindow,
    FocusableScene
{
    private var content: _ViewFiber<Content>?
    private let window: HostWindow?
    private let editing = EditModeStore()

    override init(_ view: WindowView<Content>, _ inputs: _FiberInputs) {
        window = HostWindow(title: view.title, graph: inputs.graph)
        super.init(view, inputs)
        environment = inner(inputs.environment)
        window?.root.direction = environment.layoutDirection
        window?.isPhone = environment.platformStyle == .phone
        window?.setScreenSize(openingSize)
        content = Content._makeFiber(view.content, self.inputs())
        structureChanged()
        window?.onScale = { [weak self] in
            self?.updateEnvironment()
        }
        graph.add(self)
        window?.onClose = { [weak self] in self?.closedByUser() }
        window?.onActive = { [weak self] in self?.becameActive() }
        window?.surface.onSize = { [weak self] size in
            UIDevice.current.windowSizeChanged(to: size)
            self?.laidOut(size)
        }
        AppWindows.opened()
        FocusedScene.opened(self)
        CommandMenus.add(self)
        graph.after { [weak self] in
            guard let self, !isRemoved else { return }
            window?.present(size: view.settings.size)
        }
    }

    override var children: [_Fiber] { content.map { [$0] } ?? [] }
    override var elements: [Element] { [] }

    /// The environments of the last update: above and below the window. `below` is passed again while nothing changes,
    /// so that views need not compare its values.
    private var known: (above: EnvironmentValues, scale: CGFloat, classes: SizeClasses, below: EnvironmentValues)?
    private struct SizeClasses: Equatable {
        let horizontal, vertical: UserInterfaceSizeClass
        init(_ size: CGSize) {
            horizontal = UserInterfaceSizeClass(length: size.width)
            vertical = UserInterfaceSizeClass(length: size.height)
        }
    }
    /// The size classes of the window's size, or of its opening size before the first layout.
    private var sizeClasses: SizeClasses {
        if let size = window?.surface.size, size != .zero { return SizeClasses(size) }
        return SizeClasses(openingSize)
    }
    /// The size with which the window opens, unless its content determines the size.
    private var openingSize: CGSize {
        view.settings.size
            ?? WindowSize.useful(isPhone: environment.platformStyle == .phone, on: WindowSize.screen)
    }

    private func inner(_ above: EnvironmentValues) -> EnvironmentValues {
        let scale = window?.scale ?? above.displayScale
        let classes = sizeClasses
        if let known, known.scale == scale, known.classes == classes, known.above.isSame(as: above) {
            return known.below
        }
        // Closes later, because a control of the window itself may call the action.
        let close: @MainActor () -> Void = { [weak self] in
            self?.graph.after { if self?.isRemoved == false { self?.closedByUser() } }
        }
        let dismiss: @MainActor () -> Void = { [weak self] in
            if let self, AppWindows.areDismissible(in: environment.platformStyle) { close() }
        }
        let below = with(above) {
            if scale != $0.displayScale { $0.displayScale = scale }
            $0.horizontalSizeClass = classes.horizontal
            $0.verticalSizeClass = classes.vertical
            $0.editMode = editing.binding
            $0.dismissWindow = DismissWindowAction(close)
            $0.dismiss = DismissAction(dismiss)
        }
        known = (above, scale, classes, below)
        return below
    }

    /// Passes on the environment with the window's current scale and size classes.
    private func updateEnvironment() {
        guard !isRemoved else { return }
        graph.change { self.update(self.view, self.known?.above ?? self.environment) }
    }

    override func update(_ view: WindowView<Content>, _ environment: EnvironmentValues) {
        let environment = inner(environment)
        super.update(view, environment)
        window?.root.direction = environment.layoutDirection
        window?.isPhone = environment.platformStyle == .phone
        // The title and the settings may have changed, even if the views have not.
        graph.preferencesMayHaveChanged()
        content?.update(view.content, environment)
        for bar in [bar, bottomBar] {
            bar?.update(bar?.view ?? RootView(content: AnyView(EmptyView()), root: bars.bar), environment)
        }
    }

    override func structureChanged() {
        let elements = content?.elements ?? []
        guard !items.isEmpty else {
            contentRoot.setChildren([])
            return show(elements)
        }
        contentRoot.setChildren(elements)
        bars.show([contentRoot], contentRoot)
        show([bars])
    }

    // MARK: menus

    private let menuPage = MenuPageElement(), menuRoot = LayersElement(), menuBar = MenuBarElement()

    /// Shows the elements in the window, below the menus if the app has any.
    private func show(_ elements: [Element]) {
        guard menuBar.hasMenus else {
            menuRoot.setChildren([])
            window?.root.setChildren(elements)
            return
        }
        menuRoot.setChildren(elements)
        menuPage.bar.setChildren([menuBar])
        menuPage.show([menuRoot], menuRoot)
        window?.root.setChildren([menuPage])
    }

    var menus: [MenuEntry] { CommandMenus.menus(for: window) }
    func menusChanged() {
        let menus = menus
        let hadMenus = menuBar.hasMenus
        menuBar.show(menus)
        window?.keys.take(menus)
        if menuBar.hasMenus != hadMenus { structureChanged() }
    }

    // MARK: focus

    func raise() { window?.raise() }
    var focusedValues: FocusedValues { content?.preference(FocusedValuesKey.self) ?? FocusedValues() }
    private func becameActive() { FocusedScene.didBecomeFront(self) }

    // MARK: toolbar outside of a navigation stack

    private let bars = BarredElement(), contentRoot = LayersElement()
    private var bar: _ViewFiber<RootView>?
    private var bottomBar: _ViewFiber<RootView>?
    private var items: [ToolbarEntry] = []
    private var looks = BarLooks()

    private func showBars() {
        let newItems = content?.preference(ToolbarKey.self) ?? []
        let looks = content?.preference(BarLooksKey.self) ?? BarLooks()
        guard newItems.map(\.identity) != items.map(\.identity) || looks != self.looks else { return }
        items = newItems
        self.looks = looks
        let top = newItems.filter { $0.placement.edge != .bottom }
        let below = newItems.filter { $0.placement.edge == .bottom }
        bar = show(
            top.isEmpty || looks.top.isHidden
                ? AnyView(EmptyView())
                : AnyView(NavigationBar(title: nil, back: nil, goBack: {}, items: top, look: looks.top)), bar, bars.bar)
        bottomBar = show(
            below.isEmpty || looks.bottom.isHidden
                ? AnyView(EmptyView()) : AnyView(BottomBar(items: below, look: looks.bottom)), bottomBar, bars.bottomBar
        )
        structureChanged()
    }

    private func show(_ view: AnyView, _ fiber: _ViewFiber<RootView>?, _ root: Element) -> _ViewFiber<RootView> {
        let host = RootView(content: view, root: root)
        guard let fiber else { return RootView._makeFiber(host, inputs()) }
        fiber.update(host, environment)
        return fiber
    }

    var order: Int { depth }
    func check() {
        showBars()
        window?.title = (content?.preference(WindowTitleKey.self) ?? nil) ?? view.title
        Appearance.request(
            Appearance.scheme(content?.preference(PreferredSchemeKey.self) ?? nil, in: environment.platformStyle),
            by: ObjectIdentifier(self))
        follow()
        FocusedScene.update(self)
    }
    private func follow() {
        window?.follow(view.settings, content?.preference(WindowBehaviorKey.self) ?? WindowBehavior())
    }

    /// Updates the size that a phone's screen has, the size classes, and whether the window is resizable. Without a
    /// change of preferences, the content may now allow only one size, or several sizes again.
    private func laidOut(_ size: CGSize) {
        if window?.isPhone == true {
            // Runs later, because GTK is giving the window a size now.
            OnMain.later { [weak self] in
                guard let window = self?.window, !window.isClosed else { return }
                window.setScreenSize(size)
                UIScreen.phoneWindow(has: size)
            }
        }
        if let known, known.classes != sizeClasses {
            // Runs later, because GTK is giving the window a size now.
            OnMain.later { [weak self] in
                if self?.window?.isClosed == false { self?.updateEnvironment() }
            }
        }
        guard view.settings.resizability == .contentSize else { return }
        // Runs later, because GTK is giving the window a size now.
        OnMain.later { [weak self] in
            if self?.isRemoved == false, self?.window?.isClosed == false { self?.follow() }
        }
    }

    private func closedByUser() {
        if let close = view.onClosed { return close() }
        content?.remove()
        content = nil
        structureChanged()
        window?.close()
        withdrawAppearance()
        AppWindows.closed()
    }

    /// Withdraws the window's appearance after the current update, because the change updates all views.
    private func withdrawAppearance() {
        // The closure keeps this fiber alive until then, because the fiber's identity identifies the request.
        graph.after { [self] in Appearance.request(nil, by: ObjectIdentifier(self)) }
    }

    override func removed() {
        graph.remove(self)
        CommandMenus.remove(self)
        FocusedScene.closed(self)
        withdrawAppearance()
        bar?.remove()
        bottomBar?.remove()
        guard window?.isClosed == false else { return }
        window?.close()
        AppWindows.closed()
    }
}

extension View {
    /// Sets the title of the window, or of the page in a navigation stack. The title is looked up in the app's
    /// translations.
    public func navigationTitle(_ title: LocalizedStringKey) -> some View {
        preference(key: WindowTitleKey.self, value: title.resolved(nil, nil))
    }
    /// Sets the title of the window, or of the page in a navigation stack. The title is shown unchanged.
    @_disfavoredOverload public func navigationTitle<S: StringProtocol>(_ title: S) -> some View {
        preference(key: WindowTitleKey.self, value: String(title))
    }
}
