import Foundation
import TestSupport
import Testing
import Zoetrope

@testable import VideoPlayerContainer

@Suite("Released contexts") @MainActor
struct LifetimeTests {
    class SourceService: Service {
        @ViewState var count = 0
    }
    /// A service that holds everything that services usually hold.
    class BusyService: Service {
        @StateSync(serviceType: SourceService.self, keyPath: \.$count) var count
        @Dependency(\.timer) var timer
        private var observations: [AnyCancellable] = []
        private var rate: NSKeyValueObservation?
        private var ticks: Any?
        private var later: AnyCancellable?

        required init(_ context: Context) {
            super.init(context)
            context.gesture.observe(.tap(.all)) { [weak self] _ in self?.objectWillChange.send() }.store(
                in: &observations)
            context.status.$status.sink { [weak self] _ in _ = self }.store(in: &observations)
            rate = context.render.player.observe(\.rate, options: [.initial, .new]) { [weak self] _, _ in _ = self }
            ticks = context.render.player.addPeriodicTimeObserver(
                forInterval: CMTime(value: 1, timescale: 2), queue: .main
            ) { [weak self] _ in _ = self }
            later = timer.after(60) { [weak self] in _ = self }
            _ = count
        }
    }

    /// Starts and uses every service of a context, and returns weak references to them.
    private static func use(_ context: Context, _ url: URL? = nil) -> [Weak] {
        for type in TestContext.builtinService { _ = context.startService(type) }
        let busy = context[BusyService.self]
        context.control.configure(displayStyle: .auto(firstAppear: true, animation: .default, duration: 30))
        context.control.configure(.halfScreen(.bottom1)) {
            [Text("a"), WithService(BusyService.self) { Text("\($0.count)") }]
        }
        context.feature.present(.left(.squeeze(3)), afterPresent: {}, beforeDismiss: {}, afterDismiss: {}) {
            AnyView(Text("b"))
        }
        context.plugin.present(.top) { AnyView(Text("c")) }
        context.toast.configure { Text("\($0)") }
        context.toast.toast("d")
        context.container.configure(overlay: .render) { AnyView(Text("e")) }
        context.gesture.simultaneousTapGesture = SpatialTapGesture().onEnded { _ in }
        _ = (
            context.gesture.tapGesture, context.gesture.doubleTapGesture, context.gesture.dragGesture,
            context.gesture.longPressGesture
        )
        _ = (context.gesture.pinchGesture, context.gesture.rotationGesture)
        context.gesture.tap(at: .zero)
        context[SourceService.self].count = 3
        if let url {
            context.render.player.isMuted = true
            context.render.player.replaceCurrentItem(with: AVPlayerItem(url: url))
            context.render.player.play()
        }
        let all = TestContext.builtinService + [BusyService.self, SourceService.self]
        return all.map { Weak(context.startService($0)) } + [
            Weak(busy), Weak(context), Weak(context.render.player), Weak(context.render.layer),
        ]
    }

    @Test("released contexts leave no service, player, layer or delay behind")
    func twoHundred() {
        let time = ManualTimer()
        var all: [Weak] = []
        for _ in 0..<200 {
            let context = Context()
            context.withDependency(\.timer) { time.timer }
            all += Self.use(context)
            #expect(time.waiting > 0)
        }
        #expect(all.count == 3000 && all.allSatisfy { $0.object == nil } && time.waiting == 0)
        // Contexts whose delays wait on the main queue.
        all = (0..<200).flatMap { _ in Self.use(Context()) }
        #expect(all.allSatisfy { $0.object == nil })
    }

    @Test("contexts that play leave no thread or open file behind")
    func playing() async throws {
        let url = try TestMedia.url("quad-709.mp4")
        var contexts: [Context] = (0..<8).map { _ in Context() }
        let all = contexts.flatMap { Self.use($0, url) }
        let isReady = { contexts.allSatisfy { $0.render.player.currentItem?.status == .readyToPlay } }
        #expect(await eventually("items that are ready") { isReady() })
        #expect(Self.playerThreads > 0)
        contexts = []
        #expect(all.allSatisfy { $0.object == nil })
        await eventually(
            "no thread, no open file", seen: { "\(Self.playerThreads) threads, \(Self.openFiles(url)) open files" }
        ) { Self.playerThreads == 0 && Self.openFiles(url) == 0 }
    }

    private static var playerThreads: Int {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        let names = tasks.compactMap { try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8) }
        return names.filter {
            ["zt-feeder", "zt-video", "zt-audio"].contains($0.trimmingCharacters(in: .whitespacesAndNewlines))
        }.count
    }
    private static func openFiles(_ url: URL) -> Int {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return all.filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == url.path
        }.count
    }
}
