import Foundation
import MediaCore

/// The load of a small resource into memory, such as a playlist, a key or a short range. Transient failures are retried
/// according to the policy. Releasing the load cancels it.
@NetworkActor
final class SmallLoad {
    typealias Loaded = (bytes: [UInt8], response: HTTPResponse)

    private let loop: any NetworkLoop
    private let request: HTTPRequest
    private let policy: RetryPolicy
    private let onFailure: @NetworkActor (HTTPError) -> Void
    private let completion: @NetworkActor (Result<Loaded, HTTPError>) -> Void
    private var plan: TransferPlan
    private var bytes: [UInt8] = []
    private var response: HTTPResponse?
    private var task: (any HTTPTask)?
    private var timer: (any NetworkTimer)?
    private var isOver = false

    /// Starts the load.
    /// - Parameters:
    ///   - request: The request. If it has a range, the result has exactly those bytes, even if the server sends the
    ///     whole resource. It has fewer if the resource ends within the range. If it has no limit,
    ///     `HTTPRequest.loadLimit` applies; only wanted bytes of the body count.
    ///   - onFailure: Called with every failure, including those that are retried.
    init(
        loop: any NetworkLoop, request: HTTPRequest, retry: RetryPolicy,
        onFailure: @escaping @NetworkActor (HTTPError) -> Void = { _ in },
        completion: @escaping @NetworkActor (Result<Loaded, HTTPError>) -> Void
    ) {
        self.loop = loop
        self.request = request
        policy = retry
        self.onFailure = onFailure
        self.completion = completion
        plan = SmallLoad.plan(request)
        start()
    }

    private nonisolated static func plan(_ request: HTTPRequest, retry: TransferRetry = TransferRetry()) -> TransferPlan
    {
        TransferPlan(
            from: request.range?.first ?? 0, to: request.range?.last.map { $0.addingSaturating(1) }, retry: retry,
            earlierBytes: .discarded)
    }

    deinit {
        task?.cancel()
        timer?.cancel()
    }

    func cancel() {
        isOver = true
        stopTask()
        timer?.cancel()
        timer = nil
    }

    private func stopTask() {
        task?.cancel()
        task = nil
    }

    private func start() {
        var next = request
        let (range, ifRange) = plan.request()
        next.range = range
        if let ifRange { next.options.headers["If-Range"] = ifRange }
        if next.limit == nil { next.limit = HTTPRequest.loadLimit }
        // A server without ranges sends more bytes than requested. The load ends as soon as it has the wanted ones.
        if request.range?.last != nil { next.limit = nil }
        task = loop.start(
            next,
            HTTPCallbacks(
                onResponse: { [weak self] in self?.answered($0) },
                onBytes: { [weak self] in self?.received($0) },
                onEnd: { [weak self] in self?.ended($0) }))
    }

    private func answered(_ response: HTTPResponse) {
        guard !isOver else { return }
        switch plan.answered(response) {
        case .take(let isOtherVersion, _):
            if isOtherVersion {
                bytes = []
                plan.startOver()
            }
            self.response = response
        case .sendNextRequest:
            stopTask()
            start()
        case .fail(let error):
            stopTask()
            failed(error)
        }
    }

    private func received(_ chunk: UnsafeRawBufferPointer) {
        guard !isOver else { return }
        bytes.append(contentsOf: chunk[plan.received(chunk.count)])
        guard plan.hasSurplus else { return }
        stopTask()
        succeed()
    }

    private func ended(_ result: Result<HTTPMetrics, HTTPError>) {
        guard !isOver else { return }
        task = nil
        let error: HTTPError? = if case .failure(let error) = result { error } else { nil }
        switch plan.ended(error, url: request.url, at: loop.time) {
        case .complete: succeed()
        // The resource ends within the requested range.
        case .sendNextRequest where plan.isAtEndOfResource: succeed()
        case .failed where (error == nil || error?.status == 416) && plan.isAtEndOfResource: succeed()
        case .sendNextRequest: start()
        case .failed(let error): failed(error)
        }
    }

    private func succeed() {
        isOver = true
        guard var response else {
            return completion(
                .failure(
                    HTTPError(.other, url: request.url, reason: "the server closed the connection without a response")))
        }
        // These facts come from all responses together.
        response.wholeLength = plan.facts.length
        response.acceptsRanges = plan.facts.ranges == .accepted
        completion(.success((bytes, response)))
    }

    private func failed(_ error: HTTPError) {
        onFailure(error)
        guard !isOver else { return }
        var policy = policy
        // The next request has no range, which may be the cause of the failure.
        if error.status == 500, request.range != nil, plan.retry.failures == 1 { policy.tries = max(2, policy.tries) }
        guard error.isTransient,
            let delay = plan.retry.delay(after: error, policy, at: loop.time, random: .random(in: 0...1))
        else {
            isOver = true
            return completion(.failure(error))
        }
        timer = loop.schedule(at: loop.time + delay) { [weak self] in self?.startOver() }
    }

    /// Starts the next try. A range is continued. A whole resource is loaded again from its start, because it may have
    /// changed, like the playlist of a live stream.
    private func startOver() {
        timer = nil
        if request.range == nil {
            bytes = []
            plan = SmallLoad.plan(request, retry: plan.retry)
        }
        start()
    }
}

/// A small load that any thread may start and cancel. It tries once, and a second time if the range may be the cause of
/// the failure. Releasing the task cancels the load.
@NetworkActor
package final class SmallLoadTask: HTTPTask {
    private var load: SmallLoad?
    private nonisolated let loop: any NetworkLoop

    /// Starts the load.
    /// - Parameters:
    ///   - request: The request, as for `SmallLoad`.
    ///   - completion: Called on the loop, unless the task is canceled. In the response, `acceptsRanges` shows whether
    ///     the server has answered a request for a range.
    package nonisolated init(
        loop: any NetworkLoop, request: HTTPRequest,
        completion: @escaping @NetworkActor (Result<(bytes: [UInt8], response: HTTPResponse), HTTPError>) -> Void
    ) {
        self.loop = loop
        loop.perform { [self] in
            load = SmallLoad(
                loop: loop, request: request, retry: RetryPolicy(tries: 1, within: 1_000_000_000),
                completion: completion)
        }
    }

    package nonisolated func cancel() {
        loop.perform { [self] in
            load?.cancel()
            load = nil
        }
    }

    /// Has no effect, because a small load is never paused.
    package nonisolated func setPaused(_ paused: Bool) {}
}
