import Testing
import VideoPlayerContainer
import Zoetrope

/// Tests that run code against the container's API without a window. `VideoPlayerContainerTests` tests the container in
/// a window.
@Suite("Code that apps write against the container") @MainActor
struct ContainerContractTests {
    @Test("every public declaration can be used, and a service exists once")
    func core() {
        let context = Context()
        #expect(ContainerCoreCode.context(context))
        #expect(ContainerCoreCode.services(context).count == 7)
        ContainerOverlayCode.control(context)
        ContainerOverlayCode.feature(context)
        ContainerOverlayCode.plugin(context)
        ContainerOverlayCode.toast(context)
        _ = ContainerOverlayCode.containerAndRender(context)
        #expect(context.render.layer.videoGravity == .resizeAspectFill)
        ContainerCoreCode.wrappers(context[StateService.self])
        _ = (
            ContainerCoreCode.views(context), ContainerOverlayCode.space { _ in }, CoveringWidget(),
            ContainerContentView(), TimelineWidget()
        )
    }

    @Test("withDependency replaces a service's dependency in its context")
    func dependency() async throws {
        let context = Context()
        #expect(try await context[TargetService.self].fetchData() == 5)
        context.withDependency(\.numberClient) { NumberClient { 10 } }
        let service = context[TargetService.self]
        #expect(try await service.fetchData() == 10)
        #expect(service.numbers == [5, 10] && !service.isLoading && service.title == nil)
    }

    @Test("a registered service uses the mock of its dependency")
    func mocked() async throws {
        let context = TestContext()
        context.register(DependentService.self) { DependentService($0) }
        context.register(DependencyService.self) { MockDependencyService($0) }
        #expect(try await context.startService(DependentService.self).fetchData() == 10)
        let other = ContainerCoreCode.testContext()
        #expect(try await other[DependentService.self].fetchData() == 10)
    }

    @Test("services share their state and see the player's rate")
    func walkthrough() {
        let context = Context()
        let service = context[PlaybackService.self]
        #expect(service.context === context && context[PlayingService.self].names.isEmpty)
        context.render.player.play()
        let state = context[InheritedService.self]
        #expect(state.flag && state.value == 1 && state.other == 1)
        state.direct = 4
        #expect(state.other == 4 && state.list == ["1", "4"] && state.subject.value)
        #expect(context[PlainService.self].rate == 1 && context[PlainService.self].own === context)
        context[PlainService.self].dismiss()
        context[OptionalService.self].step(1)
        let model = ContainerGestureModel()
        #expect(
            model.context.gesture.simultaneousTapGesture == nil && model.context.gesture.simultaneousDragGesture != nil)
    }
}
