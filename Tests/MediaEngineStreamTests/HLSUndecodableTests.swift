import EngineTestSupport
import Foundation
import MediaCore
import Streaming
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Variants with undecodable segments", .serialized)
@MainActor
struct HLSUndecodableTests {
    /// Serves a stream whose playlist names no codecs. The video of the `unknown` variants has an unknown codec.
    private func server(_ variants: [Int], unknown: Set<Int>, sound: Bool = true) throws -> StreamServer {
        let server = try TestStreams.server()
        for variant in unknown {
            server.serve("vod-fmp4/v\(variant)/init*.mp4") { request in
                guard var bytes = try? [UInt8](Data(contentsOf: TestStreams.url(String(request.path)))) else {
                    return nil
                }
                for index in bytes.indices.dropLast(4) where bytes[index..<index + 4].elementsEqual("avc1".utf8) {
                    bytes.replaceSubrange(index..<index + 4, with: "zz01".utf8)
                }
                return ServerResponse(type: "video/mp4", Data(bytes))
            }
        }
        var text = "#EXTM3U\n"
        if sound {
            text +=
                "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"English\",LANGUAGE=\"en\",DEFAULT=YES,AUTOSELECT=YES,URI=\"audio-en/index.m3u8\"\n"
        }
        for variant in variants {
            let size = TestStreams.variants[variant]
            text +=
                "#EXT-X-STREAM-INF:BANDWIDTH=\(size.kilobits * 1200),RESOLUTION=\(size.width)x\(size.height)\(sound ? ",AUDIO=\"a\"" : "")\nv\(variant)/index.m3u8\n"
        }
        let playlist = text
        server.serve("vod-fmp4/odd.m3u8") { _ in .playlist(playlist) }
        return server
    }

    private func play(_ server: StreamServer, _ body: (Rig, AVPlayerItem) async throws -> Void) async throws {
        defer { server.close() }
        let rig = Rig()
        let item = AVPlayerItem(url: server.url(for: "vod-fmp4/odd.m3u8"))
        rig.player.insert(item)
        rig.player.play()
        try await body(rig, item)
        rig.stopDisplay()
        rig.player.close()
    }

    @Test("another variant that can be decoded is played", arguments: [[0], [1, 2], [0, 1, 3]] as [Set<Int>])
    func others(unknown: Set<Int>) async throws {
        try await play(try server([0, 1, 2, 3], unknown: unknown)) { rig, item in
            #expect(
                await rig.wait { rig.shown.count > 60 || item.status == .failed }, "\(String(describing: item.error))")
            #expect(item.status == .readyToPlay && item.trackErrors.isEmpty)
            let log = item.errorLog()?.events.compactMap(\.errorComment) ?? []
            #expect(log.allSatisfy { $0.contains("another variant") && $0.contains("zz01") }, "\(log)")
        }
    }

    @Test("without another variant, only the audio plays and the error is reported", arguments: [[0], [0, 2]])
    func soundAlone(variants: [Int]) async throws {
        try await play(try server(variants, unknown: Set(variants))) { rig, item in
            #expect(await rig.wait { rig.player.currentTime().seconds > 1 || item.status == .failed })
            #expect(item.status == .readyToPlay && item.playsWithoutVideo)
            #expect(item.trackErrors.map(\.code) == [.decoderNotFound])
            #expect(item.trackErrors.first?.reason.contains("zz01") == true)
            #expect(item.errorLog()?.events.contains { $0.errorComment == item.trackErrors.first?.reason } == true)
        }
    }

    @Test("without audio, the item fails and names the codec")
    func nothing() async throws {
        try await play(try server([0, 1], unknown: [0, 1], sound: false)) { rig, item in
            #expect(await rig.wait { item.status == .failed })
            let error = try #require(item.error as? AVError)
            #expect(error.code == .decoderNotFound && error.reason.contains("zz01"))
        }
    }

    @Test("images, exports and asset loading use a decodable variant")
    func offline() async throws {
        let server = try server([0, 3], unknown: [3])
        defer { server.close() }
        let url = server.url(for: "vod-fmp4/odd.m3u8")
        let frame = try AVAssetImageGenerator(asset: AVURLAsset(url: url)).copyImage(
            at: CMTime(seconds: 3, preferredTimescale: 600))
        #expect(frame.presentationSize.width == 320)
        let reader = try OfflineReader(url: url, interrupt: InterruptToken())
        #expect(reader.video != nil && reader.videoProblem == nil)
        let tracks = try await AVURLAsset(url: url).load(.tracks)
        #expect(tracks.contains { $0.mediaType == .video && $0.codecName == "h264" })
    }
}
