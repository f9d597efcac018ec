import Streaming

/// The audio and subtitles that an app has chosen for an item, either as options or by languages.
struct TrackChoice {
    var selection = AVMediaSelection()
    // Language lists contain BCP 47 tags, best first.
    var audioLanguages: [String] = []
    var subtitleLanguages: [String] = []
    /// The languages that decide only among tracks marked as the default.
    var rankedSubtitleLanguages: [String] = []
    /// Whether the language lists apply. If false, the defaults of the container play, unless options are selected.
    var appliesLanguages = true
    /// Whether the captions in the video data are shown instead of subtitles.
    var showsCaptions = false

    /// The selection with the options that the languages choose.
    var current: AVMediaSelection {
        guard appliesLanguages else { return selection }
        return selection.applying(
            AVMediaSelection.Criteria(
                audio: audioLanguages, subtitles: subtitleLanguages,
                defaultSubtitles: subtitleLanguages.isEmpty ? rankedSubtitleLanguages : []))
    }

    var audio: TrackSelection.Choice {
        if let index = selection.audibleStreamIndex { return .stream(index) }
        return audioLanguages.isEmpty || !appliesLanguages ? .automatic : .languages(audioLanguages)
    }

    /// The subtitles to read in a file, or the captions to show in any item.
    var subtitles: LegibleChoice {
        if showsCaptions || selection.wantsCaptions { return .captions }
        if selection.isLegibleChosen { return selection.legibleStreamIndex.map { .stream($0) } ?? .none }
        guard appliesLanguages else { return .automatic(ranked: []) }
        return subtitleLanguages.isEmpty
            ? .automatic(ranked: rankedSubtitleLanguages) : .languages(subtitleLanguages)
    }

    /// The subtitles to load from a stream.
    var streamSubtitles: StreamSelection.Choice {
        switch selection.subtitleRendition {
        case .some(.some(let index)): .option(index)
        case .some(.none): .none
        case .none: subtitleLanguages.isEmpty || !appliesLanguages ? .automatic : .languages(subtitleLanguages)
        }
    }
}
