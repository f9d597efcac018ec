import MediaEngine

/// A filter whose work is a closure: a picture in, a picture out. For machine learning and other work by the CPU.
///
/// The closure runs on the composition's own thread, one picture at a time, and may take as long as it likes: the
/// video drops pictures rather than stall. What it gets has passed the filters before it, upright and with square
/// pixels; what it gives out goes through those behind it.
public final class VideoFrameFilter: CIFilter {
    /// - Returns: what is shown; nil: this picture is dropped, the one before stands on.
    /// - Throws: tells the player's events (`filterError`), and the picture is shown as it came.
    public typealias Process = @Sendable (VideoFrame) throws -> VideoFrame?

    let process: Process

    /// - Parameter name: for `description` and errors.
    public init(name: String = "VideoFrameFilter", _ process: @escaping Process) {
        self.process = process
        super.init(named: name)
    }
}
