import CFFmpeg
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine
@testable import Streaming

@Suite("HLS streams as assets")
struct HLSAssetTests {
    @Test("an asset reports a stream's duration, tracks and variants")
    func ladder() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let asset = AVURLAsset(url: server.url(for: "vod-fmp4/master.m3u8"))
        let (duration, tracks, variants) = try await asset.load(.duration, .tracks, .variants)
        #expect(duration.seconds == 24)
        #expect(try await asset.load(.isPlayable))
        #expect(try await !asset.load(.hasProtectedContent))
        #expect(tracks.map(\.mediaType) == [.video, .audio])
        #expect(Set(tracks.map(\.trackID)).count == 2)
        #expect(tracks[0].codecName == "h264")
        #expect(tracks[0].nominalFrameRate == 30)
        #expect(
            TestStreams.variants.contains {
                CGSize(width: Double($0.width), height: Double($0.height)) == tracks[0].naturalSize
            })
        #expect(tracks[0].timeRange == CMTimeRange(start: .zero, duration: duration))
        #expect(tracks[1].codecName == "aac")
        #expect(tracks[1].extendedLanguageTag == "en")
        #expect(tracks[1].sampleRate == 48_000)

        #expect(
            variants.map { $0.videoAttributes?.presentationSize }
                == TestStreams.variants.map { CGSize(width: Double($0.width), height: Double($0.height)) })
        let first = try #require(variants.first)
        #expect(first.peakBitRate ?? 0 >= first.averageBitRate ?? .infinity)
        #expect(first.videoAttributes?.codecTypes == ["avc1"])
        #expect(first.videoAttributes?.nominalFrameRate == 30)
        #expect(first.videoAttributes?.videoRange == .sdr)
        #expect(first.audioAttributes == .init(formatIDs: ["mp4a"], channelCount: 1))
        #expect(first.url == server.url(for: "vod-fmp4/v0/index.m3u8"))
    }

    @Test("loading tracks requests only two playlists and the first segment")
    func thrift() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        _ = try await AVURLAsset(url: server.url(for: "vod-ts/master.m3u8")).load(.tracks)
        #expect(server.requests("*.m3u8").count == 2)
        #expect(server.requests("*.ts").count == 1)
    }

    @Test("properties of the multivariant playlist load no segment")
    func playlistOnly() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let asset = AVURLAsset(url: server.url(for: "vod-ts/master.m3u8"))
        let (variants, _) = try await asset.load(
            .variants, .availableMediaCharacteristicsWithMediaSelectionOptions)
        #expect(variants.count == TestStreams.variants.count)
        let (again, _, selection) = try await asset.load(
            .variants, .availableMediaCharacteristicsWithMediaSelectionOptions, .preferredMediaSelection)
        #expect(again.count == variants.count && selection.asset === asset)
        #expect(server.requests("*.m3u8").count == 1 && server.requests("*.ts").isEmpty)
        #expect(asset.readsStarted == 0)
    }

    @Test("the synchronous options of a failed stream load it only once")
    func failedOptions() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let asset = AVURLAsset(url: server.url(for: "vod-ts/missing.m3u8"))
        #expect(try await offPool { asset.mediaSelectionGroup(forMediaCharacteristic: .audible) == nil })
        #expect(try await offPool { asset.availableMediaCharacteristicsWithMediaSelectionOptions.isEmpty })
        #expect(asset.readsStarted == 0)
    }

    @Test(
        "streams of every layout report their duration and codecs",
        arguments: [
            ("vod-ts/v1/index.m3u8", ["h264", "aac"]), ("vod-ts/master.m3u8", ["h264", "aac"]),
            ("packed-audio/aac.m3u8", ["aac"]),
            ("packed-audio/master.m3u8", ["h264", "aac"]), ("audio-only/master.m3u8", ["aac"]),
            ("byterange/fmp4.m3u8", ["h264"]),
            ("aes128/explicit.m3u8", ["h264", "aac"]), ("aes128/fmp4.m3u8", ["h264"]),
            ("redundant/master.m3u8", ["h264", "aac"]),
        ])
    func shapes(path: String, codecs: [String]) async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let asset = AVURLAsset(url: server.url(for: path))
        let (duration, tracks) = try await asset.load(.duration, .tracks)
        #expect(abs(duration.seconds - 24) < 0.1)
        #expect(tracks.map(\.codecName).sorted { $0 > $1 } == codecs)
        #expect(try await asset.load(.isPlayable))
    }

    @Test("a playlist is recognized by its content, not its name")
    func content() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let list = try String(contentsOf: TestStreams.url("vod-ts/v0/index.m3u8"), encoding: .utf8)
        server.serve("vod-ts/v0/stream") { _ in .text(list, type: "application/octet-stream") }
        expectEqual(try await AVURLAsset(url: server.url(for: "vod-ts/v0/stream")).load(.duration).seconds, 24)

        let local = AVURLAsset(url: try TestStreams.url("vod-fmp4/master.m3u8"))
        let (duration, tracks) = try await local.load(.duration, .tracks)
        #expect(duration.seconds == 24)
        #expect(tracks.map(\.mediaType) == [.video, .audio])
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-list-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let named = folder.appendingPathComponent("film.txt")
        let segments = try TestStreams.url("vod-ts/v0/index.m3u8").deletingLastPathComponent().absoluteString
        try list.replacingOccurrences(of: "seg0", with: segments + "seg0").write(
            to: named, atomically: true, encoding: .utf8)
        expectEqual(try await AVURLAsset(url: named).load(.duration).seconds, 24)
        expectEqual(try await AVURLAsset(url: named).load(.tracks).count, 2)
    }

    @Test("an unfinished stream has an indefinite duration")
    func live() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let asset = AVURLAsset(url: server.url(for: "event/index.m3u8"))
        let (duration, tracks) = try await asset.load(.duration, .tracks)
        #expect(duration.isIndefinite)
        #expect(tracks.count == 2)
        #expect(try await !asset.load(.providesPreciseDurationAndTiming))
    }

    @Test("a live window provides tracks, variants and images from its start")
    func window() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let live = try LiveStream(server, at: "live", over: TestStreams.url("vod-ts/master.m3u8"))
        let asset = AVURLAsset(url: server.url(for: "live/master.m3u8"))
        let (duration, tracks, variants) = try await asset.load(.duration, .tracks, .variants)
        #expect(duration.isIndefinite)
        #expect(tracks.map(\.codecName) == ["h264", "aac"])
        #expect(variants.count == 4)
        let first = HLSImageTests.read(try await AVAssetImageGenerator(asset: asset).image(at: .zero).image).number
        #expect(first % 60 == 0)
        let later = HLSImageTests.read(
            try await AVAssetImageGenerator(asset: asset).image(at: CMTime(value: 1, timescale: 1)).image
        ).number
        #expect(later == first + 30)
        withExtendedLifetime(live) {}
    }

    @Test("session data become metadata items")
    func sessionData() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let asset = AVURLAsset(url: server.url(for: "steering/master.m3u8"))
        let items = try await asset.load(.metadata)
        #expect(items.map { $0.key as? String } == ["org.example.title", "org.example.more"])
        #expect(items.first?.stringValue == "Counter")
        #expect(items.first?.extendedLanguageTag == "en")
        #expect(items.first?.identifier?.rawValue == "lsdt/org.example.title")
        #expect(items.last?.dataType == "application/json")
        #expect(items.last?.stringValue?.contains("720") == true)
        // Redundant streams count as one variant.
        expectEqual(try await asset.load(.variants).count, 4)

        // Session data that cannot be loaded do not affect the stream.
        server.inject(.status(404), on: "*.json")
        #expect(
            try await AVURLAsset(url: server.url(for: "steering/master.m3u8")).load(.metadata).map { $0.key as? String }
                == [
                    "org.example.title"
                ])
    }

    @Test("a protected stream loads, but is not playable", arguments: ["fairplay", "widevine", "playready", "master"])
    func keySystem(name: String) async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let asset = AVURLAsset(url: server.url(for: "drm/\(name).m3u8"))
        expectEqual(try await asset.load(.duration).seconds, 24)
        #expect(try await !asset.load(.isPlayable))
        #expect(try await asset.load(.hasProtectedContent))
        let error = await #expect(throws: AVError.self) { try await asset.load(.tracks) }
        #expect(error?.code == .unsupportedKeySystem)
        let other = await #expect(throws: AVError.self) {
            try await AVAssetImageGenerator(asset: asset).image(at: .zero)
        }
        #expect(other?.code == .unsupportedKeySystem)
    }

    @Test("a stream with unknown codecs loads, but is not playable")
    func noDecoder() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        server.serve("dolby.m3u8") { _ in
            .playlist(
                "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000000,CODECS=\"dvh1.05.06,ac-4\",RESOLUTION=640x360\nv.m3u8\n")
        }
        let asset = AVURLAsset(url: server.url(for: "dolby.m3u8"))
        #expect(try await !asset.load(.isPlayable))
        expectEqual(try await asset.load(.variants).map(\.codecs), [["dvh1.05.06", "ac-4"]])
        let error = await #expect(throws: AVError.self) { try await asset.load(.tracks) }
        #expect(error?.code == .decoderNotFound)
    }

    @Test("a stream with unknown codecs has its selectable options")
    func noDecoderOptions() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        server.serve("dolby.m3u8") { _ in
            .playlist(
                """
                #EXTM3U
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Deutsch",LANGUAGE="de",URI="de.m3u8"
                #EXT-X-STREAM-INF:BANDWIDTH=1000000,CODECS="dvh1.05.06,ac-4",RESOLUTION=640x360,AUDIO="a"
                v.m3u8

                """)
        }
        let asset = AVURLAsset(url: server.url(for: "dolby.m3u8"))
        expectEqual(
            try await asset.loadMediaSelectionGroup(for: .audible)?.options.map(\.extendedLanguageTag), ["de"])
        expectEqual(try await asset.load(.availableMediaCharacteristicsWithMediaSelectionOptions), [.audible])
        let fresh = AVURLAsset(url: asset.url)
        let options = try await offPool { fresh.mediaSelectionGroup(forMediaCharacteristic: .audible)?.options.count }
        #expect(options == 1)
        let other = AVURLAsset(url: asset.url)
        let traits = try await offPool { other.availableMediaCharacteristicsWithMediaSelectionOptions }
        #expect(traits == [.audible])
    }

    @Test("faulty streams fail with a typed error and its cause")
    func errors() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        server.serve("broken.m3u8") { _ in
            .playlist("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-KEY:METHOD=AES-128\n#EXTINF:2,\na.ts\n")
        }
        server.serve("page.m3u8") { _ in .text("<html>Welcome</html>", type: "text/html") }
        server.serve("empty.m3u8") { _ in .playlist("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-ENDLIST\n") }
        server.serve("noise.m3u8") { _ in
            .playlist("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nnoise.ts\n#EXT-X-ENDLIST\n")
        }
        server.serve("noise.ts") { _ in
            ServerResponse(
                type: "video/mp2t", Data((0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 >> 3) }))
        }
        func failure(_ path: String) async -> AVError? {
            await #expect(throws: AVError.self) { try await AVURLAsset(url: server.url(for: path)).load(.tracks) }
        }
        let broken = await failure("broken.m3u8")
        #expect(broken?.code == .playlistInvalid)
        #expect(broken?.reason.contains("line 3") == true)
        expectEqual(await failure("page.m3u8")?.code, .playlistInvalid)
        #expect(await failure("empty.m3u8") != nil)
        expectEqual(await failure("noise.m3u8")?.code, .fileFormatNotRecognized)
        let missing = await failure("nowhere.m3u8")
        #expect(missing?.code == .badServerResponse)
        #expect(missing?.httpStatus == 404)
        server.inject(.status(403), on: "*.ts")
        expectEqual(await failure("vod-ts/v1/index.m3u8")?.httpStatus, 403)
        let local = await #expect(throws: AVError.self) {
            try await AVURLAsset(url: URL(fileURLWithPath: "/nonexistent/a.m3u8")).load(.duration)
        }
        #expect(local?.code == .fileNotFound)
    }

    @Test("a silent server times out, and cancellation ends waiting at once", arguments: ["*.m3u8", "*.ts"])
    func patience(stalled: String) async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        server.inject(.stall(after: 100), on: stalled)
        let url = server.url(for: "vod-ts/v1/index.m3u8")
        let error = await #expect(throws: AVError.self) { _ = try await AssetLoader(url: url, timeout: 0.5).details() }
        #expect(error?.code == .timedOut)
        let asset = AVURLAsset(url: url)
        let before = server.requests(stalled).count
        let task = Task { try await asset.load(.duration) }
        #expect(await server.waitForRequests(before + 1, stalled))
        task.cancel()
        let other = await #expect(throws: AVError.self) { try await task.value }
        #expect(other?.code == .cancelled)
    }

    enum Request: CaseIterable, Sendable {
        case tracks, variants, group, tracksNow, groupNow

        func send(_ asset: AVURLAsset) async throws {
            switch self {
            case .tracks: _ = try await asset.load(.tracks)
            case .variants: _ = try await asset.load(.variants)
            case .group: _ = try await asset.loadMediaSelectionGroup(for: .audible)
            case .tracksNow: try await offPool { _ = try asset.loader.detailsNow() }
            case .groupNow: try await offPool { _ = try asset.loader.streamPresentationNow() }
            }
        }
    }

    @Test("cancelLoading() ends every request; a later one loads the stream", arguments: Request.allCases)
    func cancelled(request: Request) async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let stall = server.inject(.stall(after: 0), on: "*.m3u8")
        let asset = AVURLAsset(url: server.url(for: "vod-ts/master.m3u8"))
        let task = Task { try await request.send(asset) }
        #expect(await server.waitForRequests(1, "*.m3u8"))
        asset.cancelLoading()
        let error = await #expect(throws: AVError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        server.remove(stall)
        try await request.send(asset)
    }
}
