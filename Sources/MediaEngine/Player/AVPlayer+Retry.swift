import MediaCore

extension AVPlayer {
    /// Retries the current item after it has failed: plays the item by which `replace` replaces it, from the position at
    /// which the old item failed.
    ///
    /// An item that failed before it was open starts at the requested position. An item without a duration, such as a
    /// live stream, starts as if it were opened for the first time.
    ///
    /// - Parameter replace: Called with the failed item. Makes another item of the same asset the current one.
    /// - Returns: False if the current item has not failed. In that case, `replace` is not called.
    @discardableResult
    package func retryCurrentItem(_ replace: (AVPlayerItem) -> Void) -> Bool {
        guard let failed = current, failed.opening.status == .failed else { return false }
        replace(failed)
        // An observer may have chosen another item.
        guard let fresh = current, fresh !== failed, fresh.asset.url == failed.asset.url else { return true }
        let hasPositions = !failed.isOpen || failed.opening.duration.isNumeric
        if hasPositions, let position = failed.failurePosition, position > 0 { seek(to: position.time) }
        play()
        return true
    }

    /// The position at which the current item fails if it fails now: the target of a seek, the current position, or the
    /// last known one.
    var failurePosition: MediaTime? {
        let isKnown = seeks.target != nil || position.map { $0.entry === current?.entry } ?? false
        return isKnown ? MediaTime(currentTime()) : playhead.media
    }
}
