import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import Streaming

/// The rules for ranges, versions and retries. The tests use a closure as the server and a simulated clock.
@Suite("Loading a resource from servers of any kind")
struct TransferPlanTests {
    private static let film = RemoteFileTests.film(300_000)

    private struct Load {
        var bytes = Data()
        var error: HTTPError?
        var requests: [HTTPRequest] = []
        var seconds = 0.0
        var ranges: [String] {
            requests.map { $0.range.map { "\($0.first)-\($0.last.map(String.init) ?? "")" } ?? "all" }
        }
    }

    /// The loader of a range: that of segments or that of small resources.
    enum Loader: String, CaseIterable, Sendable { case segment, small }

    private func load(
        _ loader: Loader, _ range: ByteRange? = nil, policy: RetryPolicy = .playing, seconds: Double = 1000,
        onNote: @escaping @Sendable (String) -> Void = { _ in },
        _ respond: @escaping @Sendable (HTTPRequest, Int) -> VirtualAnswer
    ) throws -> Load {
        let network = VirtualNetwork(respond)
        let url = try #require(URL(string: "http://virtual.example/film"))
        let end = Mutex<Result<[UInt8], HTTPError>?>(nil)
        var result = Load()
        switch loader {
        case .small:
            let asked = range.map { (first: $0.offset, last: Optional($0.end - 1)) }
            let small = NetworkActor.runLoop {
                SmallLoad(loop: network, request: HTTPRequest(url: url, range: asked), retry: policy) { loaded in
                    end.withLock { $0 = loaded.map(\.bytes) }
                }
            }
            result.seconds = network.run(seconds: seconds, until: { end.withLock { $0 != nil } })
            withExtendedLifetime(small) {}
        case .segment:
            let fetch = NetworkActor.runLoop {
                begin(url, range, over: network, policy, onNote) { result in end.withLock { $0 = result } }
            }
            result.seconds = network.run(seconds: seconds, until: { end.withLock { $0 != nil } })
            withExtendedLifetime(fetch) {}
        }
        result.requests = network.requests
        switch end.withLock({ $0 }) {
        case .success(let bytes): result.bytes = Data(bytes)
        case .failure(let error): result.error = error
        case nil: Issue.record("the load does not end within \(seconds) s: \(result.ranges.suffix(5))")
        }
        return result
    }

    @NetworkActor private func begin(
        _ url: URL, _ range: ByteRange?, over network: VirtualNetwork, _ policy: RetryPolicy,
        _ onNote: @escaping @Sendable (String) -> Void, onEnd: @escaping @Sendable (Result<[UInt8], HTTPError>) -> Void
    ) -> SegmentFetch {
        let buffer = SegmentBuffer(gate: StreamGate())
        let segment = StreamSegment(
            run: .init(source: "", discontinuity: 0, map: ""), variant: nil, mediaSequence: 0, start: 0, duration: 0,
            discontinuity: 0, initialization: nil, buffer: buffer, name: "", location: "", sampleKey: nil)
        let fetch = SegmentFetch(
            segment, pieces: [.init(url: url, range: range)], loop: network, options: HTTPOptions())
        fetch.report = { [weak fetch] event in
            switch event {
            case .progressed, .didLoadPart: break
            case .noted(_, let text): onNote(text)
            case .tryFailed(let error, let progress):
                let delay = progress.retry.delay(
                    after: error, policy, at: network.time, random: .random(in: 0...1))
                guard error.isTransient, let delay else { return onEnd(.failure(error)) }
                fetch?.retry(after: delay)
            case .didLoad, .loadFailed:
                var bytes = [UInt8](repeating: 0, count: buffer.count)
                _ = bytes.withUnsafeMutableBytes { buffer.read(at: 0, into: $0) }
                onEnd(.success(bytes))
            }
        }
        fetch.start(decryptor: nil)
        return fetch
    }

    @Test("Every unusual server delivers a range exactly", arguments: OddServer.allCases, Loader.allCases)
    func ranges(server: OddServer, loader: Loader) throws {
        let film = Self.film
        let range = ByteRange(offset: 100_000, length: 150_000)
        let load = try load(loader, range) { server.answer($0, $1, film) }
        #expect(load.bytes == film[100_000..<250_000] && load.error == nil, "\(load.error as Any) \(load.ranges)")
        #expect(load.requests.count <= 8, "\(load.ranges)")
    }

    @Test("Every unusual server delivers the whole resource exactly", arguments: OddServer.allCases, Loader.allCases)
    func whole(server: OddServer, loader: Loader) throws {
        let film = Self.film
        // A playlist or a key is never assembled from several responses.
        if server == .resets, loader == .small { return }
        let load = try load(loader) { server.answer($0, $1, film) }
        #expect(load.bytes == film && load.error == nil, "\(load.error as Any) \(load.ranges)")
        #expect(load.requests.count <= 14, "\(load.ranges)")
    }

    @Test("Every unusual server is resumed after a broken connection", arguments: OddServer.allCases)
    func continued(server: OddServer) throws {
        let film = Self.film
        let load = try load(.segment) { request, number in
            var answer = server.answer(request, number, film)
            if number == 0, answer.status == 200 {
                answer.body = answer.body.prefix(123_456)
                answer.failure = .connectionLost
            }
            return answer
        }
        #expect(load.bytes == film && load.error == nil, "\(load.error as Any) \(load.ranges)")
    }

    @Test("Short responses with different totals are joined if the bytes match", arguments: [true, false])
    func wrongTotals(isReplaced: Bool) throws {
        let film = Self.film
        let other = Data(film.map { $0 ^ 0x55 })
        let load = try load(.segment, ByteRange(offset: 1000, length: 250_000)) { request, number in
            var answer = OddServer.wrongTotals.answer(request, number, isReplaced && number > 0 ? other : film)
            if request.range != nil {
                answer.body = answer.body.prefix(70_000)
                answer.announced = 70_000
            }
            return answer
        }
        if isReplaced {
            #expect(load.error?.kind == .changed && load.requests.count == 3)
        } else {
            #expect(load.bytes == film[1000..<251_000] && load.error == nil)
        }
    }

    @Test("An accepted weak tag is reported", arguments: [OddServer.weakTags, .dates, .noRanges])
    func notes(server: OddServer) throws {
        let film = Self.film
        let notes = Mutex<[String]>([])
        let load = try load(.segment, onNote: { note in notes.withLock { $0.append(note) } }) { request, number in
            var answer = server.answer(request, number, film)
            answer.body = number == 0 ? answer.body.prefix(100_000) : answer.body
            answer.failure = number == 0 ? .connectionLost : nil
            return answer
        }
        #expect(load.bytes == film)
        let noted = notes.withLock { $0 }
        #expect(server == .noRanges ? noted.isEmpty : noted.count == 1 && noted[0].contains("size is the same"))
    }

    @Test("A version is stored as its validator or its length")
    func storedVersion() {
        var facts = ResourceFacts(length: 500)
        #expect(facts.version == "=500" && facts.continued(from: "=500") == ResourceFacts(length: 500).varying)
        #expect(facts.continued(from: "=501") == nil && facts.continued(from: "\"a\"") == nil)
        facts.validator = "\"a\""
        #expect(facts.version == "\"a\"" && facts.continued(from: "\"a\"") == facts)
        #expect(facts.continued(from: "\"b\"") == nil)
        facts.version = "=7"
        #expect(facts.length == 7 && ResourceFacts().version.isEmpty)
    }

    @Test("A short partial response is kept, and the rest is requested")
    func shortParts() throws {
        let film = Self.film
        let load = try load(.segment, ByteRange(offset: 0, length: 300_000)) {
            OddServer.shortParts.answer($0, $1, film)
        }
        #expect(
            load.ranges == ["0-299999", "70000-299999", "140000-299999", "210000-299999", "280000-299999"])
        #expect(load.seconds < 1)
    }

    @Test("A response that is always too short fails as truncated", arguments: [true, false])
    func longLength(isMeasured: Bool) throws {
        let film = Self.film
        let load = try load(.segment) { _, _ in
            var answer = VirtualAnswer(200, body: film, announced: isMeasured ? Int64(film.count) + 5000 : nil)
            if !isMeasured { answer.failure = .truncated }
            return answer
        }
        let error = try #require(load.error)
        #expect(error.kind == .truncated && !error.isTransient && error.reason.contains("ended early"))
        #expect(load.requests.count == EarlyEnds.most && load.seconds < 10)
    }

    @Test("Bytes received again are not progress")
    func refetched() throws {
        let film = Self.film
        // Each response begins at the start and is one byte shorter.
        let load = try load(.segment, policy: RetryPolicy(tries: 1000, within: 60_000_000_000)) { _, number in
            var answer = VirtualAnswer(200, body: film.prefix(200_000 - number), announced: Int64(film.count))
            answer.failure = .connectionLost
            return answer
        }
        #expect(load.error?.kind == .connectionLost)
        #expect(load.seconds > 50 && load.seconds < 70 && load.requests.count < 40)
    }

    @Test("New bytes reset the number of retries")
    func progress() throws {
        let film = Self.film
        let load = try load(.segment, policy: .opening) { request, _ in
            var answer = VirtualAnswer.ranged(request, film)
            answer.body = answer.body.prefix(20_000)
            return answer
        }
        #expect(load.bytes == film && load.requests.count == 15)
    }

    @Test("A server that cannot be reached fails after the allowed retries", arguments: Loader.allCases)
    func gone(loader: Loader) throws {
        let load = try load(loader, policy: .opening) { _, _ in
            var answer = VirtualAnswer(0)
            answer.failure = .cannotConnect
            return answer
        }
        #expect(load.error?.kind == .cannotConnect && load.requests.count == 3 && load.seconds <= 20)
    }

    @Test("A permanent error is requested only once", arguments: [401, 404, 410])
    func permanent(status: Int) throws {
        let load = try load(.segment, ByteRange(offset: 5, length: 10)) { _, _ in VirtualAnswer(status) }
        #expect(load.error?.status == status && load.requests.count == 1)
    }

    @Test("A file shorter than the requested range fails permanently", arguments: [true, false])
    func tooShort(says: Bool) throws {
        let film = Self.film
        let load = try load(.segment, ByteRange(offset: 290_000, length: 20_000)) { request, _ in
            var answer = VirtualAnswer.ranged(request, film)
            if !says, answer.status == 416 { answer.headers = [:] }
            return answer
        }
        let error = try #require(load.error)
        #expect(!error.isTransient && error.reason.contains("cut off"), "\(error)")
        #expect(load.requests.count == 2)
    }

    @Test("A small load accepts a resource shorter than its range")
    func shortResource() throws {
        let film = Self.film
        for server in [OddServer.noRanges, .unknownTotal, .chunked, .promisesRanges, .noContentRange] {
            let load = try load(.small, ByteRange(offset: 0, length: 1 << 20)) { server.answer($0, $1, film) }
            #expect(load.bytes == film, "\(server): \(load.error as Any) \(load.ranges)")
        }
    }

    // MARK: plan without a network

    private func answer(
        _ plan: inout TransferPlan, _ status: Int, length: Int64? = nil, start: Int64? = nil, whole: Int64? = nil,
        _ headers: [String: String] = [:]
    ) throws -> TransferPlan.Answer {
        let url = try #require(URL(string: "http://virtual.example/film"))
        return plan.answered(
            HTTPResponse(
                url: url, status: status, headers: headers, contentLength: length, rangeStart: start,
                wholeLength: whole ?? (status == 200 ? length : nil), acceptsRanges: status == 206))
    }

    @Test("A response's version decides: continue, restart or fail")
    func versions() throws {
        func second(
            _ first: [String: String], _ next: [String: String], whole: Int64 = 1000
        ) throws -> (TransferPlan.Answer, TransferPlan) {
            var plan = TransferPlan(probesRanges: true)
            _ = plan.request()
            _ = try answer(&plan, 206, length: 1000, start: 0, whole: 1000, first)
            _ = plan.received(400)
            plan.aim(from: 400, to: nil)
            _ = plan.request()
            return (try answer(&plan, 206, length: whole - 400, start: 400, whole: whole, next), plan)
        }
        func isTaken(_ answer: TransferPlan.Answer) -> (taken: Bool, noted: Bool) {
            if case .take(false, let note) = answer { (true, note != nil) } else { (false, false) }
        }
        func sendsNext(_ answer: TransferPlan.Answer) -> Bool {
            if case .sendNextRequest = answer { true } else { false }
        }
        #expect(isTaken(try second(["etag": "\"a\""], ["etag": "\"a\""]).0) == (true, false))
        #expect(isTaken(try second(["etag": "W/\"a\""], ["etag": "W/\"b\""]).0) == (true, true))
        #expect(isTaken(try second(["etag": "\"a\""], ["etag": "W/\"a\""]).0) == (true, false))
        #expect(isTaken(try second(["last-modified": "1"], ["last-modified": "2"]).0) == (true, true))
        #expect(
            isTaken(try second(["etag": "\"a\"", "last-modified": "1"], ["last-modified": "1"]).0) == (true, false))
        // Another strong tag or another length restarts the transfer in a single response.
        #expect(sendsNext(try second(["etag": "\"a\""], ["etag": "\"b\""]).0))
        #expect(sendsNext(try second(["etag": "W/\"a\""], ["etag": "W/\"b\""], whole: 2000).0))
        var (_, plan) = try second(["etag": "\"a\""], ["etag": "\"b\""])
        #expect(plan.request().range == nil)
        guard case .take(true, _) = try answer(&plan, 200, length: 1000, ["etag": "\"c\""]) else {
            Issue.record("the second reading is not taken")
            return
        }
        // Afterwards ranges are requested again.
        plan.startOver()
        _ = plan.received(10)
        plan.aim(from: 500, to: nil)
        #expect(plan.request().range?.first == 500)
        guard case .fail(let error) = try answer(&plan, 206, length: 500, start: 500, whole: 1000, ["etag": "\"d\""])
        else {
            Issue.record("a third version is taken")
            return
        }
        #expect(error.kind == .changed && error.reason.contains("replaced"))
    }

    @Test("Weak tags and varying dates are not sent in If-Range")
    func ifRange() throws {
        func sent(_ headers: [[String: String]]) throws -> String? {
            var plan = TransferPlan(probesRanges: true)
            for headers in headers {
                _ = plan.request()
                _ = try answer(&plan, 206, length: 1000 - plan.position, start: plan.position, whole: 1000, headers)
                _ = plan.received(100)
            }
            return plan.request().ifRange
        }
        #expect(try sent([["etag": "\"a\"", "last-modified": "1"]]) == "\"a\"")
        #expect(try sent([["etag": "W/\"a\"", "last-modified": "1"]]) == "1")
        #expect(try sent([["etag": "W/\"a\""]]) == nil)
        #expect(try sent([["last-modified": "1"], ["last-modified": "2"]]) == nil)
        #expect(try sent([[:]]) == nil)
    }

    @Test("Only wanted and new bytes of a body are used")
    func body() throws {
        var plan = TransferPlan(from: 100, to: 200)
        _ = plan.request()
        _ = try answer(&plan, 200, length: 1000)
        #expect(plan.received(60) == 0..<0 || plan.received == 0)
        #expect(plan.received(60) == 40..<60 && plan.received == 20)
        #expect(plan.received(0).isEmpty && !plan.isComplete)
        #expect(plan.received(200) == 0..<80 && plan.isComplete && plan.hasSurplus)
        #expect(plan.received(100).isEmpty)
        plan = TransferPlan(from: 100, to: 200, received: 50)
        #expect(plan.request().range.map { $0 == (150, 199) } == true)
        _ = try answer(&plan, 206, length: 100, start: 100, whole: 1000)
        #expect(plan.received(100) == 50..<100 && plan.isComplete && !plan.hasSurplus)
    }

    @Test("Extreme numbers from a server never trap")
    func extremes() throws {
        for start in [0, 1, Int64.max, 1 << 60] {
            for length in [nil, 0, 1, Int64.max, 1 << 60] as [Int64?] {
                for whole in [nil, 0, 1, Int64.max] as [Int64?] {
                    for status in [200, 206] {
                        var plan = TransferPlan(from: 1, to: .max)
                        _ = plan.request()
                        _ = try answer(&plan, status, length: length, start: start, whole: whole)
                        _ = plan.received(1000)
                        _ = plan.request()
                        let url = try #require(URL(string: "http://virtual.example/film"))
                        _ = plan.ended(nil, url: url, at: HostTime(nanoseconds: 1))
                    }
                }
            }
        }
    }
}

extension ResourceFacts {
    /// The same facts for a file whose server reports varying dates.
    fileprivate var varying: ResourceFacts {
        var facts = self
        facts.datesVary = true
        return facts
    }
}
