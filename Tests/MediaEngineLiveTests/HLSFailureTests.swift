import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

/// A stream that cannot be played must fail with a typed error within a limited time.
@Suite("HLS streams that cannot be played", .serialized)
@MainActor
struct HLSFailureTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var path = "vod-ts/master.m3u8"
        var timeout = 20.0
        let code: AVError.Code
        var status: Int?
        /// The end of the URL in the error.
        let place: String
        let rule: FaultRule
        var testDescription: String { name }

        init(
            _ name: String, path: String = "vod-ts/master.m3u8", timeout: Double = 20, _ faults: Fault...,
            on pattern: String,
            is code: AVError.Code, status: Int? = nil, at place: String
        ) {
            self.name = name
            self.path = path
            self.timeout = timeout
            self.code = code
            self.status = status
            self.place = place
            rule = FaultRule(faults, on: pattern)
        }
    }

    nonisolated static let opening: [Case] = [
        Case(
            "the multivariant playlist answers 404", .status(404), on: "*/master.m3u8", is: .badServerResponse,
            status: 404, at: "/vod-ts/master.m3u8"),
        Case(
            "it answers 403", .status(403), on: "*/master.m3u8", is: .badServerResponse, status: 403,
            at: "/vod-ts/master.m3u8"),
        Case(
            "it answers 500", .status(500), on: "*/master.m3u8", is: .badServerResponse, status: 500,
            at: "/vod-ts/master.m3u8"),
        Case(
            "it answers 503 and asks to wait too long", .status(503, headers: ["Retry-After": "3600"]),
            on: "*/master.m3u8", is: .badServerResponse, status: 503, at: "/vod-ts/master.m3u8"),
        Case("it is garbage", .garbage(4000), on: "*/master.m3u8", is: .playlistInvalid, at: "/vod-ts/master.m3u8"),
        Case("it is empty", .empty, on: "*/master.m3u8", is: .playlistInvalid, at: "/vod-ts/master.m3u8"),
        Case(
            "it is a web page", .body(Data("<!DOCTYPE html><html></html>".utf8)), .type("text/html"),
            on: "*/master.m3u8", is: .playlistInvalid, at: "/vod-ts/master.m3u8"),
        Case(
            "it never ends", .endless(Data("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nx.m3u8\n".utf8)),
            on: "*/master.m3u8", is: .readFailed, status: 200, at: "/vod-ts/master.m3u8"),
        Case(
            "it redirects in a circle", .redirectCircle, on: "*/master.m3u8", is: .httpTooManyRedirects, at: "127.0.0.1"
        ),
        Case(
            "it stalls", timeout: 0.5, .stall(after: 20), on: "*/master.m3u8", is: .timedOut, at: "/vod-ts/master.m3u8"),
        Case(
            "its head dribbles in", timeout: 0.5, .slowHead(0.1), on: "*/master.m3u8", is: .timedOut,
            at: "/vod-ts/master.m3u8"),
        Case(
            "its body dribbles in", timeout: 0.5, .slowBody(0.05), on: "*/master.m3u8", is: .timedOut,
            at: "/vod-ts/master.m3u8"),
        Case(
            "it is always reset", .resetBeforeHead, on: "*/master.m3u8", is: .networkConnectionLost,
            at: "/vod-ts/master.m3u8"),
        Case(
            "it is always cut off", .announcedLengthOff(by: 100), on: "*/master.m3u8", is: .networkConnectionLost,
            at: "/vod-ts/master.m3u8"),
        Case(
            "every media playlist answers 404", .status(404), on: "*/index.m3u8", is: .badServerResponse, status: 404,
            at: "/index.m3u8"),
        Case(
            "every media playlist is garbage", .garbage(4000), on: "*/index.m3u8", is: .playlistInvalid,
            at: "/index.m3u8"),
        Case(
            "every media playlist answers 503", .status(503), on: "*/index.m3u8", is: .badServerResponse, status: 503,
            at: "/index.m3u8"),
        Case("every segment answers 404", .status(404), on: "*.ts", is: .badServerResponse, status: 404, at: ".ts"),
        Case("every segment answers 403", .status(403), on: "*.ts", is: .badServerResponse, status: 403, at: ".ts"),
        Case("every segment answers 500", .status(500), on: "*.ts", is: .badServerResponse, status: 500, at: ".ts"),
        // The playlists, which have no fault, must arrive within the timeout on a slow machine too.
        Case("every segment stalls", timeout: 4, .stall(after: 0), on: "*.ts", is: .timedOut, at: ".ts"),
        Case("every segment is garbage", .garbage(40_000), on: "*.ts", is: .fileFormatNotRecognized, at: ".ts"),
        Case("every segment is empty", .empty, on: "*.ts", is: .fileFormatNotRecognized, at: ".ts"),
        Case(
            "every segment redirects in a circle", .redirectCircle, on: "*.ts", is: .httpTooManyRedirects,
            at: "127.0.0.1"),
        Case(
            "half of the only playlist's segments are not there", path: "vod-ts/v0/index.m3u8", .status(404),
            on: "*/seg00[0-5].ts", is: .badServerResponse, status: 404, at: "/vod-ts/v0/seg000.ts"),
        Case(
            "the initialization section is not there", path: "vod-fmp4/v0/index.m3u8", .status(404), on: "*/init.mp4",
            is: .badServerResponse, status: 404, at: "/vod-fmp4/v0/init.mp4"),
        Case(
            "the initialization section is garbage", path: "vod-fmp4/v0/index.m3u8", .garbage(900), on: "*/init.mp4",
            is: .fileFormatNotRecognized, at: "seg000.m4s"),
        Case(
            "the sound is not there", path: "vod-fmp4/master.m3u8", .status(404), on: "*/audio-en/*.m4s",
            is: .badServerResponse, status: 404, at: ".m4s"),
        Case(
            "the sound's playlist is not there", path: "vod-fmp4/master.m3u8", .status(404),
            on: "*/audio-en/index.m3u8", is: .badServerResponse, status: 404, at: "/audio-en/index.m3u8"),
        Case(
            "the key is not there", path: "aes128/explicit.m3u8", .status(404), on: "*.key", is: .badServerResponse,
            status: 404, at: "/aes128/0.key"),
        Case(
            "the key answers 500", path: "aes128/explicit.m3u8", .status(500), on: "*.key", is: .badServerResponse,
            status: 500, at: "/aes128/0.key"),
        Case(
            "the key is a web page", path: "aes128/explicit.m3u8", .body(Data("<html></html>".utf8)), on: "*.key",
            is: .decodeFailed, at: "/aes128/0.key"),
        Case(
            "the key is empty", path: "aes128/explicit.m3u8", .empty, on: "*.key", is: .decodeFailed,
            at: "/aes128/0.key"),
        Case(
            "the key never ends", path: "aes128/explicit.m3u8", .endless(Data("0123456789".utf8)), on: "*.key",
            is: .readFailed, status: 200, at: "/aes128/0.key"),
        Case(
            "the key is another one", path: "aes128/explicit.m3u8", .body(Data(repeating: 7, count: 16)), on: "*.key",
            is: .decodeFailed, at: "explicit000.ts"),
    ]

    @Test("opening a faulty stream fails with a typed error", arguments: opening)
    func opens(_ fault: Case) async throws {
        let stream = try StreamRig(fault.path, timeout: fault.timeout, opening: 0.5, recovery: 0.5) { server, _ in
            server.inject(fault.rule)
        }
        stream.play()
        let error = try #require(
            await stream.fails(),
            "\(stream.item.status) at \(stream.time), \(stream.server.requests.suffix(5).map { "\($0.path) \($0.status ?? 0) \($0.outcome)" })"
        )
        #expect(error.code == fault.code, "\(error)")
        #expect(error.httpStatus == fault.status)
        #expect(error.location.contains(fault.place), "\(error.location)")
        #expect(!error.reason.isEmpty)
        #expect(stream.player.timeControlStatus == .waitingToPlayAtSpecifiedRate)
        #expect(stream.player.reasonForWaitingToPlay == .noItemToPlay)
        await stream.close()
    }

    @Test("an initialization section without a valid track is refused", arguments: ["tkhd", "ZZZZ"])
    func numberless(name: String) async throws {
        var header = try Data(contentsOf: TestStreams.folder.appendingPathComponent("vod-fmp4/v0/init.mp4"))
        let box = try #require(header.range(of: Data("tkhd".utf8)))
        header.replaceSubrange(box, with: Data(name.utf8))
        // The track's number follows the version, the flags and two times.
        if name == "tkhd" { header[box.upperBound + 12] = 0xFF }
        let stream = try StreamRig("vod-fmp4/v0/index.m3u8") { server, _ in
            server.inject(.body(header), on: "*/init.mp4")
        }
        stream.play()
        let error = try #require(await stream.fails(), "\(stream.time)")
        #expect(error.code == .fileFailedToParse && error.location.contains("seg000.m4s"), "\(error)")
        await stream.close()
    }

    @Test("a server that refuses connections is an error")
    func refused() async throws {
        let server = try TestStreams.server()
        server.pullCable()
        let stream = try StreamRig(server.url(for: "vod-ts/master.m3u8"), server, opening: 0.5)
        stream.play()
        expectEqual(await stream.fails()?.code, .cannotConnectToHost)
        await stream.close()
    }

    @Test(
        "a lasting failure is reported after the loaded media has played",
        arguments: [
            (Fault.status(404), AVError.Code.badServerResponse, Int?.some(404)),
            (.status(500), .badServerResponse, 500),
            (.stall(after: 0), .timedOut, nil), (.garbage(30_000), .fileFormatNotRecognized, nil),
            (.resetBeforeHead, .networkConnectionLost, nil),
        ])
    func later(fault: Fault, code: AVError.Code, status: Int?) async throws {
        // The first segments, which have no fault, must arrive within the timeout on a slow machine too.
        let timeout = code == .timedOut ? 4.0 : 20
        let stream = try StreamRig("vod-ts/master.m3u8", timeout: timeout, recovery: 1) { server, _ in
            server.inject(fault, on: "*/seg00[2-9].ts")
        }
        let ended = NotificationCounter(AVPlayerItem.didPlayToEndTimeNotification, stream.item)
        let failed = NotificationCounter(AVPlayerItem.failedToPlayToEndTimeNotification, stream.item)
        stream.play(rate: 3)
        let error = try #require(await stream.fails(), "\(stream.time)")
        #expect(error.code == code, "\(error)")
        #expect(error.httpStatus == status)
        #expect(stream.rig.shown.allSatisfy { $0 < 120 })
        // The position reaches the last loaded media, but the item has not played to its end.
        #expect(await stream.rig.wait { stream.player.pipeline.position()?.isAtEnd == true })
        await stream.rig.settle()
        #expect(failed.count == 1 && ended.count == 0)
        #expect(stream.player.rate == 3 && stream.player.reasonForWaitingToPlay == .noItemToPlay)
        await stream.close()
    }

    @Test("a failure before playback starts is reported without waiting")
    func early() async throws {
        // For a single media playlist the player does not know the ratio of throughput to bit rate. Two loaded seconds
        // are not enough to start.
        let stream = try StreamRig("vod-ts/v0/index.m3u8") { server, _ in
            server.inject(.status(404), on: "*/seg0[01][1-9].ts")
        }
        stream.play(rate: 2)
        #expect(await stream.fails()?.httpStatus == 404, "\(stream.time)")
        await stream.close()
    }

    @Test("a disconnection longer than the recovery time is an error")
    func cable() async throws {
        let stream = try StreamRig("vod-ts/master.m3u8", recovery: 1) { _, item in
            item.preferredForwardBufferDuration = 2
        }
        stream.play(rate: 2)
        #expect(await stream.reaches(1))
        stream.server.pullCable()
        expectEqual(await stream.fails()?.code, .cannotConnectToHost)
        await stream.close()
    }
}
