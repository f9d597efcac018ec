import CGTK
import Foundation
import MediaCore
import Presentation

/// The windows that are open.
@MainActor
enum AppWindows {
    static var onLastClosed: (() -> Void)?
    private static var count = 0
    static func opened() { count += 1 }
    static func closed() {
        count -= 1
        if count == 0 { onLastClosed?() }
    }
}

/// A window as a view: it contributes nothing where it stands and shows its content in a window of its own.
struct WindowView<Content: View>: _PrimitiveView {
    let title: String
    let settings: WindowSettings
    let content: Content
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> { WindowFiber(view, inputs) }
}

/// The title that views below give their window.
struct WindowTitleKey: PreferenceKey {
    static let defaultValue: String? = nil
    static func reduce(value: inout String?, nextValue: () -> String?) { value = nextValue() ?? value }
}
/// The appearance that views below want for their window.
struct PreferredSchemeKey: PreferenceKey {
    static let defaultValue: ColorScheme? = nil
    static func reduce(value: inout ColorScheme?, nextValue: () -> ColorScheme?) { value = value ?? nextValue() }
}

final class WindowFiber<Content: View>: _ViewFiber<WindowView<Content>>, PreferenceObserver {
    private var content: _ViewFiber<Content>?
    private let window: HostWindow?

    override init(_ view: WindowView<Content>, _ inputs: _FiberInputs) {
        window = HostWindow(title: view.title, graph: inputs.graph)
        super.init(view, inputs)
        environment = scaled(inputs.environment)
        content = Content._makeFiber(view.content, self.inputs())
        structureChanged()
        window?.onScale = { [weak self] in
            guard let self, !isRemoved else { return }
            graph.change { self.update(self.view, self.environment) }
        }
        graph.add(self)
        window?.onClose = { [weak self] in self?.closedByUser() }
        window?.surface.onSize = { UIDevice.current.windowHas($0) }
        AppWindows.opened()
        graph.after { [weak self] in
            guard let self, !isRemoved else { return }
            window?.present(size: view.settings.size)
        }
    }

    override var children: [_Fiber] { content.map { [$0] } ?? [] }
    override var elements: [Element] { [] }

    private func scaled(_ environment: EnvironmentValues) -> EnvironmentValues {
        guard let scale = window?.scale, scale != environment.displayScale else { return environment }
        return with(environment) { $0.displayScale = scale }
    }

    override func update(_ view: WindowView<Content>, _ environment: EnvironmentValues) {
        let environment = scaled(environment)
        super.update(view, environment)
        content?.update(view.content, environment)
        for bar in [bar, bottomBar] { bar?.update(bar?.view ?? RootView(content: AnyView(EmptyView()), root: bars.bar), environment) }
    }

    override func structureChanged() {
        let elements = content?.elements ?? []
        guard !items.isEmpty else {
            contentRoot.setChildren([])
            window?.root.setChildren(elements)
            return
        }
        contentRoot.setChildren(elements)
        bars.show([contentRoot], contentRoot)
        window?.root.setChildren([bars])
    }

    // MARK: toolbar outside of a navigation stack

    private let bars = BarredElement(), contentRoot = LayersElement()
    private var bar: _ViewFiber<RootView>?
    private var bottomBar: _ViewFiber<RootView>?
    private var items: [ToolbarEntry] = []
    private var looks = BarLooks()

    private func showBars() {
        let next = content?.preference(ToolbarKey.self) ?? [], looks = content?.preference(BarLooksKey.self) ?? BarLooks()
        guard next.map(\.identity) != items.map(\.identity) || looks != self.looks else { return }
        items = next
        self.looks = looks
        let top = next.filter { $0.placement.edge != .bottom }, below = next.filter { $0.placement.edge == .bottom }
        bar = show(top.isEmpty || looks.top.isHidden ? AnyView(EmptyView()) : AnyView(NavigationBar(title: nil, back: nil, goBack: {}, items: top, look: looks.top)), bar, bars.bar)
        bottomBar = show(below.isEmpty || looks.bottom.isHidden ? AnyView(EmptyView()) : AnyView(BottomBar(items: below, look: looks.bottom)), bottomBar, bars.bottomBar)
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
        if let scheme = content?.preference(PreferredSchemeKey.self) ?? nil { Appearance.setPrefersDark(scheme == .dark) }
    }

    private func closedByUser() {
        content?.remove()
        content = nil
        structureChanged()
        window?.close()
        AppWindows.closed()
    }

    override func removed() {
        graph.remove(self)
        bar?.remove()
        bottomBar?.remove()
        guard window?.isClosed == false else { return }
        window?.close()
        AppWindows.closed()
    }
}

/// A GTK window that shows elements, with the keys and the layers that go with it.
@MainActor
final class HostWindow {
    let window: UnsafeMutablePointer<GtkWidget>
    let surface: ElementSurface
    let root = WindowRoot()
    private(set) var isClosed = false
    /// The user wants to close it.
    var onClose: (() -> Void)?
    /// It came to a screen of another scale.
    var onScale: (() -> Void)?
    /// Device pixels a point.
    var scale: CGFloat { CGFloat(max(1, gtk_widget_get_scale_factor(window))) }
    private lazy var sizing = WindowSizing(gtkWindow)
    private var closing: CloseSignal?
    private var scaling: SignalBox?

    var title: String {
        didSet { if title != oldValue { gtk_window_set_title(UnsafeMutablePointer<GtkWindow>(OpaquePointer(window)), title) } }
    }

    /// Nil without a display.
    init?(title: String, graph: ViewGraph, parent: UnsafeMutablePointer<GtkWidget>? = nil) {
        guard GTKStart.ensure(), let raw = gtk_window_new() else { return nil }
        window = raw
        self.title = title
        surface = ElementSurface(root: root, graph: graph)
        MainLoop.attach()
        g_object_ref(raw)
        gtk_window_set_title(gtkWindow, title)
        gtk_window_set_icon_name(gtkWindow, "video-x-generic")
        if let content = surface.widget { gtk_window_set_child(gtkWindow, content) }
        if let parent {
            gtk_window_set_transient_for(gtkWindow, UnsafeMutablePointer<GtkWindow>(OpaquePointer(parent)))
            gtk_window_set_modal(gtkWindow, 1)
        }
        closing = CloseSignal(raw) { [weak self] in self?.onClose?() }
        scaling = SignalBox(UnsafeMutableRawPointer(raw), "notify::scale-factor") { [weak self] in self?.onScale?() }
    }

    isolated deinit { g_object_unref(window) }

    var gtkWindow: UnsafeMutablePointer<GtkWindow> { UnsafeMutablePointer<GtkWindow>(OpaquePointer(window)) }

    /// - Parameter size: points; nil is what the content likes best: see `WindowSize`.
    func present(size: CGSize?, isSheet: Bool = false) {
        guard !isClosed else { return }
        sizing.set(WindowSize.opening(root, asked: size, isSheet: isSheet, screen: WindowSize.screen))
        gtk_window_present(gtkWindow)
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        closing?.disconnect()
        scaling?.disconnect()
        sizing.close()
        surface.close()
        gtk_window_destroy(gtkWindow)
    }
}

/// The `close-request` of a window: answered with "leave it to us".
@MainActor
final class CloseSignal {
    private let window: UnsafeMutablePointer<GtkWidget>
    private var id: gulong = 0
    private let action: () -> Void

    init(_ window: UnsafeMutablePointer<GtkWidget>, _ action: @escaping () -> Void) {
        self.window = window
        self.action = action
        let handler: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> gboolean = { _, me in
            nonisolated(unsafe) let me = me
            MainActor.assumeIsolated {
                if let me { Unmanaged<CloseSignal>.fromOpaque(me).takeUnretainedValue().action() }
            }
            return 1
        }
        id = g_signal_connect_data(window, "close-request", unsafeBitCast(handler, to: GCallback.self), Unmanaged.passUnretained(self).toOpaque(), nil, GConnectFlags(0))
    }

    func disconnect() {
        if id != 0 { g_signal_handler_disconnect(window, id) }
        id = 0
    }
}

extension View {
    /// The title of the window, or of the page of a navigation.
    public func navigationTitle(_ title: LocalizedStringKey) -> some View { preference(key: WindowTitleKey.self, value: title.resolved(nil, nil)) }
    @_disfavoredOverload public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { preference(key: WindowTitleKey.self, value: String(title)) }
}
