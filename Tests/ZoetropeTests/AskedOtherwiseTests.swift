import Foundation
import TestSupport
import Testing

@testable import MediaEngine
@testable import Zoetrope

@Suite("Requests for remote sources")
@MainActor
struct AskedOtherwiseTests {
    @Test("changed headers and cookies apply to a queued item that is preloaded")
    func waiting() async throws {
        _ = try TestMedia.url("loop-aac.mp4")
        let server = try StreamServer(root: TestMedia.folder)
        let stage = Stage()
        defer {
            stage.controller.close()
            server.close()
        }
        let list = ["counter.mp4", "loop-aac.mp4"].map { server.url(for: $0).absoluteString }
        stage.controller.apply(
            settings: VideoSettings {
                Playlist(list)
                Preload(ahead: 1)
                NotAutoPlay()
                Headers(["X-Token": "old"])
                Events()
            })
        #expect(await stage.wait { stage.controller.list.next?.isPreloaded == true })
        stage.change {
            $0.headers = ["X-Token": "new"]
            $0.cookies = [AVURLAssetHTTPCookie(name: "crumb", value: "8")]
        }
        let waits = try #require(stage.controller.list.next)
        #expect(waits.asset.httpOptions.headers["X-Token"] == "new")
        stage.controller.perform(.batch([.next, .play]))
        #expect(await stage.wait { stage.time > 0.1 && stage.controller.currentIndex == 1 })
        let requests = server.requests("loop-aac.mp4")
        #expect(
            requests.contains { $0.headers["X-Token"] == "new" && $0.headers["Cookie"]?.contains("crumb=8") == true },
            "\(requests.map(\.headers))")
    }

    @Test("a subtitle file is requested with the source's headers and cookies")
    func subtitles() async throws {
        let server = try StreamServer(root: TestMedia.folder)
        server.serve("words.vtt") { _ in .text("WEBVTT\n\n00:00.000 --> 10:00.000\nHello\n", type: "text/vtt") }
        let path = try TestMedia.url("counter.mp4").path
        let stage = Stage()
        defer {
            stage.controller.close()
            server.close()
        }
        stage.controller.apply(
            settings: VideoSettings {
                SourceName(path)
                NotAutoPlay()
                Subtitles(server.url(for: "words.vtt").absoluteString)
                Headers(["X-Token": "7"])
                Cookies([AVURLAssetHTTPCookie(name: "crumb", value: "8")])
            })
        #expect(await stage.wait { !server.requests("*words.vtt").isEmpty })
        let request = try #require(server.requests("*words.vtt").first)
        #expect(request.headers["X-Token"] == "7" && request.headers["Cookie"]?.contains("crumb=8") == true)
    }

    @Test("an extreme preload count does no harm")
    func clamped() throws {
        let list = try (0..<4).map { _ in try TestMedia.url("counter.mp4").path }
        for count in [Int.max, Int.min] {
            let stage = Stage()
            defer { stage.controller.close() }
            stage.controller.apply(
                settings: VideoSettings {
                    Playlist(list)
                    Setting.preloadAhead(count)
                    NotAutoPlay()
                })
            #expect(stage.player.currentItem != nil)
        }
    }
}
