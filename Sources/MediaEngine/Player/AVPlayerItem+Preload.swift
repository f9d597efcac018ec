import Dispatch
import MediaCore
import Synchronization

/// Preloading of items, for example for lists of short videos. AVFoundation has no such methods: it loads an item only
/// when the item is in a queue.
extension AVPlayerItem {
    /// Opens the item in the background, and keeps the data for the start of playback.
    ///
    /// For example, while the user reads the description of the next episode:
    /// ```swift
    /// let next = AVPlayerItem(url: nextEpisode)
    /// next.preload()
    /// ```
    /// This data is the decoded first frame, and up to 2 s or 4 MiB of packets, whichever is less. For a remote file,
    /// another 1 MiB is loaded; for a stream, 4 s in whole segments. A player that then receives the item shows the
    /// frame at its next display refresh and continues reading after the preloaded data. `isPreloaded` shows when the
    /// data is available.
    ///
    /// Does nothing for an item that plays, is being opened by a player, or has failed. Live streams, and items that
    /// cannot be opened, are not preloaded; the player reports the error when it opens the item.
    ///
    /// One call is sufficient. The app limits the memory by the number of items that it preloads, and by
    /// `cancelPreload()`.
    public func preload() {
        guard opening.status == .unknown, player?.current !== self else { return }
        entry.prepare { [weak self] isReady in
            Task { @MainActor in self?.preloadChanged(isReady) }
        }
    }

    /// Opens the item as `preload()` does, and waits until its beginning is available. A player that then receives the
    /// item does not repeat these requests. If a preload is already running, waits for it. Cancelling the task cancels
    /// the preload.
    ///
    /// - Parameter timeout: The maximum duration in seconds.
    /// - Throws: The reason why the item cannot be opened, or `.timedOut` after `timeout`. Throws no error for a live
    ///   stream, which is opened later by its player.
    package func openAhead(timeout: Double = 60) async throws(AVError) {
        let isLate = Mutex(false)
        let limit = Task {
            try? await Task.sleep(for: .seconds(timeout))
            guard !Task.isCancelled else { return }
            isLate.withLock { $0 = true }
            cancelPreload()
        }
        let entry = entry
        let error = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<AVError?, Never>) in
                entry.prepare { [weak self] isReady in
                    Task { @MainActor in self?.preloadChanged(isReady) }
                } onFinish: {
                    continuation.resume(returning: $0)
                }
                // The task may have been cancelled before there was anything to cancel.
                if Task.isCancelled { entry.cancelPreparation() }
            }
        } onCancel: {
            entry.cancelPreparation()
        }
        limit.cancel()
        guard let error else { return }
        if isLate.withLock({ $0 }) {
            throw AVError(
                .timedOut, at: asset.url.location, reason: "opening took longer than \(Int(timeout)) s",
                suggestion: "Check the network, or try again later")
        }
        throw error
    }

    /// Releases the data that `preload()` keeps, or stops the preload.
    public func cancelPreload() { entry.cancelPreparation() }
}
