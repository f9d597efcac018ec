/// Counters and measurements of a pipeline, for reports.
package struct PlaybackStatistics: Sendable {
    package var framesDecoded = 0
    package var framesShown = 0
    package var framesDropped = 0
    /// The number of times that a pass followed another pass of the same item without a seek, including items with
    /// audio only.
    package var loops = 0
    package var underruns = 0
    /// The number of times that playback stopped because a remote source did not deliver data in time.
    package var stalls = 0
    package var stallSeconds = 0.0
    /// The delay of each frame that was displayed while the clock ran, after its due time on the playback clock, in
    /// milliseconds, newest last. Only the newest 10,000 to 20,000 frames are kept.
    package var offsets: [Double] = []
    package init() {}
}
