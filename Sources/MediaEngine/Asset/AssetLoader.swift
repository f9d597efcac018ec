import Foundation
import MediaCore
import Streaming
import Synchronization

/// A loader that reads an asset once, on its own thread, for all concurrent requests.
///
/// A result is kept permanently. A failure is returned to all waiting requests and then forgotten, so that a later
/// request tries again. When the task of the last waiting request is cancelled, the reading is interrupted.
final class AssetLoader: Sendable {
    typealias Outcome = Result<AssetDetails, AVError>

    private struct State {
        var details: AssetDetails?
        var running: InterruptToken?
        var waiting: [UInt64: CheckedContinuation<Outcome, Never>] = [:]
        var next: UInt64 = 0
        /// The number of times that reading has started.
        var reads = 0
        /// The error of the last read that `details()` started; nil if it succeeded or runs. Errors of `detailsNow()`
        /// are not kept.
        var failure: AVError?
    }
    /// The status of the details.
    enum Status {
        /// The states in their order: not requested yet, being read, available, could not be read.
        case unknown, loading, loaded, failed(AVError)
    }
    private let state = Mutex(State())
    let url: URL
    private let options: AssetOptions
    /// The selectable options, if the URL is a stream.
    let stream: StreamPresentation
    /// The error in the asset's options, with which every request fails; nil if the options are valid.
    let problem: AVError?
    /// The maximum duration of reading, in seconds.
    let timeout: Double
    /// Returns the details of an asset that is not read, such as a composition; nil for an asset that is read.
    private let made: (@Sendable () -> AssetDetails)?
    private struct Owner { weak var asset: AVAsset? }
    private let owner = Mutex(Owner())

    /// Creates a loader.
    ///
    /// - Parameter made: Returns the details of an asset that is not read from `url`.
    init(
        url: URL, options: AssetOptions = AssetOptions(HTTPOptions()), problem: AVError? = nil, timeout: Double = 60,
        made: (@Sendable () -> AssetDetails)? = nil
    ) {
        self.url = url
        self.options = options
        stream = StreamPresentation(url: url, options: options)
        self.problem = problem
        self.timeout = timeout
        self.made = made
    }

    /// A token whose interruption interrupts every read in progress. `cancel()` replaces it.
    private let leader = Mutex(InterruptToken())

    /// Returns a token for a new read, which `cancel()` interrupts and which ends after `timeout`.
    func newToken() -> InterruptToken {
        let token = InterruptToken()
        token.setDeadline(HostClock.now() + Int64(timeout * 1e9))
        token.follow(leader.withLock { $0 })
        return token
    }

    /// Sets the asset of the tracks that are read.
    func setOwner(_ asset: AVAsset) { owner.withLock { $0.asset = asset } }

    var readsStarted: Int { state.withLock { $0.reads } }
    var status: Status {
        if let problem { return .failed(problem) }
        if made != nil { return .loaded }
        return state.withLock { state in
            if state.details != nil { return .loaded }
            if state.running != nil { return .loading }
            return state.failure.map { Status.failed($0) } ?? .unknown
        }
    }
    var ready: AssetDetails? { made?() ?? state.withLock { $0.details } }

    /// Sets the asset and the media of the tracks, and returns `details`.
    private func claimed(_ details: AssetDetails) -> AssetDetails {
        let asset = owner.withLock { $0.asset }
        let media =
            details.isComposition ? nil : TrackMedia(url: url, options: options, isStream: details.stream != nil)
        for track in details.tracks { track.belong(to: asset, media) }
        return details
    }

    func details() async throws(AVError) -> AssetDetails {
        if let problem { throw problem }
        if let ready { return ready }
        let ticket = state.withLock { state in
            state.next += 1
            return state.next
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
                wait(with: continuation, ticket: ticket)
            }
        } onCancel: {
            giveUp(ticket)
        }
        return try outcome.get()
    }

    /// Stores the details of a container that a player has opened. A remote file is then requested only once, because a
    /// one-time link allows no second request.
    func adopt(_ source: MediaSource) {
        guard ready == nil else { return }
        let fresh = claimed(AssetDetails(source))
        let waiting = state.withLock { state -> [CheckedContinuation<Outcome, Never>] in
            guard state.details == nil else { return [] }
            state.details = fresh
            // Stop a read in progress, because it would give the same result.
            state.running?.interrupt()
            state.running = nil
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume(returning: .success(fresh)) }
    }

    /// Returns the details, and blocks the calling thread until they are read.
    func detailsNow() throws(AVError) -> AssetDetails {
        if let problem { throw problem }
        if let ready { return ready }
        state.withLock { $0.reads += 1 }
        let fresh = claimed(try AssetDetails.read(url, options: options.http, interrupt: newToken()))
        return state.withLock { state in
            if let first = state.details { return first }
            state.details = fresh
            return fresh
        }
    }

    private func wait(with continuation: CheckedContinuation<Outcome, Never>, ticket: UInt64) {
        let (answer, fresh) = state.withLock { state -> (Outcome?, InterruptToken?) in
            if let details = state.details { return (.success(details), nil) }
            // Cancellation is checked under the lock, so that a later cancellation finds the ticket in `waiting`.
            if Task.isCancelled { return (.failure(cancelled), nil) }
            state.waiting[ticket] = continuation
            if state.running != nil { return (nil, nil) }
            let token = newToken()
            state.running = token
            state.reads += 1
            state.failure = nil
            return (nil, token)
        }
        if let answer { continuation.resume(returning: answer) }
        if let fresh { start(fresh) }
    }

    private func start(_ token: InterruptToken) {
        WorkerThread.detached(name: "zt-asset") { [self] in
            let outcome: Outcome
            do throws(AVError) {
                outcome = .success(claimed(try AssetDetails.read(url, options: options.http, interrupt: token)))
            } catch {
                outcome = .failure(error)
            }
            finish(token, outcome)
        }
    }

    private func finish(_ token: InterruptToken, _ outcome: Outcome) {
        let (waiting, outcome) = state.withLock { state -> ([CheckedContinuation<Outcome, Never>], Outcome) in
            // `detailsNow()` or `adopt(_:)` may have stored details meanwhile. Those are kept, because tracks are
            // compared by identity.
            if case .success(let details) = outcome, state.details == nil { state.details = details }
            // An interrupted read must not complete the requests of the read that was started after it.
            guard state.running === token else { return ([], outcome) }
            state.running = nil
            if case .failure(let error) = outcome { state.failure = error }
            defer { state.waiting = [:] }
            return (Array(state.waiting.values), state.details.map(Outcome.success) ?? outcome)
        }
        for continuation in waiting { continuation.resume(returning: outcome) }
    }

    private func giveUp(_ ticket: UInt64) {
        let continuation = state.withLock { state in
            let removed = state.waiting.removeValue(forKey: ticket)
            if removed != nil, state.waiting.isEmpty {
                state.running?.interrupt()
                state.running = nil
            }
            return removed
        }
        continuation?.resume(returning: .failure(cancelled))
    }

    /// Interrupts all reads; all waiting requests fail with `.cancelled`.
    func cancel() {
        let waiting = state.withLock { state in
            if state.running != nil { state.failure = cancelled }
            state.running = nil
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        leader.withLock { exchange(&$0, InterruptToken()) }.interrupt()
        stream.cancel()
        for continuation in waiting { continuation.resume(returning: .failure(cancelled)) }
    }

    private var cancelled: AVError {
        AVError(.cancelled, at: url.location, reason: "the operation was cancelled")
    }
}
