import MediaCore

/// The packets of black frames that are shown in the ranges without media. The memory of the frame is kept from one
/// range to the next.
struct BlackFrames {
    private var frame: BlackFrame?
    /// The start of the next frame.
    private(set) var time = MediaTime.zero

    /// The duration of a frame. A long range is divided, so that a seek finds a frame near its target.
    private static let length: MediaTime = 1_000_000_000

    /// Moves to the frame that is shown at `position` of `range`.
    ///
    /// - Parameter video: The shape of the frames, which is that of a piece nearby.
    /// - Returns: The track of the frames.
    /// - Throws: `.unknown` if there is not enough memory.
    mutating func enter(
        _ range: Range<MediaTime>, at position: MediaTime, like video: TrackVideo?, _ orientation: PictureOrientation
    ) throws(AVError) -> VideoTrackDescription {
        let fitting: BlackFrame
        if let frame, frame.fits(video, orientation) {
            fitting = frame
        } else {
            fitting = try BlackFrame(like: video, orientation)
        }
        frame = fitting
        let into = max(0, min(position, range.upperBound - 1) - range.lowerBound)
        time = range.lowerBound + BlackFrames.length * Int(into.nanoseconds / BlackFrames.length.nanoseconds)
        return fitting.track
    }

    /// Returns the packet of the next frame; nil at the end of the range.
    ///
    /// - Throws: `.unknown` if there is not enough memory.
    mutating func next(before end: MediaTime) throws(AVError) -> MediaPacket? {
        guard time < end, let frame else { return nil }
        let next = min(time + BlackFrames.length, end)
        guard let packet = frame.packet(from: time, to: next) else {
            throw AVError(.unknown, at: CompositionPlan.location, reason: "there is not enough memory")
        }
        time = next
        return packet
    }
}
