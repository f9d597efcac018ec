/// The tracks of an item, which are read when they are first requested.
struct ItemTracks {
    private(set) var all: [AVPlayerItemTrack] = []
    private var isReading = false
    private var failures = 0
    /// The maximum number of reads. A view can access the tracks at each frame.
    private static let maximumReads = 5

    /// Returns whether the caller has to read the tracks now.
    mutating func beginReading() -> Bool {
        guard all.isEmpty, !isReading, failures < ItemTracks.maximumReads else { return false }
        isReading = true
        return true
    }

    mutating func readingFailed() {
        isReading = false
        failures += 1
    }

    mutating func finishReading(_ tracks: [AVPlayerItemTrack]) { all = tracks }
}
