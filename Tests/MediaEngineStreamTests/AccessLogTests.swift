import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Access log", .serialized)
@MainActor
struct AccessLogTests {
    @Test("each new event of the access log is reported")
    func entries() async throws {
        let stream = try StreamRig("vod-ts/master.m3u8") { _, item in item.preferredForwardBufferDuration = 2 }
        let posted = NotificationCounter(.AVPlayerItemNewAccessLogEntry, stream.item)
        stream.play()
        #expect(await stream.rig.wait { stream.rig.picture()?.height == 192 && posted.count > 0 })
        let first = posted.count
        stream.item.preferredPeakBitRate = 300_000
        #expect(await stream.rig.wait { stream.rig.picture()?.height == 64 && posted.count > first })
        await stream.close()
    }

    @Test("a remote file reports its access once, a local file never")
    func files() async throws {
        let stream = try StreamRig("plain/film.mp4")
        let posted = NotificationCounter(.AVPlayerItemNewAccessLogEntry, stream.item)
        stream.play()
        #expect(await stream.reaches(2))
        #expect(posted.count == 1)
        await stream.close()
        let local = try Rig("counter-video.mp4")
        let item = try #require(local.player.currentItem)
        let none = NotificationCounter(.AVPlayerItemNewAccessLogEntry, item)
        try await local.ready()
        #expect(none.count == 0 && item.accessLog() == nil)
    }
}
