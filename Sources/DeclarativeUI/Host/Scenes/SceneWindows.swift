@_spi(Graph) import ViewGraph

/// The value for which a window was opened. The views of the window may replace the value.
@MainActor
final class WindowValue {
    let location: StateLocation<AnyHashable?>
    init(_ value: AnyHashable?) { location = StateLocation(value) }

    static func binding<D: Hashable>(_ value: WindowValue?) -> Binding<D?> {
        Binding(get: { value?.location.get()?.base as? D }, set: { value?.location.set($0.map { AnyHashable($0) }) })
    }
    static func binding<D: Hashable>(_ value: WindowValue?, _ otherwise: @escaping () -> D) -> Binding<D> {
        // The default is created only once, so that every reader gets the same value until a view sets another one.
        let value = value ?? WindowValue(nil)
        return Binding(
            get: {
                if let known = value.location.get()?.base as? D { return known }
                let first = otherwise()
                value.location.set(AnyHashable(first))
                return first
            }, set: { value.location.set(AnyHashable($0)) })
    }
}

/// The open windows of a scene. It adds no element to its parent.
struct SceneWindows: _PrimitiveView {
    let title: String
    let id: String?
    let valueType: Any.Type?
    /// Whether the scene has at most one window.
    let isSingle: Bool
    let content: @MainActor (WindowValue?) -> AnyView
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> { SceneWindowsFiber(view, inputs) }
}

/// The views of a window. They are evaluated again when a value that they have read changes.
struct SceneContent: View {
    let value: WindowValue?
    let content: @MainActor (WindowValue?) -> AnyView
    var body: AnyView { content(value) }
}

final class SceneWindowsFiber: _ViewFiber<SceneWindows> {
    private typealias Host = _ViewFiber<WindowView<SceneContent>>
    private var windows: [(key: Int, value: WindowValue?, fiber: Host)] = []
    private var keys = 0

    override init(_ view: SceneWindows, _ inputs: _FiberInputs) {
        super.init(view, inputs)
        AppScenes.add(self)
    }

    override var children: [_Fiber] { windows.map(\.fiber) }
    override var elements: [Element] { [] }
    override func structureChanged() {}

    override func update(_ view: SceneWindows, _ environment: EnvironmentValues) {
        super.update(view, environment)
        for window in windows { window.fiber.update(host(window.key, window.value), environment) }
    }

    private func host(_ key: Int, _ value: WindowValue?) -> WindowView<SceneContent> {
        WindowView(
            title: view.title, settings: environment.windowSettings,
            content: SceneContent(value: value, content: view.content),
            onClosed: { [weak self] in self?.close { $0 == key } })
    }

    /// Returns whether this scene opens windows for values of the type of `value`. Returns true for nil.
    func isFor(_ value: AnyHashable?) -> Bool {
        guard let value else { return true }
        return view.valueType.map { $0 == type(of: value.base) } ?? false
    }

    /// Opens another window, or moves the existing one to the front.
    func open(_ value: AnyHashable? = nil) {
        let known = windows.first { view.isSingle || (value != nil && $0.value?.location.value == value) }
        if let known { return (known.fiber as? any RaisableWindow)?.raise() ?? () }
        keys += 1
        let key = keys
        let box = view.valueType == nil ? nil : WindowValue(value)
        graph.change {
            let fiber = WindowView<SceneContent>._makeFiber(host(key, box), inputs())
            windows.append((key, box, fiber))
        }
    }

    /// Closes the windows that are open for `value`. Nil closes all windows.
    func dismiss(_ value: AnyHashable?) {
        let keys = windows.filter { value == nil || $0.value?.location.value == value }.map(\.key)
        close { keys.contains($0) }
    }

    private func close(_ isIncluded: (Int) -> Bool) {
        let closing = windows.filter { isIncluded($0.key) }
        guard !closing.isEmpty else { return }
        windows.removeAll { isIncluded($0.key) }
        graph.change { for window in closing { window.fiber.remove() } }
    }

    override func removed() { AppScenes.remove(self) }
}

/// A window that can be moved to the front.
@MainActor
protocol RaisableWindow: AnyObject {
    func raise()
}

/// The scenes of the running app in the order of their declaration.
@MainActor
enum AppScenes {
    private static var scenes: [SceneWindowsFiber] = []

    static func add(_ scene: SceneWindowsFiber) { scenes.append(scene) }
    static func remove(_ scene: SceneWindowsFiber) { scenes.removeAll { $0 === scene } }

    /// Opens the first window of the app.
    static func openFirst() { scenes.first?.open() }

    /// The scenes of which users can open another window, because they need no value.
    static var repeatable: [SceneWindowsFiber] { scenes.filter { !$0.view.isSingle && $0.view.valueType == nil } }

    static func open(id: String?, value: AnyHashable?) {
        if let found = find(id, value) { found.open(value) }
    }
    static func dismiss(id: String?, value: AnyHashable?) {
        if let found = find(id, value) { found.dismiss(value) }
    }

    private static func find(_ id: String?, _ value: AnyHashable?) -> SceneWindowsFiber? {
        if let found = scenes.first(where: { (id == nil || $0.view.id == id) && $0.isFor(value) }) { return found }
        let ids = scenes.compactMap(\.view.id).map { "“\($0)”" }.joined(separator: ", ")
        let requested = [id.map { "the id “\($0)”" }, value.map { "a value of type \(type(of: $0.base))" }].compactMap {
            $0
        }.joined(separator: " and ")
        ViewGraph.logger.error(
            "No scene opens a window for \(requested). The app's scenes have \(ids.isEmpty ? "no ids" : "the ids \(ids)")."
        )
        return nil
    }
}
