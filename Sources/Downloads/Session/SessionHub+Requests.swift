import Foundation
import FoundationNetworking
import MediaCore
import MediaEngine

/// The requests of an app to its tasks and their session.
extension SessionHub {
    func resume(_ task: AVDownloadSessionTask) {
        let isNew = task.withState { state in
            guard state.phase == .suspended else { return false }
            state.phase = .running
            return true
        }
        guard isNew else { return }
        release()
        perform { hub, engine in
            if let failure = task.reported.failure { return hub.end(task, failure) }
            guard task.reported.qualifiers.isEmpty else { return hub.findVariants(of: task) }
            hub.start(task, engine)
        } onFailure: { hub, error in
            hub.end(task, error)
        }
    }

    @DownloadActor private func start(_ task: AVDownloadSessionTask, _ engine: DownloadEngine) {
        do throws(DownloadError) {
            try engine.resume(task.id)
            engine.run(only: [task.id])
        } catch {
            end(task, error)
        }
    }

    func suspend(_ task: AVDownloadSessionTask) {
        let isNew = task.withState { state in
            guard state.phase == .running else { return false }
            state.phase = .suspended
            return true
        }
        guard isNew else { return }
        perform { _, engine in try? engine.pause(task.id) }
    }

    func cancel(_ task: AVDownloadSessionTask) {
        let isNew = task.withState { state in
            guard !state.isEndReported, !state.wasCancelled else { return false }
            (state.wasCancelled, state.phase) = (true, .canceling)
            return true
        }
        guard isNew else { return }
        perform { hub, engine in
            do throws(DownloadError) {
                try engine.remove(task.id, cancelling: true)
            } catch {
                hub.endCancelled(task)
            }
        } onFailure: { hub, _ in
            hub.endCancelled(task)
        }
        // If another process uses the package, its files are deleted when that process releases it. Do not delay the
        // report until then.
        opening.asyncAfter(deadline: .now() + 10) { [weak self] in self?.endCancelled(task) }
    }

    /// Stores the changed values of a task.
    func keep(_ task: AVDownloadSessionTask) {
        perform { _, engine in try? engine.setNote(task.note.text, of: task.id) }
    }

    func tasks(_ handler: @escaping @Sendable ([URLSessionTask]) -> Void) {
        state.withLock { $0.areTasksRequested = true }
        let deliverTasks: @Sendable (SessionHub) -> Void = { hub in
            hub.post {
                let all = hub.state.withLock { state in state.order.compactMap { state.tasks[$0] } }
                handler(all)
                hub.release()
            }
        }
        perform { hub, _ in
            deliverTasks(hub)
        } onFailure: { hub, _ in
            deliverTasks(hub)
        }
    }

    func invalidate(cancelling: Bool, _ done: @escaping @Sendable () -> Void) {
        let (tasks, isEmpty) = state.withLock { state in
            state.isInvalid = true
            if state.tasks.isEmpty { return ([AVDownloadSessionTask](), true) }
            state.onEnd = done
            return (cancelling ? Array(state.tasks.values) : [], false)
        }
        if isEmpty { return finish(done) }
        for task in tasks { task.cancel() }
        release()
    }

    /// Calls `done` after all calls to the delegate that were posted before.
    func finish(_ done: @escaping @Sendable () -> Void) {
        post { [self] in
            state.withLock { $0.delegate = nil }
            done()
        }
    }

    func post(_ call: @escaping @Sendable () -> Void) { state.withLock { $0.mailbox }?.post(call) }

    // MARK: variants

    /// Loads the stream's list of variants, which predicates and tests of an app need.
    @DownloadActor private func findVariants(of task: AVDownloadSessionTask) {
        let all = task.reported.qualifiers
        Task.detached { [self] in
            let found = await SessionHub.variants(of: task)
            perform { hub, engine in
                guard !task.withState({ $0.wasCancelled }) else { return }
                switch found {
                case .failure(let error): hub.end(task, error)
                case .success(let variants):
                    do throws(DownloadError) {
                        try engine.setQualities(
                            all.map { AVAssetVariantQualifier.quality(of: $0, among: variants) }, of: task.id)
                        task.reported.qualifiers = []
                        if task.state == .running { hub.start(task, engine) }
                    } catch {
                        hub.end(task, error)
                    }
                }
            }
        }
    }

    private static func variants(of task: AVDownloadSessionTask) async -> Result<[AVAssetVariant], DownloadError> {
        var tries = 0
        while true {
            do throws(AVError) {
                return .success(try await task.urlAsset.load(.variants))
            } catch {
                tries += 1
                let status = error.httpStatus ?? 0
                let code: DownloadError.Code =
                    switch (error.code, status) {
                    case (_, 401), (_, 403): .refused
                    case (_, 404), (_, 410), (.fileNotFound, _): .gone
                    case (.playlistInvalid, _), (.decoderNotFound, _): .notMedia
                    case (.unsupportedKeySystem, _): .protected
                    default: .network
                    }
                if code != .network || tries >= 3 || task.withState({ $0.wasCancelled }) {
                    return .failure(
                        DownloadError(
                            code, at: task.urlAsset.url.location, reason: error.reason,
                            suggestion: error.suggestion, httpStatus: error.httpStatus))
                }
                try? await Task.sleep(for: .seconds(2))
            }
        }
    }
}
