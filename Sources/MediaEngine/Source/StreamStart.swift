import MediaCore

/// The position at which a stream is opened or to which it seeks, and the position that replaces it if the target is no
/// longer available.
struct StreamStart {
    /// The media time at which playback begins.
    private(set) var time: MediaTime
    /// The media time to which the last seek or the opening moved; `nil` if it did not move.
    private(set) var movedTo: MediaTime?
    /// Whether nothing has been read since the stream was opened.
    private var isFresh = true

    init(at time: MediaTime) { self.time = time }

    /// Records that the target is not available, and reading begins at `time` instead.
    mutating func move(to time: MediaTime) { movedTo = time }

    /// Records that the stream is open.
    mutating func didOpen() { if let movedTo { time = movedTo } }

    /// Records that something was read, so that even a seek to the start has to load it again.
    mutating func didRead() { isFresh = false }

    /// Begins a seek.
    ///
    /// - Returns: `false` if the stream was opened for this seek and is already loading the target.
    mutating func seek(to target: MediaTime) -> Bool {
        if isFresh, target == time { return false }
        isFresh = false
        movedTo = nil
        return true
    }
}
