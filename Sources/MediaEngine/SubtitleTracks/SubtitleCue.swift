import Streaming

/// A subtitle cue with its times, as decoded. A value; times are media times in nanoseconds.
package struct SubtitleCue: Sendable, Hashable {
    package enum Body: Sendable, Hashable {
        /// Events of Advanced SubStation as libavcodec returns them, without times:
        /// `Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`. The styles are in the header of the store.
        case events([String])
        case webVTT(WebVTTCue)
        case bitmap(SubtitleBitmap)
    }

    /// The identifier, unique within its source, in the order in which cues were decoded.
    package var id: Int
    package var start: Int64
    /// The end of the cue, exclusive.
    package var end: Int64
    package var body: Body

    package init(id: Int = 0, start: Int64, end: Int64, body: Body) {
        self.id = id
        self.start = start
        self.end = end
        self.body = body
    }

    /// The maximum size of a cue's text in bytes of UTF-8: thirty full screens. libass needs 450 bytes for each byte.
    package static let longestText = WebVTTText.longest
    /// The maximum size of an event with drawings, in bytes. Drawings are longer than text, but need less memory per
    /// byte.
    static let longestDrawing = 256 << 10
    /// The maximum number of cues shown at one time; later ones take precedence. Scripts draw gradients with hundreds
    /// of events.
    package static let mostAtOnce = 2048

    /// Returns whether the cue is shown at `time`, from `start` on and before `end`.
    package func isInForce(at time: Int64) -> Bool { start <= time && time < end }

    /// The text without formatting, with lines separated by U+000A; empty for bitmaps.
    package var plain: String {
        switch body {
        case .events(let events): events.map(SubtitleCue.plain).joined(separator: "\n")
        case .webVTT(let cue): cue.text.plain
        case .bitmap: ""
        }
    }

    /// The characters that a backslash and a letter or brace mean in an event.
    private static let escapes: [Character: Character] = [
        "N": "\n", "n": "\n", "h": "\u{A0}", "{": "{", "}": "}",
    ]

    /// Returns the text of an event without its override tags and drawings.
    package static func plain(event: String) -> String {
        let fields = event.split(separator: ",", maxSplits: 7, omittingEmptySubsequences: false)
        guard fields.count == 8 else { return "" }
        var result = ""
        var isDrawing = false
        // Without this, each brace that is not closed would search the rest of the text.
        let lastEnd = fields[7].lastIndex(of: "}") ?? fields[7].startIndex
        var rest = fields[7][...]
        while let character = rest.first {
            if character == "{", rest.startIndex < lastEnd, let end = rest.firstIndex(of: "}") {
                if let scale = drawingScale(in: rest[rest.startIndex...end]) { isDrawing = scale != "0" }
                rest = rest[rest.index(after: end)...]
            } else if character == "\\", let next = rest.dropFirst().first, let escaped = escapes[next] {
                if !isDrawing { result.append(escaped) }
                rest = rest.dropFirst(2)
            } else {
                if !isDrawing { result.append(character) }
                rest = rest.dropFirst()
            }
        }
        return result
    }

    /// Returns the first digit of the last tag `\p` in `text`, which begins a drawing, or ends it if the digit is 0.
    /// Nil without such a tag: other tags begin with the same letter, such as `\pos`.
    fileprivate static func drawingScale(in text: some StringProtocol) -> Character? {
        text.split(separator: "\\", omittingEmptySubsequences: false).dropFirst()
            .last { $0.first == "p" && $0.dropFirst().first?.isNumber == true }?.dropFirst().first
    }
}

extension SubtitleCue.Body {
    /// Cuts text that exceeds the maximum size. The parser has already cut WebVTT text.
    ///
    /// - Returns: Whether text was cut.
    package mutating func shorten() -> Bool {
        guard case .events(let events) = self else { return false }
        var remaining = SubtitleCue.longestDrawing
        var isCut = false
        var kept: [String] = []
        for event in events {
            let count = event.utf8.count
            let limit = min(
                remaining,
                count > SubtitleCue.longestText && SubtitleCue.drawingScale(in: event) != nil
                    ? SubtitleCue.longestDrawing : SubtitleCue.longestText)
            if count > limit { isCut = true }
            if limit > 0 { kept.append(count > limit ? event.cut(toUTF8: limit) : event) }
            remaining -= min(remaining, count)
        }
        if isCut { self = .events(kept) }
        return isCut
    }
}

extension String {
    /// Returns the beginning of the string in at most `limit` bytes of UTF-8.
    package func cut(toUTF8 limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        // Never cut within the bytes of a character (10xxxxxx).
        while end > utf8.startIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}

/// The content of a bitmap subtitle: rectangles on a canvas. Immutable.
package struct SubtitleBitmap: Sendable, Hashable {
    package struct Rectangle: Sendable, Hashable {
        /// The position and size in pixels of the canvas.
        package var x: Int, y: Int, width: Int, height: Int
        /// The colors as 0xAARRGGBB, premultiplied.
        var palette: [UInt32]
        /// Pairs of a palette index and its number of repetitions minus one. All subtitles of a video are kept, and as
        /// pixels they could take half a gigabyte.
        var runs: [UInt8]

        /// Creates a rectangle.
        ///
        /// - Parameter indices: `width` × `height` indices into `palette`, which has 256 colors.
        package init(x: Int, y: Int, width: Int, height: Int, palette: [UInt32], indices: [UInt8]) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
            self.palette = palette
            runs = []
            var first = 0
            while first < indices.count {
                var end = first + 1
                while end < indices.count, indices[end] == indices[first], end - first < 256 { end += 1 }
                runs.append(indices[first])
                runs.append(UInt8(end - first - 1))
                first = end
            }
        }

        /// The `width` × `height` pixels as 0xAARRGGBB, premultiplied.
        package var pixels: [UInt32] {
            var pixels: [UInt32] = []
            pixels.reserveCapacity(width * height)
            for index in stride(from: 0, to: runs.count - 1, by: 2) {
                pixels.append(contentsOf: repeatElement(palette[Int(runs[index])], count: Int(runs[index + 1]) + 1))
            }
            return pixels
        }
    }
    package var rectangles: [Rectangle]
    package var canvasWidth: Int, canvasHeight: Int
    /// Whether the canvas has square pixels and the width of the frame, which may have been cropped at the top and
    /// bottom (Blu-ray). If `false`, the canvas corresponds exactly to the frame.
    package var hasSquarePixels: Bool

    package init(rectangles: [Rectangle], canvasWidth: Int, canvasHeight: Int, hasSquarePixels: Bool) {
        self.rectangles = rectangles
        self.canvasWidth = canvasWidth
        self.canvasHeight = canvasHeight
        self.hasSquarePixels = hasSquarePixels
    }
}

/// The styles and fonts of a source's events.
package struct SubtitleHeader: Sendable, Hashable {
    /// The section `[Script Info]` and the styles; `nil` if only the default style is used.
    package var script: String?
    /// The fonts in the file, with name and data.
    package var fonts: [Font] = []
    /// The maximum size of all fonts of a source in bytes. Further fonts are ignored.
    static let mostFontBytes = 256 << 20
    /// Whether the source has television captions: all text is positioned on a grid, and none of it labels something in
    /// the video.
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

/// A source of subtitles: a document or a track of the playing item. Thread-safe.
package protocol SubtitleSource: AnyObject, Sendable {
    /// The styles and fonts, with a number that changes with them.
    var header: (version: UInt64, header: SubtitleHeader) { get }
    /// Returns the cues shown at `time`, in nanoseconds of media time, sorted by start.
    func cues(at time: Int64) -> [SubtitleCue]
    /// Sets the closure of `owner` that is called on any thread when the cues or the header have changed. `nil` ends
    /// the calls.
    func setOnChange(_ call: (@Sendable () -> Void)?, for owner: AnyObject)
}
