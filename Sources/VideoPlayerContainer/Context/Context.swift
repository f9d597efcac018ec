import Zoetrope

/// What belongs to one player: finds its services, one of each type, and makes them when they are first asked for.
///
/// An app makes one for each ``PlayerWidget`` and keeps it (`@StateObject var context = Context()`); widgets find it in
/// the environment. It owns its services; what they hold (players, timers) goes with it.
@MainActor @preconcurrency
public class Context: ObservableObject {
    private var services: [ObjectIdentifier: Service] = [:]
    private var dependencies: [AnyKeyPath: Any] = [:]
    /// What is being made now, the outermost first: whoever fetches itself meanwhile would never end.
    private var making: [Service.Type] = []

    /// Without a service: each is made when it is first asked for. May be called anywhere, as a view's `@StateObject`
    /// does.
    nonisolated public init() {}

    /// The context's instance of a type: made by `init(_:)` when there is none yet. A service's initialiser may fetch
    /// others.
    ///
    /// Two types are two services, whatever their names are. A service that fetches itself while it is being made ends
    /// the process, with the way it came written.
    public func startService<ServiceType>(_ type: ServiceType.Type) -> ServiceType where ServiceType: Service {
        started(type) { type.init(self) }
    }

    /// Forgets a service; the next fetch makes a new one.
    /// - Returns: whether there was one.
    @discardableResult
    public func stopService<ServiceType>(_ type: ServiceType.Type) -> Bool where ServiceType: Service {
        services.removeValue(forKey: ObjectIdentifier(type)) != nil
    }

    /// The same as ``startService(_:)``.
    public subscript<ServiceType>(_ type: ServiceType.Type) -> ServiceType where ServiceType: Service {
        startService(type)
    }

    /// A value that the app's services depend on, by its place in ``DependencyValues``: read once for a context, then
    /// kept.
    public func dependency<Value>(_ keyPath: KeyPath<DependencyValues, Value>) -> Value {
        // In two steps: nothing at all would do for a value that may be nil.
        if let any = dependencies[keyPath], let kept = any as? Value { return kept }
        let fresh = DependencyValues()[keyPath: keyPath]
        dependencies[keyPath] = fresh
        return fresh
    }

    /// Puts another value in the place of a dependency, for tests; whoever reads it from now on gets this one.
    public func withDependency<Value>(_ keyPath: KeyPath<DependencyValues, Value>, factory: () -> Value) {
        dependencies[keyPath] = factory()
    }

    /// The instance there is, else the one that `make` makes.
    final func started<ServiceType: Service>(_ type: ServiceType.Type, make: () -> ServiceType) -> ServiceType {
        if let kept = services[ObjectIdentifier(type)] as? ServiceType { return kept }
        guard !making.contains(where: { $0 == type }) else {
            let way = (making.drop { $0 != type } + [type]).map { String(reflecting: $0) }.joined(separator: " → ")
            preconditionFailure(
                "\(type) is requested while it is being created (\(way)). Request it when it is needed, not in an initializer."
            )
        }
        making.append(type)
        defer { making.removeLast() }
        let fresh = make()
        services[ObjectIdentifier(type)] = fresh
        return fresh
    }

    /// What the package's own services fetch of each other: in a test they need not be registered for that.
    func own<ServiceType: Service>(_ type: ServiceType.Type) -> ServiceType { startService(type) }
}

extension Context {
    /// Which overlays there are, and an app's own between them.
    public var container: PlayerService { self[PlayerService.self] }
    /// The player and the layer that shows it.
    public var render: RenderService { self[RenderService.self] }
    /// Panels at the container's edges.
    public var feature: FeatureService { self[FeatureService.self] }
    /// One view over the picture, anywhere.
    public var plugin: PluginService { self[PluginService.self] }
    /// The controls around and over the picture.
    public var control: ControlService { self[ControlService.self] }
    /// Short messages.
    public var toast: ToastService { self[ToastService.self] }
    /// What fingers and the pointer do on the picture.
    public var gesture: GestureService { self[GestureService.self] }
    /// Half screen, full screen or portrait.
    public var status: StatusService { self[StatusService.self] }
    /// How large the container is.
    public var viewSize: ViewSizeService { self[ViewSizeService.self] }
}
