/// A piece of text and the time at which it is displayed (WebVTT §3.1). Times are in nanoseconds.
///
/// A player’s subtitle output provides cues:
/// ```swift
/// for cue in output.cues(at: item.currentTime()) {
///     let start = CMTime(value: cue.start, timescale: 1_000_000_000)
///     print(start.seconds, cue.text.plain)
/// }
/// ```
public struct WebVTTCue: Sendable, Hashable {
    /// The identifier, or an empty string if the file states none.
    public var identifier: String
    /// The start, in nanoseconds. It is in the file's own time, or in media time if a player provides the cue.
    public var start: Int64
    /// The end, in nanoseconds. The cue is no longer displayed at this time. If the end is not after the start, the cue
    /// is never displayed.
    public var end: Int64
    /// The position and layout of the cue.
    public var settings: WebVTTSettings
    /// The text, as a tree of its tags.
    public var text: WebVTTText
    /// The CSS of the `STYLE` blocks before the cue in its file, for renderers.
    public var styleSheets: [String]

    /// Creates a cue. The values are not checked or clamped.
    ///
    /// - Parameters:
    ///   - identifier: The identifier, or an empty string for none.
    ///   - start: The start, in nanoseconds of the file's time.
    ///   - end: The time at which the cue is no longer displayed, in nanoseconds of the file's time.
    ///   - settings: The position and layout.
    ///   - text: The text.
    ///   - styleSheets: The CSS for the cue.
    public init(
        identifier: String = "", start: Int64, end: Int64, settings: WebVTTSettings = WebVTTSettings(),
        text: WebVTTText, styleSheets: [String] = []
    ) {
        self.identifier = identifier
        self.start = start
        self.end = end
        self.settings = settings
        self.text = text
        self.styleSheets = styleSheets
    }

    /// Creates a cue from the separate parts that a container stores. The track's header contains what precedes the
    /// cues in a file.
    ///
    /// Matroska states timestamps within a cue relative to the cue's start, but FFmpeg's muxer keeps those of the file.
    /// If no timestamp exceeds the cue's duration, all are treated as relative.
    package init(identifier: String, start: Int64, end: Int64, settings: [UInt8], text: [UInt8], header: [UInt8]) {
        let document =
            header.isEmpty
            ? nil
            : try? WebVTTDocument(
                parsing: header.starts(with: "WEBVTT".utf8) ? header : Array("WEBVTT\n\n".utf8) + header)
        let parsed = WebVTTText(parsing: WebVTTDocument.normalized(text)[...])
        let isRelative = parsed.runs.allSatisfy { ($0.time ?? 0) <= end - start }
        self.init(
            identifier: identifier, start: start, end: end,
            settings: WebVTTSettings(parsing: settings[...], regions: document?.regions ?? []),
            text: isRelative ? parsed.shifted(by: start) : parsed, styleSheets: document?.styleSheets ?? [])
    }

    /// Hashes the cue without its settings and style sheets. The style sheets are the same in thousands of cues.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identifier)
        hasher.combine(start)
        hasher.combine(end)
        hasher.combine(text)
    }

    /// Returns whether the cue is displayed at `time`. The start is included, the end is not.
    /// - Parameter time: A time in nanoseconds, on the same clock as `start`.
    public func isInForce(at time: Int64) -> Bool { start <= time && time < end }
}

/// The position of a cue's box, and the layout of its lines (WebVTT §3.1, §6.3). The default values are those of the
/// specification. Values that you set are not checked or clamped.
///
/// ```swift
/// // Move the controls if a cue is at the bottom.
/// let isAtBottom = cues.contains { $0.settings.line == .automatic }
/// ```
public struct WebVTTSettings: Sendable, Hashable {
    /// The direction of a cue's lines (`vertical`).
    public enum WritingDirection: Sendable, Hashable {
        /// Lines are horizontal, and each is below the previous one. The default.
        case horizontal
        /// Lines are vertical, and each is to the left of the previous one (`vertical:rl`).
        case verticalGrowingLeft
        /// Lines are vertical, and each is to the right of the previous one (`vertical:lr`).
        case verticalGrowingRight
    }
    /// The position of a cue's box across the direction of its lines (`line`).
    public enum Line: Sendable, Hashable {
        /// The last line that is free, from the bottom upwards. The default.
        case automatic
        /// A line number, counted from the first line, or from the last one if negative (−1 is the last line).
        /// `snap-to-lines` is set.
        case number(Double)
        /// A percentage (0…100) of the video's height, or of its width for vertical text.
        case percentage(Double)
    }
    /// The edge of the box that is placed at the line (the second part of `line`).
    public enum LineAlignment: Sendable, Hashable {
        /// The first edge, the middle or the last edge of the box.
        case start, center, end
    }
    /// The position of a cue's box along the direction of its lines (`position`).
    public enum Position: Sendable, Hashable {
        /// The position that matches the text alignment: the middle, or the side where text begins or ends. The
        /// default.
        case automatic
        /// A percentage (0…100) of the video's width, or of its height for vertical text.
        case percentage(Double)
    }
    /// The part of the box that is placed at the position (the second part of `position`).
    public enum PositionAlignment: Sendable, Hashable {
        /// The left edge, the middle or the right edge of the box; `automatic` follows the text alignment.
        case lineLeft, center, lineRight, automatic
    }
    /// The alignment of lines in the box (`align`).
    public enum TextAlignment: Sendable, Hashable {
        /// Aligned to the start, the middle or the end of each line's own direction; or to the left or right.
        case start, center, end, left, right
    }

    /// The direction of lines. The default is `.horizontal`.
    public var writingDirection = WritingDirection.horizontal
    /// The position of the box across the direction of its lines. The default is `.automatic`.
    public var line = Line.automatic
    /// The edge of the box at `line`. The default is `.start`.
    public var lineAlignment = LineAlignment.start
    /// The position of the box along the direction of its lines. The default is `.automatic`.
    public var position = Position.automatic
    /// The part of the box at `position`. The default is `.automatic`.
    public var positionAlignment = PositionAlignment.automatic
    /// The size of the box, as a percentage (0…100) of the video's width, or of its height for vertical text.
    public var size = 100.0
    /// The alignment of lines in the box. The default is `.center`.
    public var textAlignment = TextAlignment.center
    /// The region in which the cue is drawn, or nil for the whole video.
    public var region: WebVTTRegion?

    /// Creates the specification's default settings.
    public init() {}
}

/// A part of the video in which cues scroll (WebVTT §3.2, §6.2). Percentages are in 0…100. Values that you set are not
/// checked or clamped.
public struct WebVTTRegion: Sendable, Hashable {
    /// A point, in percent of the width and height.
    public struct Anchor: Sendable, Hashable {
        /// The distance from the left, as a percentage (0…100) of the width.
        public var x: Double
        /// The distance from the top, as a percentage (0…100) of the height.
        public var y: Double
        /// Creates a point. The values are not clamped.
        /// - Parameters:
        ///   - x: The distance from the left, in percent.
        ///   - y: The distance from the top, in percent.
        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }
    /// The identifier that cues refer to. If several regions in a document have the same identifier, the last one is
    /// used.
    public var identifier = ""
    /// The width, as a percentage (0…100) of the video's width.
    public var width = 100.0
    /// The height, in lines.
    public var lines = 3
    /// The point of the region that is placed at `viewportAnchor`.
    public var regionAnchor = Anchor(x: 0, y: 100)
    /// The point of the video at which the region is placed.
    public var viewportAnchor = Anchor(x: 0, y: 100)
    /// Whether new cues push older ones up.
    public var scrollsUp = false

    /// Creates the specification's default region: three lines at the bottom, with the width of the video.
    public init() {}
}

/// The mapping from a segment's file times to the stream's timestamps, from `X-TIMESTAMP-MAP` (RFC 8216 §3.5).
public struct WebVTTTimestampMap: Sendable, Hashable {
    /// A timestamp of the stream in units of 1/90,000 s, with 33 bits as in a transport stream.
    public var mpegTS: Int64
    /// The file time that corresponds to `mpegTS`, in nanoseconds.
    public var local: Int64

    /// Creates a mapping. The default is that of a segment without the tag: both clocks begin at 0.
    /// - Parameters:
    ///   - mpegTS: A timestamp of the stream, in units of 1/90,000 s.
    ///   - local: The corresponding file time, in nanoseconds.
    public init(mpegTS: Int64 = 0, local: Int64 = 0) {
        self.mpegTS = mpegTS
        self.local = local
    }

    /// The difference to add to file times to get the stream's timestamps, in nanoseconds.
    package var shift: Int64 {
        // 33 bits of ticks are 95,443 s, so the conversion cannot overflow.
        Int64((Double(mpegTS) / 90_000 * 1e9).rounded()) &- local
    }
}
