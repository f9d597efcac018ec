import Zoetrope

/// The pages of the gallery, in the order of the sidebar.
enum Page: String, CaseIterable, Identifiable {
    case start, background, hint, controls, mask, sources, events, pip, errors, filters, shader, vectors, subtitles
    case playlist, part, stream, grid, examples

    var id: String { rawValue }

    var title: String { entry.title }
    /// A line of text about the page's content.
    var summary: String { entry.summary }
    var symbol: String { entry.symbol }

    /// The name of the page's source file in `Pages`.
    var file: String { self == .pip ? "PictureInPicturePage.swift" : "\(rawValue.capitalized)Page.swift" }

    /// Whether each word of `query` occurs in the page's title, summary or keywords.
    func matches(_ query: String) -> Bool {
        let text = "\(title) \(summary) \(entry.keywords) \(rawValue)".lowercased()
        return query.lowercased().split(whereSeparator: \.isWhitespace).allSatisfy { text.contains($0) }
    }

    /// Returns the page `step` pages away. The first page follows the last.
    func neighbour(_ step: Int) -> Page {
        let all = Page.allCases
        let at = all.firstIndex(of: self) ?? 0
        return all[(at + step + all.count) % all.count]
    }

    private struct Entry {
        let title: String, symbol: String, summary: String
        /// API names and other words for the search.
        let keywords: String
    }

    private var entry: Entry {
        switch self {
        case .start:
            Entry(title: "Start", symbol: "house", summary: "What Zoetrope can do", keywords: "home about welcome")
        case .background:
            Entry(
                title: "Background", symbol: "photo", summary: "A seamless loop behind text",
                keywords: "Loop Mute Gravity resizeAspectFill gradient seamless")
        case .hint:
            Entry(
                title: "Hint", symbol: "info.circle", summary: "A small looping video in a hint",
                keywords: "transition spring animation tooltip popover")
        case .controls:
            Entry(
                title: "Controls", symbol: "play.fill", summary: "Play, seek, mute, loop and speed controls",
                keywords: "PlaybackCommand seek slider TimePublishing volume keyboardShortcut")
        case .mask:
            Entry(
                title: "Mask", symbol: "theatermasks", summary: "A video in any shape",
                keywords: "RoundedRectangle Circle shadow clip")
        case .sources:
            Entry(
                title: "Sources", symbol: "folder", summary: "One player for several sources; scaling",
                keywords: "SourceName Gravity URL resource open")
        case .events:
            Entry(
                title: "Events", symbol: "list.bullet", summary: "Every event that a player reports",
                keywords: "PlayerEvent onPlayerEventChange log volume")
        case .pip:
            Entry(
                title: "Picture in Picture", symbol: "pip", summary: "A video in a small window above all others",
                keywords: "PictureInPicture startPiP floating")
        case .errors:
            Entry(
                title: "Errors", symbol: "exclamationmark.triangle",
                summary: "Messages for videos that can’t be played",
                keywords: "ErrorGroup EColor EFontSize ErrorWidgetOff VPErrors not found")
        case .filters:
            Entry(
                title: "Filters", symbol: "camera.filters", summary: "Core Image filters with live sliders",
                keywords: "CIFilter brightness contrast blur kaleidoscope sepia vignette")
        case .shader:
            Entry(
                title: "Shader", symbol: "chevron.left.forwardslash.chevron.right",
                summary: "A GLSL shader that can be edited live", keywords: "VideoShader GPU OpenGL ripple")
        case .vectors:
            Entry(
                title: "Vectors", symbol: "star", summary: "Shapes, text and animations over a video",
                keywords: "CALayer CAShapeLayer CATextLayer CAGradientLayer EnableVector addVector")
        case .subtitles:
            Entry(
                title: "Subtitles", symbol: "captions.bubble", summary: "Subtitles in the author’s or a custom style",
                keywords: "Subtitles SubtitleStyle WebVTT SRT ASS captions")
        case .playlist:
            Entry(
                title: "Playlist", symbol: "list.number", summary: "Gapless playback, crossfade and loudness",
                keywords: "Playlist Crossfade Loudness Preload next previous jump gapless")
        case .part:
            Entry(
                title: "A–B Loop, Poster", symbol: "repeat",
                summary: "A repeated section; a poster image",
                keywords: "Loop from to Poster AVAssetImageGenerator trim A-B")
        case .stream:
            Entry(
                title: "Stream", symbol: "antenna.radiowaves.left.and.right",
                summary: "Buffering, audio tracks and subtitles",
                keywords: "HLS m3u8 http live bufferChanged audioTrack")
        case .grid:
            Entry(
                title: "16 Loops", symbol: "square.grid.2x2", summary: "Sixteen players, one decoder",
                keywords: "grid performance ClipCache")
        case .examples:
            Entry(
                title: "Examples", symbol: "macwindow", summary: "Complete apps, each in its own window",
                keywords: "VideoPlayerContainer MPlayerKit Youtube Bilibili TikTok QuickTime Vision Pro")
        }
    }
}
