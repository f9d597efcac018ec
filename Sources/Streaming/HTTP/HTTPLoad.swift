import Foundation
import Synchronization

/// A small resource, loaded completely into memory.
package struct HTTPLoaded: Sendable {
    package var data: Data
    package var response: HTTPResponse
    package var metrics: HTTPMetrics
}

extension NetworkLoop {
    /// Loads a small resource, such as a playlist or a key. `onEnd` is called on the loop exactly once, unless the task
    /// is canceled. Any thread.
    /// - Parameter request: The request. If it has no limit, `HTTPRequest.loadLimit` applies.
    /// - Returns: A task that cancels the request.
    @discardableResult
    package func load(
        _ request: HTTPRequest, onEnd: @escaping @NetworkActor (Result<HTTPLoaded, HTTPError>) -> Void
    ) -> any HTTPTask {
        var request = request
        if request.limit == nil { request.limit = HTTPRequest.loadLimit }
        let body = LoadedBody()
        let url = request.url
        return start(
            request,
            HTTPCallbacks(
                onResponse: { body.response = $0 },
                onBytes: { body.data.append(contentsOf: $0) },
                onEnd: { result in
                    onEnd(
                        result.flatMap { metrics in
                            guard let response = body.response else {
                                return .failure(
                                    HTTPError(.other, url: url, reason: "the request ended without a response"))
                            }
                            return .success(HTTPLoaded(data: body.data, response: response, metrics: metrics))
                        })
                }))
    }

    /// Loads a small resource and waits for the result. Canceling the Swift task cancels the request.
    /// - Throws: The request's error, or one of the kind `.cancelled`.
    package func load(_ request: HTTPRequest) async throws(HTTPError) -> HTTPLoaded {
        let wait = LoadWait()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard wait.set(continuation) else {
                    return continuation.resume(
                        returning: .failure(
                            HTTPError(.cancelled, url: request.url, reason: "the operation was cancelled")))
                }
                wait.set(task: load(request) { wait.end($0) })
            }
        } onCancel: {
            wait.cancel(HTTPError(.cancelled, url: request.url, reason: "the operation was cancelled"))
        }
        return try result.get()
    }
}

extension HTTPRequest {
    /// The default size limit of `load`, in bytes: 32 MiB.
    package static let loadLimit: Int64 = 32 << 20
}

/// The response and the bytes that have arrived so far.
@NetworkActor
private final class LoadedBody {
    var response: HTTPResponse?
    var data = Data()

    nonisolated init() {}
}

/// A continuation that waits for a result and may be canceled at any time.
private final class LoadWait: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Result<HTTPLoaded, HTTPError>, Never>?
        var task: (any HTTPTask)?
        var isCancelled = false
    }
    private let state = Mutex(State())

    /// Stores the continuation. Returns false if the wait has already been canceled.
    func set(_ continuation: CheckedContinuation<Result<HTTPLoaded, HTTPError>, Never>) -> Bool {
        state.withLock { state in
            if state.isCancelled { return false }
            state.continuation = continuation
            return true
        }
    }

    func set(task: any HTTPTask) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    func end(_ result: Result<HTTPLoaded, HTTPError>) { take().continuation?.resume(returning: result) }

    func cancel(_ error: HTTPError) {
        let (continuation, task) = take(cancelling: true)
        task?.cancel()
        continuation?.resume(returning: .failure(error))
    }

    private func take(cancelling: Bool = false) -> (
        continuation: CheckedContinuation<Result<HTTPLoaded, HTTPError>, Never>?, task: (any HTTPTask)?
    ) {
        state.withLock { state in
            if cancelling { state.isCancelled = true }
            defer {
                state.continuation = nil
                state.task = nil
            }
            return (state.continuation, state.task)
        }
    }
}
