import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("A track that cannot be decoded is reported while the rest plays", .serialized)
@MainActor
struct TrackFailureTests {
    @Test(
        "the item plays to its end and logs the error once",
        arguments: BrokenTracks.videoFiles + BrokenTracks.audioFiles, [false, true])
    func plays(name: String, loops: Bool) async throws {
        let rig = Rig()
        let item = AVPlayerItem(url: try BrokenTracks.url(name))
        let told = NotificationCounter(AVPlayerItem.newErrorLogEntryNotification, item)
        let looper = loops ? AVPlayerLooper(player: rig.player, templateItem: item) : nil
        if !loops { rig.player.insert(item) }
        rig.player.play()
        #expect(await rig.wait { rig.player.currentTime().seconds > 0.5 || item.status == .failed })
        rig.player.rate = 4
        #expect(
            await rig.wait { loops ? item.loopCount > 0 : rig.player.isAtEnd },
            "\(rig.player.currentTime().seconds), \(String(describing: item.error)), \(String(describing: rig.player.pipeline.waitReason))"
        )
        #expect(item.status == .readyToPlay && item.error == nil)
        let kind = BrokenTracks.videoFiles.contains(name) ? "video" : "audio"
        #expect(item.trackErrors.count == 1, "\(item.trackErrors)")
        let error = try #require(item.trackErrors.first)
        let codes: [AVError.Code] = name.hasPrefix("unknown") ? [.decoderNotFound] : [.decodeFailed, .decoderNotFound]
        #expect(codes.contains(error.code))
        #expect(error.location.hasSuffix(name) && !error.reason.isEmpty)
        if name.hasPrefix("unknown") { #expect(error.reason.contains(kind)) }
        let events = try #require(item.errorLog()).events
        #expect(events.map(\.errorComment) == [error.reason] && events.first?.errorDomain == "Zoetrope")
        #expect(told.count == 1)
        // A busy machine may miss frames, which the player counts.
        let dropped = rig.player.statistics.framesDropped
        if kind == "audio" { #expect(rig.shown.count + dropped > 10 || rig.missedRefreshes) }
        withExtendedLifetime(looper) {}
        rig.stopDisplay()
        rig.player.close()
    }

    @Test("an intact file has no error log")
    func whole() async throws {
        let rig = try Rig("sine-aac48.mp4")
        rig.player.rate = 4
        #expect(await rig.wait { rig.player.isAtEnd })
        #expect(rig.player.currentItem?.errorLog() == nil && rig.player.currentItem?.trackErrors.isEmpty == true)
        rig.stopDisplay()
        rig.player.close()
    }

    @Test("an item with two broken tracks fails", arguments: [false, true])
    func both(hasCover: Bool) async throws {
        let source = try BrokenTracks.url(hasCover ? "garbage-audio.mkv" : "garbage-video.mkv")
        let url = try BrokenTracks.make(
            hasCover ? "garbage-covered.mp4" : "garbage-both.mkv",
            hasCover
                ? "-i \(source.path) -f lavfi -i testsrc2=s=64x64:d=1 -map 0:a -map 1:v -frames:v 1 -c:a copy -strict -2 -c:v mjpeg -disposition:v attached_pic"
                : "-i \(source.path) -c:v copy -c:a flac -bsf:a noise=amount=1")
        let rig = Rig()
        let item = AVPlayerItem(url: url)
        rig.player.insert(item)
        rig.player.play()
        #expect(await rig.wait { item.status == .failed })
        #expect((item.error as? AVError)?.code == .decodeFailed)
        rig.stopDisplay()
        rig.player.close()
    }
}
