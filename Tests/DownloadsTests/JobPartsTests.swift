import Foundation
import MediaCore
import Streaming
import Testing

@testable import Downloads

@Suite("Retries of a download job") struct JobRetriesTests {
    private let item = ItemReference(rendition: 0, place: 0)
    private func failure(retryAfter: Double? = nil) throws -> HTTPError {
        let url = try #require(URL(string: "http://virtual.example/a"))
        return HTTPError(.connectionLost, url: url, retryAfter: retryAfter, reason: "lost")
    }

    @Test("waits double up to 15 s, and end when patience is over")
    func patience() throws {
        let retries = JobRetries()
        var now = HostTime(nanoseconds: 1_000_000_000)
        var delays: [Double] = []
        for _ in 0..<100 {
            let delay = retries.stalled(item, inARow: nil, try failure(), patience: 60, at: now, random: 1)
            guard let delay else { break }
            delays.append(Double(delay) / 1e9)
            now = now + delay
        }
        #expect(delays == [0.5, 1, 2, 4, 8, 15, 15])
    }

    @Test("infinite patience never gives up, and Retry-After is respected")
    func forever() throws {
        let retries = JobRetries()
        let late = HostTime(nanoseconds: 1_000_000_000_000_000)
        #expect(
            retries.planningFailed(try failure(), patience: .infinity, at: .zero, random: 1) == 500_000_000)
        #expect(
            retries.planningFailed(
                try failure(retryAfter: 100), patience: .infinity, at: late, random: 1) == 100_000_000_000)
    }

    @Test("new bytes reset the count of network failures")
    func gained() throws {
        let retries = JobRetries()
        for _ in 0..<4 { _ = retries.planningFailed(try failure(), patience: 60, at: .zero, random: 1) }
        #expect(!retries.gained(1) && retries.gained(1 << 20))
        #expect(retries.planningFailed(try failure(), patience: 60, at: .zero, random: 1) == 500_000_000)
    }

    @Test("wrong content is loaded three times, and success clears the count")
    func wrong() {
        let retries = JobRetries()
        #expect(retries.wasWrong(item) == (true, 1) && retries.wasWrong(item) == (true, 2))
        retries.succeeded(item)
        #expect(retries.wasWrong(item).isRetried && retries.wasWrong(item).isRetried)
        #expect(!retries.wasWrong(item).isRetried)
        retries.startOver()
        #expect(retries.wasWrong(item) == (true, 1) && retries.refused(item) == 1 && retries.refused(item) == 2)
    }

    @Test("begin() resets all retries, startOver() only those of resources")
    func begin() {
        let retries = JobRetries()
        retries.refreshed(for: item)
        retries.loadsInOnePiece()
        for _ in 0..<3 { #expect(retries.lost()) }
        retries.startOver()
        #expect(!retries.mayRefresh(for: item) && retries.isInOnePiece && !retries.lost())
        retries.begin()
        #expect(retries.mayRefresh(for: item) && !retries.isInOnePiece && retries.lost())
    }

    @Test("playlists are requested again after a success, once for each resource")
    func refreshes() {
        let retries = JobRetries()
        let other = ItemReference(rendition: 0, place: 1)
        retries.refreshed(for: item)
        #expect(!retries.mayRefresh(for: item) && !retries.mayRefresh(for: other))
        retries.succeeded(ItemReference(rendition: 1, place: 0))
        #expect(!retries.mayRefresh(for: item) && retries.mayRefresh(for: other))
        retries.succeeded(item)
        #expect(retries.mayRefresh(for: item))
    }
}

@Suite("Progress of a download job") struct JobProgressTests {
    @Test("ten reports per second at most, and none is lost")
    func interval() {
        let progress = JobProgress()
        let now = HostTime(nanoseconds: 1_000_000_000)
        #expect(progress.next(at: now) == .now)
        progress.wasReported(at: now)
        #expect(progress.next(at: now + 30_000_000) == .later(70_000_000))
        #expect(progress.next(at: now + 40_000_000) == .scheduled)
        progress.isDue()
        #expect(progress.next(at: now + 50_000_000) == .later(50_000_000))
        #expect(progress.next(at: now + 100_000_000) == .now)
    }

    @Test("reported progress is stored every two seconds")
    func store() {
        let progress = JobProgress()
        let now = HostTime(nanoseconds: 1_000_000_000)
        progress.wasStored(at: now)
        progress.wasReported(at: now + 2_000_000_000)
        #expect(!progress.isStoreDue)
        progress.wasReported(at: now + 2_000_000_001)
        #expect(progress.isStoreDue)
    }

    @Test("bytes and seconds never decrease")
    func monotonic() {
        let progress = JobProgress()
        var result = DownloadProgress()
        var estimates = 0
        func measure(_ bytes: Int64, _ seconds: Double, at time: Int64) {
            let amounts = JobProgress.Amounts(bytes: bytes, seconds: seconds, wholeSeconds: 60)
            progress.measure(
                amounts,
                expectedBytes: {
                    estimates += 1
                    return 1000
                }, into: &result, at: HostTime(nanoseconds: time))
        }
        measure(500, 30, at: 1_000_000_000)
        measure(200, 12, at: 1_100_000_000)
        #expect(result.bytes == 500 && result.seconds == 30 && result.expectedBytes == 1000 && estimates == 1)
        measure(1500, 70, at: 2_000_000_000)
        #expect(result.bytes == 1500 && result.expectedBytes == 1500 && result.expectedSeconds == 70 && estimates == 2)
    }

    @Test("the rate is that of the last five seconds")
    func rate() {
        let progress = JobProgress()
        var result = DownloadProgress()
        let start = HostTime(nanoseconds: 1_000_000_000)
        for second in 0..<4 { progress.add(1000, at: start + Int64(second) * 1_000_000_000) }
        progress.measure(.init(), expectedBytes: { 0 }, into: &result, at: start + 4_000_000_000)
        #expect(result.rate == 1000)
        progress.measure(.init(), expectedBytes: { 0 }, into: &result, at: start + 60_000_000_000)
        #expect(result.rate == 0)
    }
}

@Suite("Turns of a download job") struct JobTurnTests {
    @Test("timers of an earlier turn do nothing")
    func turns() throws {
        let bench = try JobBench()
        let heard = Heard<String>()
        DownloadActor.sync {
            let turn = JobTurn(loop: bench.network, schedule: bench.schedule)
            turn.retry(after: 1_000) { heard.add("old retry") }
            turn.wake(at: bench.network.time + 1_000) { heard.add("old alarm") }
            turn.next()
            #expect(turn.number == 1)
            turn.retry(after: 2_000) {
                heard.add("retry")
                withExtendedLifetime(turn) {}
            }
        }
        bench.run()
        #expect(DownloadActor.sync { heard.all } == ["retry"])
    }

    @Test("the earliest alarm and the last retry win")
    func earliest() throws {
        let bench = try JobBench()
        let heard = Heard<String>()
        let turn = DownloadActor.sync { JobTurn(loop: bench.network, schedule: bench.schedule) }
        DownloadActor.sync {
            let now = bench.network.time
            turn.wake(at: now + 3_000) { heard.add("late") }
            turn.wake(at: now + 1_000) { heard.add("early") }
            turn.wake(at: now + 2_000) { heard.add("between") }
            turn.retry(after: 500) { heard.add("replaced") }
            turn.retry(after: 4_000) { heard.add("retry") }
        }
        bench.run()
        #expect(DownloadActor.sync { heard.all } == ["early", "retry"])
        withExtendedLifetime(turn) {}
    }
}

@Suite("Requests of a download job") struct JobRequestsTests {
    @Test("credentials in a playlist are remembered and removed")
    func credentials() throws {
        let bench = try JobBench { _, _ in
            .whole(Data("#EXTM3U\n#EXTINF:6,\nhttp://me:secret@other.example/a.ts\n#EXT-X-ENDLIST\n".utf8))
        }
        let texts = Heard<String>()
        let requests = DownloadActor.sync { JobRequests(loop: bench.network) }
        DownloadActor.sync {
            requests.text(bench.row.url, for: bench.row) { result in
                if case .success(let loaded) = result { texts.add(String(decoding: loaded.bytes, as: UTF8.self)) }
            }
        }
        bench.run()
        let text = try #require(DownloadActor.sync { texts.all.first })
        #expect(text.contains("http://other.example/a.ts") && !text.contains("secret"))
        let segment = try #require(URL(string: "http://other.example/a.ts"))
        #expect(DownloadActor.sync { requests.credentials.authorized(segment) }.password == "secret")
    }

    @Test("nothing is reported after cancel")
    func cancelled() throws {
        let bench = try JobBench { request, _ in .ranged(request, Data("#EXTM3U\n".utf8)) }
        let heard = Heard<Bool>()
        let requests = DownloadActor.sync { JobRequests(loop: bench.network) }
        DownloadActor.sync {
            requests.text(bench.row.url, for: bench.row) { _ in heard.add(true) }
            requests.beginning(of: bench.row, isPlaylist: false) { _ in heard.add(true) }
            requests.cancel()
            requests.text(bench.row.url, for: bench.row) { _ in heard.add(false) }
        }
        bench.run()
        #expect(DownloadActor.sync { heard.all } == [false])
    }
}
