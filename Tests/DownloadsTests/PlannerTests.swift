import Foundation
import MediaCore
import Streaming
import Synchronization
import TestSupport
import Testing

@testable import Downloads

@Suite("Planning of a download") struct PlannerTests {
    /// Returns a planner's reports, except those about responses.
    private func plan(_ bench: JobBench) throws -> [String] {
        let heard = Heard<String>()
        let requests = DownloadActor.sync { JobRequests(loop: bench.network) }
        try DownloadActor.sync { () throws(DownloadError) in
            try DownloadPlanner(row: bench.row, record: bench.record, requests: requests) { outcome in
                switch outcome {
                case .planned(let rows): heard.add("planned \(rows.map(\.kind.rawValue).joined(separator: " "))")
                case .live(let rows): heard.add("live \(rows.count)")
                case .unreachable: heard.add("unreachable")
                case .failed(let error): heard.add("failed \(error.code)")
                case .answered: break
                }
            }.plan()
        }
        bench.run()
        return DownloadActor.sync { heard.all }
    }

    @Test("a playlist is planned, and the next process asks no server")
    func stream() throws {
        let bench = try JobBench { _, _ in .whole(Data(JobBench.playlist(["a.ts", "b.ts"]).utf8)) }
        #expect(try plan(bench) == ["planned video"])
        let asked = bench.network.requests.count
        #expect(try plan(bench) == ["planned video"] && bench.network.requests.count == asked)
    }

    @Test("a file is planned from its first bytes")
    func file() throws {
        let film = Data(repeating: 0x47, count: 20 << 20)
        let bench = try JobBench("http://virtual.example/film.ts") { request, _ in .ranged(request, film) }
        #expect(try plan(bench) == ["planned file"])
        let rows = try bench.record.read { try $0.renditions(of: bench.row.id) }
        let facts = try #require(rows.first?.playlist.flatMap(FileFacts.init(stored:)))
        #expect(facts.size == 20 << 20 && facts.acceptsRanges && facts.name == "film.ts")
    }

    @Test(
        "what is not downloaded is reported with its reason",
        arguments: [
            ("http://virtual.example/main.m3u8", 200, "no playlist", "failed notMedia"),
            ("http://virtual.example/main.m3u8", 404, "", "failed gone"),
            ("http://virtual.example/film.mp4", 200, "", "failed notMedia"),
            ("http://virtual.example/main.m3u8", 503, "", "unreachable"),
        ])
    func failed(_ url: String, _ status: Int, _ body: String, _ outcome: String) throws {
        let bench = try JobBench(url) { _, _ in VirtualAnswer(status, body: Data(body.utf8), announced: nil) }
        #expect(try plan(bench).suffix(1) == [outcome])
    }

    @Test("a live stream is recorded only on request", arguments: [nil, 30.0])
    func live(_ seconds: Double?) throws {
        var options = DownloadOptions.plain
        options.recordedDuration = seconds
        let bench = try JobBench(options: options) { _, _ in
            .whole(Data(JobBench.playlist(["a.ts"], isEnded: false).utf8))
        }
        #expect(try plan(bench) == [seconds == nil ? "failed live" : "live 1"])
    }

    @Test("a recording grows with the playlist until it is long enough")
    func recording() throws {
        let bench = try JobBench()
        let row = try bench.rendition()
        let heard = Heard<String>()
        let lists = Mutex([
            JobBench.playlist(["a.ts", "b.ts", "c.ts"], first: 10, isEnded: false),
            JobBench.playlist(["b.ts", "c.ts", "d.ts"], first: 11, isEnded: false),
            JobBench.playlist(["d.ts", "e.ts", "f.ts"], first: 13, isEnded: false),
        ])
        let recording = DownloadActor.sync {
            LiveRecording(
                [row], seconds: 30, record: bench.record,
                fetch: { url, body in
                    let text = lists.withLock { $0.isEmpty ? "" : $0.removeFirst() }
                    do throws(DownloadError) { try body(Array(text.utf8), url) } catch { heard.add("\(error)") }
                },
                schedule: bench.schedule,
                report: { news, isDone in
                    switch news {
                    case .planned(let rows):
                        heard.add("planned \(rows[0].playlist?.components(separatedBy: ".ts").count ?? 0) \(isDone)")
                    case .grew(let rows):
                        heard.add("grew \(rows[0].playlist?.components(separatedBy: ".ts").count ?? 0) \(isDone)")
                    }
                })
        }
        DownloadActor.sync { recording.start() }
        bench.run()
        #expect(DownloadActor.sync { heard.all } == ["planned 4 false", "grew 5 false", "grew 6 true"])
        let stored = try bench.record.read { try $0.renditions(of: bench.row.id) }
        let only = try #require(stored.first)
        #expect(DownloadActor.sync { !LiveRecording.isUnfinished(only) })
        withExtendedLifetime(recording) {}
    }
}
