/// One piece of text and when it stands (WebVTT §3.1). A value; times are nanoseconds.
public struct WebVTTCue: Sendable, Hashable {
    /// Empty where the author gave none.
    public var identifier: String
    /// In the file's own time; in media time where a player hands it out.
    public var start: Int64
    /// One past the last moment. A file may say what makes no sense, an end before the start: such a cue never stands.
    public var end: Int64
    public var settings: WebVTTSettings
    public var text: WebVTTText
    /// The `STYLE` blocks that stand before it in its file: CSS, for whoever draws.
    public var styleSheets: [String]

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
    public enum WritingDirection: Sendable, Hashable {
        case horizontal
        /// `vertical:rl`: lines follow each other to the left.
        case verticalGrowingLeft
        /// `vertical:lr`.
        case verticalGrowingRight
    }
    public enum Line: Sendable, Hashable {
        case automatic
        /// Counted from the first line, or from the last if negative (−1 is the last). `snap-to-lines` is set.
        case number(Double)
        /// 0…100 of the video's height (width, for vertical text).
        case percentage(Double)
    }
    public enum LineAlignment: Sendable, Hashable { case start, center, end }
    public enum Position: Sendable, Hashable {
        case automatic
        /// 0…100 of the video's width (height, for vertical text).
        case percentage(Double)
    }
    public enum PositionAlignment: Sendable, Hashable { case lineLeft, center, lineRight, automatic }
    public enum TextAlignment: Sendable, Hashable { case start, center, end, left, right }

    public var writingDirection = WritingDirection.horizontal
    public var line = Line.automatic
    public var lineAlignment = LineAlignment.start
    public var position = Position.automatic
    public var positionAlignment = PositionAlignment.automatic
    /// 0…100 of the video's width (height, for vertical text).
    public var size = 100.0
    public var textAlignment = TextAlignment.center
    /// The region the cue is drawn in; nil: the video.
    public var region: WebVTTRegion?

    public init() {}
}

/// A part of the video that cues scroll in (WebVTT §3.2, §6.2). Percentages are 0…100.
public struct WebVTTRegion: Sendable, Hashable {
    public struct Anchor: Sendable, Hashable {
        public var x: Double
        public var y: Double
        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }
    public var identifier = ""
    public var width = 100.0
    public var lines = 3
    /// The point of the region that lies at `viewportAnchor` of the video.
    public var regionAnchor = Anchor(x: 0, y: 100)
    public var viewportAnchor = Anchor(x: 0, y: 100)
    /// New cues push the old ones up.
    public var scrollsUp = false

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
