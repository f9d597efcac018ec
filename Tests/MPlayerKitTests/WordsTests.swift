import Foundation
import TestSupport
import Testing
import Zoetrope

@testable import MPlayerKit

@Suite("An item's metadata", .serialized) @MainActor
struct WordsTests {
    private func clip() throws -> Clip {
        var clip = try Clip("counter.mp4")
        (clip.subtitle, clip.synopsis, clip.releaseYear, clip.contentRating, clip.genres) = (
            "A Subtitle", "What happens", 1999, "PG", ["Drama", "Space"]
        )
        clip.poster = MPlayerKit.Artwork(url: try TestMedia.url("cover.png"))
        return clip
    }
    private func item(_ model: PlayerModel, _ identifier: AVMetadataIdentifier) -> AVMetadataItem? {
        model.player.currentItem?.externalMetadata.first { $0.identifier == identifier }
    }

    @Test("the player item has the metadata and artwork, the app's own first")
    func metadata() async throws {
        let model = PlayerModel()
        var clip = try clip()
        clip.extra = "An own title"
        await model.load(clip)
        await model.artwork?.value
        let all = try #require(model.player.currentItem).externalMetadata
        #expect(all.first { $0.identifier == .commonIdentifierTitle }?.stringValue == "An own title")
        #expect(item(model, .iTunesMetadataTrackSubTitle)?.stringValue == "A Subtitle")
        #expect(item(model, .commonIdentifierDescription)?.stringValue == "What happens")
        #expect(item(model, .commonIdentifierCreationDate)?.stringValue == "1999")
        #expect(item(model, .iTunesMetadataContentRating)?.stringValue == "PG")
        #expect(item(model, .quickTimeMetadataGenre)?.stringValue == "Drama, Space")
        #expect(item(model, .commonIdentifierArtwork)?.dataValue == (try Data(contentsOf: TestMedia.url("cover.png"))))
        #expect(all.dropFirst().allSatisfy { $0.extendedLanguageTag == "und" })
        // Properties that the clip lacks have no metadata.
        await model.load(try Clip("counter.mp4"))
        #expect(model.player.currentItem?.externalMetadata.map(\.identifier) == [.commonIdentifierTitle])
    }

    @Test("the now playing information has metadata, artwork, duration and playback state")
    func center() async throws {
        let model = PlayerModel()
        await model.load(try clip())
        await model.artwork?.value
        var info: [String: Any] { MPNowPlayingInfoCenter.default().nowPlayingInfo ?? [:] }
        #expect(
            info[MPMediaItemPropertyTitle] as? String == "A Title"
                && info[MPMediaItemPropertyComments] as? String == "What happens")
        #expect(
            info[MPNowPlayingInfoPropertyAssetURL] as? URL == model.currentItem?.asset
                && info[MPNowPlayingInfoPropertyIsLiveStream] as? Bool == false)
        #expect(info[MPNowPlayingInfoPropertyMediaType] as? UInt == MPNowPlayingInfoMediaType.video.rawValue)
        #expect((info[MPMediaItemPropertyArtwork] as? MPMediaItemArtwork)?.bounds.width ?? 0 > 0)
        #expect(await eventually { abs((info[MPMediaItemPropertyPlaybackDuration] as? Double ?? 0) - 20) < 0.5 })
        model.player.defaultRate = 2
        model.play()
        #expect(
            await eventually {
                info[MPNowPlayingInfoPropertyPlaybackRate] as? Double == 2
                    && (info[MPNowPlayingInfoPropertyElapsedPlaybackTime] as? Double ?? 0) > 1
            })
        #expect(MPNowPlayingInfoCenter.default().playbackState == .playing)
        model.pause()
        #expect(
            await eventually {
                info[MPNowPlayingInfoPropertyPlaybackRate] as? Double == 0
                    && MPNowPlayingInfoCenter.default().playbackState == .paused
            })
    }

    @Test("unusable artwork is left out, and the item plays", arguments: ["text", "none", "huge", "ftp"])
    func badArtwork(_ kind: String) async throws {
        let folder = try Folder()
        let file = folder.url.appendingPathComponent("art.png")
        switch kind {
        case "text": try Data("no picture".utf8).write(to: file)
        // A sparse file, which uses no disk space.
        case "huge":
            #expect(
                FileManager.default.createFile(atPath: file.path, contents: nil) && truncate(file.path, 50 << 20) == 0)
        default: break
        }
        let model = PlayerModel()
        var clip = try Clip("counter.mp4")
        clip.poster = MPlayerKit.Artwork(url: kind == "ftp" ? try #require(URL(string: "ftp://host/art.png")) : file)
        await model.load(clip)
        await model.artwork?.value
        #expect(item(model, .commonIdentifierArtwork) == nil && item(model, .commonIdentifierTitle) != nil)
        model.play()
        #expect(await eventually { model.state.isPlaying })
        let artwork = try #require(clip.poster)
        switch kind {
        case "none": await #expect(throws: PlayerError.notAvailable) { try await artwork.artwork(for: .portrait) }
        case "huge": await #expect(throws: ArtworkError.tooLarge(file)) { try await artwork.artwork(for: .portrait) }
        case "ftp":
            await #expect(throws: ArtworkError.unsupportedScheme(artwork.portraitUrl)) {
                try await artwork.artwork(for: .portrait)
            }
        default: #expect(try await artwork.artwork(for: .landscape) == Data("no picture".utf8))
        }
    }

    @Test("artwork does not delay loading and never reaches the next item")
    func slowArtwork() async throws {
        let server = try TestStreams.server()
        let answers = DispatchSemaphore(value: 0)
        let picture = try Data(contentsOf: TestMedia.url("cover.png"))
        defer { server.close() }
        // The server does not answer until the test signals it.
        server.serve("art.png") { _ in
            answers.wait()
            return ServerResponse(type: "image/png", picture)
        }
        let model = PlayerModel()
        var clip = try Clip("counter.mp4")
        clip.poster = MPlayerKit.Artwork(url: server.url(for: "art.png"))
        // Ends the test if loading waits for the artwork by mistake.
        let rescue = Task {
            await letTimePass(Deadline.seconds, because: "a test that waits in vain is to end")
            if !Task.isCancelled { answers.signal() }
        }
        await model.load(clip)
        #expect(model.duration != nil && item(model, .commonIdentifierArtwork) == nil)
        rescue.cancel()
        answers.signal()
        await model.artwork?.value
        #expect(item(model, .commonIdentifierArtwork)?.dataValue == picture)
        // Late artwork must not appear with the next item.
        clip.poster = MPlayerKit.Artwork(url: server.url(for: "art.png?again"))
        await model.load(clip)
        let late = model.artwork
        await model.load(try Clip("loop-aac.mp4"))
        answers.signal()
        await late?.value
        #expect(
            item(model, .commonIdentifierArtwork) == nil
                && MPNowPlayingInfoCenter.default().nowPlayingInfo?[MPMediaItemPropertyArtwork] == nil)
    }

    @Test("the now playing information has the available and the selected language")
    func languages() async throws {
        let model = PlayerModel()
        await model.load(try Clip("languages.mkv"))
        var info: [String: Any] { MPNowPlayingInfoCenter.default().nowPlayingInfo ?? [:] }
        let groups = try #require(
            info[MPNowPlayingInfoPropertyAvailableLanguageOptions] as? [MPNowPlayingInfoLanguageOptionGroup])
        #expect(groups.map { $0.languageOptions.map(\.languageTag) } == [["en-US", "de", "fr"]])
        func current() -> [String?]? {
            (info[MPNowPlayingInfoPropertyCurrentLanguageOptions] as? [MPNowPlayingInfoLanguageOption])?.map(
                \.languageTag)
        }
        #expect(current() == ["en-US"])
        model.audio = model.availableAudios?.options.last
        #expect(await eventually { current() == ["fr"] })
        // An item without languages reports none.
        await model.load(try Clip("loop-aac.mp4"))
        #expect(
            await eventually {
                (info[MPMediaItemPropertyTitle] as? String) == "A Title"
                    && (current()?.contains("fr") ?? false) == false
            })
    }

    @Test("artwork is fetched once; a refused or oversized response is an error")
    func network() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        server.serve("art.png") { _ in ServerResponse(type: "image/png", Data(repeating: 7, count: 1000)) }
        server.serve("big.png") { _ in ServerResponse(type: "image/png", Data(repeating: 7, count: 40 << 20)) }
        let cache = ArtworkCache()
        async let one = cache.data(for: server.url(for: "art.png"))
        async let two = cache.data(for: server.url(for: "art.png"))
        let both = try await (one, two)
        #expect(both.0.count == 1000 && both.0 == both.1)
        expectEqual(try await cache.data(for: server.url(for: "art.png")).count, 1000)
        expectEqual(await cache.fetches, 1)
        let missing = server.url(for: "missing.png")
        let big = server.url(for: "big.png")
        await #expect(throws: ArtworkError.status(404, missing)) { try await cache.data(for: missing) }
        await #expect(throws: ArtworkError.tooLarge(big)) { try await cache.data(for: big) }
    }

    @Test("the cache keeps the most recently used items within its limits")
    func cache() async throws {
        let folder = try Folder()
        let cache = ArtworkCache(most: 3, mostBytes: 250)
        func file(_ name: String, _ count: Int = 100) throws -> URL {
            let url = folder.url.appendingPathComponent(name)
            try Data(repeating: 1, count: count).write(to: url)
            return url
        }
        let (a, b, c) = (try file("a"), try file("b"), try file("c", 60))
        _ = try await (cache.data(for: a), cache.data(for: b))
        _ = try await cache.data(for: a)
        // 260 bytes exceed the limit, so b is removed, which was used before a.
        _ = try await cache.data(for: c)
        expectEqual(await cache.bytes, 160)
        expectEqual(await cache.count, 2)
        let before = await cache.fetches
        _ = try await cache.data(for: a)
        expectEqual(await cache.fetches, before)
        _ = try await cache.data(for: b)
        expectEqual(await cache.fetches, before + 1)
        for name in ["d", "e", "f", "g"] { _ = try await cache.data(for: file(name, 1)) }
        expectEqual(await cache.count, 3)
    }

    @Test("isLive and isVideo follow from the media type")
    func kinds() throws {
        var clip = try Clip("counter.mp4")
        let expected: [(MPlayerKit.MediaType, Bool, Bool)] = [
            (.video, false, true), (.audio, false, false), (.liveVideo, true, true), (.liveAudio, true, false),
        ]
        for (kind, isLive, isVideo) in expected {
            clip.mediaType = kind
            #expect(clip.isLive == isLive && clip.isVideo == isVideo)
        }
    }
}
