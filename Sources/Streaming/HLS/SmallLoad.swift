import Foundation
import MediaCore

/// A small body fetched whole: a playlist, a key. Tried again after transient failures until its patience ends.
/// Confined to the loop; cancelled when let go.
final class SmallLoad: @unchecked Sendable {
    // Guarded by confinement: everything happens on the loop.
    private let loop: any NetworkLoop
    private let request: HTTPRequest
    private let retry: RetryPolicy
    private let onFailure: @Sendable (HTTPError) -> Void
    private let completion: @Sendable (Result<(bytes: [UInt8], response: HTTPResponse), HTTPError>) -> Void
    private var task: (any HTTPTask)?
    private var timer: (any NetworkTimer)?
    private var failures = 0
    private var firstFailure: HostTime?
    private var isOver = false

    /// - Parameters:
    ///   - onFailure: told of every failure, also of those after which it is tried again.
    init(
        loop: any NetworkLoop, request: HTTPRequest, retry: RetryPolicy,
        onFailure: @escaping @Sendable (HTTPError) -> Void = { _ in },
        completion: @escaping @Sendable (Result<(bytes: [UInt8], response: HTTPResponse), HTTPError>) -> Void
    ) {
        self.loop = loop
        self.request = request
        self.retry = retry
        self.onFailure = onFailure
        self.completion = completion
        start()
    }

    deinit {
        task?.cancel()
        timer?.cancel()
    }

    func cancel() {
        isOver = true
        task?.cancel()
        timer?.cancel()
        task = nil
        timer = nil
    }

    private func start() {
        task = loop.load(request) { [weak self] in self?.ended($0) }
    }

    private func ended(_ result: Result<HTTPLoaded, HTTPError>) {
        guard !isOver else { return }
        task = nil
        switch result {
        case .success(let loaded):
            isOver = true
            completion(.success((Array(loaded.data), loaded.response)))
        case .failure(let error):
            onFailure(error)
            guard !isOver else { return }
            failures += 1
            let since = firstFailure ?? loop.time
            firstFailure = since
            guard error.isTransient,
                let delay = retry.delay(
                    after: error, failures: failures, elapsed: loop.time - since, random: .random(in: 0...1))
            else {
                isOver = true
                return completion(.failure(error))
            }
            timer = loop.schedule(at: loop.time + delay) { [weak self] in self?.start() }
        }
    }
}
