import Zoetrope

/// The gallery's pages, in the order of its sidebar.
enum Page: String, CaseIterable, Identifiable {
    case start, background, hint, controls, mask, sources, events, pip, errors, filters, shader, vectors, subtitles
    case playlist, part, stream, grid, examples

    var id: String { rawValue }

    var title: String { entry.title }
    /// What it shows, in a line.
    var words: String { entry.words }
    var symbol: String { entry.symbol }

    /// The file in `Pages` that it is written in.
    var file: String { self == .pip ? "PictureInPicturePage.swift" : "\(rawValue.capitalized)Page.swift" }

    /// Whether it is what somebody looks for who types `query`: each word is somewhere in what it is called, says or
    /// uses.
    func matches(_ query: String) -> Bool {
        let place = "\(title) \(words) \(entry.uses) \(rawValue)".lowercased()
        return query.lowercased().split(whereSeparator: \.isWhitespace).allSatisfy { place.contains($0) }
    }

    /// The page before or after it, round in a circle.
    func neighbour(_ step: Int) -> Page {
        let all = Page.allCases
        let at = all.firstIndex(of: self) ?? 0
        return all[(at + step + all.count) % all.count]
    }

    private struct Entry {
        let title: String, symbol: String, words: String
        /// Names of the component's parts, for searching.
        let uses: String
    }

    private var entry: Entry {
        switch self {
        case .start:
            Entry(title: "Start", symbol: "house", words: "What Zoetrope is", uses: "home about welcome")
        case .background:
            Entry(
                title: "Background", symbol: "photo", words: "A loop that fills the room, under words",
                uses: "Loop Mute Gravity resizeAspectFill gradient seamless")
        case .hint:
            Entry(
                title: "Hint", symbol: "info.circle", words: "A small loop that explains what it stands beside",
                uses: "transition spring animation tooltip popover")
        case .controls:
            Entry(
                title: "Controls", symbol: "play.fill", words: "Play, seek, mute, loop and speed by an app’s own views",
                uses: "PlaybackCommand seek slider TimePublishing volume keyboardShortcut")
        case .mask:
            Entry(
                title: "Mask", symbol: "theatermasks", words: "A picture in any shape",
                uses: "RoundedRectangle Circle shadow clip")
        case .sources:
            Entry(
                title: "Sources", symbol: "folder", words: "One player, several files; how they fill the room",
                uses: "SourceName Gravity URL resource open")
        case .events:
            Entry(
                title: "Events", symbol: "list.bullet", words: "All that a player tells",
                uses: "PlayerEvent onPlayerEventChange log volume")
        case .pip:
            Entry(
                title: "Picture in Picture", symbol: "pip", words: "A small window over all others",
                uses: "PictureInPicture startPiP floating")
        case .errors:
            Entry(
                title: "Errors", symbol: "exclamationmark.triangle", words: "What is seen when nothing can be",
                uses: "ErrorGroup EColor EFontSize ErrorWidgetOff VPErrors not found")
        case .filters:
            Entry(
                title: "Filters", symbol: "camera.filters", words: "Core Image’s filters, live, on sliders",
                uses: "CIFilter brightness contrast blur kaleidoscope sepia vignette")
        case .shader:
            Entry(
                title: "Shader", symbol: "chevron.left.forwardslash.chevron.right",
                words: "Your own GLSL, written while it runs", uses: "VideoShader GPU OpenGL ripple")
        case .vectors:
            Entry(
                title: "Vectors", symbol: "star", words: "Shapes, text and animations over the picture",
                uses: "CALayer CAShapeLayer CATextLayer CAGradientLayer EnableVector addVector")
        case .subtitles:
            Entry(
                title: "Subtitles", symbol: "captions.bubble", words: "In the film’s style or in yours",
                uses: "Subtitles SubtitleStyle WebVTT SRT ASS captions")
        case .playlist:
            Entry(
                title: "Playlist", symbol: "list.number", words: "One after the other, without a gap",
                uses: "Playlist Crossfade Loudness Preload next previous jump gapless")
        case .part:
            Entry(
                title: "A–B, poster", symbol: "repeat", words: "A part over and over; a picture until it plays",
                uses: "Loop from to Poster AVAssetImageGenerator trim A-B")
        case .stream:
            Entry(
                title: "Stream", symbol: "antenna.radiowaves.left.and.right",
                words: "What has come, its languages and its subtitles",
                uses: "HLS m3u8 http live bufferChanged audioTrack")
        case .grid:
            Entry(
                title: "16 loops", symbol: "square.grid.2x2", words: "Sixteen players, decoded once",
                uses: "grid performance ClipCache")
        case .examples:
            Entry(
                title: "Examples", symbol: "macwindow", words: "Whole apps, each in a window of its own",
                uses: "VideoPlayerContainer MPlayerKit Youtube Bilibili TikTok QuickTime Vision Pro")
        }
    }
}
