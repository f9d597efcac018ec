import Testing
import VideoPlayerContainer
import Zoetrope

@Suite("Test contexts") @MainActor
struct TestContextTests {
    // Copied from state S in `ContractTests/ContainerStateCode.swift`: a service under test, and a service that it
    // uses.
    class DependencyService: Service {
        func fetch() async throws -> Int { 0 }
    }
    class MockDependencyService: DependencyService {
        override func fetch() async throws -> Int { 10 }
    }
    class TargetService: Service {
        func fetchData() async throws -> Int { try await context[DependencyService.self].fetch() }
    }

    @Test("a mock can replace a service that another one uses")
    func standIn() async throws {
        let context = TestContext()
        context.register(TargetService.self) { TargetService($0) }
        context.register(DependencyService.self) { MockDependencyService($0) }
        let target = context.startService(TargetService.self)
        #expect(try await target.fetchData() == 10)
        #expect(target.context === context)
    }

    @Test("a factory runs once on first access; registering again replaces the service")
    func once() {
        let context = TestContext()
        var made = 0
        context.register(TargetService.self) {
            made += 1
            return TargetService($0)
        }
        #expect(made == 0)
        let first = context[TargetService.self]
        #expect(
            context[TargetService.self] === first && context.startService(TargetService.self) === first && made == 1)
        context.register(TargetService.self) { TargetService($0) }
        #expect(context[TargetService.self] !== first && made == 1)
        #expect(context.stopService(TargetService.self) && !context.stopService(TargetService.self))
    }

    @Test("whitelisted services need no factory, but a factory has priority")
    func whitelist() async throws {
        let context = TestContext()
        #expect(context.whitelist.isEmpty)
        context.whitelist = [TargetService.self, DependencyService.self]
        #expect(try await context[TargetService.self].fetchData() == 0)
        context.register(DependencyService.self) { MockDependencyService($0) }
        #expect(try await context[TargetService.self].fetchData() == 10)
    }

    @Test("nine built-in services work when they are whitelisted")
    func builtin() {
        let names = TestContext.builtinService.map { "\($0)" }.sorted()
        #expect(
            names == [
                "ControlService", "FeatureService", "GestureService", "PlayerService", "PluginService", "RenderService",
                "StatusService", "ToastService", "ViewSizeService",
            ])
        let context = TestContext()
        context.whitelist = TestContext.builtinService
        #expect(
            context.status.isHalfScreen && context.control.isBeingPresented && !context.plugin.isBeingPresented
                && context.render.player.rate == 0)
        #expect(context.gesture.enabled && context.viewSize.width == 0)
        _ = (context.feature, context.toast, context.container)
        for type in TestContext.builtinService { #expect(context.startService(type) === context.startService(type)) }
    }

    @Test("a built-in service can be tested without registering those it uses")
    func builtinAlone() {
        let context = TestContext()
        context.register(FeatureService.self) { FeatureService($0) }
        context.register(ControlService.self) { ControlService($0) }
        context.feature.present(.left(.cover)) { AnyView(EmptyView()) }
        context.feature.dismiss()
        context.control.dismiss()
        #expect(!context.control.isBeingPresented)
    }

    @Test("an unregistered service fails with advice on how to register it")
    func unregistered() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run {
                let context = TestContext()
                context.register(TargetService.self) { TargetService($0) }
                _ = context[TargetService.self].context[DependencyService.self]
            }
        }
        let said = result.said
        #expect(
            said.contains("DependencyService was requested in a TestContext")
                && said.contains("context.register(DependencyService.self) { DependencyService($0) }")
                && said.contains("whitelist"), "\(said)")
    }

    @Test("a factory that requests its own service fails")
    func selfFetch() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run {
                let context = TestContext()
                context.register(TargetService.self) { $0[TargetService.self] }
                _ = context[TargetService.self]
            }
        }
        #expect(result.said.contains("TargetService is requested while it is being created"), "\(result.said)")
    }
}
