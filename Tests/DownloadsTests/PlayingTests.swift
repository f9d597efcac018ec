import Foundation
import MediaCore
import MediaEngine
import Streaming
import Synchronization
import TestSupport
import Testing

@testable import Downloads

/// Tests downloads during playback, and downloads of live streams.
@Suite("Downloads during playback") @MainActor struct PlayingTests {
    @Test("Downloads yield the network to playback")
    func priority() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        server.setNetwork(.kilobits(12_000))
        let film = Data(Array(repeating: try served("plain/film.ts"), count: 10).joined())
        server.serve("big.ts") { _ in
            ServerResponse(headers: ["Content-Type": "video/mp2t", "ETag": "\"1\""], body: .data(film))
        }
        let download = try await test.library.add(server.url(for: "big.ts"))
        #expect(await server.wait { $0.count { $0.path == "big.ts" && $0.bytesSent > 100_000 } >= 4 })
        func sent(_ isPlayed: Bool) -> Int64 {
            server.requests.filter { ($0.path != "big.ts") == isPlayed }.reduce(0) { $0 + $1.bytesSent }
        }
        let before = sent(false)
        let item = AVPlayerItem(url: server.url(for: "vod-ts/v3/index.m3u8"))
        let player = AVPlayer(playerItem: item)
        player.isMuted = true
        player.play()
        #expect(await server.wait { $0.contains { $0.path.hasSuffix("v3/seg011.ts") && $0.outcome == .complete } })
        let played = sent(true)
        let loaded = sent(false) - before
        player.replaceCurrentItem(with: nil)
        // Without a priority, the four transfers would get most of the throughput. Data in the buffers of sockets
        // cannot be held back.
        #expect(Double(loaded) < 0.5 * Double(played), "\(loaded) bytes of the download beside \(played) of what plays")
        server.setNetwork(nil)
        try await download.finished()
        #expect(try Data(contentsOf: try #require(download.playableURL)) == film)
    }

    @Test("A half-downloaded file plays from disk and requests only the rest")
    func halfAFile() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary(policy: { $0.simultaneousSegments = 1 })
        defer { server.close() }
        let film = Data(Array(repeating: try served("plain/film.ts"), count: 4).joined())
        server.serve("big.ts") { _ in
            ServerResponse(headers: ["Content-Type": "video/mp2t", "ETag": "\"1\""], body: .data(film))
        }
        let hold = server.inject(
            .stall(after: 1000), on: "big.ts",
            where: { $0.headers["Range"]?.hasPrefix("bytes=8388608-") == true && $0.headers["If-Range"] != nil })
        let download = try await test.library.add(server.url(for: "big.ts"))
        #expect(
            await server.wait { $0.contains { $0.range?.hasPrefix("bytes=8388608-") == true && $0.bytesSent >= 1000 } })
        _ = await test.library.totalSize()
        let from = server.requests.count
        let asset = try await download.asset()
        #expect(try await asset.load(.isPlayable))
        let item = AVPlayerItem(asset: asset)
        let player = AVPlayer(playerItem: item)
        player.isMuted = true
        player.play()
        for await status in item.values(of: \.status) where status == .readyToPlay { break }
        player.replaceCurrentItem(with: nil)
        let asked = server.requests.dropFirst(from).compactMap {
            $0.range.flatMap { Int64($0.dropFirst(6).prefix { $0 != "-" }) }
        }
        #expect(asked.allSatisfy { $0 >= 8_388_608 }, "\(asked)")
        // The network's loop finds the parts while the library writes to its record.
        let engine = test.library.engine
        let copies = try #require(await engine.copies(of: download.id))
        let isFound = try engine.record.write { _ in copies.copy(of: download.url, (0, 999)) != nil }
        #expect(isFound)
        server.remove(hold)
        try await download.finished()
    }

    @Test("Reading images of a download does not count as playback")
    func images() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        let download = try await test.library.add(server.url(for: "vod-ts/v1/index.m3u8"), options: .plain)
        try await download.finished()
        let engine = test.library.engine
        func played() throws -> [Bool] { try engine.record.read { try $0.packages().map { $0.played != nil } } }
        let asset = AVURLAsset(url: try #require(download.playableURL))
        _ = try await AVAssetImageGenerator(asset: asset).image(at: .zero)
        // The engine has handled everything that the reader has reported.
        DownloadActor.sync {}
        #expect(try played() == [false])
        let player = AVPlayer(playerItem: AVPlayerItem(asset: asset))
        player.isMuted = true
        player.play()
        try await eventually("the package counts as played") { try played() == [true] }
        player.replaceCurrentItem(with: nil)
    }

    @Test("A live stream is refused with a suggestion")
    func live() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        let download = try await test.library.add(server.url(for: "event/index.m3u8"))
        let error = await download.settles()?.error
        #expect(error?.code == .live && error?.suggestion.contains("recordedDuration") == true)
    }

    @Test("A live stream is recorded for the requested duration")
    func recording() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        // A window of four segments that advances with each request.
        let first = Mutex(0)
        let source = try serveLive(server) {
            first.withLock { number in
                defer { number = min(number + 1, 8) }
                return number
            }
        }
        let download = try await test.library.add(server.url(for: "vod-ts/v1/live.m3u8"), options: Self.recorded)
        try await download.finished()
        let asset = AVURLAsset(url: try #require(download.playableURL))
        expectEqual(try await asset.load(.duration).seconds, 12)
        let media = server.requests.filter { $0.path.hasSuffix(".ts") }.map(\.path)
        // The recording starts three segments before the end of the playlist. Planning requested the playlist once
        // before.
        #expect(media.sorted() == source.segments[2..<8].map { "vod-ts/v1/" + $0.uri })
        #expect(try await test.library.verify(download).isEmpty)
    }

    /// Twelve seconds of a live stream.
    private static var recorded: DownloadOptions {
        var options = DownloadOptions.plain
        options.recordedDuration = 12
        return options
    }

    /// Serves a live stream whose window has four segments of two seconds.
    /// - Parameter first: The number of the window's first segment, 0 to 8. Called for each request.
    /// - Returns: The stream on demand from which the segments are taken.
    private func serveLive(_ server: StreamServer, first: @escaping @Sendable () -> Int) throws -> MediaPlaylist {
        let source = try MediaPlaylist.parse(
            served("vod-ts/v1/index.m3u8"), url: server.url(for: "vod-ts/v1/index.m3u8"))
        let uris = source.segments.map(\.uri)
        server.serve("vod-ts/v1/live.m3u8") { _ in
            let begin = first()
            var text = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:\(begin)\n"
            for uri in uris[begin..<begin + 4] { text += "#EXTINF:2.0,\n\(uri)\n" }
            return .playlist(text)
        }
        return source
    }

    /// Returns whether each segment of a recording is a gap.
    private func gaps(_ test: TestLibrary, _ download: Download) throws -> [Bool] {
        let id = download.id
        let rows = try test.library.engine.record.read { try $0.renditions(of: id) }
        return try #require(rows.first).mediaPlaylist().segments.map(\.isGap)
    }

    @Test("A recording plays past a gap where a segment is missing", arguments: [404, 403])
    func missingSegment(_ status: Int) async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        let first = Mutex(0)
        let source = try serveLive(server) {
            first.withLock { number in
                defer { number = min(number + 1, 8) }
                return number
            }
        }
        // The recording begins with the segment of index 2.
        server.inject(.status(status), on: "vod-ts/v1/" + source.segments[4].uri)
        let download = try await test.library.add(server.url(for: "vod-ts/v1/live.m3u8"), options: Self.recorded)
        try await download.finished()
        #expect(try await test.library.verify(download).isEmpty)
        expectEqual(try gaps(test, download), [false, false, true, false, false, false])
        let item = AVPlayerItem(asset: AVURLAsset(url: try #require(download.playableURL)))
        let player = AVPlayer(playerItem: item)
        player.isMuted = true
        await player.seek(to: CMTime(seconds: 3, preferredTimescale: 600))
        player.play()
        await eventually("the time is past the gap", while: { item.status != .failed }) {
            player.currentTime().seconds > 6.5
        }
        player.replaceCurrentItem(with: nil)
    }

    @Test("A recording resumes after a segment has left the server")
    func segmentLeftServer() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        let first = Mutex(0)
        let source = try serveLive(server) { first.withLock { $0 } }
        let path = "vod-ts/v1/" + source.segments[2].uri
        let others = [1, 3].map { "vod-ts/v1/" + source.segments[$0].uri }
        let hold = server.inject(.stall(after: 1000), on: path)
        let download = try await test.library.add(server.url(for: "vod-ts/v1/live.m3u8"), options: Self.recorded)
        #expect(
            await server.wait { requests in
                requests.contains { $0.path == path && $0.bytesSent >= 1000 }
                    && others.allSatisfy { other in requests.contains { $0.path == other && $0.outcome == .complete } }
            })
        try await download.pause()
        first.withLock { $0 = 4 }
        server.remove(hold)
        server.inject(.status(404), on: path)
        try await download.resume()
        try await download.finished()
        #expect(try await test.library.verify(download).isEmpty)
        expectEqual(try gaps(test, download), [false, true, false, false, false, false])
    }

    @Test("Artwork is stored beside the video")
    func artwork() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        var options = DownloadOptions.plain
        options.artwork = Data("a picture".utf8)
        let download = try await test.library.add(server.url(for: "byterange/ts.m3u8"), options: options)
        try await download.finished()
        #expect(try Data(contentsOf: download.location.appendingPathComponent("artwork")) == options.artwork)
    }
}
