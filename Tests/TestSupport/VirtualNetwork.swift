import Foundation
import MediaCore
import Streaming
import Synchronization

/// A network loop with a clock that the test moves, and a server implemented by a closure. Nothing waits: `run` jumps
/// from one event to the next.
package final class VirtualNetwork: NetworkLoop {
    private struct Event {
        var time: HostTime
        var number: Int
        var timer: Timer
    }
    private struct State {
        var time = HostTime(nanoseconds: 1_000_000_000_000)
        var events: [Event] = []
        var number = 0
        var requests: [HTTPRequest] = []
    }
    private let state = Mutex(State())
    private let respond: @Sendable (HTTPRequest, Int) -> VirtualAnswer

    /// Creates a network.
    /// - Parameter respond: The server. Called with each request and the number of earlier requests.
    package init(_ respond: @escaping @Sendable (HTTPRequest, Int) -> VirtualAnswer) { self.respond = respond }

    package var time: HostTime { state.withLock { $0.time } }
    package var requests: [HTTPRequest] { state.withLock { $0.requests } }

    package func perform(_ work: @escaping @NetworkActor () -> Void) { schedule(at: time, work) }

    @discardableResult
    package func schedule(at time: HostTime, _ work: @escaping @NetworkActor () -> Void) -> any NetworkTimer {
        let timer = Timer(work)
        state.withLock { state in
            state.number += 1
            state.events.append(Event(time: max(time, state.time), number: state.number, timer: timer))
        }
        return timer
    }

    package func start(_ request: HTTPRequest, _ callbacks: HTTPCallbacks) -> any HTTPTask {
        let task = Task(self)
        let number = state.withLock { state in
            state.requests.append(request)
            return state.requests.count - 1
        }
        perform { [self] in send(respond(request, number), request, callbacks, task) }
        return task
    }

    @NetworkActor private func send(
        _ answer: VirtualAnswer, _ request: HTTPRequest, _ callbacks: HTTPCallbacks, _ task: Task
    ) {
        guard !task.isCancelled else { return }
        let url = request.url
        func fail(_ kind: HTTPError.Kind, at time: HostTime, _ change: (inout HTTPError) -> Void = { _ in }) {
            var error = HTTPError(kind, url: url, reason: "the virtual network fails (\(kind))")
            change(&error)
            let final = error
            schedule(at: time) { if !task.isCancelled { callbacks.onEnd(.failure(final)) } }
        }
        let start = time + answer.latency
        guard (200..<300).contains(answer.status) else {
            if let failure = answer.failure { return fail(failure, at: start) }
            return fail(.status, at: start) {
                $0.status = answer.status
                $0.retryAfter = answer.headers["retry-after"].flatMap(Double.init)
                $0.resourceLength = answer.headers["content-range"].flatMap { Int64($0.dropFirst("bytes */".count)) }
            }
        }
        schedule(at: start) { [self] in
            guard !task.isCancelled else { return }
            callbacks.onResponse(answer.response(url))
            deliver(answer, from: 0, since: start, url, callbacks, task)
        }
    }

    /// Delivers a piece of the body, and then the following pieces, unless the task is paused.
    @NetworkActor private func deliver(
        _ answer: VirtualAnswer, from place: Int, since start: HostTime, _ url: URL, _ callbacks: HTTPCallbacks,
        _ task: Task
    ) {
        task.perform { [self] in
            guard !task.isCancelled else { return }
            let piece = answer.body.dropFirst(place).prefix(answer.pieceLength)
            guard piece.isEmpty else {
                Data(piece).withUnsafeBytes { callbacks.onBytes($0) }
                schedule(at: time + answer.pause) { [self] in
                    deliver(answer, from: place + piece.count, since: start, url, callbacks, task)
                }
                return
            }
            let isCut = answer.announced.map { $0 > answer.body.count } ?? false
            if let kind = answer.failure ?? (isCut ? .truncated : nil) {
                return callbacks.onEnd(
                    .failure(HTTPError(kind, url: url, reason: "the virtual network fails (\(kind))")))
            }
            callbacks.onEnd(
                .success(
                    HTTPMetrics(
                        started: start, firstByte: start, ended: time,
                        bytes: Int64(answer.body.count), reusedConnection: true)))
        }
    }

    /// Runs events in order until `isDone` returns true, until there are no more events, or until `seconds` of virtual
    /// time have passed.
    /// - Parameter settle: Called after each event, so that other threads can react to it.
    /// - Returns: The virtual time that has passed, in seconds.
    @discardableResult
    package func run(
        seconds: Double = .infinity, settle: () -> Void = {}, until isDone: () -> Bool = { false }
    ) -> Double {
        let began = time
        settle()
        while !isDone() {
            let next = state.withLock { state -> Timer? in
                guard
                    let index = state.events.indices.min(by: {
                        (state.events[$0].time, state.events[$0].number) < (
                            state.events[$1].time, state.events[$1].number
                        )
                    }), Double(state.events[index].time - began) <= seconds * 1e9
                else { return nil }
                let event = state.events.remove(at: index)
                state.time = max(state.time, event.time)
                return event.timer
            }
            guard let next else { break }
            NetworkActor.runLoop { next.fire() }
            settle()
        }
        return Double(time - began) / 1e9
    }

    private final class Timer: NetworkTimer {
        private struct Work {
            var call: (@NetworkActor () -> Void)?
        }
        private let work: Mutex<Work>
        init(_ work: @escaping @NetworkActor () -> Void) { self.work = Mutex(Work(call: work)) }
        func cancel() { work.withLock { $0.call = nil } }
        @NetworkActor func fire() {
            let body = work.withLock { work in
                defer { work.call = nil }
                return work.call
            }
            body?()
        }
    }

    private final class Task: HTTPTask, Sendable {
        private struct State {
            var isCancelled = false
            var isPaused = false
            var held: (@NetworkActor () -> Void)?
        }
        private let state = Mutex(State())
        private let network: VirtualNetwork
        init(_ network: VirtualNetwork) { self.network = network }
        var isCancelled: Bool { state.withLock { $0.isCancelled } }
        func cancel() {
            state.withLock { state in
                state.isCancelled = true
                state.held = nil
            }
        }
        func setPaused(_ paused: Bool) {
            let held = state.withLock { state -> (@NetworkActor () -> Void)? in
                state.isPaused = paused
                guard !paused else { return nil }
                defer { state.held = nil }
                return state.held
            }
            if let held { network.perform { self.perform(held) } }
        }
        /// Performs `work` now, or when the task is no longer paused.
        @NetworkActor func perform(_ work: @escaping @NetworkActor () -> Void) {
            let isHeld = state.withLock { state in
                if state.isPaused { state.held = work }
                return state.isPaused
            }
            if !isHeld { work() }
        }
    }
}

/// The answer of a virtual server.
package struct VirtualAnswer: Sendable {
    package var status = 200
    /// The headers. Names must be in lower case.
    package var headers: [String: String] = [:]
    /// The Content-Length; nil for none. If it is greater than the length of the body, the answer is truncated.
    package var announced: Int64?
    package var body = Data()
    /// The reason why the connection ends after the body. With status 0, the reason why there is no answer.
    package var failure: HTTPError.Kind?
    package var pieceLength = 64 << 10
    /// The delay before the answer, in nanoseconds. `pause` is the delay between two pieces.
    package var latency: Int64 = 10_000_000
    package var pause: Int64 = 0

    package init(_ status: Int = 200, _ headers: [String: String] = [:], body: Data = Data(), announced: Int64? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
        self.announced = announced
    }

    /// Returns the whole resource with its length.
    package static func whole(_ data: Data, _ headers: [String: String] = [:]) -> VirtualAnswer {
        VirtualAnswer(200, headers, body: data, announced: Int64(data.count))
    }

    /// Returns the answer to `request`: 206 for a valid range, 416 for an invalid one, and the whole resource if no
    /// range was requested.
    package static func ranged(_ request: HTTPRequest, _ data: Data, _ headers: [String: String] = [:]) -> VirtualAnswer
    {
        guard let range = request.range else { return whole(data, headers.merging(["accept-ranges": "bytes"]) { $1 }) }
        let last = min(range.last ?? .max, Int64(data.count) - 1)
        guard range.first <= last else { return VirtualAnswer(416, ["content-range": "bytes */\(data.count)"]) }
        let body = data.dropFirst(Int(range.first)).prefix(Int(last - range.first + 1))
        return VirtualAnswer(
            206, headers.merging(["content-range": "bytes \(range.first)-\(last)/\(data.count)"]) { $1 },
            body: Data(body), announced: Int64(body.count))
    }

    fileprivate func response(_ url: URL) -> HTTPResponse {
        var response = HTTPResponse(url: url, status: status, headers: headers)
        let isCoded = headers["content-encoding"].map { $0 != "identity" } ?? false
        response.contentLength = isCoded ? nil : announced
        if status == 206 {
            let numbers = (headers["content-range"] ?? "").split { !$0.isNumber && $0 != "*" }
            response.rangeStart = numbers.count == 3 ? Int64(numbers[0]) : nil
            response.wholeLength = numbers.count == 3 ? Int64(numbers[2]) : nil
        } else {
            response.wholeLength = response.contentLength
        }
        response.acceptsRanges = !isCoded && (status == 206 || headers["accept-ranges"] == "bytes")
        return response
    }
}

/// Servers that do not follow the standards.
package enum OddServer: String, Sendable, CaseIterable {
    /// Answers 206 without Content-Range.
    case noContentRange
    /// Sends at most 70,000 bytes per answer.
    case shortParts
    /// Sends `Content-Range: bytes a-b/*`.
    case unknownTotal
    /// Sends a different range than the requested one.
    case otherRange
    /// Sends a different total length with each partial answer.
    case otherTotal
    /// Sends a different total length with each partial answer. The correct length never occurs.
    case wrongTotals
    /// Sends a part with status 200, as if it were the whole.
    case partAsWhole
    /// Ignores ranges.
    case noRanges
    /// Announces ranges, and ignores them.
    case promisesRanges
    case refuses400, refuses403, refuses406, refuses416, refuses500, refuses501
    /// Answers requests without a range with 416.
    case needsRange
    case multipart
    /// Declares `Content-Encoding: gzip` in each answer, also for ranges.
    case compressed
    /// Omits the length.
    case chunked, chunkedParts
    /// Changes the version of the resource with each answer.
    case weakTags, dates, strongTags
    /// Changes the version with each answer, and supports `If-Range`.
    case datesHonoured, strongTagsHonoured
    /// Cuts the connection at some position of each answer, which begins at the requested byte.
    case resets
    case resetsWithoutRanges

    package func answer(_ request: HTTPRequest, _ number: Int, _ data: Data) -> VirtualAnswer {
        let ranged = VirtualAnswer.ranged(request, data)
        let isPart = ranged.status == 206
        switch self {
        case .noContentRange:
            var answer = ranged
            answer.headers["content-range"] = isPart ? nil : answer.headers["content-range"]
            return answer
        case .shortParts:
            guard isPart, let first = request.range?.first else { return ranged }
            var next = request
            next.range = (first, min(request.range?.last ?? .max, first + 69_999))
            return VirtualAnswer.ranged(next, data)
        case .unknownTotal:
            guard isPart, let text = ranged.headers["content-range"] else { return ranged }
            var answer = ranged
            answer.headers["content-range"] = text.prefix { $0 != "/" } + "/*"
            return answer
        case .otherRange:
            guard isPart, let first = request.range?.first, first > 0 else { return ranged }
            var next = request
            next.range = (first + 1000, first + 1999)
            return VirtualAnswer.ranged(next, data)
        case .otherTotal:
            guard isPart, let text = ranged.headers["content-range"] else { return ranged }
            var answer = ranged
            answer.headers["content-range"] = text.prefix { $0 != "/" } + "/\(data.count + number)"
            return answer
        case .wrongTotals:
            guard isPart, let text = ranged.headers["content-range"] else { return ranged }
            var answer = ranged
            answer.headers["content-range"] = text.prefix { $0 != "/" } + "/\(data.count + 1 + number)"
            return answer
        case .partAsWhole:
            var answer = ranged
            if isPart { answer.status = 200 }
            return answer
        case .noRanges: return .whole(data)
        case .promisesRanges: return .whole(data, ["accept-ranges": "bytes"])
        case .refuses400: return request.range == nil ? ranged : VirtualAnswer(400)
        case .refuses403: return request.range == nil ? ranged : VirtualAnswer(403)
        case .refuses406: return request.range == nil ? ranged : VirtualAnswer(406)
        case .refuses416: return request.range == nil ? ranged : VirtualAnswer(416)
        case .refuses500: return request.range == nil ? ranged : VirtualAnswer(500)
        case .refuses501: return request.range == nil ? ranged : VirtualAnswer(501)
        case .needsRange: return request.range == nil ? VirtualAnswer(416) : ranged
        case .multipart:
            guard isPart else { return ranged }
            let body = Data("--X\r\n".utf8) + ranged.body + Data("\r\n--X--".utf8)
            return VirtualAnswer(
                206, ["content-type": "multipart/byteranges; boundary=X"], body: body, announced: Int64(body.count))
        case .compressed:
            var answer = ranged
            answer.headers["content-encoding"] = "gzip"
            return answer
        case .chunked: return VirtualAnswer(200, [:], body: data)
        case .chunkedParts:
            var answer = ranged
            answer.announced = nil
            return answer
        case .weakTags: return .ranged(request, data, ["etag": "W/\"\(number)\""])
        case .dates: return .ranged(request, data, ["last-modified": "Wed, 25 Nov 2026 10:00:\(10 + number % 50) GMT"])
        case .strongTags: return .ranged(request, data, ["etag": "\"\(number)\""])
        case .datesHonoured, .strongTagsHonoured:
            let headers =
                self == .datesHonoured
                ? ["last-modified": "Wed, 25 Nov 2026 10:00:\(10 + number % 50) GMT"] : ["etag": "\"\(number)\""]
            guard request.options.headers["If-Range"] == nil else {
                return .whole(data, headers.merging(["accept-ranges": "bytes"]) { $1 })
            }
            return .ranged(request, data, headers)
        case .resets, .resetsWithoutRanges:
            var answer = self == .resets ? ranged : .whole(data)
            guard (200..<300).contains(answer.status) else { return answer }
            // The position varies. If the server ignores ranges, each answer is longer than the one before.
            let share = self == .resets ? 30_011 * (number % 4) + 17 : 50_021 * (number + 1)
            guard share < answer.body.count else { return answer }
            answer.body = answer.body.prefix(share)
            answer.failure = .connectionLost
            return answer
        }
    }
}
