import Foundation
import Testing

@testable import Zoetrope

/// Sample events: one of each kind, and one of each kind with another value.
@MainActor
enum Samples {
    static let item = AVPlayerItem(url: URL(fileURLWithPath: "/clips/swipe.mp4"))
    static let other = AVPlayerItem(url: URL(fileURLWithPath: "/clips/swipe.mp4"))

    static let events: [PlayerEvent] = [
        .seek(true, currentTime: 1.5), .paused, .waitingToPlayAtSpecifiedRate, .playing,
        .currentItemChanged(newItem: item), .currentItemRemoved, .volumeChanged(newVolume: 0.5),
        .error(.sourceNotFound("swipe")),
        .boundsChanged(CGRect(x: 0, y: 0, width: 3, height: 4)), .startedPiP, .stoppedPiP, .fullScreenChanged(true),
        .itemStatusChanged(.readyToPlay), .duration(CMTime(value: 5, timescale: 2)), .ended,
        .bufferChanged(loadedTo: 2),
    ]
    static let variants: [PlayerEvent] = [
        .seek(false, currentTime: 1.5), .currentItemChanged(newItem: other), .currentItemChanged(newItem: nil),
        .error(.failedToLoad(nil)), .volumeChanged(newVolume: 0.25),
        .boundsChanged(CGRect(x: 0, y: 0, width: 3, height: 5)),
        .itemStatusChanged(.failed), .itemStatusChanged(.unknown), .duration(CMTime(value: 4, timescale: 2)),
        .bufferChanged(loadedTo: 3), .fullScreenChanged(false),
    ]
    /// The filters for `events`, in the same order. `ofVariants` has those for `variants`.
    static let filters: [PlayerEventFilter] = [
        .seekAny, .paused, .waitingToPlayAtSpecifiedRate, .playing, .currentItemChangedAny, .currentItemRemoved,
        .volumeChangedAny, .errorAny,
        .boundsChangedAny, .startedPiP, .stoppedPiP, .fullScreenChangedAny, .itemStatusChangedAny, .durationAny, .ended,
        .bufferChangedAny,
    ]
    static let ofVariants: [PlayerEventFilter] = [
        .seekAny, .currentItemChangedAny, .currentItemChangedAny, .errorAny, .volumeChangedAny, .boundsChangedAny,
        .itemStatusChangedAny, .itemStatusChangedAny, .durationAny, .bufferChangedAny, .fullScreenChangedAny,
    ]
}

@Suite("Events, filters and errors")
@MainActor
struct EventTests {
    @Test("events are equal if kind and value are, items by identity")
    func equality() {
        let all = Samples.events + Samples.variants
        for (i, a) in all.enumerated() {
            for (j, b) in all.enumerated() { #expect((a == b) == (i == j), "\(a) and \(b)") }
        }
    }

    @Test("a filter matches all events of its kind and no others")
    func filters() {
        #expect(Set(Samples.filters).count == Samples.filters.count)
        for filter in Samples.filters {
            for (event, own) in zip(Samples.events + Samples.variants, Samples.filters + Samples.ofVariants) {
                #expect(filter.matches(event) == (filter == own), "\(filter) and \(event)")
            }
        }
    }

    @Test("each event has a one-line description")
    func texts() {
        #expect(
            Samples.events.map { "\($0)" } == [
                "SeekSuccess", "Paused", "Waiting", "Playing", "ItemChanged", "ItemRemoved", "VolumeChanged",
                "Source not found: swipe",
                "Bounds changed 3 × 4", "Started PiP", "Stopped PiP", "Entered full screen", "Status: ReadyToPlay",
                "Duration 3 sec", "Ended", "Loaded to 2.0 sec",
            ])
        #expect("\(PlayerEvent.fullScreenChanged(false))" == "Exited full screen")
        #expect("\(PlayerEvent.seek(false, currentTime: 0))" == "SeekFail")
        #expect(
            "\(PlayerEvent.itemStatusChanged(.unknown))" == "Status: Unknown"
                && "\(PlayerEvent.itemStatusChanged(.failed))" == "Status: FailedToLoad")
    }

    @Test("events compare and filter with the syntax that view code uses")
    func plain() {
        let event = PlayerEvent.paused
        #expect(event == .paused && event != .playing)
        #expect(
            VideoSettings {
                SourceName("a")
                Events([.playing, .paused])
            }.events == [.playing, .paused])
    }

    @Test("errors are equal by kind and value, and describe their reason")
    func errors() {
        struct Odd: Error { let code: Int }
        let all: [VPErrors] = [
            .remoteVideoError(nil), .remoteVideoError(Odd(code: 1)), .remoteVideoError(Odd(code: 2)),
            .sourceNotFound("a"),
            .sourceNotFound("b"), .sourceNotFound(""), .settingsNotUnique, .notSupportedPiP, .failedToLoad(nil),
            .failedToLoad(Odd(code: 1)),
        ]
        for (i, a) in all.enumerated() {
            for (j, b) in all.enumerated() { #expect((a == b) == (i == j), "\(a) and \(b)") }
        }
        let reason = AVError(.timedOut, at: "http://host/a.mp4", reason: "took too long")
        #expect(
            all.prefix(4).map { "\($0)" } == [
                "Playback error: Unknown error.", "Playback error: Odd(code: 1)", "Playback error: Odd(code: 2)",
                "Source not found: a",
            ])
        #expect(
            "\(VPErrors.remoteVideoError(reason))" == "Playback error: “http://host/a.mp4” timed out: took too long.")
        #expect(
            "\(VPErrors.failedToLoad(reason))"
                == "Failed to load the video: “http://host/a.mp4” timed out: took too long.")
        #expect("\(VPErrors.failedToLoad(nil))" == "Failed to load the video: Unknown error.")
        #expect("\(VPErrors.settingsNotUnique)" == "Settings are not unique.")
        #expect("\(VPErrors.notSupportedPiP)" == "Picture-in-Picture (PiP) is not supported on this device.")
        #expect(Set(all.map { "\($0)" }).count == all.count)
    }
}
