import MediaEngine

/// A filter that replaces each frame by the result of a closure. For machine learning and other processing on the CPU.
///
/// The closure runs on the composition's own thread, one frame at a time. It may take any time: the player drops frames
/// and does not stall. The closure receives the result of the preceding filters: an upright frame with square pixels.
/// If there are none, or they leave the frame unchanged, it receives the decoded frame with its own `rotation` and
/// `pixelAspectRatio`. The frame that the closure returns passes the following filters.
///
/// ```swift
/// let filter = VideoFrameFilter(name: "Face detection") { frame in
///     try detector.drawFaces(in: frame)
/// }
/// command = .filter(filter)
/// ```
public final class VideoFrameFilter: CIFilter {
    /// A closure that returns the frame to display. If it returns nil, this frame is dropped and the previous frame
    /// stays visible. An export repeats the previous frame; if there is none, the frame is left out. A snapshot of a
    /// dropped frame fails.
    ///
    /// If the closure throws, the player reports the event `filterError`, and this filter leaves the frame unchanged.
    /// An export fails.
    public typealias Process = @Sendable (VideoFrame) throws -> VideoFrame?

    let process: Process

    /// Creates a filter from a closure.
    /// - Parameters:
    ///   - name: The name in `description` and in errors.
    ///   - process: The closure that processes each frame.
    public init(name: String = "VideoFrameFilter", _ process: @escaping Process) {
        self.process = process
        super.init(named: name)
    }
}
