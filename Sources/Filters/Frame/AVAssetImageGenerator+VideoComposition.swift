import MediaCore
import MediaEngine
import Synchronization

extension AVAssetImageGenerator {
    /// The composition that changes the images. Nil, the default, leaves them unchanged. The generator copies the
    /// composition when it is set.
    ///
    /// ```swift
    /// generator.videoComposition = item.videoComposition
    /// let (image, _) = try await generator.image(at: .zero)
    /// ```
    /// `appliesPreferredTrackTransform` then has no effect, because a composition changes upright frames. An error of
    /// the handler, and a request that it does not finish within one second, make the request for the image fail.
    public var videoComposition: AVVideoComposition? {
        get { frameChange?.change as? AVVideoComposition }
        set {
            // The end of the old composition's thread is awaited here, while the settings are not locked.
            let old = frameChange
            defer { withExtendedLifetime(old) {} }
            guard let composition = newValue?.unchanging else {
                frameChange = nil
                return
            }
            let composer = ImageComposer(composition.filtering)
            frameChange = AppliedChange(composition) { frame throws(AVError) in try composer.compose(frame) }
        }
    }
}

/// The thread that composes the images of a generator. Thread-safe.
private final class ImageComposer: Sendable {
    private let filtering: ImageFiltering
    private let composer = FrameComposer()
    /// Held while an image is composed, because newer work would replace work that waits.
    private let turn = Mutex(())

    init(_ filtering: ImageFiltering) { self.filtering = filtering }
    deinit { composer.close() }

    /// Returns the changed frame. Blocks the calling thread.
    /// - Throws: The error of the handler or of drawing.
    func compose(_ frame: VideoFrame) throws(AVError) -> VideoFrame {
        let outcome = turn.withLock { _ in
            let result = Locked<FrameComposer.Outcome?>(nil)
            composer.compose(frame, [.request(filtering)]) { outcome in result.withLock { $0 = outcome } }
            return result.wait { $0 }
        }
        if let problem = outcome.itemProblem { throw problem }
        return outcome.frame ?? frame
    }
}
