/// The known loudness of an item.
struct ItemLoudness {
    /// The measured loudness.
    private(set) var measured: LoudnessMeasure?
    /// The loudness in the item's tags.
    private(set) var tagged: LoudnessMeasure?
    /// The container's index of the audio track that plays; nil if the item is not open or has none.
    private var track: Int?
    /// The track choice for which a measurement was last requested.
    private var measuredChoice: TrackSelection.Choice?
    /// The pipeline that requested the measurement. When it closes, the measurement is abandoned.
    private weak var requester: PipelineContext?

    var known: LoudnessMeasure? { measured ?? tagged }

    /// Records that the item is open and `track` plays.
    mutating func opened(track: AudioTrackDescription?) {
        if self.track != track?.streamIndex { measured = nil }
        self.track = track?.streamIndex
        tagged = track?.tagged
    }
    /// Records that `pipeline` requests a measurement for `choice`.
    /// - Returns: False if `pipeline` has already requested it.
    mutating func requestMeasurement(for choice: TrackSelection.Choice, by pipeline: PipelineContext) -> Bool {
        guard measuredChoice != choice || requester !== pipeline else { return false }
        measuredChoice = choice
        requester = pipeline
        return true
    }
    /// Stores a measured loudness.
    /// - Returns: False if another track has been selected meanwhile.
    mutating func learn(_ measure: LoudnessMeasure?, ofTrack track: Int) -> Bool {
        guard self.track.map({ $0 == track }) ?? true else { return false }
        measured = measure
        return true
    }
}
