import Streaming

/// One thing to be read and when it stands, as it came out of a decoder. A value; times are nanoseconds of media time.
package struct SubtitleCue: Sendable, Hashable {
    package enum Body: Sendable, Hashable {
        /// Events of Advanced SubStation as libavcodec hands them out: everything behind the times and before the text stands
        /// in `Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`. The styles are in the store's header.
        case events([String])
        case webVTT(WebVTTCue)
        case bitmap(SubtitleBitmap)
    }

    /// Unique within its source, in the order in which cues came.
    package var id: Int
    package var start: Int64
    /// One past the last moment.
    package var end: Int64
    package var body: Body

    package init(id: Int = 0, start: Int64, end: Int64, body: Body) {
        self.id = id
        self.start = start
        self.end = end
        self.body = body
    }

    /// It stands at `time`: its start counts, its end does not.
    package func isInForce(at time: Int64) -> Bool { start <= time && time < end }

    /// The words alone, lines parted by U+000A; empty for pictures.
    package var plain: String {
        switch body {
        case .events(let events): events.map(SubtitleCue.plain).joined(separator: "\n")
        case .webVTT(let cue): cue.text.plain
        case .bitmap: ""
        }
    }

    /// An event's text without its override tags and drawings.
    package static func plain(event: String) -> String {
        let fields = event.split(separator: ",", maxSplits: 7, omittingEmptySubsequences: false)
        guard fields.count == 8 else { return "" }
        var result = "", isDrawing = false
        var rest = fields[7][...]
        while let character = rest.first {
            if character == "{", let end = rest.firstIndex(of: "}") {
                let tags = rest[rest.startIndex...end]
                if let place = tags.range(of: "\\p"), let digit = tags[place.upperBound...].first, digit.isNumber { isDrawing = digit != "0" }
                rest = rest[rest.index(after: end)...]
            } else if character == "\\", let next = rest.dropFirst().first, "Nnh".contains(next) {
                if !isDrawing { result.append(next == "h" ? "\u{A0}" : "\n") }
                rest = rest.dropFirst(2)
            } else {
                if !isDrawing { result.append(character) }
                rest = rest.dropFirst()
            }
        }
        return result
    }
}

/// What a bitmap track shows at one time: rectangles on a canvas of its own. Immutable.
package struct SubtitleBitmap: Sendable, Hashable {
    package struct Rectangle: Sendable, Hashable {
        /// Canvas pixels.
        package var x: Int, y: Int, width: Int, height: Int
        /// `width` × `height`, 0xAARRGGBB, premultiplied.
        package var pixels: [UInt32]
    }
    package var rectangles: [Rectangle]
    package var canvasWidth: Int, canvasHeight: Int
    /// The canvas has square pixels and is as wide as the picture, which may have lost its black bars above and below
    /// (Blu-ray); else it is exactly the picture.
    package var hasSquarePixels: Bool
}

/// How a source's events are styled.
package struct SubtitleHeader: Sendable, Hashable {
    /// `[Script Info]` and styles. Nil: the events have only our default style.
    package var script: String?
    /// Fonts that came with the text: name and file.
    package var fonts: [Font] = []
    package struct Font: Sendable, Hashable {
        package var name: String
        package var bytes: [UInt8]
        package init(name: String, bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }
    }
    package init(script: String? = nil, fonts: [Font] = []) {
        self.script = script
        self.fonts = fonts
    }
}

/// Where subtitles come from: a document, a track of what plays. Any thread.
package protocol SubtitleSource: AnyObject, Sendable {
    /// Equal as long as the same question has the same answer.
    var version: UInt64 { get }
    /// Counts the styles and fonts: another number, another header.
    var header: (version: UInt64, header: SubtitleHeader) { get }
    /// The cues that stand at `time`, media nanoseconds, in the order they begin.
    func standing(at time: Int64) -> [SubtitleCue]
    /// Called on any thread when the version changed. Nil ends the calls.
    func setOnChange(_ call: (@Sendable () -> Void)?, for owner: AnyObject)
}
