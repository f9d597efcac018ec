import Dispatch
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import Zoetrope

/// A controller under test, with a simulated display that pulls its frames, and a record of everything that it
/// publishes.
@MainActor
final class Stage {
    let controller: ExtPlayerController
    let clock = ManualClock()
    private(set) var events: [PlayerEvent] = []
    private(set) var times: [Double] = []
    private(set) var errors: [VPErrors?] = []
    private(set) var pictures: [PictureSettings] = []
    private let display: any DispatchSourceTimer
    /// The address of a sound server that does not exist, for tests without audio output.
    static let nowhere = "unix:/nonexistent/zoetrope"

    init(server: String = Stage.nowhere) {
        controller = ExtPlayerController(audioServer: server, resolver: SourceResolver(), timer: clock.timer)
        let source = controller.player.videoFrameSource
        display = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "test.display"))
        display.schedule(deadline: .now(), repeating: .nanoseconds(16_666_667))
        display.setEventHandler { @Sendable in
            let host = HostTime.now()
            if let pulled = source.pull(forHostTime: host) {
                source.didPresent(sequence: pulled.sequence, atHostTime: host)
            }
        }
        display.resume()
        controller.onEvents = { [weak self] in self?.events += $0 }
        controller.onTime = { [weak self] in self?.times.append($0) }
        controller.onErrorChange = { [weak self] in self?.errors.append($0) }
        controller.onPictureChange = { [weak self] in self?.pictures.append($0) }
    }

    /// Creates a controller that plays the test media file `name` and publishes every event.
    convenience init(_ name: String, server: String = Stage.nowhere, _ change: (inout VideoSettings) -> Void = { _ in })
        throws
    {
        self.init(server: server)
        var settings = VideoSettings(name: try TestMedia.url(name).path, events: [])
        change(&settings)
        controller.apply(settings: settings)
    }

    isolated deinit { display.cancel() }

    var player: AVQueuePlayer { controller.player }
    var time: Double { player.currentTime().seconds }
    func forget() {
        clock.advance(10)
        events = []
    }

    /// Changes the current settings and applies them.
    func change(_ body: (inout VideoSettings) -> Void) {
        guard var settings = controller.settings else { return }
        body(&settings)
        controller.apply(settings: settings)
    }

    /// Waits until `condition` is true. Advances the clock meanwhile, so that batched events are delivered. After
    /// `seconds` it returns false and records an issue with the player's state.
    func wait(
        _ seconds: Double = Deadline.seconds, sourceLocation: SourceLocation = #_sourceLocation,
        until condition: @MainActor () -> Bool
    ) async -> Bool {
        await eventually(seconds: seconds, seen: { state }, sourceLocation: sourceLocation) {
            clock.advance(1)
            return condition()
        }
    }

    var state: String {
        let item = player.currentItem
        return """
            \(item?.asset.url.lastPathComponent ?? "no item") \(item.map { "\($0.status)" } ?? "") \
            \(item?.error.map { "\($0)" } ?? ""), \(player.timeControlStatus) at rate \(player.rate), time \(time), \
            source \(controller.currentIndex), events \(events.suffix(12)), errors \(errors.suffix(3))
            """
    }

    func ready() async -> Bool { await wait { player.currentItem?.status == .readyToPlay } }
    func isTold(_ event: PlayerEvent) async -> Bool { await wait { events.contains(event) } }
    var seeks: [PlayerEvent] { events.filter { PlayerEventFilter.seekAny.matches($0) } }
}
