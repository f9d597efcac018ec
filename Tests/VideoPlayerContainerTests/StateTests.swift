import Testing
import VideoPlayerContainer
import Zoetrope

extension DependencyValues {
    var numberClient: StateTests.NumberClient { StateTests.NumberClient { 1 } }
    /// A second dependency of the same type.
    var otherClient: StateTests.NumberClient { StateTests.NumberClient { 2 } }
    /// A dependency that is nil, which must not be confused with one that was never computed.
    @MainActor var perhaps: Int? {
        StateTests.asked += 1
        return nil
    }
    @MainActor var counted: Int {
        StateTests.asked += 1
        return StateTests.asked
    }
}

@Suite("Service state and dependencies", .serialized) @MainActor
struct StateTests {
    static var asked = 0

    class SourceService: Service {
        @ViewState var count = 1
        @ViewState var name = "a"
    }
    /// A service with both kinds of state.
    class MixedService: Service {
        @ViewState var state = 0
        @Published var published = 0
    }
    class Derived: MixedService {
        @ViewState var further = 0
    }
    class MirrorService: Service {
        @StateSync(serviceType: SourceService.self, keyPath: \.$count) var count
        @ViewState var own = 0
    }
    /// A service that mirrors a service which mirrors it.
    class Left: Service {
        @ViewState var value = 1
        @StateSync(serviceType: Right.self, keyPath: \.$value) var other
    }
    class Right: Service {
        @ViewState var value = 2
        @StateSync(serviceType: Left.self, keyPath: \.$value) var other
    }

    // MARK: @ViewState

    @Test("observers get a new value first, then objectWillChange, after the change")
    func order() {
        let context = Context()
        let service = context[SourceService.self]
        let log = Log()
        let observations = [
            service.objectWillChange.sink { log.add("change \(service.count)") },
            service.$count.sink { log.add("value \($0) \(service.count)") },
        ]
        #expect(log.take() == ["value 1 1"])
        service.count = 5
        #expect(log.take() == ["value 5 5", "change 5"])
        service.count = 5
        #expect(log.take() == ["value 5 5", "change 5"])
        service.$count.send(6)
        #expect(service.count == 6 && log.take().first == "value 6 6")
        withExtendedLifetime(observations) {}
    }

    @Test("an in-place change notifies once")
    func inPlace() {
        let context = Context()
        let service = context[SourceService.self]
        let log = Log()
        let observation = service.objectWillChange.sink { log.add("change") }
        service.name += "b"
        #expect(service.name == "ab" && log.take() == ["change"])
        withExtendedLifetime(observation) {}
    }

    @Test("@Published and @ViewState properties notify once each, in subclasses too")
    func mixed() {
        let context = Context()
        let service = context[Derived.self]
        let log = Log()
        let observation = service.objectWillChange.sink { log.add("change") }
        service.state = 1
        #expect(log.take() == ["change"])
        service.published = 1
        #expect(log.take() == ["change"])
        service.further = 1
        #expect(log.take() == ["change"])
        withExtendedLifetime(observation) {}
    }

    @Test("a service without @Published properties notifies every observer")
    func onePublisher() {
        let context = Context()
        let service = context[SourceService.self]
        let log = Log()
        let one = service.objectWillChange.sink { log.add("one") }
        let two = service.objectWillChange.sink { log.add("two") }
        service.count = 2
        #expect(log.take().sorted() == ["one", "two"])
        withExtendedLifetime((one, two)) {}
    }

    @Test("a state changed by its observer keeps the last value")
    func reentrant() {
        let context = Context()
        let service = context[SourceService.self]
        let observation = service.$count.sink { if $0 == 2 { service.count = 3 } }
        service.count = 2
        #expect(service.count == 3)
        withExtendedLifetime(observation) {}
    }

    // MARK: @StateSync

    @Test("a synced state follows the other service and notifies once")
    func mirror() {
        let context = Context()
        let service = context[MirrorService.self]
        let log = Log()
        let observation = service.objectWillChange.sink { log.add("change \(service.count)") }
        #expect(service.count == 1 && log.take() == [])
        context[SourceService.self].count = 7
        #expect(service.count == 7 && log.take() == ["change 7"])
        context[SourceService.self].name = "b"
        #expect(log.take() == [])
        service.own = 1
        #expect(log.take() == ["change 7"])
        withExtendedLifetime(observation) {}
    }

    @Test("two services can sync with each other")
    func mutual() {
        let context = Context()
        let left = context[Left.self]
        let log = Log()
        #expect(left.other == 2 && context[Right.self].other == 1)
        let observation = left.objectWillChange.sink { log.add("left") }
        context[Right.self].value = 5
        #expect(left.other == 5 && log.take() == ["left"])
        withExtendedLifetime(observation) {}
    }

    @Test("a synced state retains neither of its services")
    func mirrorGoes() {
        let context = Context()
        #expect(context[MirrorService.self].count == 1)
        let mirror = Weak(context[MirrorService.self])
        let source = Weak(context[SourceService.self])
        context.stopService(MirrorService.self)
        #expect(mirror.object == nil)
        context.stopService(SourceService.self)
        #expect(source.object == nil)
    }

    @Test("a synced state first read after the context's release fails")
    func mirrorWithoutContext() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run {
                var context: Context? = Context()
                let mirror = context?[MirrorService.self]
                context = nil
                _ = mirror?.count
            }
        }
        #expect(
            result.said.contains("MirrorService reads SourceService after its Context was deallocated"),
            "\(result.said)")
    }

    // MARK: @Dependency

    // Copied from state H in `ContractTests/ContainerStateCode.swift`.
    struct NumberClient: Sendable {
        var fetch: @Sendable () async throws -> Int
        init(_ fetch: @escaping @Sendable () async throws -> Int) { self.fetch = fetch }
    }
    class TargetService: Service {
        @Dependency(\.numberClient) var numberClient
        @Dependency(\.otherClient) var otherClient
        @Dependency(\.perhaps) var perhaps
        @Dependency(\.counted) var counted
        func fetchData() async throws -> Int { try await numberClient.fetch() }
    }

    @Test("a dependency has its default value until it is replaced")
    func replaced() async throws {
        let context = Context()
        let target = context[TargetService.self]
        #expect(try await target.fetchData() == 1)
        context.withDependency(\.numberClient) { NumberClient { 10 } }
        #expect(try await target.fetchData() == 10)
        context.withDependency(\.numberClient) { NumberClient { 11 } }
        #expect(try await target.fetchData() == 11)
        #expect(try await context.dependency(\.numberClient).fetch() == 11)
    }

    @Test("dependencies of one type are independent")
    func sameType() async throws {
        let context = Context()
        let target = context[TargetService.self]
        context.withDependency(\.numberClient) { NumberClient { 10 } }
        #expect(try await target.otherClient.fetch() == 2)
        context.withDependency(\.otherClient) { NumberClient { 20 } }
        #expect(try await target.fetchData() == 10)
        #expect(try await target.otherClient.fetch() == 20)
    }

    @Test("a dependency is created once per context, even if nil")
    func cached() {
        Self.asked = 0
        let context = Context()
        let target = context[TargetService.self]
        #expect(target.counted == 1 && target.counted == 1 && context.dependency(\.counted) == 1 && Self.asked == 1)
        let other = Context()
        #expect(other[TargetService.self].counted == 2 && target.counted == 1)
        Self.asked = 0
        #expect(target.perhaps == nil && target.perhaps == nil && Self.asked == 1)
        context.withDependency(\.perhaps) { 4 }
        #expect(target.perhaps == 4)
        context.withDependency(\.perhaps) { nil }
        #expect(target.perhaps == nil && Self.asked == 1)
    }

    @Test("each context has its own dependencies")
    func perContext() async throws {
        let one = Context()
        let other = Context()
        one.withDependency(\.numberClient) { NumberClient { 10 } }
        #expect(try await one[TargetService.self].fetchData() == 10)
        #expect(try await other[TargetService.self].fetchData() == 1)
    }

    @Test("after its context's release a dependency has its default value")
    func withoutContext() async throws {
        var context: Context? = Context()
        context?.withDependency(\.numberClient) { NumberClient { 10 } }
        let target = try #require(context?[TargetService.self])
        context = nil
        #expect(try await target.fetchData() == 1)
    }

    // MARK: delays

    @Test("the main timer fires once unless it is cancelled or released")
    func mainTimer() async {
        let log = Log()
        let cancelled = MainTimer.main.after(0.01) { log.add("cancelled") }
        cancelled.cancel()
        _ = MainTimer.main.after(0.01) { log.add("let go") }
        let kept = MainTimer.main.after(0) { log.add("kept") }
        let nan = MainTimer.main.after(.nan) { log.add("nan") }
        let negative = MainTimer.main.after(-1) { log.add("negative") }
        let far = MainTimer.main.after(.infinity) { log.add("far") }
        var last: AnyCancellable?
        await withCheckedContinuation { done in last = MainTimer.main.after(0.05) { done.resume() } }
        #expect(log.take().sorted() == ["kept", "nan", "negative"])
        withExtendedLifetime((kept, nan, negative, far, last)) {}
    }
}
