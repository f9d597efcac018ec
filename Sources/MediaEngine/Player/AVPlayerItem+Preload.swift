import Dispatch
import MediaCore
import Synchronization

/// Making items ready ahead of their turn, as lists of short videos need it. Apple has no such calls: there an item is
/// read when it is in a queue.
extension AVPlayerItem {
    /// Opens the item in the background and keeps what its beginning needs: its first picture decoded, and 2 s of its
    /// packets or 4 MiB, whichever is less. Of a remote file 1 MiB more is loaded, of a stream 4 s, in whole segments.
    /// A player that is then given the item shows that picture from its next display turn on, and reads on where this
    /// left off. Does nothing for an item that plays, is being opened by a player or has failed, and for what cannot be
    /// made ready: a live stream, or what cannot be opened, of which the player tells when its turn comes.
    /// `isPreloaded` says when it is there. One call is enough; the memory is the app's to bound, by how many items it
    /// preloads and by `cancelPreload()`.
    public func preload() {
        guard opening.status == .unknown, player?.current !== self else { return }
        entry.prepare { [weak self] isReady in
            Task { @MainActor in self?.preloadChanged(isReady) }
        }
    }

    /// Opens the item as `preload()` does, and waits until its beginning is at hand: a player that is then given the
    /// item requests nothing again. Cancelling the task ends it.
    ///
    /// - Parameter patience: the longest time it may take, seconds.
    /// - Throws: why it cannot be opened; a live stream, which is opened when its turn comes, throws nothing.
    package func openAhead(patience: Double = 60) async throws(AVError) {
        let isLate = Mutex(false)
        let limit = Task {
            try? await Task.sleep(for: .seconds(patience))
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
            }
        } onCancel: {
            entry.cancelPreparation()
        }
        limit.cancel()
        guard let error else { return }
        if isLate.withLock({ $0 }) {
            throw AVError(
                .timedOut, at: asset.url.location, reason: "opening took longer than \(Int(patience)) s",
                suggestion: "Check the network, or try again later")
        }
        throw error
    }

    /// Lets go of what `preload()` keeps, or stops it.
    public func cancelPreload() { entry.cancelPreparation() }
}
