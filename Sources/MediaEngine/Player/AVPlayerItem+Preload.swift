import Dispatch
import MediaCore

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
        guard status == .unknown, player?.currentItem !== self else { return }
        entry.prepare { [weak self] isReady in
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.preloadChanged(isReady) } }
        }
    }

    /// Lets go of what `preload()` keeps, or stops it.
    public func cancelPreload() { entry.cancelPreparation() }

    private func preloadChanged(_ isReady: Bool) {
        let now = entry.isPrepared
        if isReady == now, isPreloaded != now { isPreloaded = now }
    }
}
