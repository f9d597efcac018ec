import MediaCore

/// The loop of an entry: whether it restarts at the end, which part of it, and how often.
struct EntryLoop {
    /// Whether playback restarts at the end.
    private(set) var isOn: Bool
    /// The range of a looper in media time; `nil` for the whole item.
    var range: ClosedRange<MediaTime>?
    /// The current loop number, kept across seeks. See `Segment.loopNumber`.
    var number = 0
    /// The total number of passes of a looper, including the one in which it was set; `nil` for no limit.
    private var passes: Int?
    /// The loop number at which the number of passes was set.
    private var firstNumber = 0

    init(isOn: Bool) { self.isOn = isOn }

    /// Sets whether and how the entry loops.
    ///
    /// - Parameter number: The loop number that is playing; `nil` for the last one that was recorded.
    mutating func set(_ isOn: Bool, in range: ClosedRange<MediaTime>?, passes: Int?, from number: Int?) {
        self.isOn = isOn
        self.range = range
        self.passes = passes
        firstNumber = number ?? self.number
    }

    /// Resets the loop numbers because the entry starts again.
    mutating func restartNumbers() { (number, firstNumber) = (0, 0) }

    /// Returns whether another pass follows the pass `number`.
    func hasNextPass(after number: Int) -> Bool {
        isOn && (passes.map { number - firstNumber + 1 < $0 } ?? true)
    }
}
