/// The tracks of an item, which are read when they are first requested.
struct ItemTracks {
    private(set) var all: [AVPlayerItemTrack] = []
    private var isReading = false

    /// Returns whether the caller has to read the tracks now.
    mutating func beginReading() -> Bool {
        guard all.isEmpty, !isReading else { return false }
        isReading = true
        return true
    }

    mutating func finishReading(_ tracks: [AVPlayerItemTrack]) { all = tracks }
}
