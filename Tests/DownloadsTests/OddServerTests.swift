import Foundation
import MediaCore
import Streaming
import Synchronization
import TestSupport
import Testing

@testable import Downloads

/// Tests downloads with servers that are closures and a simulated clock, so an hour of retries takes no time.
@Suite("Downloads from servers of any kind") @MainActor struct OddServerTests {
    /// A library in a folder of its own, over a virtual network.
    private final class Bench {
        let network: VirtualNetwork
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-odd-\(UUID().uuidString)")
        let library: DownloadLibrary

        @MainActor init(_ respond: @escaping @Sendable (HTTPRequest, Int) -> VirtualAnswer) async throws {
            network = VirtualNetwork(respond)
            library = try DownloadLibrary(at: folder, loop: network, isMetered: { false })
            var policy = DownloadPolicy()
            policy.reservedSpace = 0
            try await library.setPolicy(policy)
        }

        deinit {
            let engine = library.engine
            DownloadActor.sync { engine.close() }
            try? FileManager.default.removeItem(at: folder)
        }

        /// Runs the network until the download finishes or fails, or until `seconds` seconds of virtual time have
        /// passed.
        @MainActor func settle(_ id: UUID, seconds: Double = 100_000) -> (job: DownloadRow?, seconds: Double) {
            let engine = library.engine
            func row() -> DownloadRow? { DownloadActor.sync { engine.jobs[id]?.row } }
            var passed = 0.0
            passed = network.run(
                seconds: seconds, settle: { DownloadActor.sync {} },
                until: { row().map { $0.isFinished || $0.failure != nil } ?? true })
            return (row(), passed)
        }
    }

    private static func url() throws -> URL { try #require(URL(string: "http://virtual.example/film.ts")) }

    /// A file that is larger than one part.
    private static func film() throws -> Data { try longFilm.get() }
    private static let longFilm: Result<Data, any Error> = Result {
        let film = try served("plain/film.ts")
        let wanted = Int(FileFacts.leastPart) / 188 * 188 + 188_000
        var long = Data()
        while long.count < wanted { long.append(film) }
        return Data(long.prefix(wanted))
    }

    @Test("Every unusual server's file is downloaded completely", arguments: OddServer.allCases)
    func whole(server: OddServer) async throws {
        let film = try Self.film()
        let bench = try await Bench { request, number in
            // A reset every 100 kB or so would be too often for such a long file.
            guard server == .resets || server == .resetsWithoutRanges else {
                return server.answer(request, number, film)
            }
            var answer = server == .resets ? VirtualAnswer.ranged(request, film) : .whole(film)
            let share = server == .resets ? 300_017 + number % 3 * 500_003 : 900_001 * (number + 1)
            guard share < answer.body.count else { return answer }
            answer.body = answer.body.prefix(share)
            answer.failure = .connectionLost
            return answer
        }
        let download = try await bench.library.add(try Self.url())
        let (row, _) = bench.settle(download.id)
        #expect(row?.failure == nil && row?.isFinished == true, "\(row?.failure as Any)")
        let engine = bench.library.engine
        let file = DownloadActor.sync { engine.jobs[download.id]?.folder.path }
        let names = try FileManager.default.subpathsOfDirectory(atPath: try #require(file))
        let media = try #require(names.first { $0.hasSuffix(".ts") })
        #expect(try Data(contentsOf: URL(fileURLWithPath: try #require(file) + "/" + media)) == film)
        #expect(bench.network.requests.count < 100, "\(bench.network.requests.count)")
    }

    @Test("A refused part leaves the other parts in their file", arguments: [302, 425, 451])
    func refusedPart(status: Int) async throws {
        let film = try Self.film()
        let isRefused = Mutex(false)
        let bench = try await Bench { request, number in
            var answer = VirtualAnswer.ranged(request, film)
            // The first request examines the file. The first part is still being loaded when the second is refused.
            if number > 0, request.range?.first == 0 { answer.pause = 100_000_000 }
            guard request.range?.first == FileFacts.leastPart else { return answer }
            return isRefused.withLock { isRefused in
                defer { isRefused = true }
                return isRefused ? answer : VirtualAnswer(status)
            }
        }
        let download = try await bench.library.add(try Self.url())
        let (row, _) = bench.settle(download.id)
        #expect(row?.failure == nil && row?.isFinished == true, "\(row?.failure as Any)")
        #expect(isRefused.withLock { $0 })
        let names = try FileManager.default.subpathsOfDirectory(atPath: bench.folder.path)
        let media = try #require(names.first { $0.hasSuffix(".ts") })
        #expect(try Data(contentsOf: bench.folder.appendingPathComponent(media)) == film)
    }

    /// The headers that identify the version of a resource.
    enum Version: String, CaseIterable, Sendable {
        case strongTag, weakTag, date, none

        var headers: [String: String] {
            switch self {
            case .strongTag: ["etag": "\"1\""]
            case .weakTag: ["etag": "W/\"1\""]
            case .date: ["last-modified": "Wed, 25 Nov 2026 10:00:00 GMT"]
            case .none: [:]
            }
        }
    }

    @Test(
        "A resumed download requests only what is missing", arguments: Version.allCases,
        [true, false])
    func resumed(version: Version, isReopened: Bool) async throws {
        let film = try Self.film()
        let served = Mutex((isBack: false, before: 0, after: 0))
        let respond: @Sendable (HTTPRequest, Int) -> VirtualAnswer = { request, number in
            var answer = VirtualAnswer.ranged(request, film, version.headers)
            served.withLock { served in
                if served.isBack {
                    served.after += answer.body.count
                } else if (1...3).contains(number) {
                    // After the first request, which examines the file, each response contains new bytes.
                    answer.body = answer.body.prefix(100_003 * number)
                    answer.failure = .connectionLost
                    served.before += answer.body.count
                } else if number > 3 {
                    answer = VirtualAnswer(0)
                    answer.failure = .cannotConnect
                }
            }
            return answer
        }
        let bench = try await Bench(respond)
        let download = try await bench.library.add(try Self.url())
        #expect(bench.settle(download.id).job?.failure?.code == .network)
        served.withLock { $0.isBack = true }
        let id = download.id
        if isReopened {
            await bench.library.close()
            let network = VirtualNetwork(respond)
            let again = try DownloadLibrary(at: bench.folder, loop: network, isMetered: { false })
            let engine = again.engine
            try await again.resume(try #require(again[id]))
            network.run(
                seconds: 1000, settle: { DownloadActor.sync {} },
                until: { DownloadActor.sync { engine.jobs[id]?.row.isFinished ?? true } })
            #expect(DownloadActor.sync { engine.jobs[id]?.row.isFinished } == true)
            await again.close()
        } else {
            try await bench.library.resume(download)
            #expect(bench.settle(id).job?.isFinished == true)
        }
        let (_, before, after) = served.withLock { $0 }
        #expect(before > 300_000 && before + after == film.count, "\(before) and then \(after) of \(film.count)")
        let folder = bench.folder
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        let media = try #require(names.first { $0.hasSuffix(".ts") })
        #expect(try Data(contentsOf: folder.appendingPathComponent(media)) == film)
    }

    @Test("A resumed segment requests only what is missing", arguments: Version.allCases)
    func resumedSegment(version: Version) async throws {
        let served = Mutex((isBack: false, bodies: [String: Int]()))
        let bench = try await Bench { request, _ in
            let path = String(request.url.path.dropFirst())
            guard let whole = try? Data(contentsOf: TestStreams.url(path)) else { return VirtualAnswer(404) }
            var answer = VirtualAnswer.ranged(request, whole, version.headers)
            return served.withLock { served in
                if !served.isBack, path.hasSuffix("seg001.ts") {
                    guard served.bodies[path] == nil else {
                        answer = VirtualAnswer(0)
                        answer.failure = .cannotConnect
                        return answer
                    }
                    answer.body = answer.body.prefix(50_001)
                    answer.failure = .connectionLost
                }
                served.bodies[path, default: 0] += answer.body.count
                return answer
            }
        }
        var options = DownloadOptions()
        options.network.patience = 20
        let url = try #require(URL(string: "http://virtual.example/vod-ts/v3/index.m3u8"))
        let download = try await bench.library.add(url, options: options)
        #expect(bench.settle(download.id).job?.failure?.code == .network)
        served.withLock { $0.isBack = true }
        try await bench.library.resume(download)
        #expect(bench.settle(download.id).job?.isFinished == true)
        for (path, count) in served.withLock({ $0.bodies }) where path.hasSuffix(".ts") {
            let whole = try Data(contentsOf: TestStreams.url(path)).count
            #expect(count == whole, "\(path): \(count) of \(whole)")
        }
    }

    @Test("An accepted unusual version is reported once", arguments: [OddServer.weakTags, .dates, .noRanges])
    func notes(server: OddServer) async throws {
        let film = try Self.film()
        let bench = try await Bench { server.answer($0, $1, film) }
        let notes = Mutex<[DownloadError]>([])
        bench.library.onNote { _, note in notes.withLock { $0.append(note) } }
        let download = try await bench.library.add(try Self.url())
        #expect(bench.settle(download.id).job?.isFinished == true)
        let noted = notes.withLock { $0 }
        #expect(noted.count == (server == .noRanges ? 0 : 1), "\(noted)")
        #expect(noted.allSatisfy { $0.reason.contains("size is the same") && $0.location.hasSuffix("film.ts") })
    }

    @Test("Short partial responses are kept, and the rest is requested")
    func shortParts() async throws {
        let film = try Self.film()
        let bench = try await Bench { request, _ in
            var next = request
            if let range = request.range { next.range = (range.first, min(range.last ?? .max, range.first + 999_999)) }
            return .ranged(next, film)
        }
        let download = try await bench.library.add(try Self.url())
        let (row, _) = bench.settle(download.id)
        #expect(row?.isFinished == true, "\(row?.failure as Any)")
        let starts = bench.network.requests.compactMap { $0.range?.first }
        // The first request examines the file. After it, each byte is requested once.
        #expect(Set(starts.dropFirst()).count == starts.count - 1, "\(starts)")
    }

    @Test("Early closed connections do not increase the waiting time")
    func earlyCloses() async throws {
        let film = try Self.film()
        let bench = try await Bench { request, _ in
            var answer = VirtualAnswer.ranged(request, film)
            if answer.body.count > 100_000 {
                answer.body = answer.body.prefix(100_000)
                answer.failure = .connectionLost
            }
            return answer
        }
        let download = try await bench.library.add(try Self.url())
        let (row, seconds) = bench.settle(download.id)
        #expect(row?.isFinished == true, "\(row?.failure as Any)")
        // About 45 connections, with a short pause after each.
        #expect(seconds < 120, "\(seconds) s")
    }

    enum Trouble: String, CaseIterable, Sendable {
        case certificate, refusedPort, unknownHost, busy, slow, wrongRange, redirects, longLength, cutChunks
    }

    @Test("Permanent failures end with their error in bounded time", arguments: Trouble.allCases, [true, false])
    func fails(trouble: Trouble, isLater: Bool) async throws {
        let film = try Self.film()
        let bench = try await Bench { request, number in
            // In this case the beginning has already been received.
            if isLater, number < 2, trouble != .longLength, trouble != .cutChunks {
                var answer = VirtualAnswer.ranged(request, film)
                if number == 1 {
                    answer.body = answer.body.prefix(100_000)
                    answer.failure = .connectionLost
                }
                return answer
            }
            var answer = VirtualAnswer(0)
            switch trouble {
            case .certificate: answer.failure = .secureConnectionFailed
            case .refusedPort: answer.failure = .cannotConnect
            case .unknownHost: answer.failure = .cannotFindHost
            case .redirects: answer.failure = .tooManyRedirects
            case .busy: answer.status = 503
            case .slow:
                // The client gives up after 15 s.
                answer = isLater ? .ranged(request, film) : .whole(film)
                answer.body = answer.body.prefix(15)
                (answer.pieceLength, answer.pause, answer.failure) = (1, 1_000_000_000, .timedOut)
            case .wrongRange:
                answer = VirtualAnswer(
                    206, ["content-range": "bytes 1000-1999/\(film.count)"], body: film[1000..<2000], announced: 1000)
            case .longLength: answer = VirtualAnswer(200, body: film, announced: Int64(film.count) + 5000)
            case .cutChunks:
                answer = VirtualAnswer(200, body: film)
                answer.failure = .truncated
            }
            return answer
        }
        let download = try await bench.library.add(try Self.url())
        let (row, seconds) = bench.settle(download.id)
        let error = try #require(row?.failure)
        let wanted: DownloadError.Code =
            switch trouble {
            case .certificate: .secureConnectionFailed
            case .refusedPort, .unknownHost, .busy, .slow: .network
            case .redirects: .gone
            case .wrongRange, .longLength, .cutChunks: .notMedia
            }
        #expect(error.code == wanted, "\(error)")
        if trouble == .longLength || trouble == .cutChunks { #expect(error.reason.contains("ended early"), "\(error)") }
        #expect(seconds < (isLater ? 400 : 60), "\(seconds) s")
        #expect(bench.network.requests.count < 200)
        // The app can resume it.
        try await bench.library.resume(download)
        let again = bench.settle(download.id)
        #expect(again.job?.failure?.code == wanted)
    }

    @Test("Infinite patience waits until the network returns")
    func forever() async throws {
        let film = try Self.film()
        let isBack = Mutex(false)
        let bench = try await Bench { request, _ in
            if isBack.withLock({ $0 }) { return .ranged(request, film) }
            var answer = VirtualAnswer(0)
            answer.failure = .cannotConnect
            return answer
        }
        var options = DownloadOptions()
        options.network.patience = .infinity
        let download = try await bench.library.add(try Self.url(), options: options)
        let (row, seconds) = bench.settle(download.id, seconds: 10_000)
        #expect(row?.failure == nil && row?.isFinished == false && seconds > 9_000)
        // The retries have pauses between them.
        #expect(bench.network.requests.count < 1500, "\(bench.network.requests.count)")
        isBack.withLock { $0 = true }
        #expect(bench.settle(download.id).job?.isFinished == true)
    }

    @Test("A network outage of four minutes is waited out")
    func patience() async throws {
        let film = try Self.film()
        let gone = Mutex<ClosedRange<HostTime>?>(nil)
        let clock = Mutex<VirtualNetwork?>(nil)
        let bench = try await Bench { request, number in
            let time = clock.withLock { $0?.time } ?? HostTime(nanoseconds: 0)
            if number == 2 { gone.withLock { $0 = time...(time + 240_000_000_000) } }
            if gone.withLock({ $0?.contains(time) }) == true {
                var answer = VirtualAnswer(0)
                answer.failure = .cannotConnect
                return answer
            }
            return .ranged(request, film)
        }
        clock.withLock { $0 = bench.network }
        let download = try await bench.library.add(try Self.url())
        let (row, seconds) = bench.settle(download.id)
        clock.withLock { $0 = nil }
        #expect(row?.isFinished == true && seconds > 240, "\(row?.failure as Any)")
    }

    /// Returns the answer to a request for a test stream whose I-frames are in files of their own, in a folder
    /// `pictures`. In the test streams, they are ranges of the segments.
    private nonisolated static func stream(_ request: HTTPRequest) -> VirtualAnswer {
        let path = String(request.url.path.dropFirst())
        guard let data = try? served(path.replacing("/pictures/", with: "/")) else { return VirtualAnswer(404) }
        guard path.hasSuffix("iframes.m3u8") else { return .ranged(request, data) }
        return .whole(Data(String(decoding: data, as: UTF8.self).replacing("seg", with: "pictures/seg").utf8))
    }

    /// Adds a download of the least demanding variant, with its I-frames.
    private func addStream(_ bench: Bench) async throws -> Download {
        var options = DownloadOptions()
        options.quality = .worst
        let url = try #require(URL(string: "http://virtual.example/vod-ts/master.m3u8"))
        return try await bench.library.add(url, options: options)
    }

    private func kinds(_ download: Download, in bench: Bench) throws -> [RenditionKind] {
        let id = download.id
        return try bench.library.engine.record.read { try $0.renditions(of: id) }.map(\.kind)
    }

    // Status 0 stands for an invalid certificate.
    @Test(
        "A download finishes without I-frames that its server does not send",
        arguments: ["iframes.m3u8", "/pictures/"], [404, 503, 0])
    func iFramesFail(pattern: String, status: Int) async throws {
        let tried = Mutex<Set<String>>([])
        let bench = try await Bench { request, _ in
            let path = request.url.path
            if path.contains(pattern) {
                var answer = VirtualAnswer(status)
                if status == 0 { answer.failure = .secureConnectionFailed }
                return answer
            }
            // Each segment fails once. The time for which the I-frames failed does not count for segments.
            if path.hasSuffix(".ts"), tried.withLock({ $0.insert(path).inserted }) { return VirtualAnswer(503) }
            return Self.stream(request)
        }
        let download = try await addStream(bench)
        let (row, _) = bench.settle(download.id)
        #expect(row?.isFinished == true, "\(row?.failure as Any)")
        #expect(try kinds(download, in: bench) == [.video])
    }

    @Test("I-frames that fail do not end a download whose segments load")
    func iFramesFailMeanwhile() async throws {
        let bench = try await Bench { request, _ in
            let path = request.url.path
            if path.contains("/pictures/") { return VirtualAnswer(503) }
            var answer = Self.stream(request)
            // In this time, the download would give up after network failures.
            if path.hasSuffix("/v0/seg000.ts") { answer.latency = 1_000_000_000_000 }
            return answer
        }
        let download = try await addStream(bench)
        let (row, seconds) = bench.settle(download.id)
        #expect(row?.isFinished == true && seconds > 1000, "\(row?.failure as Any)")
        #expect(try kinds(download, in: bench) == [.video])
        #expect(bench.network.requests.count { $0.url.path.hasSuffix("/v0/seg000.ts") } == 1)
    }

    @Test("I-frames are kept if an outage ends the download", arguments: [".ts", "iframes.m3u8"])
    func iFramesInOutage(pattern: String) async throws {
        let isBack = Mutex(false)
        let bench = try await Bench { request, _ in
            if isBack.withLock({ $0 }) || !request.url.path.hasSuffix(pattern) { return Self.stream(request) }
            var answer = VirtualAnswer(0)
            answer.failure = .cannotConnect
            return answer
        }
        let download = try await addStream(bench)
        #expect(bench.settle(download.id).job?.failure?.code == .network)
        isBack.withLock { $0 = true }
        try await bench.library.resume(download)
        #expect(bench.settle(download.id).job?.isFinished == true)
        #expect(try kinds(download, in: bench).contains(.iFrames))
    }

    @Test("An expired link is renewed although the I-frame playlist is missing")
    func iFramesAreNotRenewed() async throws {
        let requested = Mutex<Set<String>>([])
        let bench = try await Bench { request, _ in
            let path = request.url.path
            let isFirst = requested.withLock { $0.insert(path).inserted }
            if path.hasSuffix("iframes.m3u8"), !isFirst { return VirtualAnswer(404) }
            if path.hasSuffix("/v0/seg000.ts"), isFirst { return VirtualAnswer(403) }
            return Self.stream(request)
        }
        let download = try await addStream(bench)
        let (row, _) = bench.settle(download.id)
        #expect(row?.isFinished == true, "\(row?.failure as Any)")
        #expect(bench.network.requests.count { $0.url.path.hasSuffix("iframes.m3u8") } == 2)
    }

    @Test("Links that expire again are renewed again")
    func linksExpireAgain() async throws {
        let playlists = Mutex(0)
        let bench = try await Bench { request, _ in
            let path = request.url.path
            let count = playlists.withLock { count in
                if path.hasSuffix("/v0/index.m3u8") { count += 1 }
                return count
            }
            // The URLs of the second playlist expire before the last segment is loaded.
            let needed = path.hasSuffix("/v0/seg000.ts") ? 2 : path.hasSuffix("/v0/seg011.ts") ? 3 : 0
            return count < needed ? VirtualAnswer(403) : Self.stream(request)
        }
        let download = try await addStream(bench)
        let (row, _) = bench.settle(download.id)
        #expect(row?.isFinished == true, "\(row?.failure as Any)")
        #expect(playlists.withLock { $0 } == 3)
    }

    // MARK: recordings

    /// Adds a download of twelve seconds of a live stream.
    private func addRecording(_ path: String, _ bench: Bench) async throws -> Download {
        var options = DownloadOptions.plain
        options.recordedDuration = 12
        return try await bench.library.add(
            try #require(URL(string: "http://virtual.example/" + path)), options: options)
    }

    /// Returns the playlist of a live stream whose window has four segments of two seconds.
    /// - Parameter number: The number of times that the playlist has been loaded before.
    private nonisolated static func window(_ number: Int) -> VirtualAnswer {
        let first = min(number, 8)
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
        for segment in first..<first + 4 { text += "#EXTINF:2.0,\n" + String(format: "seg%03d.ts\n", segment) }
        return .whole(Data(text.utf8))
    }

    @Test("A recording continues after its playlist was missing")
    func missingLivePlaylist() async throws {
        let loads = Mutex(0)
        let bench = try await Bench { request, _ in
            guard request.url.path.hasSuffix(".m3u8") else { return Self.stream(request) }
            let number = loads.withLock { loads in
                defer { loads += 1 }
                return loads
            }
            // Planning and the first round of the recording have loaded the playlist before.
            return number == 2 ? VirtualAnswer(404) : Self.window(number)
        }
        let download = try await addRecording("vod-ts/v1/live.m3u8", bench)
        let (row, _) = bench.settle(download.id)
        #expect(row?.isFinished == true, "\(row?.failure as Any)")
        #expect(loads.withLock { $0 } > 3)
    }

    @Test("A recording uses the redundant playlist while a server is down")
    func redundantLivePlaylist() async throws {
        let master =
            "#EXTM3U\n"
            + ["a", "b"].map {
                """
                #EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=480x96,PATHWAY-ID="\($0)"
                http://\($0).example/vod-ts/v1/live.m3u8

                """
            }.joined()
        let loads = Mutex(0)
        let bench = try await Bench { request, _ in
            let url = request.url
            guard url.host() != "a.example" else { return VirtualAnswer(503) }
            guard url.host() != "virtual.example" else { return .whole(Data(master.utf8)) }
            guard url.path.hasSuffix(".m3u8") else { return Self.stream(request) }
            return Self.window(
                loads.withLock { loads in
                    defer { loads += 1 }
                    return loads
                })
        }
        let download = try await addRecording("master.m3u8", bench)
        let (row, _) = bench.settle(download.id)
        #expect(row?.isFinished == true, "\(row?.failure as Any)")
        let id = download.id
        let rows = try bench.library.engine.record.read { try $0.renditions(of: id) }
        let segments = try #require(rows.first).mediaPlaylist().segments
        #expect(segments.count == 6 && segments.allSatisfy { !$0.isGap && $0.uri.hasPrefix("http://b.example/") })
    }

    @Test("A policy with infinite patience is stored and read back")
    func policy() async throws {
        let bench = try await Bench { _, _ in VirtualAnswer(404) }
        var policy = await bench.library.policy()
        policy.patience = .infinity
        policy.simultaneousDownloads = 7
        try await bench.library.setPolicy(policy)
        await bench.library.close()
        let again = try DownloadLibrary(at: bench.folder, loop: bench.network, isMetered: { false })
        let kept = await again.policy()
        #expect(kept.patience == .infinity && kept.simultaneousDownloads == 7)
        await again.close()
    }
}
