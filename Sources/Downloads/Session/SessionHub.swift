import Foundation
import FoundationNetworking
import MediaCore
import MediaEngine
import Streaming
import Synchronization

/// The implementation of a session: its tasks, their library, and the delivery of the library's events to the delegate.
///
/// A request passes through two serial queues. On `opening`, the first request opens the database. The queue of
/// `DownloadActor` then carries out each request. Requests are therefore carried out in order. `mailbox` calls the
/// delegate.
final class SessionHub: Sendable {
    struct State {
        var tasks: [UUID: AVDownloadSessionTask] = [:]
        var order: [UUID] = []
        var nextNumber = 1
        /// The library, once it is open.
        var engine: DownloadEngine?
        var mailbox: DelegateMailbox?
        var delegate: (any AVAssetDownloadDelegate)?
        weak var session: AVAssetDownloadURLSession?
        /// The session, retained while tasks are unfinished.
        var kept: AVAssetDownloadURLSession?
        var onEnd: (@Sendable () -> Void)?
        var isInvalid = false
        /// Whether the app has requested its tasks. Restored tasks continue after the app has received them.
        var areTasksRequested = false
    }
    let folder: URL
    /// The name of the session in the database.
    let name: String
    let identifier: String?
    private let patience: Double
    let state = Mutex(State())
    let opening = DispatchQueue(label: "zt-session", qos: .utility)
    private let observer = UUID()
    /// The tasks of earlier processes that wait until the app requests them. Nil after they have continued.
    @DownloadActor private var restored: Set<UUID>? = []

    init(_ configuration: URLSessionConfiguration) {
        identifier = configuration.identifier
        folder = SessionFolders.folder(identifier)
        name = SessionName.of(identifier)
        patience =
            identifier == nil ? configuration.timeoutIntervalForRequest : configuration.timeoutIntervalForResource
    }

    deinit {
        let observer = observer
        if let engine = state.withLock({ $0.engine }) { DownloadActor.enqueue { engine.stopObserving(observer) } }
        SessionClaims.shared.release(self)
    }

    func begin(_ session: AVAssetDownloadURLSession, delegate: (any AVAssetDownloadDelegate)?, queue: OperationQueue) {
        state.withLock { state in
            state.mailbox = DelegateMailbox(queue)
            state.delegate = delegate
            state.session = session
        }
        // Opens the library now. Tasks that have already ended are reported when the restored tasks continue.
        perform { _, _ in }
        opening.asyncAfter(deadline: .now() + 3) { [weak self] in
            // If the app has requested its tasks, `tasks(_:)` continues them after the app has received them.
            guard let self, !self.state.withLock({ $0.areTasksRequested }) else { return }
            self.release()
        }
    }

    // MARK: library

    /// Runs `body` with the open library, or `onFailure` if the library cannot be opened. Calls run in order.
    func perform(
        _ body: @escaping @DownloadActor (SessionHub, DownloadEngine) -> Void,
        onFailure: @escaping @DownloadActor (SessionHub, DownloadError) -> Void = { _, _ in }
    ) {
        opening.async { [self] in
            do throws(DownloadError) {
                let engine = try open()
                DownloadActor.enqueue { body(self, engine) }
            } catch {
                DownloadActor.enqueue { onFailure(self, error) }
            }
        }
    }

    /// Opens the library, and restores its tasks. Runs on `opening`.
    private func open() throws(DownloadError) -> DownloadEngine {
        if let engine = state.withLock({ $0.engine }) { return engine }
        let engine = try DownloadLibrary.engine(at: folder)
        state.withLock { $0.engine = engine }
        SessionRegistry.shared.add(engine)
        let observer = observer
        let patience = patience
        DownloadActor.sync {
            engine.observe(observer) { [weak self, weak engine] event in
                guard let self, let engine else { return }
                self.take(event, engine)
            }
            if patience.isFinite, patience > 0 { try? engine.setPatience(patience) }
            try? engine.forgetVanished()
            for snapshot in engine.snapshots { restore(snapshot, engine) }
        }
        return engine
    }

    // MARK: tasks of earlier processes

    @DownloadActor private func restore(_ snapshot: DownloadSnapshot, _ engine: DownloadEngine) {
        guard snapshot.session == name else {
            if SessionName.isOrphan(snapshot.session), snapshot.state != .finished {
                try? engine.remove(snapshot.id, cancelling: true)
            }
            return
        }
        guard let note = DownloadTaskNote(snapshot.note), !note.isTold,
            SessionClaims.shared.claim(snapshot.id, for: self)
        else { return }
        var http = HTTPOptions()
        let network = snapshot.options.network
        (http.headers, http.userAgent, http.allowsUntrustedCertificates) = (
            network.headers, network.userAgent, network.allowsUntrustedCertificates
        )
        http.sharesCredentials = network.sharesCredentials
        let asset = AVURLAsset(url: snapshot.url, http: http)
        let task = task(snapshot.id, note, asset, note.selections.map { $0.selection(in: asset) })
        task.take(snapshot)
        task.withState { state in
            switch snapshot.state {
            case .paused: state.phase = .suspended
            case .cancelled: (state.phase, state.wasCancelled) = (.canceling, true)
            default: state.phase = .running
            }
        }
        restored?.insert(snapshot.id)
        state.withLock { state in
            state.tasks[snapshot.id] = task
            state.order.append(snapshot.id)
            state.nextNumber = max(state.nextNumber, note.number + 1)
            state.kept = state.session
        }
    }

    private func task(_ id: UUID, _ note: DownloadTaskNote, _ asset: AVURLAsset, _ selections: [AVMediaSelection])
        -> AVDownloadSessionTask
    {
        switch note.kind {
        case .single: AVAssetDownloadTask(id, note, asset: asset, selections: selections, hub: self)
        case .aggregate: AVAggregateAssetDownloadTask(id, note, asset: asset, selections: selections, hub: self)
        }
    }

    /// Continues the restored tasks. Only the first call has an effect.
    func release() {
        perform { hub, engine in
            guard let ids = hub.restored else { return }
            hub.restored = nil
            guard !ids.isEmpty else { return }
            engine.run(only: ids)
            // Reports tasks that ended while there was no delegate.
            for snapshot in engine.snapshots where ids.contains(snapshot.id) { hub.take(.changed(snapshot), engine) }
        }
    }

    /// Returns whether the task was restored from an earlier launch and has not been continued yet.
    @DownloadActor func isRestored(_ id: UUID) -> Bool { restored?.contains(id) ?? false }

    // MARK: making tasks

    func makeSingle(_ asset: AVURLAsset, _ wanted: DownloadTaskOptions) -> AVAssetDownloadTask {
        make(wanted) {
            AVAssetDownloadTask(
                $0, DownloadTaskNote(kind: .single, number: $1, selections: wanted.selections), asset: asset,
                selections: wanted.given, hub: self)
        }
    }
    func makeAggregate(_ asset: AVURLAsset, _ wanted: DownloadTaskOptions) -> AVAggregateAssetDownloadTask {
        make(wanted) {
            AVAggregateAssetDownloadTask(
                $0, DownloadTaskNote(kind: .aggregate, number: $1, selections: wanted.selections), asset: asset,
                selections: wanted.given, hub: self)
        }
    }

    private func make<Made: AVDownloadSessionTask>(_ wanted: DownloadTaskOptions, _ makeTask: (UUID, Int) -> Made)
        -> Made
    {
        // Opens the library first, because restored tasks keep their numbers.
        opening.sync { _ = try? open() }
        let number = state.withLock { state in
            defer { state.nextNumber += 1 }
            return state.nextNumber
        }
        let task = makeTask(UUID(), number)
        put(task, wanted)
        return task
    }

    private func put(_ task: AVDownloadSessionTask, _ wanted: DownloadTaskOptions) {
        _ = SessionClaims.shared.claim(task.id, for: self)
        let isInvalid = state.withLock { state in
            guard !state.isInvalid else { return true }
            state.tasks[task.id] = task
            state.order.append(task.id)
            state.kept = state.session
            return false
        }
        guard !isInvalid else {
            return DownloadActor.enqueue {
                task.reported.failure = DownloadError(
                    .cancelled, at: task.urlAsset.url.location, reason: "the download session was invalidated",
                    suggestion: "Create a new session")
            }
        }
        let name = name
        let url = task.urlAsset.url
        let problem = task.urlAsset.optionsProblem
        perform { _, engine in
            task.reported.qualifiers = wanted.qualifiers
            do throws(DownloadError) {
                if let problem { throw DownloadError(.invalidArgument, at: url.location, reason: problem.reason) }
                var options = wanted.download
                let source = engine.source(of: url)
                if let id = source?.id { options.id = id }
                // Apps delete a download by deleting its folder, so the database may list packages that no longer
                // exist.
                try engine.forgetVanished()
                _ = try engine.add(
                    source?.url ?? url, options, id: task.id, session: name, note: task.note.text, paused: true)
            } catch {
                task.reported.failure = error
            }
        } onFailure: { _, error in
            task.reported.failure = error
        }
    }
}
