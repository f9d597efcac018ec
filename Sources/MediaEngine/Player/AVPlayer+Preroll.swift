import Foundation
import MediaCore

/// Loading of media before playback starts.
extension AVPlayer {
    /// Loads the media that playback at the current time needs to start, and calls `completionHandler`. The rate does
    /// not change.
    ///
    /// ```swift
    /// player.preroll(atRate: 1) { isReady in
    ///     if isReady { player.play() }
    /// }
    /// ```
    /// This media is the first frame, the first audio and, for a remote source, as much as
    /// `automaticallyWaitsToMinimizeStalling` requires. A paused player also loads this media by itself, so this method
    /// only reports when the media is loaded.
    ///
    /// - Parameters:
    ///   - rate: The rate at which playback will start. The media that is loaded does not depend on it.
    ///   - completionHandler: Called once, on the main actor. The argument is true when the media is loaded. It is
    ///     false after `cancelPendingPrerolls()`, a seek or a change of the item, if the item fails, if `rate` is not
    ///     positive, while an external device plays, and without an item. Unlike in AVFoundation, a player that already
    ///     plays is no error.
    public final func preroll(
        atRate rate: Float, completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        guard rate > 0, external.device == nil, let current, current.opening.status != .failed else {
            if let completionHandler { ObservationScope.callOut { completionHandler(false) } }
            return
        }
        prerolls.add { completionHandler?($0) }
        // The check is made in an event, after all earlier events are handled.
        pipeline.reportReadiness(of: current.entry)
    }

    /// Loads the media that playback at the current time needs to start. See `preroll(atRate:completionHandler:)`.
    ///
    /// - Returns: Whether the media is loaded.
    @discardableResult
    public final func preroll(atRate rate: Float) async -> Bool {
        await withCheckedContinuation { continuation in
            preroll(atRate: rate) { continuation.resume(returning: $0) }
        }
    }

    /// Calls the completion handlers of all pending prerolls with false. Loading continues.
    public final func cancelPendingPrerolls() { prerolls.finish(false) }

    /// Ends the pending prerolls if the item can play at once.
    func checkPrerolls() {
        guard !prerolls.isEmpty, let current, current.opening.status == .readyToPlay else { return }
        if pipeline.isReadyToRun(current.entry) {
            prerolls.finish(true)
        } else {
            pipeline.reportReadiness(of: current.entry)
        }
    }
}
