import Foundation
import FoundationNetworking
import MediaCore
import MediaEngine

/// The conversion of the library's events into calls of the delegate.
extension SessionHub {
    @DownloadActor func take(_ event: DownloadEvent, _ engine: DownloadEngine) {
        switch event {
        case .changed(let snapshot):
            guard let task = task(snapshot.id) else { return }
            task.take(snapshot)
            guard !isRestored(snapshot.id), !task.reported.isEnding else { return }
            switch snapshot.state {
            case .downloading:
                reportWaiting(task, nil)
                reportLocation(task, engine)
                reportLoaded(task, engine)
            case .finished: finish(task, snapshot, engine)
            case .failed(let error): task.withState({ $0.wasCancelled }) ? endCancelled(task) : end(task, error)
            case .waiting(let error): reportWaiting(task, error)
            case .preparing: reportWaiting(task, nil)
            case .queued, .paused, .cancelled: break
            }
        case .planned(let id, _):
            guard let task = task(id), !isRestored(id) else { return }
            reportLocation(task, engine)
        case .loaded(let id, _, _, _):
            guard let task = task(id), !isRestored(id), !task.reported.isEnding else { return }
            reportLoaded(task, engine)
        case .noted: break
        case .removed(let id):
            guard let task = task(id) else { return }
            if task.withState({ $0.wasCancelled }) { return endCancelled(task) }
            // Another session, another process or a policy removed the download.
            end(
                task,
                DownloadError(
                    .cancelled, at: task.urlAsset.url.location, reason: "the download was removed from its library"))
        }
    }

    private func task(_ id: UUID) -> AVDownloadSessionTask? { state.withLock { $0.tasks[id] } }

    // MARK: events during a download

    @DownloadActor private func reportWaiting(_ task: AVDownloadSessionTask, _ error: DownloadError?) {
        guard task.reported.isWaitReported != (error != nil) else { return }
        task.reported.isWaitReported = error != nil
        report(task) { session, delegate in delegate.urlSession(session, task: task, isWaitingFor: error) }
    }

    @DownloadActor private func reportLocation(_ task: AVDownloadSessionTask, _ engine: DownloadEngine) {
        guard !task.reported.isLocationReported, let location = engine.location(of: task.id) else { return }
        task.reported.isLocationReported = true
        task.copies.take(engine.copies(of: task.id))
        forgetPredecessors(of: task, engine)
        if let single = task as? AVAssetDownloadTask {
            let variants = engine.variants(of: task.id)
            let selections = task.selections
            report(task) { session, delegate in
                delegate.urlSession(session, assetDownloadTask: single, willDownloadTo: location)
            }
            if !variants.isEmpty {
                report(task) { session, delegate in
                    delegate.urlSession(session, assetDownloadTask: single, willDownloadVariants: variants)
                }
            }
            for selection in selections {
                report(task) { session, delegate in
                    delegate.urlSession(session, assetDownloadTask: single, didResolve: selection)
                }
            }
        } else if let aggregate = task as? AVAggregateAssetDownloadTask {
            report(task) { session, delegate in
                delegate.urlSession(session, aggregateAssetDownloadTask: aggregate, willDownloadTo: location)
            }
        }
    }

    /// Removes failed downloads of the same package. Their bytes were kept so that this task continues from them.
    @DownloadActor private func forgetPredecessors(of task: AVDownloadSessionTask, _ engine: DownloadEngine) {
        let all = engine.snapshots
        guard let location = all.first(where: { $0.id == task.id })?.location else { return }
        for old in all where old.id != task.id && old.location == location && old.session == name {
            if case .failed = old.state, self.task(old.id) == nil { try? engine.remove(old.id, cancelling: false) }
        }
    }

    @DownloadActor private func reportLoaded(_ task: AVDownloadSessionTask, _ engine: DownloadEngine) {
        let renditions = engine.renditions(of: task.id)
        let current: [SelectionProgress] =
            task is AVAssetDownloadTask
            ? [SelectionProgress(nil, renditions)] : task.choices.map { SelectionProgress($0, renditions) }
        for (index, progress) in current.enumerated() {
            reportLoaded(task, index, progress)
            if progress.isComplete { reportCompleted(task, index) }
        }
    }

    @DownloadActor private func reportLoaded(_ task: AVDownloadSessionTask, _ index: Int, _ progress: SelectionProgress)
    {
        if task.reported.progress.isEmpty {
            task.reported.progress = Array(repeating: SelectionProgress(), count: max(1, task.choices.count))
        }
        guard task.reported.progress.indices.contains(index), progress.duration > 0 else { return }
        let newRanges = progress.news(since: task.reported.progress[index])
        guard !newRanges.isEmpty else { return }
        // Ranges that arrive together are reported one after the other. Each total contains only the ranges reported so
        // far.
        var reported = task.reported.progress[index]
        reported.duration = progress.duration
        task.reported.progress[index] = progress
        for newRange in newRanges {
            reported.add(newRange)
            let range = SelectionProgress.timeRange(newRange)
            let values = newRange == newRanges.last ? progress.values : reported.values
            if let single = task as? AVAssetDownloadTask {
                single.withState { $0.loaded = values }
                report(task) { session, delegate in
                    delegate.urlSession(
                        session, assetDownloadTask: single, didLoad: range, totalTimeRangesLoaded: values,
                        timeRangeExpectedToLoad: progress.whole)
                }
            } else if let aggregate = task as? AVAggregateAssetDownloadTask,
                aggregate.selections.indices.contains(index)
            {
                let selection = aggregate.selections[index]
                report(task) { session, delegate in
                    delegate.urlSession(
                        session, aggregateAssetDownloadTask: aggregate, didLoad: range,
                        totalTimeRangesLoaded: values, timeRangeExpectedToLoad: progress.whole,
                        for: selection)
                }
            }
        }
    }

    @DownloadActor private func reportCompleted(_ task: AVDownloadSessionTask, _ index: Int) {
        guard let aggregate = task as? AVAggregateAssetDownloadTask, aggregate.selections.indices.contains(index),
            task.reported.completed.insert(index).inserted
        else { return }
        let selection = aggregate.selections[index]
        report(task) { session, delegate in
            delegate.urlSession(session, aggregateAssetDownloadTask: aggregate, didCompleteFor: selection)
        }
    }

    // MARK: end of a task

    @DownloadActor private func finish(
        _ task: AVDownloadSessionTask, _ snapshot: DownloadSnapshot, _ engine: DownloadEngine
    ) {
        reportWaiting(task, nil)
        reportLocation(task, engine)
        reportLoaded(task, engine)
        // Reports the rest as loaded: a stream can have gaps, and a file has no segments.
        let seconds = snapshot.progress.expectedSeconds
        for index in 0..<(task is AVAssetDownloadTask ? 1 : task.choices.count) {
            var whole = SelectionProgress()
            whole.duration =
                task.reported.progress.indices.contains(index) && task.reported.progress[index].duration > 0
                ? task.reported.progress[index].duration : seconds
            if whole.duration > 0 { whole.loaded = [0..<whole.duration] }
            reportLoaded(task, index, whole)
            reportCompleted(task, index)
        }
        if let single = task as? AVAssetDownloadTask {
            let location = engine.location(of: task.id) ?? snapshot.location
            report(task) { session, delegate in
                delegate.urlSession(session, assetDownloadTask: single, didFinishDownloadingTo: location)
            }
        }
        end(task, nil)
    }

    /// Ends a task with its error, or with nil if it succeeded. Only the first call has an effect.
    @DownloadActor func end(_ task: AVDownloadSessionTask, _ error: DownloadError?) {
        guard !task.reported.isEnding else { return }
        task.reported.isEnding = true
        complete(task, error?.asURLError(for: task.urlAsset.url), isCancellation: false)
    }

    /// Ends a canceled task. Any thread.
    func endCancelled(_ task: AVDownloadSessionTask) {
        let url = task.urlAsset.url
        let error = DownloadError(.cancelled, at: url.location, reason: "the download was cancelled")
        complete(task, error.asURLError(for: url), isCancellation: true)
    }

    private func complete(_ task: AVDownloadSessionTask, _ error: NSError?, isCancellation: Bool) {
        post { [self] in
            // If a task is canceled after it ended but before the end was reported, only the cancellation is reported.
            let isFirstEnd = task.withState { state in
                guard !state.isEndReported, isCancellation || !state.wasCancelled else { return false }
                (state.isEndReported, state.phase, state.error) = (true, .completed, error)
                return true
            }
            guard isFirstEnd else { return }
            if error != nil { task.copies.take(nil) }
            if let (session, delegate) = listener(of: task) {
                delegate.urlSession(session, task: task, didCompleteWithError: error)
            }
            hasEnded(task, keepsNothing: error != nil)
        }
    }

    /// Calls the delegate, unless the task was canceled or its end was reported.
    private func report(
        _ task: AVDownloadSessionTask, _ call: @escaping @Sendable (URLSession, any AVAssetDownloadDelegate) -> Void
    ) {
        post { [self] in
            guard task.withState({ !$0.isEndReported && !$0.wasCancelled }),
                let (session, delegate) = listener(of: task)
            else { return }
            call(session, delegate)
        }
    }

    private func listener(of task: AVDownloadSessionTask) -> (URLSession, any AVAssetDownloadDelegate)? {
        let (session, delegate) = state.withLock { ($0.kept ?? $0.session, $0.delegate) }
        guard let session, let delegate = task.delegate as? any AVAssetDownloadDelegate ?? delegate else { return nil }
        return (session, delegate)
    }

    /// Removes a task that has ended. Runs on the delegate's queue.
    private func hasEnded(_ task: AVDownloadSessionTask, keepsNothing: Bool) {
        perform { _, engine in
            if keepsNothing, task.withState({ $0.bytes }) == 0 {
                try? engine.remove(task.id, cancelling: false)
            } else {
                try? engine.setNote(task.note.text, of: task.id)
            }
            SessionClaims.shared.release(task.id)
        }
        let (isLast, onEnd, session, delegate) = state.withLock { state in
            state.tasks[task.id] = nil
            state.order.removeAll { $0 == task.id }
            guard state.tasks.isEmpty else {
                return (
                    false, nil as (@Sendable () -> Void)?, nil as AVAssetDownloadURLSession?,
                    nil as (any AVAssetDownloadDelegate)?
                )
            }
            defer { (state.kept, state.onEnd) = (nil, nil) }
            return (true, state.onEnd, state.kept ?? state.session, state.delegate)
        }
        guard isLast else { return }
        if identifier != nil, let session { delegate?.urlSessionDidFinishEvents(forBackgroundURLSession: session) }
        if let onEnd { finish { withExtendedLifetime(session) { onEnd() } } }
    }
}
