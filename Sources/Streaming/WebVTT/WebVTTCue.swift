/// One piece of text and when it stands (WebVTT §3.1). A value; times are nanoseconds.
public struct WebVTTCue: Sendable, Hashable {
    /// Empty where the author gave none.
    public var identifier: String
    /// In the file's own time; in media time where a player hands it out.
    public var start: Int64
    /// One past the last moment. A file may say what makes no sense, an end before the start: such a cue never stands.
    public var end: Int64
    /// Where and how it is drawn.
    public var settings: WebVTTSettings
    /// What it says, as a tree of its tags.
    public var text: WebVTTText
    /// The `STYLE` blocks that stand before it in its file: CSS, for whoever draws.
    public var styleSheets: [String]

    /// Takes all as it is: nothing is checked or clamped.
    ///
    /// - Parameters:
    ///   - start: nanoseconds of the file's time.
    ///   - end: one past the last moment, nanoseconds.
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

    /// A cue as a container holds it: its parts apart, and what stands before the cues of a file in the track's header.
    /// Matroska counts a cue's inner timestamps from the cue's start; FFmpeg's muxer leaves them as they were in the
    /// file.
    package init(identifier: String, start: Int64, end: Int64, settings: [UInt8], text: [UInt8], header: [UInt8]) {
        let document =
            header.isEmpty
            ? nil
            : try? WebVTTDocument(
                parsing: header.starts(with: "WEBVTT".utf8) ? header : Array("WEBVTT\n\n".utf8) + header)
        let parsed = WebVTTText(parsing: text[...])
        let isRelative = parsed.runs.allSatisfy { ($0.time ?? 0) <= end - start }
        self.init(
            identifier: identifier, start: start, end: end,
            settings: WebVTTSettings(parsing: settings[...], regions: document?.regions ?? []),
            text: isRelative ? parsed.shifted(by: start) : parsed, styleSheets: document?.styleSheets ?? [])
    }

    /// Without the style sheets, which are the same thousands of times.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identifier)
        hasher.combine(start)
        hasher.combine(end)
        hasher.combine(text)
    }

    /// It stands at `time`: its start counts, its end does not.
    public func isInForce(at time: Int64) -> Bool { start <= time && time < end }
}

/// Where a cue's box stands and how its lines lie in it (WebVTT §3.1, §6.3). Defaults are the specification's.
public struct WebVTTSettings: Sendable, Hashable {
    /// `vertical`: how a cue's lines run.
    public enum WritingDirection: Sendable, Hashable {
        /// Lines from left to right or right to left, each below the last. The default.
        case horizontal
        /// `vertical:rl`: lines follow each other to the left.
        case verticalGrowingLeft
        /// `vertical:lr`.
        case verticalGrowingRight
    }
    /// `line`: where the cue's box stands across its lines' direction.
    public enum Line: Sendable, Hashable {
        /// Below what stands there already, from the last line upwards. The default.
        case automatic
        /// Counted from the first line, or from the last if negative (−1 is the last). `snap-to-lines` is set.
        case number(Double)
        /// 0…100 of the video's height (width, for vertical text).
        case percentage(Double)
    }
    /// `line`'s second part: which edge of the box lies at that line.
    public enum LineAlignment: Sendable, Hashable {
        /// The box's first edge, its middle, its last edge.
        case start, center, end
    }
    /// `position`: where the box stands along its lines' direction.
    public enum Position: Sendable, Hashable {
        /// By the text's alignment: the middle, or the side that the text begins or ends at. The default.
        case automatic
        /// 0…100 of the video's width (height, for vertical text).
        case percentage(Double)
    }
    /// `position`'s second part: which part of the box lies at that position; `automatic` goes by the text's alignment.
    public enum PositionAlignment: Sendable, Hashable {
        /// The box's left edge, its middle, its right edge; by the text's alignment.
        case lineLeft, center, lineRight, automatic
    }
    /// `align`: how lines lie in the box; `start` and `end` go by each line's own direction.
    public enum TextAlignment: Sendable, Hashable {
        /// Where each line's own direction begins; the middle; where it ends; left; right.
        case start, center, end, left, right
    }

    /// Default `.horizontal`.
    public var writingDirection = WritingDirection.horizontal
    /// Default `.automatic`.
    public var line = Line.automatic
    /// Default `.start`.
    public var lineAlignment = LineAlignment.start
    /// Default `.automatic`.
    public var position = Position.automatic
    /// Default `.automatic`.
    public var positionAlignment = PositionAlignment.automatic
    /// 0…100 of the video's width (height, for vertical text).
    public var size = 100.0
    /// Default `.center`.
    public var textAlignment = TextAlignment.center
    /// The region the cue is drawn in; nil: the video.
    public var region: WebVTTRegion?

    /// The specification's defaults for a cue that says nothing.
    public init() {}
}

/// A part of the video that cues scroll in (WebVTT §3.2, §6.2). Percentages are 0…100.
public struct WebVTTRegion: Sendable, Hashable {
    /// A point, in percent of what it is measured in.
    public struct Anchor: Sendable, Hashable {
        /// 0…100 of the width, from the left.
        public var x: Double
        /// 0…100 of the height, from the top.
        public var y: Double
        /// Takes both as they are.
        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }
    /// What cues name it by; a document's later region of the same name counts.
    public var identifier = ""
    /// 0…100 of the video's width.
    public var width = 100.0
    /// How many lines high.
    public var lines = 3
    /// The point of the region that lies at `viewportAnchor` of the video.
    public var regionAnchor = Anchor(x: 0, y: 100)
    /// The point of the video that the region is fastened at.
    public var viewportAnchor = Anchor(x: 0, y: 100)
    /// New cues push the old ones up.
    public var scrollsUp = false

    /// The specification's defaults: three lines over the whole width, at the bottom.
    public init() {}
}

/// `X-TIMESTAMP-MAP` of a segment: which moment of the programme a time of the file is (RFC 8216 §3.5).
public struct WebVTTTimestampMap: Sendable, Hashable {
    /// 90 kHz ticks of the programme's clock, 33 bits as in a transport stream.
    public var mpegTS: Int64
    /// The same moment in the file's time, nanoseconds.
    public var local: Int64

    /// The default is that of a segment without one: both clocks begin together.
    public init(mpegTS: Int64 = 0, local: Int64 = 0) {
        self.mpegTS = mpegTS
        self.local = local
    }

    /// Nanoseconds to add to the file's times for the programme's.
    package var shift: Int64 {
        // 33 bits of ticks are 95,443 s: far from overflowing.
        Int64((Double(mpegTS) / 90_000 * 1e9).rounded()) &- local
    }
}
