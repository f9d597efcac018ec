import Zoetrope

/// A context for tests: makes only what is registered or allowed, so that a service is tested alone, with stand-ins for
/// those it uses.
///
/// ```swift
/// let context = TestContext()
/// context.register(TargetService.self) { TargetService($0) }
/// context.register(DependencyService.self) { MockDependencyService($0) }
/// ```
@MainActor @preconcurrency
public class TestContext: Context {
    /// The package's own services that a container is made of.
    public static var builtinService: [Service.Type] {
        [
            ControlService.self, ToastService.self, PluginService.self, FeatureService.self, RenderService.self,
            GestureService.self,
            PlayerService.self, ViewSizeService.self, StatusService.self,
        ]
    }

    /// These are made as in ``Context``, without being registered: ``builtinService``, say. Default: none.
    public var whitelist: [Service.Type] = []

    private var factories: [ObjectIdentifier: (TestContext) -> Service] = [:]

    /// How a service is made: once, when it is first fetched. A later call replaces an earlier one, and what that has
    /// made.
    public func register<ServiceType>(_ type: ServiceType.Type, factory: @escaping (TestContext) -> ServiceType)
    where ServiceType: Service {
        factories[ObjectIdentifier(type)] = factory
        stopService(type)
    }

    /// What is neither registered nor in the ``whitelist`` ends the process, with what to write.
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
