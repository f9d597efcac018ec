import VideoPlayerContainer
import Zoetrope

// The container's core API as apps and their tests use it, for both states (H and S) of the original package.

// MARK: state H

struct NumberClient: Sendable {
    var fetch: @Sendable () async throws -> Int
    init(_ fetch: @escaping @Sendable () async throws -> Int) { self.fetch = fetch }
}

extension DependencyValues {
    var numberClient: NumberClient { NumberClient { 5 } }
    var pageSize: Int { 20 }
    var title: String? { nil }
}

class TargetService: Service {
    @Dependency(\.numberClient) var numberClient
    @Dependency(\.pageSize) private var pageSize
    @Dependency(\.title) var title: String?
    @Published var numbers: [Int] = []
    @Published public private(set) var isLoading = false

    func fetchData() async throws -> Int {
        let client: NumberClient = numberClient
        isLoading = true
        defer { isLoading = false }
        let number = try await client.fetch() + pageSize * 0
        numbers.append(number)
        return number
    }
}

/// A service in state H, in which a service's context is weak and optional.
class OptionalService: Service {
    private var cancellables = [AnyCancellable]()

    required init(_ context: Context) {
        super.init(context)
        context.gesture.observe(.doubleTap(.left)) { [weak self] _ in self?.step(-150) }.store(in: &cancellables)
        context.status.$status.sink { [weak self] in self?.changed($0) }.store(in: &cancellables)
    }

    func step(_ count: Int) {
        context?.render.player.currentItem?.step(byCount: count)
        context?.render.player.play()
        guard let context else { return }
        context.toast.toast("\(count)")
        guard let context = self.context else { return }
        context.control.dismiss()
    }
    private func changed(_ status: StatusService.Status) {
        if let context {
            context[ControlService.self].configure(displayStyle: status == .fullScreen ? .always : .never)
        }
        if context == nil || context?.status.isFullScreen == true { return }
        let player: AVPlayer? = context?.render.player
        _ = player
    }
}

// MARK: state S

/// A service in state S, in which a service's context is neither weak nor optional.
class PlainService: Service {
    var rate: Float { context.render.player.rate }
    var own: Context { context }
    func dismiss() {
        context.feature.dismiss()
        context[FeatureService.self].dismiss(animation: nil)
    }
}

class DependencyService: Service {
    @ViewState var value = 1
    func fetch() async throws -> Int { 1 }
}
class MockDependencyService: DependencyService {
    override func fetch() async throws -> Int { 10 }
}
class DependentService: Service {
    func fetchData() async throws -> Int { try await context[DependencyService.self].fetch() }
}

class StateService: Service {
    @ViewState var flag = false
    @ViewState var value: Int? = nil
    @ViewState var list: [String] = []
    @Published var published = 0
    @StateSync(serviceType: DependencyService.self, keyPath: \.$value) var other
    private var cancellables = Set<AnyCancellable>()

    required init(_ context: Context) {
        super.init(context)
        $flag.removeDuplicates().dropFirst().sink { [weak self] in self?.value = $0 ? 1 : nil }.store(in: &cancellables)
        $published.sink { _ in }.store(in: &cancellables)
        context[DependencyService.self].$value.map { "\($0)" }.sink { [weak self] in self?.list.append($0) }.store(
            in: &cancellables)
    }

    var subject: CurrentValueSubject<Bool, Never> { $flag }
    var direct: Int {
        get { other }
        set { context[DependencyService.self].value = newValue }
    }
}

// MARK: every declaration

@MainActor
enum ContainerCoreCode {
    static func context(_ context: Context) -> Bool {
        let made: ControlService = context.startService(ControlService.self)
        let found: ControlService = context[ControlService.self]
        let known: Service.Type = ToastService.self
        let dynamic: Service = context.startService(known)
        context.stopService(ToastService.self)
        let wasThere: Bool = context.stopService(TargetService.self)
        let client: NumberClient = context.dependency(\.numberClient)
        context.withDependency(\.numberClient) { NumberClient { 10 } }
        context.withDependency(\.pageSize, factory: { 3 })
        _ = (dynamic, wasThere, client)
        let short: (PlayerService, RenderService, FeatureService, PluginService) = (
            context.container, context.render, context.feature, context.plugin
        )
        let others: (ControlService, ToastService, GestureService, StatusService, ViewSizeService) = (
            context.control, context.toast, context.gesture, context.status, context.viewSize
        )
        _ = (short, others)
        return made === found
    }

    static func testContext() -> TestContext {
        let context = TestContext()
        context.register(DependentService.self) { DependentService($0) }
        context.register(DependencyService.self) { context in MockDependencyService(context) }
        context.register(TargetService.self, factory: TargetService.init)
        let none: [Service.Type] = context.whitelist
        context.whitelist = none + [StateService.self] + TestContext.builtinService
        return context
    }

    static func wrappers(_ service: StateService) {
        let state: ViewState<Int> = ViewState(wrappedValue: 1)
        let sync = StateSync(serviceType: DependencyService.self, keyPath: \.$value)
        let dependency = Dependency(\.numberClient)
        let subject: CurrentValueSubject<Int, Never> = state.projectedValue
        _ = (state.wrappedValue, sync, dependency, subject)
    }

    static func views(_ context: Context) -> some View {
        VStack {
            PlayerWidget(context)
            PlayerWidget(context, launch: [StateService.self, OptionalService.self])
            WithService(StateService.self) { service in
                if service.flag { Text("on") } else { Image(systemName: "play.fill") }
                Text("\(service.published)")
            }
            .environmentObject(context)
            IdentifableView(id: "a") { Text("a") }
        }
    }

    static func services(_ context: Context) -> [Any] {
        let size: (Double, Double) = (context.viewSize.width, context.viewSize.height)
        let status = context.status
        status.toFullScreen()
        status.toHalfScreen()
        status.toPortrait()
        let all: [StatusService.Status] = [.halfScreen, .fullScreen, .portrait]
        return [size, status.status, status.isFullScreen, status.isHalfScreen, status.isPortrait, all, status.$status]
    }
}

class InheritedService: StateService {
    required init(_ context: Context) {
        super.init(context)
        flag = true
    }
}
