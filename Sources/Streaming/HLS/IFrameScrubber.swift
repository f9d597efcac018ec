import MediaCore

/// The pictures of a stream's I-frame playlists for a player that is being scrubbed: one small request each, while
/// nothing else is loaded.
package final class IFrameScrubber {
    private let session: HLSSession
    private let loader: IFrameLoader
    private var hasFailed = false

    /// Nil when `session`'s stream has none.
    /// - Parameter choose: which of `HLSPresentation.iFrames`, an index.
    package init?(_ session: HLSSession, choose: ([HLSPresentation.Source]) -> Int?) {
        guard let presentation = session.currentPresentation, let index = choose(presentation.iFrames) else {
            return nil
        }
        self.session = session
        loader = IFrameLoader(
            presentation.iFrames[index], variables: presentation.multivariant?.variables ?? [:],
            options: session.options, loop: session.loop)
    }

    /// The picture nearest to `time` among those that begin within `allowed`, media time in nanoseconds. Waits, and
    /// stops the session's loading: to go on, it has to be sought.
    ///
    /// Nil when there is none, or it cannot be had.
    /// - Throws: `.cancelled` when interrupted.
    package func picture(
        nearest time: Int64, in allowed: ClosedRange<Int64>, isInterrupted: @escaping @Sendable () -> Bool
    ) throws(AVError) -> IFrame? {
        guard !hasFailed else { return nil }
        session.suspend()
        do throws(AVError) {
            return try loader.picture(nearest: time, in: allowed, isInterrupted: isInterrupted)
        } catch {
            if error.code == .cancelled { throw error }
            hasFailed = true
            return nil
        }
    }

    /// What came could not be decoded.
    package func giveUp() { hasFailed = true }
}
