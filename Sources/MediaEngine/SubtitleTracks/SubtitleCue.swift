import Streaming

/// One thing to be read and when it stands, as it came out of a decoder. A value; times are nanoseconds of media time.
package struct SubtitleCue: Sendable, Hashable {
    package enum Body: Sendable, Hashable {
        /// Events of Advanced SubStation as libavcodec hands them out: everything behind the times and before the text
        /// stands in `Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`. The styles are in the store's header.
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

    /// How much text of a cue is kept, UTF-8 bytes: thirty full screens. libass takes 450 bytes for each.
    package static let longestText = WebVTTText.longest
    /// The same of an event with drawings, which are long and cost less.
    static let longestDrawing = 256 << 10
    /// How many stand at one time at the most, those that began last: scripts draw gradients by hundreds of events.
    package static let mostAtOnce = 2048

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
        var result = ""
        var isDrawing = false
        var rest = fields[7][...]
        while let character = rest.first {
            if character == "{", let end = rest.firstIndex(of: "}") {
                let tags = rest[rest.startIndex...end]
                if let place = tags.range(of: "\\p"), let digit = tags[place.upperBound...].first, digit.isNumber {
                    isDrawing = digit != "0"
                }
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

extension SubtitleCue.Body {
    /// Cuts off what is more text than is kept.
    /// - Returns: whether there was more. (Of WebVTT the parser has cut it.)
    package mutating func shorten() -> Bool {
        guard case .events(let events) = self else { return false }
        var room = SubtitleCue.longestDrawing
        var isCut = false
        var kept: [String] = []
        for event in events {
            let count = event.utf8.count
            let limit = min(
                room,
                count > SubtitleCue.longestText && event.contains("\\p")
                    ? SubtitleCue.longestDrawing : SubtitleCue.longestText)
            if count > limit { isCut = true }
            if limit > 0 { kept.append(count > limit ? event.cut(toUTF8: limit) : event) }
            room -= min(room, count)
        }
        if isCut { self = .events(kept) }
        return isCut
    }
}

extension String {
    /// As much of its beginning as takes no more bytes.
    package func cut(toUTF8 limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        // Not within a character's bytes (10xxxxxx).
        while end > utf8.startIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}

/// What a bitmap track shows at one time: rectangles on a canvas of its own. Immutable.
package struct SubtitleBitmap: Sendable, Hashable {
    package struct Rectangle: Sendable, Hashable {
        /// Canvas pixels.
        package var x: Int, y: Int, width: Int, height: Int
        /// 0xAARRGGBB, premultiplied.
        var palette: [UInt32]
        /// Pairs of a colour's place in the palette and how often it follows, less one: a film's subtitles are kept
        /// whole, and as pixels they would be half a gigabyte.
        var runs: [UInt8]

        /// - Parameter indices: `width` × `height` places in `palette`, which has 256 colours.
        package init(x: Int, y: Int, width: Int, height: Int, palette: [UInt32], indices: [UInt8]) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
            self.palette = palette
            runs = []
            var place = 0
            while place < indices.count {
                var end = place + 1
                while end < indices.count, indices[end] == indices[place], end - place < 256 { end += 1 }
                runs.append(indices[place])
                runs.append(UInt8(end - place - 1))
                place = end
            }
        }

        /// `width` × `height`, 0xAARRGGBB, premultiplied.
        package var pixels: [UInt32] {
            var pixels: [UInt32] = []
            pixels.reserveCapacity(width * height)
            for place in stride(from: 0, to: runs.count - 1, by: 2) {
                pixels.append(contentsOf: repeatElement(palette[Int(runs[place])], count: Int(runs[place + 1]) + 1))
            }
            return pixels
        }
    }
    package var rectangles: [Rectangle]
    package var canvasWidth: Int, canvasHeight: Int
    /// The canvas has square pixels and is as wide as the picture, which may have lost its black bars above and below
    /// (Blu-ray); else it is exactly the picture.
    package var hasSquarePixels: Bool

    package init(rectangles: [Rectangle], canvasWidth: Int, canvasHeight: Int, hasSquarePixels: Bool) {
        self.rectangles = rectangles
        self.canvasWidth = canvasWidth
        self.canvasHeight = canvasHeight
        self.hasSquarePixels = hasSquarePixels
    }
}

/// How a source's events are styled.
package struct SubtitleHeader: Sendable, Hashable {
    /// `[Script Info]` and styles. Nil: the events have only our default style.
    package var script: String?
    /// Fonts that came with the text: name and file.
    package var fonts: [Font] = []
    /// Bytes of all fonts of one source; those beyond are left out.
    static let mostFontBytes = 256 << 20
    /// Captions of television: all of it is put at places on a grid, none of it is a sign.
    package var isCaption = false
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
