import Zoetrope

/// A context for tests, which only creates services that are registered or allowed.
///
/// A test can check one service, with mocks of the services that it uses:
///
/// ```swift
/// let context = TestContext()
/// context.register(TargetService.self) { TargetService($0) }
/// context.register(DependencyService.self) { MockDependencyService($0) }
/// ```
@MainActor @preconcurrency
public class TestContext: Context {
    /// The services of this package that form a container, without those for the desktop: ``KeyService``,
    /// ``ScrollService`` and ``WindowService``.
    public static var builtinService: [Service.Type] {
        [
            ControlService.self, ToastService.self, PluginService.self, FeatureService.self, RenderService.self,
            GestureService.self,
            PlayerService.self, ViewSizeService.self, StatusService.self,
        ]
    }

    /// The services that are created as in ``Context`` without being registered, for example ``builtinService``.
    /// Default: none.
    public var whitelist: [Service.Type] = []

    private var factories: [ObjectIdentifier: (TestContext) -> Service] = [:]

    /// Registers a factory, which is called once when the service is first requested.
    ///
    /// A later call replaces the factory, and removes a service that exists.
    /// - Parameters:
    ///   - type: The type of the service.
    ///   - factory: Returns the service.
    public func register<ServiceType>(_ type: ServiceType.Type, factory: @escaping (TestContext) -> ServiceType)
    where ServiceType: Service {
        factories[ObjectIdentifier(type)] = factory
        stopService(type)
    }

    /// Returns the context's service of a type.
    ///
    /// If the type is neither registered nor in the ``whitelist``, the program stops with a message that shows what to
    /// write.
    public override func startService<ServiceType>(_ type: ServiceType.Type) -> ServiceType where ServiceType: Service {
        if let factory = factories[ObjectIdentifier(type)] {
            return started(type) {
                guard let made = factory(self) as? ServiceType else {
                    preconditionFailure("The factory registered for \(type) returned a service of another type.")
                }
                return made
            }
        }
        guard whitelist.contains(where: { $0 == type }) else {
            preconditionFailure(
                """
                \(type) was requested in a TestContext that does not know it. Call context.register(\(type).self) { \(type)($0) }, \
                or add \(type).self to the whitelist.
                """)
        }
        return super.startService(type)
    }

    override func own<ServiceType: Service>(_ type: ServiceType.Type) -> ServiceType {
        if factories[ObjectIdentifier(type)] != nil { return startService(type) }
        return started(type) { type.init(self) }
    }
}
