/// What is known of how loud an item is.
struct ItemLoudness {
    /// As it was measured.
    private(set) var measured: LoudnessMeasure?
    /// As its tags say.
    private(set) var tagged: LoudnessMeasure?
    /// The container's number of the track of sound that plays; nil: not open, or none.
    private var track: Int?
    /// The choice that was last asked to be measured.
    private var measuredChoice: TrackSelection.Choice?

    var known: LoudnessMeasure? { measured ?? tagged }

    /// It is open, and `track` plays.
    mutating func opened(track: AudioTrackDescription?) {
        if self.track != track?.streamIndex { measured = nil }
        self.track = track?.streamIndex
        tagged = track?.tagged
    }
    /// - Returns: false when that was asked for before.
    mutating func asks(for choice: TrackSelection.Choice) -> Bool {
        guard measuredChoice != choice else { return false }
        measuredChoice = choice
        return true
    }
    /// - Returns: false when another track has been chosen meanwhile.
    mutating func learn(_ measure: LoudnessMeasure?, ofTrack track: Int) -> Bool {
        guard self.track.map({ $0 == track }) ?? true else { return false }
        measured = measure
        return true
    }
}
