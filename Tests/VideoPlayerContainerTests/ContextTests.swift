import Testing
import VideoPlayerContainer
import Zoetrope

@Suite("A context's services") @MainActor
struct ContextTests {
    final class Plain: Service {}
    final class Base: Service {}
    /// A service that fetches another service during its own creation.
    final class Outer: Service {
        let inner: Inner
        required init(_ context: Context) {
            inner = context[Inner.self]
            super.init(context)
        }
    }
    final class Inner: Service {
        let base: Base
        required init(_ context: Context) {
            base = context.startService(Base.self)
            super.init(context)
        }
    }
    final class Selfish: Service {
        required init(_ context: Context) {
            super.init(context)
            _ = context[Selfish.self]
        }
    }
    final class First: Service {
        required init(_ context: Context) {
            super.init(context)
            _ = context[Second.self]
        }
    }
    final class Second: Service {
        required init(_ context: Context) {
            super.init(context)
            _ = context[First.self]
        }
    }
    /// A service that stops and recreates another service during its own creation.
    final class Restarting: Service {
        let fresh: Plain
        required init(_ context: Context) {
            let old = context[Plain.self]
            context.stopService(Plain.self)
            fresh = context[Plain.self]
            precondition(fresh !== old)
            super.init(context)
        }
    }

    @Test("a service is created on first access and is then the same")
    func oneInstance() {
        let context = Context()
        let service = context[Plain.self]
        #expect(
            context.startService(Plain.self) === service && context[Plain.self] === service
                && service.context === context)
        #expect(context.control === context[ControlService.self] && context.container === context[PlayerService.self])
        #expect(context.render === context[RenderService.self] && context.feature === context[FeatureService.self])
        #expect(context.plugin === context[PluginService.self] && context.toast === context[ToastService.self])
        #expect(context.gesture === context[GestureService.self] && context.status === context[StatusService.self])
        #expect(context.viewSize === context[ViewSizeService.self])
    }

    @Test("two contexts share nothing")
    func twoContexts() {
        let one = Context()
        let other = Context()
        #expect(one[Plain.self] !== other[Plain.self] && one.render.player !== other.render.player)
        one.status.toFullScreen()
        #expect(other.status.isHalfScreen)
    }

    @Test("two services with one name in two files are different services")
    func identity() {
        let context = Context()
        let one = namesakeOne(in: context)
        let two = namesakeTwo(in: context)
        #expect(one.service !== two.service && one.file == "one" && two.file == "two")
        #expect(namesakeOne(in: context).service === one.service && namesakeTwo(in: context).service === two.service)
    }

    @Test("a service can request other services while it is created")
    func reentrancy() {
        let context = Context()
        let outer = context[Outer.self]
        #expect(outer.inner === context[Inner.self] && outer.inner.base === context[Base.self])
        #expect(context[Restarting.self].fresh === context[Plain.self])
    }

    @Test("stopService releases a service; the next request creates another")
    func stop() {
        let context = Context()
        let first = context[Plain.self]
        #expect(context.stopService(Plain.self))
        #expect(!context.stopService(Plain.self))
        #expect(context[Plain.self] !== first)
        let gone = Weak(context[Base.self])
        context.stopService(Base.self)
        #expect(gone.object == nil)
    }

    @Test("a service can be requested by a type known only at runtime")
    func dynamicTypes() {
        let context = Context()
        let types: [Service.Type] = [Plain.self, Base.self]
        let made = types.map { context.startService($0) }
        #expect(made[0] === context[Plain.self] && made[1] === context[Base.self])
    }

    @Test("a released context releases its services; retained ones lose their context")
    func gone() {
        var context: Context? = Context()
        let kept = context?[Plain.self]
        let other = Weak(context?[Base.self])
        let player = Weak(context?.render.player)
        #expect(other.object != nil && player.object != nil)
        context = nil
        #expect(kept != nil && kept?.context == nil && other.object == nil && player.object == nil)
    }

    // MARK: errors

    @Test("a service that requests itself during creation fails with the path")
    func selfFetch() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run { _ = Context()[Selfish.self] }
        }
        let said = result.said
        #expect(
            said.contains("Selfish is requested while it is being created") && said.contains("Selfish → ")
                && said.contains("Request it when it is needed"), "\(said)")
    }

    @Test("a service that requests itself through another also fails")
    func selfFetchByAnother() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run { _ = Context()[First.self] }
        }
        let said = result.said
        #expect(said.contains("First is requested while it is being created") && said.contains("Second → "), "\(said)")
        #expect(said.ranges(of: /First(?= → )|First(?=\)\.)/).count == 2, "\(said)")
    }
}

extension Optional where Wrapped == ExitTest.Result {
    /// The process's standard error, as text.
    var said: String { String(decoding: self?.standardErrorContent ?? [], as: UTF8.self) }
}
