import Zoetrope

/// The owner of the services of one player. It creates one service of each type when the service is first requested.
///
/// An app creates a context for each ``PlayerWidget`` and keeps it (`@StateObject var context = Context()`). Widgets
/// get the context from the environment. When the context is released, so are its services, and the players and timers
/// that they hold.
@MainActor @preconcurrency
public class Context: ObservableObject {
    private var services: [ObjectIdentifier: Service] = [:]
    private var dependencies: [AnyKeyPath: Any] = [:]
    /// The types of the services that are being created, the outermost first. They show whether a service requests
    /// itself.
    private var typesInCreation: [Service.Type] = []

    /// Creates a context without services. It can be called on any actor, as a view's `@StateObject` requires.
    nonisolated public init() {}

    /// Returns the context's service of a type. If there is none, `init(_:)` of the type creates it.
    ///
    /// Each type has its own service. The initializer of a service may request other services. If a service requests
    /// itself while it is being created, the program stops with a message that names the requests in between.
    /// - Parameter type: The type of the service.
    public func startService<ServiceType>(_ type: ServiceType.Type) -> ServiceType where ServiceType: Service {
        started(type) { type.init(self) }
    }

    /// Removes a service. The next request creates a new one.
    /// - Parameter type: The type of the service.
    /// - Returns: Whether there was a service of this type.
    @discardableResult
    public func stopService<ServiceType>(_ type: ServiceType.Type) -> Bool where ServiceType: Service {
        services.removeValue(forKey: ObjectIdentifier(type)) != nil
    }

    /// Returns the context's service of a type, as ``startService(_:)`` does.
    ///
    /// An extension gives a service of the app a short name:
    /// ```swift
    /// extension Context {
    ///     var likes: LikeService { self[LikeService.self] }
    /// }
    /// ```
    public subscript<ServiceType>(_ type: ServiceType.Type) -> ServiceType where ServiceType: Service {
        startService(type)
    }

    /// Returns a value that the app's services depend on. A context reads each value once and keeps it.
    /// - Parameter keyPath: The property of ``DependencyValues`` with the value.
    public func dependency<Value>(_ keyPath: KeyPath<DependencyValues, Value>) -> Value {
        // The value is cast in two steps, because a single `as?` would treat a stored nil as a missing value.
        if let any = dependencies[keyPath], let kept = any as? Value { return kept }
        let fresh = DependencyValues()[keyPath: keyPath]
        dependencies[keyPath] = fresh
        return fresh
    }

    /// Replaces the value of a dependency, for example in a test. Services that read it from now on get the new value.
    ///
    /// A test replaces the timer, so that delays end at once:
    /// ```swift
    /// context.withDependency(\.timer) {
    ///     MainTimer { _, action in
    ///         action()
    ///         return AnyCancellable {}
    ///     }
    /// }
    /// ```
    /// - Parameters:
    ///   - keyPath: The property of ``DependencyValues``.
    ///   - factory: Returns the new value.
    public func withDependency<Value>(_ keyPath: KeyPath<DependencyValues, Value>, factory: () -> Value) {
        dependencies[keyPath] = factory()
    }

    /// Returns the existing service, or the one that `make` creates.
    final func started<ServiceType: Service>(_ type: ServiceType.Type, make: () -> ServiceType) -> ServiceType {
        if let kept = services[ObjectIdentifier(type)] as? ServiceType { return kept }
        guard !typesInCreation.contains(where: { $0 == type }) else {
            let path = (typesInCreation.drop { $0 != type } + [type]).map { String(reflecting: $0) }.joined(
                separator: " → ")
            preconditionFailure(
                "\(type) is requested while it is being created (\(path)). Request it when it is needed, not in an initializer."
            )
        }
        typesInCreation.append(type)
        defer { typesInCreation.removeLast() }
        let fresh = make()
        services[ObjectIdentifier(type)] = fresh
        return fresh
    }

    /// Returns a service that the services of this package need from each other. A test does not have to register it.
    func own<ServiceType: Service>(_ type: ServiceType.Type) -> ServiceType { startService(type) }
}

extension Context {
    /// The service that selects the overlays and holds the app's own ones.
    public var container: PlayerService { self[PlayerService.self] }
    /// The service that has the player and the layer that displays it.
    public var render: RenderService { self[RenderService.self] }
    /// The service of the panels at the edges of the container.
    public var feature: FeatureService { self[FeatureService.self] }
    /// The service that shows a single view anywhere over the video.
    public var plugin: PluginService { self[PluginService.self] }
    /// The service of the controls over the video.
    public var control: ControlService { self[ControlService.self] }
    /// The service of short messages.
    public var toast: ToastService { self[ToastService.self] }
    /// The service that reports gestures over the video.
    public var gesture: GestureService { self[GestureService.self] }
    /// The service that has the status: half screen, full screen or portrait.
    public var status: StatusService { self[StatusService.self] }
    /// The service that has the size of the container.
    public var viewSize: ViewSizeService { self[ViewSizeService.self] }
}
