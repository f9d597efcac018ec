import Foundation
import MediaCore
import MediaEngine
import Streaming
import TestSupport
import Testing

@testable import Downloads

/// Tests the files of each kind of stream, and which players can play them.
@Suite("Download packages") @MainActor struct PackageTests {
    /// The streams, with the expected number of segments in the package.
    nonisolated static let streams: [(path: String, segments: Int)] = [
        ("vod-ts/master.m3u8", 12), ("vod-fmp4/master.m3u8", 12), ("byterange/ts.m3u8", 12),
        ("byterange/fmp4.m3u8", 12), ("packed-audio/aac.m3u8", 12),
        ("packed-audio/master.m3u8", 12), ("aes128/explicit.m3u8", 12), ("aes128/implicit.m3u8", 12),
        ("aes128/rotation.m3u8", 12), ("aes128/fmp4.m3u8", 12),
        ("discontinuity/ts.m3u8", 12), ("define/master.m3u8", 12), ("redundant/master.m3u8", 12),
        ("captions/master.m3u8", 12), ("audio-only/master.m3u8", 13),
        ("subtitles-ts/master.m3u8", 12), ("pts-wrap/index.m3u8", 12), ("gap/index.m3u8", 11),
    ]

    @Test("Any stream becomes plain HLS that ffmpeg plays to its end", arguments: streams)
    func plain(_ path: String, _ segments: Int) async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        let download = try await test.library.add(server.url(for: path))
        try await download.finished()
        let package = try #require(download.playableURL)
        #expect(package.pathExtension == "movpkg")
        let first = try #require(
            try test.library.engine.record.read { try $0.renditions(of: download.id) }.first { $0.kind == .video })
        #expect(test.files.keys.count { $0.contains("/\(first.name)/segment-") } == segments)
        let requests = server.requests.count
        server.close()
        // An image from the middle, created by Zoetrope without a network.
        let asset = AVURLAsset(url: package)
        #expect(abs(try await asset.load(.duration).seconds - 24) < 0.1)
        // Only streams without gaps, because ffmpeg and other players may fail at a gap.
        if segments >= 12 {
            let index = package.appendingPathComponent("index.m3u8").path
            let (code, text) = try await complaints(
                "ffmpeg", ["-v", "fatal", "-i", index, "-map", "0:v?", "-map", "0:a?", "-f", "null", "-"])
            #expect(code == 0, "\(text)")
        }
        #expect(server.requests.count == requests)
    }

    @Test("Segments equal the server's bytes, and keys are private")
    func bytes() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        let download = try await test.library.add(server.url(for: "aes128/rotation.m3u8"))
        try await download.finished()
        let folder = try #require(download.playableURL).appendingPathComponent("main")
        let text = try String(contentsOf: folder.appendingPathComponent("index.m3u8"), encoding: .utf8)
        let source = try MediaPlaylist.parse(
            try served("aes128/rotation.m3u8"), url: server.url(for: "aes128/rotation.m3u8"))
        let local = try MediaPlaylist.parse(Data(text.utf8), url: folder.appendingPathComponent("index.m3u8"))
        #expect(
            local.segments.count == source.segments.count && local.isEnded
                && local.mediaSequence == source.mediaSequence)
        for (mine, its) in zip(local.segments, source.segments) {
            #expect(try Data(contentsOf: folder.appendingPathComponent(mine.uri)) == served("aes128/" + its.uri))
            #expect(
                mine.duration == its.duration && mine.isDiscontinuity == its.isDiscontinuity
                    && mine.keys.count == its.keys.count)
            for key in mine.keys {
                let file = folder.appendingPathComponent(key.uri)
                #expect(try Data(contentsOf: file).count == 16)
                let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
                #expect(mode == 0o600)
            }
        }
    }

    @Test("Only the chosen variant, audio and subtitles are downloaded and offered")
    func choice() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        var options = DownloadOptions()
        options.quality = .height(128)
        options.audioLanguages = ["de", "fr"]
        options.subtitleLanguages = ["en"]
        options.includesIFrames = false
        let download = try await test.library.add(server.url(for: "vod-fmp4/master.m3u8"), options: options)
        try await download.finished()
        let paths = Set(server.requests.map(\.path))
        #expect(
            paths.contains { $0.hasPrefix("vod-fmp4/v2/") }
                && !paths.contains {
                    $0.hasPrefix("vod-fmp4/v3/") || $0.hasPrefix("vod-fmp4/v0/") || $0.hasPrefix("vod-fmp4/v1/")
                })
        #expect(
            paths.contains { $0.hasPrefix("vod-fmp4/audio-de") } && paths.contains { $0.hasPrefix("vod-fmp4/audio-fr") }
                && !paths.contains { $0.hasPrefix("vod-fmp4/audio-en") })
        #expect(
            paths.contains { $0.hasPrefix("vod-fmp4/subs-en") } && !paths.contains { $0.hasPrefix("vod-fmp4/subs-de") })
        let asset = AVURLAsset(url: try #require(download.playableURL))
        let sounds = try #require(try await asset.loadMediaSelectionGroup(for: .audible))
        let words = try #require(try await asset.loadMediaSelectionGroup(for: .legible))
        #expect(sounds.options.map(\.extendedLanguageTag) == ["de", "fr"])
        #expect(words.options.map(\.extendedLanguageTag) == ["en"])
    }

    @Test("A missing language is refused with the available ones")
    func missingLanguage() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        var options = DownloadOptions()
        options.audioLanguages = ["ja"]
        let download = try await test.library.add(server.url(for: "vod-fmp4/master.m3u8"), options: options)
        let error = try #require(await download.settles()?.error)
        #expect(error.code == .notFound && error.suggestion.contains("de"))
    }

    @Test("A second download of the same stream fetches only what is missing")
    func adds() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        var options = DownloadOptions()
        options.quality = .height(64)
        options.audioLanguages = ["en"]
        options.includesIFrames = false
        let url = server.url(for: "vod-fmp4/master.m3u8")
        let first = try await test.library.add(url, options: options)
        try await first.finished()
        let before = server.requests.filter { $0.path.hasSuffix(".m4s") }.map(\.path)
        options.audioLanguages = ["en", "de"]
        let second = try await test.library.add(url, options: options)
        try await second.finished()
        #expect(first.location == second.location)
        let after = server.requests.filter { $0.path.hasSuffix(".m4s") }.map(\.path)
        #expect(after.count == Set(after).count)
        #expect(
            Set(after).subtracting(before).allSatisfy { $0.contains("audio-de") } && after.count == before.count + 12)
        var asset = AVURLAsset(url: try #require(second.playableURL))
        expectEqual(try await asset.loadMediaSelectionGroup(for: .audible)?.options.count, 2)
        // Removing the second download removes its own renditions, but not those that the first one uses, too.
        try await second.remove()
        #expect(
            !test.files.keys.contains { $0.contains("audio-de") }
                && test.files.keys.contains { $0.contains("audio-en") })
        asset = AVURLAsset(url: try #require(first.playableURL))
        #expect(abs(try await asset.load(.duration).seconds - 24) < 0.1)
        #expect(try await test.library.verify(first).isEmpty)
    }

    @Test("A downloaded file equals the server's file", arguments: ["film.mp4", "film.webm", "film.mkv", "film.ts"])
    func file(_ name: String) async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        let download = try await test.library.add(server.url(for: "plain/" + name))
        try await download.finished()
        #expect(try Data(contentsOf: try #require(download.playableURL)) == served("plain/" + name))
        #expect(abs(download.progress.expectedSeconds - 24) < 0.1)
    }

    @Test("A file is downloaded without range support too")
    func noRanges() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        server.inject(.noRanges, .chunked)
        let download = try await test.library.add(server.url(for: "plain/film.mp4"))
        try await download.finished()
        #expect(try Data(contentsOf: try #require(download.playableURL)) == served("plain/film.mp4"))
    }

    @Test("A library and a package can be moved")
    func moved() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        let download = try await test.library.add(server.url(for: "vod-ts/master.m3u8"))
        try await download.finished()
        await test.library.close()
        server.close()
        let elsewhere = FileManager.default.temporaryDirectory.appendingPathComponent("zt-moved-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: elsewhere) }
        try FileManager.default.moveItem(at: test.folder, to: elsewhere)
        let library = try DownloadLibrary(at: elsewhere)
        let again = try #require(library.downloads.first)
        let place = try #require(again.playableURL)
        #expect(again.state == .finished && place.path.hasPrefix(elsewhere.path))
        #expect(try await library.verify(again).isEmpty)
        #expect(try await AVURLAsset(url: place).load(.isPlayable))
        let copy = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-export-\(UUID().uuidString).movpkg")
        defer { try? FileManager.default.removeItem(at: copy) }
        try await library.export(again, to: copy)
        #expect(try await AVURLAsset(url: copy).load(.isPlayable))
        #expect(!FileManager.default.fileExists(atPath: copy.appendingPathComponent(".lock").path))
        await library.close()
    }

    @Test(
        "A protected stream is refused with its key system's name",
        arguments: [("fairplay", "FairPlay"), ("widevine", "Widevine"), ("playready", "PlayReady")])
    func protected(_ name: String, _ system: String) async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        let download = try await test.library.add(server.url(for: "drm/\(name).m3u8"))
        let error = await download.settles()?.error
        #expect(error?.code == .protected && error?.reason.contains(system) == true)
        #expect(!server.requests.contains { $0.path.hasSuffix(".ts") || $0.path.hasSuffix(".m4s") })
    }
}
