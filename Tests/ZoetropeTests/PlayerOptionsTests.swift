import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine
@testable import PlayerViews
@testable import Presentation
@testable import Zoetrope

/// Tests of the options in a ready-made player's controls, without a window.
@Suite("Options of the player controls", .serialized) @MainActor
struct PlayerOptionsTests {
    private func transport(_ url: URL) -> PlayerTransport {
        let transport = PlayerTransport()
        transport.player = AVPlayer(url: url)
        return transport
    }

    @Test("an item that is replaced before it opens is released")
    func replaced() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        server.inject(.stall(after: 0), on: "*master.m3u8")
        let player = AVPlayer(url: server.url(for: "vod-ts/master.m3u8"))
        weak var item: AVPlayerItem?
        item = player.currentItem
        let options = PlayerOptions()
        options.follow(player)
        #expect(await eventually { !server.requests("*master.m3u8").isEmpty })
        #expect(item?.status == .unknown)
        player.replaceCurrentItem(with: nil)
        options.follow(player)
        #expect(await eventually { item == nil })
    }

    @Test("audio tracks and metadata are read, and the app's title has priority")
    func languages() async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-options-\(UUID().uuidString.prefix(8)).mkv")
        defer { try? FileManager.default.removeItem(at: url) }
        let from = try TestMedia.url("languages.mkv").path
        let marks = url.deletingPathExtension().appendingPathExtension("txt")
        defer { try? FileManager.default.removeItem(at: marks) }
        try
            ";FFMETADATA1\ntitle=Own Title\nartist=Some Body\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\ntitle=First\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=1000\nEND=2000\ntitle=Second\n"
            .write(to: marks, atomically: true, encoding: .utf8)
        let code = try await offPool {
            try ChildProcess(
                "ffmpeg",
                [
                    "-v", "error", "-nostdin", "-y", "-i", from, "-i", marks.path, "-map", "0", "-map_metadata", "1",
                    "-map_chapters", "1", "-c", "copy", url.path,
                ]
            ).wait()
        }
        #expect(code == 0)
        let transport = transport(url)
        let options = transport.options
        #expect(await eventually { options.tracks.audios?.options.count == 3 && options.chapters.count == 2 })
        #expect(options.info.title == "Own Title" && options.info.byline == "Some Body" && options.info.artwork == nil)
        #expect(options.chapters.map(\.title) == ["First", "Second"] && options.chapters.map(\.start) == [0, 1])
        #expect(
            options.chapter(at: 0.5)?.title == "First" && options.chapter(at: 1)?.title == "Second"
                && options.chapter(at: -1) == nil)
        let group = try #require(options.tracks.audios)
        options.tracks.select(group.options[2], in: group)
        #expect(await eventually { options.tracks.audio == group.options[2] })
        let item = AVMutableMetadataItem()
        item.identifier = .commonIdentifierTitle
        item.value = "The app's"
        transport.player?.currentItem?.externalMetadata = [item]
        #expect(await eventually { options.info.title == "The app's" && options.info.byline == "Some Body" })
        // Another item shows nothing of the previous one.
        transport.player?.replaceCurrentItem(with: AVPlayerItem(url: try TestMedia.url("counter.mp4")))
        #expect(
            await eventually {
                options.chapters.isEmpty && options.tracks.audios?.options.count != 3 && options.info.title.isEmpty
            })
    }

    @Test("a stream's variants are sorted by size, and selecting one limits playback")
    func rungs() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let transport = transport(server.url(for: "vod-ts/master.m3u8"))
        let options = transport.options
        #expect(await eventually { options.quality.all.count > 1 })
        #expect(
            options.quality.all.map(\.size.height) == options.quality.all.map(\.size.height).sorted(by: >)
                && options.quality.limit == nil)
        let lowest = try #require(options.quality.all.last)
        let item = try #require(transport.player?.currentItem)
        options.quality.limit(to: lowest)
        #expect(
            options.quality.limit == lowest && item.preferredPeakBitRate == lowest.bitRate
                && item.preferredMaximumResolution == lowest.size)
        options.quality.limit(to: nil)
        #expect(
            options.quality.limit == nil && item.preferredPeakBitRate == 0 && item.preferredMaximumResolution == .zero)
        #expect(await eventually { !options.loaded.isEmpty })
    }

    @Test("the whole video or a part can loop until that is cleared")
    func loops() async throws {
        let transport = transport(try TestMedia.url("counter.mp4"))
        let options = transport.options
        let player = try #require(transport.player)
        #expect(await eventually { transport.duration != nil })
        options.loop.set(true)
        #expect(options.loop.isOn && options.loop.part == nil)
        options.loop.set(false)
        #expect(!options.loop.isOn)
        options.loop.setStart(1)
        #expect(options.loop.part == nil && options.loop.start == 1)
        options.loop.setEnd(1.5)
        #expect(options.loop.part == 1...1.5 && !options.loop.isOn && options.loop.start == nil)
        player.playImmediately(atRate: 1)
        // Playback stays inside the section for more than one pass.
        var most = 0.0
        var passes = 0
        var last = 0.0
        #expect(
            await eventually {
                let now = player.currentTime().seconds
                if now < last - 0.2 { passes += 1 }
                (last, most) = (now, max(most, now))
                return passes >= 3
            })
        #expect(most < 1.6, "\(most)")
        // An empty section is ignored.
        options.loop.setEnd(0.5)
        #expect(options.loop.part == 1...1.5)
        options.loop.clearPart()
        #expect(options.loop.part == nil && player.loopedRange == nil)
        #expect(await eventually { player.currentTime().seconds > 2 })
    }

    @Test("speed applies while paused and playing; skips accumulate and are clamped")
    func speed() async throws {
        let transport = transport(try TestMedia.url("counter.mp4"))
        let player = try #require(transport.player)
        #expect(await eventually { transport.duration != nil })
        transport.control?.setSpeed(1.5)
        #expect(player.defaultRate == 1.5 && player.rate == 0 && transport.speed == 1.5)
        player.play()
        transport.control?.setSpeed(2)
        #expect(player.rate == 2 && transport.speed == 2)
        player.pause()
        transport.seek(to: 0)
        transport.seek(by: 5)
        transport.seek(by: 5)
        #expect(await eventually { player.currentTime().seconds == 10 })
        transport.seek(by: -100)
        #expect(await eventually { player.currentTime() == .zero })
        transport.seek(by: 1e9)
        #expect(await eventually { abs(player.currentTime().seconds - 20) < 0.1 })
    }

    @Test(
        "texts use the preferred language, or else English",
        arguments: [
            (["LANG": "de_DE.UTF-8"], ["de"]), (["LANG": "C"], []), ([:], []),
            (["LC_ALL": "en_US.UTF-8", "LANG": "de_DE"], ["en"]),
            (["LANG": "fr_FR", "LANGUAGE": "nl:de"], ["nl", "de", "fr"]), (["LANG": "C", "LANGUAGE": "de"], []),
            (["LC_MESSAGES": "de_AT@euro", "LANG": "en_US"], ["de"]),
        ])
    func words(_ environment: [String: String], _ languages: [String]) {
        #expect(PlayerWords.languages(environment) == languages)
        #expect(
            PlayerWords.localized("Volume", languages: ["de"]) == "Lautstärke"
                && PlayerWords.localized("Volume", languages: ["fr"]) == "Volume")
        #expect(
            PlayerWords.localized("Volume", languages: ["en", "de"]) == "Volume"
                && PlayerWords.localized("no word", languages: ["de"]) == "no word")
    }
}
