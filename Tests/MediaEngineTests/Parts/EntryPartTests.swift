import Foundation
import MediaCore
import Streaming
import Testing

@testable import MediaEngine

@Suite("Loop of an entry")
struct EntryLoopTests {
    @Test("passes count from the loop number that is playing")
    func passes() {
        var loop = EntryLoop(isOn: false)
        #expect(!loop.hasNextPass(after: 0))
        loop.set(true, in: nil, passes: nil, from: nil)
        #expect(loop.hasNextPass(after: 1_000))
        loop.number = 5
        loop.set(true, in: 1...2, passes: 3, from: nil)
        #expect(loop.range == 1...2 && loop.hasNextPass(after: 6) && !loop.hasNextPass(after: 7))
        loop.set(true, in: nil, passes: 3, from: 7)
        #expect(loop.range == nil && loop.hasNextPass(after: 8) && !loop.hasNextPass(after: 9))
    }

    @Test("an entry that starts again has all passes before it")
    func restart() {
        var loop = EntryLoop(isOn: false)
        loop.number = 5
        loop.set(true, in: nil, passes: 2, from: nil)
        loop.restartNumbers()
        #expect(loop.number == 0 && loop.hasNextPass(after: 0) && !loop.hasNextPass(after: 1))
    }
}

@Suite("Opening of an entry")
struct EntryOpeningTests {
    private let entry = PlaybackEntry(id: 1, url: URL(fileURLWithPath: "/none"))
    private func preparation() -> ItemPreparation { ItemPreparation(entry, TrackSelection(), onChange: { _ in }) }

    @Test("an entry has one preparation, and none while it is open")
    func preparing() {
        let opening = EntryOpening()
        let (first, second) = (preparation(), preparation())
        let added = opening.add(first)
        let existing = opening.add(second)
        #expect(added === first && existing === first)
        first.cancel()
        let replaced = opening.add(second)
        #expect(replaced === second)
        let item = opening.take(TrackSelection(), isStream: false, isInterrupted: { false })
        let kept = opening.preparation
        let whileOpen = opening.add(first)
        #expect(item == nil && kept == nil && whileOpen == nil)
        opening.release()
        let later = preparation()
        let afterwards = opening.add(later)
        #expect(afterwards === later)
    }

    @Test("a pipeline waits for another one that reads a stream", arguments: [true, false])
    func handOver(isStream: Bool) {
        let opening = EntryOpening()
        _ = opening.take(TrackSelection(), isStream: isStream, isInterrupted: { false })
        var checks = 0
        _ = opening.take(
            TrackSelection(), isStream: isStream,
            isInterrupted: {
                checks += 1
                return checks == 2
            })
        #expect(checks == (isStream ? 2 : 0))
    }
}

@Suite("Access of an entry to its stream")
struct RemoteAccessTests {
    @Test("settings are kept, and a session gets them")
    func session() throws {
        let url = try #require(URL(string: "http://localhost/stream.m3u8"))
        let subtitles = ItemSubtitles(url: url)
        let access = RemoteAccess(subtitles: subtitles)
        access.limit { $0.peakBitRate = 1_000 }
        access.limit { $0.excluded = [2] }
        access.setSubtitles(.option(0))
        let limits = access.limits
        #expect(limits == AdaptationLimits(peakBitRate: 1_000, excluded: [2]) && subtitles.stream == nil)
        let session = HLSSession(url: url)
        access.session = session
        let kept = access.session
        #expect(kept === session && subtitles.stream === session)
        session.close()
    }
}
