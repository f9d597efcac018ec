import Foundation
import MediaCore
import Observation
import TestSupport
import Testing

@_spi(Graph) @testable import DeclarativeUI
@testable import MediaEngine
@testable import PlayerViews
@_spi(Graph) @testable import ViewGraph

/// Tests of the parts of player views, each by itself.
@Suite("Parts of player views")
@MainActor
struct PlayerViewPartsTests {
    @Test("an A–B loop lasts 0.1 s at least, and ends with looping")
    func loop() throws {
        let player = AVQueuePlayer(title: "test", audioServer: Stage.nowhere)
        defer { player.close() }
        player.insert(AVPlayerItem(url: try TestMedia.url("counter.mp4")))
        let loop = LoopOptions()
        loop.follow(player)
        loop.setStart(1)
        #expect(loop.start == 1 && loop.part == nil)
        loop.setEnd(1.05)
        #expect(loop.part == nil)
        loop.setEnd(2)
        #expect(loop.part == 1...2 && loop.start == nil && !loop.isOn)
        loop.setStart(1.5)
        #expect(loop.part == 1.5...2)
        loop.set(true)
        #expect(loop.isOn && loop.part == nil)
        loop.setStart(1)
        loop.begin()
        #expect(loop.start == nil)
    }

    @Test("a window that fills the screen by itself is followed")
    func outerFullScreen() {
        let stage = FullScreenStage()
        stage.follow(true)
        #expect(!stage.isOn, "no window does so")
        var changes: [Bool] = []
        stage.onChange = { changes.append($0) }
        stage.outer = {}
        stage.follow(true)
        #expect(stage.isOn)
        stage.exit()
        #expect(stage.isOn && changes.isEmpty, "the window decides")
        stage.follow(false)
        #expect(!stage.isOn)
    }

    @Test("the reason why casting has ended is kept until it is reset")
    func route() {
        let route = PlayerRoute()
        route.failed(AVError(.externalPlaybackFailed, at: "TV", reason: "the device is gone"))
        #expect(route.problem?.contains("the device is gone") == true && route.name == nil)
        route.failed(nil)
        #expect(route.problem == nil)
    }

    @Test("a repeated reason is not removed together with the first one")
    func repeatedProblem() throws {
        let route = PlayerRoute()
        let error = AVError(.externalPlaybackFailed, at: "TV", reason: "the device is gone")
        route.failed(error)
        let first = try #require(route.removal)
        route.failed(nil)
        route.failed(error)
        let second = try #require(route.removal)
        // The main queue performs this work after 8 seconds.
        first.perform()
        #expect(route.problem != nil)
        second.perform()
        #expect(route.problem == nil)
    }

    @Observable @MainActor final class Routes { var isChoice = false }

    @Test("turning route detection off and on keeps one observation")
    func routeDetection() async {
        /// Returns after everything that is on the main queue now.
        func mainQueueIsEmpty() async {
            await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
        }
        let routes = Routes()
        var reads = 0
        let detector = AVRouteDetector(startSearching: { nil }) {
            reads += 1
            return routes.isChoice
        }
        for _ in 0..<4 {
            detector.isRouteDetectionEnabled = true
            await mainQueueIsEmpty()
            detector.isRouteDetectionEnabled = false
        }
        detector.isRouteDetectionEnabled = true
        await mainQueueIsEmpty()
        reads = 0
        routes.isChoice = true
        await mainQueueIsEmpty()
        #expect(reads == 1 && detector.multipleRoutesDetected)
        detector.isRouteDetectionEnabled = false
        routes.isChoice = false
        await mainQueueIsEmpty()
        detector.isRouteDetectionEnabled = true
        await mainQueueIsEmpty()
        routes.isChoice = true
        await mainQueueIsEmpty()
        #expect(detector.multipleRoutesDetected, "the observation begins again after it has ended")
    }

    @Test("time ranges without start or end have no range in seconds")
    func ranges() {
        let second = CMTime(value: 1, timescale: 1)
        #expect(ClosedRange(CMTimeRange(start: .zero, end: second)) == 0...1)
        #expect(ClosedRange<Double>(CMTimeRange(start: .invalid, end: second)) == nil)
        #expect(ClosedRange<Double>(CMTimeRange(start: .zero, duration: .positiveInfinity)) == nil)
    }

    /// Shows a view with one gesture, begins a drag at its center, and cancels the drag.
    /// - Parameter during: Called during the drag.
    private func cancelDrag(on view: some View, during: () -> Void = {}) throws -> _Recognizer {
        let host = ViewHost(display: false)
        defer { host.close() }
        host.mount(view, environment: EnvironmentValues())
        host.surface.layOut(CGSize(width: 100, height: 24))
        func gestures(_ element: Element) -> [GestureElement] {
            element.children.flatMap(gestures) + [element].compactMap { $0 as? GestureElement }
        }
        let recognizer = try #require(gestures(host.surface.root).first?.recognizers.first)
        recognizer.onDrag?(PlayerViewPartsTests.drag, false)
        during()
        recognizer.onCancel?()
        return recognizer
    }
    private static let drag = DragGesture.Value(
        time: Date(), location: CGPoint(x: 50, y: 0), startLocation: CGPoint(x: 50, y: 0), velocity: .zero)

    @Test("a seek bar is idle again after a canceled drag")
    func canceledDrag() throws {
        var states: [SeekBarState] = []
        let state = Binding(get: { states.last ?? .idle }, set: { states.append($0) })
        let recognizer = try cancelDrag(on: SeekBar(value: 0, state: state) { _, _ in Color.black })
        #expect(states == [.tracking(value: 0.5), .idle])
        // A drag that fails later does not discard a value that the app has not used yet.
        recognizer.onDrag?(PlayerViewPartsTests.drag, true)
        recognizer.onCancel?()
        #expect(states.last == .ended(value: 0.5))
    }

    @Test("a canceled drag of the seek bar no longer holds the player")
    func canceledScrub() throws {
        let player = AVQueuePlayer(title: "test", audioServer: Stage.nowhere)
        defer { player.close() }
        let transport = PlayerTransport(), presence = ControlsPresence()
        transport.player = player
        defer { transport.player = nil }
        let bar = PlayerSeekBar(
            transport: transport, presence: presence, duration: 10, showsPictures: false, isFocused: false)
        _ = try cancelDrag(on: bar) { #expect(transport.isScrubbing && presence.isHeld) }
        #expect(!transport.isScrubbing && !presence.isHeld)
    }

    @Test("a fraction of a bar is from 0 to 1")
    func fraction() {
        #expect([-1, 0.5, 7, .nan].map(Fraction.clamped) == [0, 0.5, 1, 0])
    }
}
