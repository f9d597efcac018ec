import Foundation
import MediaCore
import MediaEngine
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

    private static let isHuge = AVAssetVariantQualifier { $0.peakBitRate ?? 0 > 100_000_000 }

    @Test(
        "a maximum below all variants loads the least demanding one",
        arguments: [
            ([.maximumHeight(100)], "low.m3u8"), ([.maximumPeakBitRate(1000)], "low.m3u8"),
            ([.maximumHeight(100), .maximumPeakBitRate(1000)], "low.m3u8"),
            ([isHuge, .maximumHeight(100)], "low.m3u8"), ([isHuge], "high.m3u8"),
            ([.maximumHeight(100), .maximumPeakBitRate(3_000_000)], "high.m3u8"),
        ] as [([AVAssetVariantQualifier], String)])
    func qualifiers(_ qualifiers: [AVAssetVariantQualifier], _ expected: String) throws {
        let text =
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=320x180\nlow.m3u8\n"
            + "#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=640x360\nhigh.m3u8\n"
        let url = try #require(URL(string: "http://virtual.example/main.m3u8"))
        guard case .multivariant(let playlist) = try Playlist.parse(Array(text.utf8), url: url) else {
            throw SessionTestFailure(description: "no multivariant playlist")
        }
        var options = DownloadOptions.plain
        options.quality =
            AVAssetVariantQualifier.quality(of: qualifiers)
            ?? AVAssetVariantQualifier.quality(of: qualifiers, among: AVAssetVariant.all(of: playlist))
        let bench = try JobBench(options: options) { request, _ in
            .whole(Data((request.url == url ? text : JobBench.playlist(["a.ts"])).utf8))
        }
        #expect(try plan(bench) == ["planned video"])
        #expect(try stored(bench).map(\.url.lastPathComponent) == [expected])
    }

    // Status 0 stands for a refused connection.
    @Test("separate audio is planned from a redundant stream if its server fails", arguments: [404, 503, 0])
    func redundantAudio(_ status: Int) throws {
        let text =
            "#EXTM3U\n"
            + ["a", "b"].map {
                """
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="\($0)",NAME="en",DEFAULT=YES,URI="http://\($0).example/audio.m3u8"
                #EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=320x180,AUDIO="\($0)",PATHWAY-ID="\($0)"
                http://\($0).example/video.m3u8

                """
            }.joined()
        let bench = try JobBench { request, _ in
            switch request.url.host() {
            case "virtual.example": return .whole(Data(text.utf8))
            case "a.example" where request.url.path == "/audio.m3u8":
                var answer = VirtualAnswer(status)
                if status == 0 { answer.failure = .cannotConnect }
                return answer
            default: return .whole(Data(JobBench.playlist(["a.ts"]).utf8))
            }
        }
        #expect(try plan(bench) == ["planned video audio"])
        #expect(try stored(bench).map { $0.playlistURL?.host() } == ["a.example", "b.example"])
    }

    @Test(
        "planning is retried if one of the redundant streams may recover",
        arguments: [(503, 404, "unreachable"), (404, 503, "unreachable"), (404, 403, "failed refused")])
    func redundantFailures(_ first: Int, _ second: Int, _ outcome: String) throws {
        let text =
            "#EXTM3U\n"
            + ["a", "b"].map {
                """
                #EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=320x180,PATHWAY-ID="\($0)"
                http://\($0).example/video.m3u8

                """
            }.joined()
        let bench = try JobBench { request, _ in
            switch request.url.host() {
            case "a.example": VirtualAnswer(first)
            case "b.example": VirtualAnswer(second)
            default: .whole(Data(text.utf8))
            }
        }
        #expect(try plan(bench) == [outcome])
        #expect(bench.network.requests.map { $0.url.host() } == ["virtual.example", "a.example", "b.example"])
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

    /// Records a stream whose server sends `lists`, and stops the recording when it has requested all of them.
    /// - Parameter target: The URL to which the server redirects.
    /// - Returns: The reports, with the number of segments in the recording.
    private func record(
        _ lists: [String], seconds: Double, of row: RenditionRow, on bench: JobBench, redirectedTo target: URL? = nil
    ) -> [String] {
        record([lists], seconds: seconds, of: [row], on: bench, redirectedTo: target)
    }

    /// Records a stream of several tracks.
    /// - Parameter lists: The playlists that the server sends for each row.
    private func record(
        _ lists: [[String]], seconds: Double, of rows: [RenditionRow], on bench: JobBench,
        redirectedTo target: URL? = nil
    ) -> [String] {
        let heard = Heard<String>()
        let lists = Mutex(Dictionary(uniqueKeysWithValues: zip(rows.map(\.url), lists)))
        let recording = DownloadActor.sync {
            LiveRecording(
                rows, seconds: seconds, record: bench.record,
                fetch: { row, body in
                    let url = row.url
                    let text = lists.withLock { $0[url]?.isEmpty == false ? $0[url]?.removeFirst() : nil }
                    guard let text else { return }
                    do throws(DownloadError) { try body(Array(text.utf8), target ?? url) } catch {
                        heard.add("\(error)")
                    }
                },
                schedule: bench.schedule,
                report: { news, isDone in
                    switch news {
                    case .planned(let rows): heard.add("planned \(Self.names(rows).count) \(isDone)")
                    case .grew(let rows): heard.add("grew \(Self.names(rows).count) \(isDone)")
                    }
                })
        }
        DownloadActor.sync { recording.start() }
        bench.run()
        DownloadActor.sync { recording.stop() }
        return DownloadActor.sync { heard.all }
    }

    /// Returns the file names of a rendition's segments, by default the first one's, each with a slash before it after a
    /// discontinuity.
    private static func names(_ rows: [RenditionRow], _ index: Int = 0) -> [String] {
        let segments = (try? rows[safe: index]?.mediaPlaylist())?.segments ?? []
        return segments.map { ($0.isDiscontinuity ? "/" : "") + ($0.uri.split(separator: "/").last ?? "") }
    }

    private func stored(_ bench: JobBench) throws -> [RenditionRow] {
        try bench.record.read { try $0.renditions(of: bench.row.id) }
    }

    @Test("a recording grows with the playlist until it is long enough")
    func recording() throws {
        let bench = try JobBench()
        let reports = record(
            [
                JobBench.playlist(["a.ts", "b.ts", "c.ts"], first: 10, isEnded: false),
                JobBench.playlist(["b.ts", "c.ts", "d.ts"], first: 11, isEnded: false),
                JobBench.playlist(["d.ts", "e.ts", "f.ts"], first: 13, isEnded: false),
            ], seconds: 30, of: try bench.rendition(), on: bench)
        #expect(reports == ["planned 3 false", "grew 4 false", "grew 5 true"])
        let only = try #require(try stored(bench).first)
        #expect(DownloadActor.sync { !LiveRecording.isUnfinished(only) })
    }

    @Test("a recording of a redirected playlist stores absolute URLs")
    func redirectedRecording() throws {
        let bench = try JobBench()
        let target = try #require(URL(string: "http://cdn.example/live/main.m3u8"))
        let list = JobBench.playlist(["a.m4s"], first: 10).replacing(
            "#EXTINF",
            with: "#EXT-X-KEY:METHOD=AES-128,URI=\"k.bin\",IV=0x01\n#EXT-X-MAP:URI=\"init.mp4\"\n#EXTINF")
        let reports = record([list], seconds: 30, of: try bench.rendition(), on: bench, redirectedTo: target)
        #expect(reports == ["planned 1 true"])
        let segment = try #require(try stored(bench).first?.mediaPlaylist().segments.first)
        let map = try #require(segment.map)
        let stored = [segment.uri, map.uri] + (segment.keys + map.keys).map(\.uri)
        #expect(stored == ["a.m4s", "init.mp4", "k.bin", "k.bin"].map { "http://cdn.example/live/" + $0 })
    }

    @Test("a recording continues after a relaunch until it is long enough")
    func relaunchedRecording() throws {
        let bench = try JobBench()
        let first = [JobBench.playlist(["a.ts", "b.ts", "c.ts"], first: 10, isEnded: false)]
        #expect(record(first, seconds: 30, of: try bench.rendition(), on: bench) == ["planned 3 false"])
        let kept = try #require(try stored(bench).first)
        let second = [JobBench.playlist(["e.ts", "f.ts", "g.ts"], first: 14, isEnded: false)]
        #expect(record(second, seconds: 30, of: kept, on: bench) == ["planned 5 true"])
        #expect(Self.names(try stored(bench)) == ["a.ts", "b.ts", "c.ts", "/e.ts", "f.ts"])
    }

    @Test("a recording continues when the stream's numbers start again")
    func restartedStream() throws {
        let bench = try JobBench()
        let old = JobBench.playlist(["a.ts", "b.ts", "c.ts"], first: 10, isEnded: false)
        let new = JobBench.playlist(["x.ts", "y.ts"], first: 0, isEnded: false)
        let last = JobBench.playlist(["y.ts", "z.ts"], first: 1, isEnded: false)
        let reports = record([old, new, new, new, last], seconds: 36, of: try bench.rendition(), on: bench)
        // Nothing is reported, and nothing is written, while the playlists contain nothing new.
        #expect(reports == ["planned 3 false", "grew 5 false", "grew 6 true"])
        #expect(Self.names(try stored(bench)) == ["a.ts", "b.ts", "c.ts", "/x.ts", "y.ts", "z.ts"])
    }

    @Test("a recording ignores stale copies of the playlist")
    func staleCopies() throws {
        let bench = try JobBench()
        let old = JobBench.playlist(["a.ts", "b.ts", "c.ts"], first: 10, isEnded: false)
        let new = JobBench.playlist(["b.ts", "c.ts", "d.ts"], first: 11, isEnded: false)
        // Never three stale copies in a row.
        let lists = [old, new, old, old, new, old, old, JobBench.playlist(["e.ts"], first: 14, isEnded: false)]
        _ = record(lists, seconds: 30, of: try bench.rendition(), on: bench)
        #expect(Self.names(try stored(bench)) == ["a.ts", "b.ts", "c.ts", "d.ts", "e.ts"])
    }

    /// Returns a live playlist of segments that are named after their numbers.
    private static func window(_ numbers: ClosedRange<Int>, first: Int? = nil, date: String? = nil) -> String {
        let list = JobBench.playlist(
            numbers.map { "\($0).ts" }, first: first ?? numbers.lowerBound, isEnded: false)
        guard let date else { return list }
        return list.replacing("#EXTINF", with: "#EXT-X-PROGRAM-DATE-TIME:\(date)\n#EXTINF", maxReplacements: 1)
    }

    @Test(
        "all tracks of a recording begin at the same moment",
        arguments: [
            (nil, nil, nil), (500, "2026-01-01T00:00:00Z", "2026-01-01T00:00:06Z"),
            // Wrong dates are ignored.
            (nil, "2026-01-01T00:00:00Z", "2026-01-01T05:00:00Z"),
        ] as [(Int?, String?, String?)])
    func tracksBegin(_ number: Int?, _ videoDate: String?, _ audioDate: String?) throws {
        let bench = try JobBench()
        let rows = [try bench.rendition(), try bench.rendition(kind: .audio)]
        let isWrong = number == nil && videoDate != nil
        let reports = record(
            [
                [Self.window(10...12, date: videoDate), Self.window(11...13)],
                [Self.window(isWrong ? 10...12 : 11...13, first: number, date: audioDate), Self.window(11...13)],
            ], seconds: 18, of: rows, on: bench)
        #expect(reports.last?.hasSuffix("true") == true, "\(reports)")
        let names = (isWrong ? 10...12 : 11...13).map { "\($0).ts" }
        let stored = try stored(bench)
        #expect(Self.names(stored, 0) == names && Self.names(stored, 1) == names)
    }

    @Test("a recording has a gap where only one track lacks segments")
    func trackMissesSegments() throws {
        let bench = try JobBench()
        let rows = [try bench.rendition(), try bench.rendition(kind: .audio)]
        _ = record(
            [
                [Self.window(10...12), Self.window(12...14), Self.window(14...16)],
                [Self.window(10...12), Self.window(15...17)],
            ], seconds: 42, of: rows, on: bench)
        let stored = try stored(bench)
        #expect(Self.names(stored, 0) == (10...16).map { "\($0).ts" })
        #expect(Self.names(stored, 1) == ["10.ts", "11.ts", "12.ts", "gap.ts", "gap.ts", "15.ts", "16.ts"])
        let playlist = try stored[1].mediaPlaylist()
        #expect(playlist.segments.map(\.isGap) == [false, false, false, true, true, false, false])
    }

    @Test("all tracks of a recording continue together after a relaunch")
    func relaunchedTracks() throws {
        let bench = try JobBench()
        let rows = [try bench.rendition(), try bench.rendition(kind: .audio)]
        let first = record([[Self.window(10...12)], [Self.window(10...12)]], seconds: 30, of: rows, on: bench)
        #expect(first == ["planned 3 false"])
        let kept = try stored(bench)
        _ = record([[Self.window(20...23)], [Self.window(21...24)]], seconds: 30, of: kept, on: bench)
        let names = ["10.ts", "11.ts", "12.ts", "/21.ts", "22.ts"]
        let stored = try stored(bench)
        #expect(Self.names(stored, 0) == names && Self.names(stored, 1) == names)
    }

    @Test("files keep their names when a segment becomes a gap")
    func namesWithGap() throws {
        let bench = try JobBench()
        let list = JobBench.playlist(["a.m4s", "b.m4s", "c.m4s"])
        let sections = ["0", "1", "0"]
        var parts = list.components(separatedBy: "#EXTINF")
        for (index, section) in sections.enumerated() {
            parts[index] += "#EXT-X-KEY:METHOD=AES-128,URI=\"\(section).key\",IV=0x1\n"
            parts[index] += "#EXT-X-MAP:URI=\"\(section).mp4\"\n"
        }
        let bytes = Array(parts.joined(separator: "#EXTINF").utf8)
        var row = try bench.rendition()
        row.playlist = String(decoding: bytes, as: UTF8.self)
        func files(_ row: RenditionRow) throws -> [String: String] {
            let items = try RenditionPlan(try row.mediaPlaylist(), kind: .video).items
            return Dictionary(items.map { ($0.uri, $0.fileName) }, uniquingKeysWith: { first, _ in first })
        }
        let before = try files(row)
        let after = try files(try LiveRecording.row(row, withGapsAt: [0]))
        #expect(before.count == 7 && after == before.filter { $0.key != "a.m4s" })
    }
}
