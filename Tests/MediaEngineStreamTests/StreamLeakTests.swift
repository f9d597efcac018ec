import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Resource leaks of streams", .serialized)
struct StreamLeakTests {
    /// Runs in a process of its own, which has no other threads and descriptors.
    @Test("closed streams leave no threads, descriptors or connections")
    func leaves() async {
        await #expect(processExitsWith: .success) {
            // Threads of libdispatch's queues ("com.apple.root.default-qos" and others) start and end at any time, so
            // they do not count.
            func threads() -> [String] {
                let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
                return tasks.compactMap { FileManager.default.contents(atPath: "/proc/self/task/\($0)/comm") }
                    .map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .newlines) }
                    .filter { !$0.contains("-qos") }.sorted()
            }
            func playerThreads() -> [String] {
                threads().filter { ["zt-feeder", "zt-video", "zt-audio"].contains($0) }
            }
            @MainActor func round() async throws {
                // Players are closed while they play, open, wait for a playlist, segment or key, retry, or have failed.
                let cases: [(String, FaultRule?)] = [
                    ("vod-ts/master.m3u8", nil), ("vod-fmp4/master.m3u8", nil), ("plain/film.mp4", nil),
                    ("vod-ts/master.m3u8", FaultRule([.stall(after: 20)], on: "*/master.m3u8")),
                    ("vod-ts/master.m3u8", FaultRule([.latency(60)], on: "*/index.m3u8")),
                    ("vod-ts/master.m3u8", FaultRule([.stall(after: 3000)], on: "*/seg*")),
                    ("aes128/explicit.m3u8", FaultRule([.stall(after: 0)], on: "*.key")),
                    ("vod-fmp4/master.m3u8", FaultRule([.stall(after: 0)], on: "*/init.mp4")),
                    ("vod-ts/master.m3u8", FaultRule([.status(503)], on: "*/seg*")),
                    ("vod-ts/master.m3u8", FaultRule([.status(404)], on: "*/seg*")),
                    ("vod-ts/master.m3u8", FaultRule([.garbage(9000)], on: "*")),
                    ("vod-ts/master.m3u8", FaultRule([.endless(Data("#EXTM3U\n".utf8))], on: "*")),
                    ("plain/film.mp4", FaultRule([.stall(after: 200_000)], on: "*")),
                    ("plain/film.ts", FaultRule([.reset(after: 50_000)], on: "*")),
                ]
                for (path, rule) in cases {
                    var fault: FaultRule.ID?
                    let stream = try StreamRig(path) { server, _ in fault = rule.map { server.inject($0) } }
                    stream.play()
                    let isThere = await stream.rig.wait {
                        guard let fault else { return stream.time > 0.2 }
                        return stream.server.matches(fault) ?? 0 > 0
                            && stream.server.requests.count > (path.hasSuffix("master.m3u8") ? 0 : 1)
                            || stream.item.status == .failed
                    }
                    // A failure in this process is reported only by its message.
                    #expect(
                        isThere,
                        "\(path), \(rule.map { "\($0.faults)" } ?? "no fault"): \(stream.time), \(stream.error?.description ?? "no error"), \(stream.server.requests.map(\.path))"
                    )
                    await stream.close()
                }
            }
            try await round()
            // The shared memory of the sound server is released with the last connection.
            await eventually("no threads of players, nothing of PulseAudio") {
                playerThreads().isEmpty && !OpenDescriptors.all().contains { $0.contains("pulse") }
            }
            #expect(playerThreads().isEmpty, "\(playerThreads())")
            let threadsBefore = threads()
            let before = OpenDescriptors.used()
            for _ in 0..<3 { try await round() }
            await eventually("\(threadsBefore.count) threads, \(before.count) descriptors") {
                threads().count <= threadsBefore.count && OpenDescriptors.used().count <= before.count
            }
            #expect(threads().count <= threadsBefore.count, "were \(threadsBefore), are \(threads())")
            let after = OpenDescriptors.all()
            let used = OpenDescriptors.used()
            #expect(used.count <= before.count, "were \(before.sorted()), are \(used.sorted())")
            #expect(after.count - used.count <= 16 + 3, "\(after.sorted())")
        }
    }
}
