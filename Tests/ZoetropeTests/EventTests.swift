import Foundation
import Testing
@testable import Zoetrope

/// One event of each kind, and one of the same kind with another value.
@MainActor
enum Samples {
    static let item = AVPlayerItem(url: URL(fileURLWithPath: "/clips/swipe.mp4"))
    static let other = AVPlayerItem(url: URL(fileURLWithPath: "/clips/swipe.mp4"))

    static let events: [PlayerEvent] = [
        .seek(true, currentTime: 1.5), .paused(currentTime: 2), .waitingToPlayAtSpecifiedRate, .playing,
        .currentItemChanged(newItem: item), .currentItemRemoved, .error(.sourceNotFound("swipe")),
        .volumeChanged(newVolume: 0.5), .boundsChanged(CGRect(x: 1, y: 2, width: 3, height: 4)), .startedPiP, .stoppedPiP,
        .itemStatusChanged(.readyToPlay), .duration(CMTime(value: 3, timescale: 2)),
    ]
    static let variants: [PlayerEvent] = [
        .seek(false, currentTime: 1.5), .paused(currentTime: 3), .currentItemChanged(newItem: other), .currentItemChanged(newItem: nil),
        .error(.failedToLoad), .volumeChanged(newVolume: 0.25), .boundsChanged(CGRect(x: 1, y: 2, width: 3, height: 5)),
        .itemStatusChanged(.failed), .duration(CMTime(value: 4, timescale: 2)),
    ]
    /// Each filter, with the indices in `events` and `variants` of what it matches.
    static let filters: [(PlayerEventFilter, [Int], [Int])] = [
        (.seekAny, [0], [0]), (.seek(true), [0], []), (.seek(false), [], [0]),
        (.pausedAny, [1], [1]), (.paused(currentTime: 2), [1], []),
        (.waitingToPlayAtSpecifiedRate, [2], []), (.playing, [3], []),
        (.currentItemChangedAny, [4], [2, 3]), (.currentItemChanged(newItem: item), [4], []), (.currentItemChanged(newItem: nil), [], [3]),
        (.currentItemRemoved, [5], []),
        (.errorAny, [6], [4]), (.error(.sourceNotFound("swipe")), [6], []), (.error(.failedToLoad), [], [4]),
        (.volumeChangedAny, [7], [5]), (.volumeChanged(newVolume: 0.5), [7], []),
        (.boundsChangedAny, [8], [6]), (.boundsChanged(CGRect(x: 1, y: 2, width: 3, height: 4)), [8], []),
        (.startedPiP, [9], []), (.stoppedPiP, [10], []),
        (.itemStatusChangedAny, [11], [7]), (.itemStatusChanged(.readyToPlay), [11], []), (.itemStatusChanged(.failed), [], [7]),
        (.durationAny, [12], [8]), (.duration(CMTime(value: 3, timescale: 2)), [12], []),
    ]
}

@Suite("Events, filters and errors")
@MainActor
struct EventTests {
    @Test("events are equal when kind and value are; items by identity")
    func equality() {
        let all = Samples.events + Samples.variants
        for (i, a) in all.enumerated() {
            for (j, b) in all.enumerated() { #expect((a == b) == (i == j), "\(a) and \(b)") }
        }
    }

    @Test("a filter matches any value of its kind, or exactly its own, and nothing else")
    func filters() {
        for (filter, events, variants) in Samples.filters {
            for (index, event) in Samples.events.enumerated() {
                #expect(filter.matches(event) == events.contains(index), "\(filter) and \(event)")
            }
            for (index, event) in Samples.variants.enumerated() {
                #expect(filter.matches(event) == variants.contains(index), "\(filter) and \(event)")
            }
        }
    }

    @Test("every event says in one line what happened")
    func texts() {
        let texts = (Samples.events + Samples.variants).map { "\($0)" }
        #expect(texts[0] == "Seek done at 1.500 s")
        #expect(texts[4] == "Item changed to /clips/swipe.mp4")
        #expect(texts[8] == "Bounds changed to 3 × 4 at (1, 2)")
        #expect(texts[12] == "Duration 1.500 s")
        for text in texts { #expect(!text.isEmpty && !text.contains("\n")) }
    }

    @Test("errors are equal when kind and value are, and say what to do")
    func errors() {
        struct Odd: Error { let code: Int }
        let all: [VPErrors] = [
            .remoteVideoError(nil), .remoteVideoError(Odd(code: 1)), .remoteVideoError(Odd(code: 2)), .sourceNotFound("a"),
            .sourceNotFound("b"), .sourceNotFound(""), .settingsNotUnique, .notSupportedPiP, .failedToLoad,
        ]
        for (i, a) in all.enumerated() {
            for (j, b) in all.enumerated() { #expect((a == b) == (i == j), "\(a) and \(b)") }
        }
        #expect("\(VPErrors.sourceNotFound("swipe"))".hasPrefix("swipe: "))
        let reason = AVError(.timedOut, at: "http://host/a.mp4", reason: "took too long")
        #expect("\(VPErrors.remoteVideoError(reason))".contains("http://host/a.mp4: took too long"))
        #expect(Set(all.map { "\($0)" }).count == all.count)
    }
}
