import MediaCore

/// A source of frames from a stream's I-frame playlists, used while the user scrubs. Each frame is one small request,
/// and nothing else is loaded meanwhile.
package final class IFrameScrubber {
    private let session: HLSSession
    private let loader: IFrameLoader
    private var hasFailed = false

    /// Creates a scrubber. Returns nil if the session's stream has no I-frame playlist.
    /// - Parameter choose: Returns the index in `HLSPresentation.iFrames` of the variant to use, or nil for none.
    package init?(_ session: HLSSession, choose: ([HLSPresentation.VariantSource]) -> Int?) {
        guard let presentation = session.currentPresentation, let index = choose(presentation.iFrames) else {
            return nil
        }
        self.session = session
        loader = IFrameLoader(
            presentation.iFrames[index], variables: presentation.multivariant?.variables ?? [:],
            options: session.options, loop: session.loop)
    }

    /// Loads the frame nearest to `time` that begins within `allowed`, and waits for it. Times are media times in
    /// nanoseconds.
    ///
    /// The call suspends the session's loading, which resumes with the next seek. The result is nil if there is no such
    /// frame or it cannot be loaded. After a failure or `giveUp()`, the result is always nil.
    /// - Throws: An error with the code `.cancelled` if interrupted.
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

    /// Stops using I-frames, because a frame could not be decoded.
    package func giveUp() { hasFailed = true }
}
