import Testing
import VideoPlayerContainer
import Zoetrope

@Suite("A context finds its services") @MainActor
struct ContextTests {
    final class Plain: Service {}
    final class Base: Service {}
    /// Fetches others while it is being made.
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
    /// Sees another one that is stopped while that is made, and made anew.
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

    @Test("a service is made when it is first fetched, by whichever way, and is the same from then on")
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

    @Test("two contexts have nothing in common")
    func twoContexts() {
        let one = Context()
        let other = Context()
        #expect(one[Plain.self] !== other[Plain.self] && one.render.player !== other.render.player)
        one.status.toFullScreen()
        #expect(other.status.isHalfScreen)
    }

    @Test("two services of one name in two files are two services")
    func identity() {
        let context = Context()
        let one = namesakeOne(in: context)
        let two = namesakeTwo(in: context)
        #expect(one.service !== two.service && one.file == "one" && two.file == "two")
        #expect(namesakeOne(in: context).service === one.service && namesakeTwo(in: context).service === two.service)
    }

    @Test("a service fetches others while it is made, which fetch others")
    func reentrancy() {
        let context = Context()
        let outer = context[Outer.self]
        #expect(outer.inner === context[Inner.self] && outer.inner.base === context[Base.self])
        #expect(context[Restarting.self].fresh === context[Plain.self])
    }

    @Test("a stopped service is forgotten: the next fetch makes a new one; whether there was one is told")
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

    @Test("services by a type that is only known at run time are those of the type itself")
    func dynamicTypes() {
        let context = Context()
        let types: [Service.Type] = [Plain.self, Base.self]
        let made = types.map { context.startService($0) }
        #expect(made[0] === context[Plain.self] && made[1] === context[Base.self])
    }

    @Test("a context that is let go takes its services with it; what is kept of them knows that it has gone")
    func gone() {
        var context: Context? = Context()
        let kept = context?[Plain.self]
        let other = Weak(context?[Base.self])
        let player = Weak(context?.render.player)
        #expect(other.object != nil && player.object != nil)
        context = nil
        #expect(kept != nil && kept?.context == nil && other.object == nil && player.object == nil)
    }

    // MARK: what is wrong is told

    @Test("a service that fetches itself while it is made is told so, with the way it came")
    func selfFetch() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run { _ = Context()[Selfish.self] }
        }
        let said = result.said
        #expect(
            said.contains("Selfish is requested while it is being created") && said.contains("Selfish → ")
                && said.contains("Request it when it is needed"), "\(said)")
    }

    @Test("so is one that does it by way of another")
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
    /// What the process said as it ended.
    var said: String { String(decoding: self?.standardErrorContent ?? [], as: UTF8.self) }
}
