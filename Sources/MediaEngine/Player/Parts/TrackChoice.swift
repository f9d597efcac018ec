import Streaming

/// The audio and subtitles that an app has chosen for an item, either as options or by languages.
struct TrackChoice {
    var selection = AVMediaSelection()
    // Language lists contain BCP 47 tags, best first.
    var audioLanguages: [String] = []
    var subtitleLanguages: [String] = []
    /// The languages that decide only among tracks marked as the default.
    var rankedSubtitleLanguages: [String] = []
    // The languages of the player, which apply if the item has none for the same kind of media.
    var playerAudioLanguages: [String] = []
    var playerSubtitleLanguages: [String] = []
    /// Whether the language lists apply. If false, the defaults of the container play, unless options are selected.
    var appliesLanguages = true
    /// Whether the captions in the video data are shown instead of subtitles.
    var showsCaptions = false

    private var spokenLanguages: [String] { audioLanguages.isEmpty ? playerAudioLanguages : audioLanguages }
    private var readLanguages: [String] { subtitleLanguages.isEmpty ? playerSubtitleLanguages : subtitleLanguages }

    /// Whether the player's settings are the same as in `other`.
    func hasSameCriteria(as other: TrackChoice) -> Bool {
        appliesLanguages == other.appliesLanguages && playerAudioLanguages == other.playerAudioLanguages
            && playerSubtitleLanguages == other.playerSubtitleLanguages
    }

    /// The selection with the options that the languages choose.
    var current: AVMediaSelection {
        guard appliesLanguages else { return selection }
        return selection.applying(
            AVMediaSelection.Criteria(
                audio: spokenLanguages, subtitles: readLanguages,
                defaultSubtitles: readLanguages.isEmpty ? rankedSubtitleLanguages : []))
    }

    var audio: TrackSelection.Choice {
        if let index = selection.audibleStreamIndex { return .stream(index) }
        return spokenLanguages.isEmpty || !appliesLanguages ? .automatic : .languages(spokenLanguages)
    }

    /// The subtitles to read in a file, or the captions to show in any item.
    var subtitles: LegibleChoice {
        if showsCaptions || selection.wantsCaptions { return .captions }
        if selection.isLegibleChosen { return selection.legibleStreamIndex.map { .stream($0) } ?? .none }
        guard appliesLanguages else { return .automatic(ranked: []) }
        return readLanguages.isEmpty ? .automatic(ranked: rankedSubtitleLanguages) : .languages(readLanguages)
    }

    /// The subtitles to load from a stream.
    var streamSubtitles: StreamSelection.Choice {
        switch selection.subtitleRendition {
        case .some(.some(let index)): .option(index)
        case .some(.none): .none
        case .none: readLanguages.isEmpty || !appliesLanguages ? .automatic : .languages(readLanguages)
        }
    }
}
