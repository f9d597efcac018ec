import EngineTestSupport
import Foundation
import MediaCore
import Streaming
import Synchronization
import TestSupport
import Testing

@testable import MediaEngine

/// Faults of the network and the server that must not stop playback.
@Suite("HLS streams with faults", .serialized)
@MainActor
struct HLSFaultTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var path = "vod-ts/master.m3u8"
        var timeout = 20.0
        /// A peak bit rate that allows only the two lowest variants.
        var peak: Double?
        /// Whether only the variant that is requested first has the fault. The speed of the machine decides which one
        /// that is.
        var breaksFirst: Bool
        /// Whether the error log must contain the fault. nil: that depends on which part notices the fault first.
        var errors: Bool?
        let rule: FaultRule
        var testDescription: String { name }

        init(
            _ name: String, path: String = "vod-ts/master.m3u8", timeout: Double = 20, peak: Double? = nil,
            breaksFirst: Bool = false, errors: Bool? = true,
            _ faults: Fault..., on pattern: String, nth: ClosedRange<Int>? = nil
        ) {
            self.name = name
            self.path = path
            self.timeout = timeout
            self.peak = peak
            self.breaksFirst = breaksFirst
            self.errors = errors
            rule = FaultRule(faults, on: pattern, nth: nth)
        }
    }

    /// Temporary faults, which disappear on a retry.
    nonisolated static let passing: [Case] = [
        Case("latency", errors: false, .latency(0.2), on: "*"),
        Case("a slow network", errors: false, .throttle(.kilobits(2000)), on: "*.ts"),
        Case("a segment that stalls", timeout: 1, .stall(after: 5000), on: "*/seg001.ts", nth: 1...1),
        Case("a segment whose answer does not begin", timeout: 1, .stall(after: 0), on: "*/seg001.ts", nth: 1...1),
        Case("a segment that is reset in its middle", .reset(after: 9000), on: "*/seg001.ts", nth: 1...1),
        Case("a segment that is always reset after some bytes", .reset(after: 20_000), on: "*/seg001.ts"),
        Case(
            "the same from a server without ranges, twice", .reset(after: 20_000), .noRanges, on: "*/seg001.ts",
            nth: 1...2),
        Case("a segment cut off in its middle", .truncate(after: 30_000), on: "*/seg001.ts", nth: 1...1),
        Case("a segment said to be longer than it is", .announcedLengthOff(by: 5000), on: "*/seg001.ts", nth: 1...1),
        Case(
            "a segment said to be shorter than it is", errors: nil, .announcedLengthOff(by: -188), on: "*/seg001.ts",
            nth: 1...1),
        Case("a segment without a length, chunked", errors: false, .chunked, on: "*.ts"),
        Case("a segment that ends with its connection", errors: false, .noLength, on: "*.ts"),
        Case("a segment that answers 500 once", .status(500), on: "*/seg001.ts", nth: 1...1),
        Case(
            "a segment that answers 503, with Retry-After", .status(503, headers: ["Retry-After": "1"]),
            on: "*/seg001.ts", nth: 1...2),
        Case("a wrong MIME type on everything", errors: false, .type("text/html"), on: "*"),
        Case("a head that dribbles in", timeout: 1, .slowHead(0.1), on: "*/seg001.ts", nth: 1...1),
        Case("a body that dribbles in", timeout: 1, errors: nil, .slowBody(0.05), on: "*/seg001.ts", nth: 1...1),
        Case(
            "a multivariant playlist that answers 503 once, with Retry-After",
            .status(503, headers: ["Retry-After": "1"]), on: "*/master.m3u8", nth: 1...1),
        Case("a multivariant playlist cut off once", .announcedLengthOff(by: 100), on: "*/master.m3u8", nth: 1...1),
        Case("a media playlist reset once", errors: nil, .resetBeforeHead, on: "*/index.m3u8", nth: 1...1),
        Case("a media playlist that stalls once", timeout: 1, .stall(after: 50), on: "*/index.m3u8", nth: 1...1),
        Case(
            "an initialization section that answers 500 once", path: "vod-fmp4/master.m3u8", .status(500),
            on: "*/init.mp4", nth: 1...1),
        Case(
            "an initialization section cut off once", path: "vod-fmp4/master.m3u8", .truncate(after: 300),
            on: "*/init.mp4", nth: 1...1),
        Case(
            "sound that is reset in its middle", path: "vod-fmp4/master.m3u8", .reset(after: 3000),
            on: "*/audio-en/seg001.m4s", nth: 1...1),
        Case("a key that answers 503 once", path: "aes128/explicit.m3u8", .status(503), on: "*.key", nth: 1...1),
        Case(
            "an encrypted segment that is reset in its middle", path: "aes128/explicit.m3u8", .reset(after: 9001),
            on: "*/explicit001.ts", nth: 1...1),
    ]

    /// Permanent faults that the player can avoid with a redundant stream or another variant.
    nonisolated static let avoidable: [Case] = [
        Case("a rung whose segment answers 404", peak: 600_000, breaksFirst: true, .status(404), on: "*/v?/seg001.ts"),
        Case("a rung whose segment answers 403", peak: 600_000, breaksFirst: true, .status(403), on: "*/v?/seg001.ts"),
        Case(
            "a rung whose segment answers 500 for ever", peak: 600_000, breaksFirst: true, .status(500),
            on: "*/v?/seg001.ts"),
        Case(
            "a rung whose segment is garbage", peak: 600_000, breaksFirst: true, .garbage(40_000),
            on: "*/v?/seg001.ts"),
        Case("a rung whose first segment is garbage", .garbage(40_000), on: "*/v0/seg000.ts"),
        Case("a rung whose segment is empty", peak: 600_000, breaksFirst: true, .empty, on: "*/v?/seg001.ts"),
        Case("a rung whose first segment is empty", .empty, on: "*/v0/seg000.ts"),
        Case(
            "a rung whose segment redirects in a circle", peak: 600_000, breaksFirst: true, .redirectCircle,
            on: "*/v?/seg001.ts"),
        Case(
            "a rung whose segment stalls for ever", timeout: 1, peak: 600_000, breaksFirst: true, .stall(after: 0),
            on: "*/v?/seg001.ts"),
        Case(
            "a rung whose segment is garbage instead of fMP4", path: "vod-fmp4/master.m3u8", peak: 600_000,
            breaksFirst: true, .garbage(40_000), on: "*/v?/seg001.m4s"),
        Case(
            "a rung whose initialization section answers 404", path: "vod-fmp4/master.m3u8", peak: 600_000,
            .status(404), on: "*/v1/init.mp4"),
        Case(
            "the first rungs' initialization sections answer 404", path: "vod-fmp4/master.m3u8", .status(404),
            on: "*/v[01]/init.mp4"),
        Case(
            "the first rungs' initialization sections are garbage", path: "vod-fmp4/master.m3u8", .garbage(900),
            on: "*/v[01]/init.mp4"),
        Case(
            "a rung whose segment is cut off by its own server", path: "vod-fmp4/master.m3u8", peak: 600_000,
            breaksFirst: true, errors: nil, .announcedLengthOff(by: -9000), on: "*/v?/seg001.m4s"),
        Case(
            "a rung whose initialization section is garbage", path: "vod-fmp4/master.m3u8", peak: 600_000,
            .garbage(900), on: "*/v1/init.mp4"),
        Case("a rung whose playlist answers 404", .status(404), on: "*/v0/index.m3u8"),
        Case("a rung whose playlist is garbage", .garbage(4000), on: "*/v0/index.m3u8"),
        Case("a rung whose playlist is empty", .empty, on: "*/v0/index.m3u8"),
        Case(
            "a rung whose playlist never ends", .endless(Data("#EXTM3U\n#EXTINF:2,\nx.ts\n".utf8)),
            on: "*/v0/index.m3u8"),
        Case("a stream whose first host's copy is gone", path: "redundant/master.m3u8", .status(404), on: "*/a/*"),
        Case(
            "a stream whose first copy breaks off later", path: "redundant/master.m3u8", .status(404),
            on: "*/a/*/seg001.ts"),
    ]

    @Test("playback continues after temporary faults", arguments: passing)
    func passes(_ fault: Case) async throws { try await playsOn(fault) }

    @Test("playback continues by avoiding faulty variants", arguments: avoidable)
    func goneAround(_ fault: Case) async throws { try await playsOn(fault) }

    @Test("a segment that no copy has is skipped after few requests")
    func missingEverywhere() async throws {
        let stream = try StreamRig("redundant/master.m3u8", opening: 10) { server, _ in
            server.inject(.status(404), on: "*/seg001.ts")
        }
        stream.play(rate: 4)
        #expect(await stream.reaches(4.8), "\(stream.time): \(stream.error?.description ?? "no error")")
        stream.neverWentBack()
        // There are eight copies. On a slow machine, a variant may be tried again.
        let requests = stream.server.requests("*/seg001.ts").count
        #expect(requests <= 40, "\(requests)")
        #expect(stream.item.error == nil)
        await stream.close()
    }

    private func playsOn(_ fault: Case) async throws {
        var rule = fault.rule
        if fault.breaksFirst {
            let broken = Mutex<String?>(nil)
            rule.condition = { request in
                broken.withLock { path in
                    if path == nil { path = request.path }
                    return path == request.path
                }
            }
        }
        let stream = try StreamRig(fault.path, timeout: fault.timeout, opening: 10) { server, item in
            server.inject(rule)
            guard let peak = fault.peak else { return }
            item.preferredPeakBitRate = peak
            // A high throughput makes the player begin with the best variant that the limit allows.
            if !fault.breaksFirst { ThroughputMemory.shared.remember(20_000_000, for: server.url(for: fault.path)) }
        }
        stream.play(rate: 4)
        let went = await stream.reaches(4.8)
        #expect(
            went,
            "\(stream.item.status) at \(stream.time): \(stream.error?.description ?? "no error"), \(stream.server.requests.suffix(5).map { "\($0.path) \($0.status ?? 0) \($0.outcome)" })"
        )
        stream.player.pause()
        // The frames are correct and in order, and the newest one is near the current time.
        stream.neverWentBack()
        // At four times the speed a late display may lag behind. It catches up at its next refresh.
        #expect(
            await stream.rig.wait { abs(Double(stream.rig.shown.last ?? -1) / 30 - stream.time) < 1 },
            "\(stream.rig.shown.last ?? -1), \(stream.time)")
        guard let errors = fault.errors else { return await stream.close() }
        if errors {
            #expect(
                await stream.rig.wait {
                    // With a short timeout, the player may abandon a stalled segment for a lower variant before the
                    // timeout.
                    stream.item.errorLog()?.events.isEmpty == false
                        || fault.timeout < 20 && stream.item.entry.session?.currentLog.abandoned ?? 0 > 0
                },
                "\(stream.server.requests.prefix(9).map { "\($0.path) \($0.status ?? 0)" })")
        } else {
            #expect(stream.item.errorLog() == nil)
        }
        await stream.close()
    }
}
