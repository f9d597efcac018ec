import Streaming

/// The audio and the subtitles of an item that an app has chosen: by options of the item's groups, or by languages.
struct TrackChoice {
    var selection = AVMediaSelection()
    // BCP 47 tags, best first.
    var audioLanguages: [String] = []
    var subtitleLanguages: [String] = []
    /// Decides only among tracks that are marked as the default.
    var rankedSubtitleLanguages: [String] = []
    /// Shows the captions in the video's own data instead of subtitles.
    var showsCaptions = false

    var audio: TrackSelection.Choice {
        if let index = selection.audibleStreamIndex { return .stream(index) }
        return audioLanguages.isEmpty ? .automatic : .languages(audioLanguages)
    }

    /// The subtitles to read in a file, and the captions of any item.
    var subtitles: LegibleChoice {
        if showsCaptions || selection.wantsCaptions { return .captions }
        if selection.isLegibleChosen { return selection.legibleStreamIndex.map { .stream($0) } ?? .none }
        return subtitleLanguages.isEmpty
            ? .automatic(ranked: rankedSubtitleLanguages) : .languages(subtitleLanguages)
    }

    /// The subtitles to load of a stream.
    var streamSubtitles: StreamSelection.Choice {
        switch selection.subtitleRendition {
        case .some(.some(let index)): .option(index)
        case .some(.none): .none
        case .none: subtitleLanguages.isEmpty ? .automatic : .languages(subtitleLanguages)
        }
    }
}
