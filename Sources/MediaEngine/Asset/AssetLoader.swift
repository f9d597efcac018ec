import Foundation
import MediaCore
import Streaming
import Synchronization

/// Reads an asset once, on a thread of its own, for all who ask at the same time.
///
/// Success is kept for ever; a failure is given to everyone waiting and then forgotten, so that a
/// later call looks again (the file may be there by now). When the last waiter's task is cancelled
/// the reading is interrupted.
final class AssetLoader: Sendable {
    typealias Outcome = Result<AssetDetails, AVError>

    private struct State {
        var details: AssetDetails?
        var running: InterruptToken?
        var waiting: [UInt64: CheckedContinuation<Outcome, Never>] = [:]
        var next: UInt64 = 0
        /// How often a thread was started.
        var reads = 0
    }
    private let state = Mutex(State())
    let url: URL
    private let options: HTTPOptions
    /// What there is to choose, where the URL is a stream's.
    let stream: StreamPresentation
    /// Options that make no sense: every reading fails with this.
    let problem: AVError?
    /// How long a silent source may hold up the reading, seconds.
    let patience: Double

    init(url: URL, options: HTTPOptions = HTTPOptions(), problem: AVError? = nil, patience: Double = 60) {
        self.url = url
        self.options = options
        stream = StreamPresentation(url: url, options: options)
        self.problem = problem
        self.patience = patience
    }

    var readsStarted: Int { state.withLock { $0.reads } }
    var ready: AssetDetails? { state.withLock { $0.details } }

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

    /// Takes over what is known of a container that a player has opened: a file on a server is requested once, which
    /// is all that a link for one use allows.
    func adopt(_ source: MediaSource) {
        guard ready == nil else { return }
        let fresh = AssetDetails(source)
        let waiting = state.withLock { state -> [CheckedContinuation<Outcome, Never>] in
            guard state.details == nil else { return [] }
            state.details = fresh
            // Whoever reads it now would read the same.
            state.running?.interrupt()
            state.running = nil
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume(returning: .success(fresh)) }
    }

    /// The same, blocking the calling thread until it has been read.
    func detailsNow() throws(AVError) -> AssetDetails {
        if let problem { throw problem }
        if let ready { return ready }
        let token = InterruptToken()
        token.setDeadline(HostClock.now() + Int64(patience * 1e9))
        state.withLock { $0.reads += 1 }
        let fresh = try AssetDetails.read(url, options: options, interrupt: token)
        return state.withLock { state in
            if let first = state.details { return first }
            state.details = fresh
            return fresh
        }
    }

    private func wait(with continuation: CheckedContinuation<Outcome, Never>, ticket: UInt64) {
        let (answer, fresh) = state.withLock { state -> (Outcome?, InterruptToken?) in
            if let details = state.details { return (.success(details), nil) }
            // Asked under the lock: a cancellation that comes later finds the ticket in `waiting`.
            if Task.isCancelled { return (.failure(cancelled), nil) }
            state.waiting[ticket] = continuation
            if state.running != nil { return (nil, nil) }
            let token = InterruptToken()
            token.setDeadline(HostClock.now() + Int64(patience * 1e9))
            state.running = token
            state.reads += 1
            return (nil, token)
        }
        if let answer { continuation.resume(returning: answer) }
        if let fresh { start(fresh) }
    }

    private func start(_ token: InterruptToken) {
        WorkerThread.detached(name: "zt-asset") { [self] in
            let outcome: Outcome
            do throws(AVError) {
                outcome = .success(try AssetDetails.read(url, options: options, interrupt: token))
            } catch {
                outcome = .failure(error)
            }
            finish(token, outcome)
        }
    }

    private func finish(_ token: InterruptToken, _ outcome: Outcome) {
        let (waiting, outcome) = state.withLock { state -> ([CheckedContinuation<Outcome, Never>], Outcome) in
            // Whoever could not wait may have read it meanwhile: tracks are told apart by identity, so the first stays.
            if case .success(let details) = outcome, state.details == nil { state.details = details }
            // A reading that was given up has no say over the one started after it.
            guard state.running === token else { return ([], outcome) }
            state.running = nil
            defer { state.waiting = [:] }
            return (Array(state.waiting.values), state.details.map(Outcome.success) ?? outcome)
        }
        for continuation in waiting { continuation.resume(returning: outcome) }
    }

    private func giveUp(_ ticket: UInt64) {
        let continuation = state.withLock { state in
            let mine = state.waiting.removeValue(forKey: ticket)
            if mine != nil, state.waiting.isEmpty {
                state.running?.interrupt()
                state.running = nil
            }
            return mine
        }
        continuation?.resume(returning: .failure(cancelled))
    }

    /// Ends the reading for everyone who waits.
    func cancel() {
        let waiting = state.withLock { state in
            state.running?.interrupt()
            state.running = nil
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume(returning: .failure(cancelled)) }
    }

    private var cancelled: AVError {
        AVError(.cancelled, at: url.location, reason: "the operation was cancelled")
    }
}
