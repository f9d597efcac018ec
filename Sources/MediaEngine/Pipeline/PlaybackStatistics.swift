/// What happened so far, for reports.
package struct PlaybackStatistics: Sendable {
    package var framesDecoded = 0
    package var framesShown = 0
    package var framesDropped = 0
    /// How often a pass followed another one without a seek between them, of sound alone too.
    package var loops = 0
    package var underruns = 0
    /// How often time stood because a remote source did not keep up.
    package var stalls = 0
    package var stallSeconds = 0.0
    /// How much later than it was due each picture was put on the screen, against the clock that sound leads;
    /// milliseconds, newest last.
    package var offsets: [Double] = []
    package init() {}
}
