import Foundation
import Streaming

/// The layout of WebVTT cues: converts cues to events with positions, by the rules of WebVTT section 7, as far as
/// libass supports them. Coordinates are pixels of the area for the text.
///
/// Horizontal text and its boxes are positioned as specified. Vertical text is laid out in lines and rotated by 90°.
/// Fonts for vertical writing keep Chinese, Japanese and Korean letters upright. With `vertical:lr`, the author's line
/// breaks continue to the right, but automatic line breaks continue to the left. Ruby text is drawn above its base
/// (WebVTTRuby.swift).
final class WebVTTLayout {
    struct Box: Hashable {
        var left: Double, top: Double, right: Double, bottom: Double
        func overlaps(_ other: Box) -> Bool {
            left < other.right && other.left < right && top < other.bottom && other.top < bottom
        }
    }
    struct Placed {
        var events: [String]
        var box: Box
        var cue: WebVTTCue
        var isMoving: Bool
    }

    let width: Double, height: Double
    let look: SubtitleLook
    private let user: SubtitleStyle
    /// A closure that returns the size of events drawn at the top left, in pixels.
    let measure: ([String]) -> (width: Double, height: Double)?
    /// A closure that returns the boxes of an event, where they are drawn, by color (0xRRGGBB).
    let locate: (String) -> [UInt32: Box]
    private var sheets: [[String]: WebVTTStyleSheet] = [:]
    /// The cues that are displayed, by identity. They keep their positions.
    private(set) var placed: [Int: Placed] = [:]

    init(
        width: Double, height: Double, look: SubtitleLook, user: SubtitleStyle,
        measure: @escaping ([String]) -> (width: Double, height: Double)?,
        locate: @escaping (String) -> [UInt32: Box]
    ) {
        self.width = width
        self.height = height
        self.look = look
        self.user = user
        self.measure = measure
        self.locate = locate
    }

    /// Updates the layout.
    ///
    /// - Parameter cues: The current cues with their identities, in the order in which they began.
    func update(_ cues: [(id: Int, cue: WebVTTCue)]) -> [Placed] {
        let ids = Set(cues.map(\.id))
        placed = placed.filter { ids.contains($0.key) && $0.value.cue.settings.region == nil }
        for (id, cue) in cues where cue.settings.region == nil || usesUserPosition {
            if placed[id] == nil, let fresh = place(cue) { placed[id] = fresh }
        }
        if !usesUserPosition {
            for region in Set(cues.compactMap(\.cue.settings.region)) {
                fill(region, cues.filter { $0.cue.settings.region == region })
            }
        }
        return cues.compactMap { placed[$0.id] }
    }

    /// Whether the user's position takes precedence over the cues' positions.
    private var usesUserPosition: Bool { user.overridesAuthor && user.verticalPosition != nil }

    // MARK: text

    struct Content {
        var pieces: [WebVTTPiece]
        var hasBox: Bool
        var isMoving: Bool
        var rubyTexts: [RubyText] = []
    }

    private func content(_ cue: WebVTTCue) -> Content {
        let sheet = sheets[cue.styleSheets] ?? WebVTTStyleSheet(cue.styleSheets)
        sheets[cue.styleSheets] = sheet
        let base = WebVTTTextStyle(color: look.color, background: look.background)
        let pieces = cue.pieces(sheet, base: base, user: user.overridesAuthor ? user : nil)
        var content = Content(
            pieces: pieces,
            hasBox: pieces.contains { $0.style.background.alpha > 0 || ($0.before?.background.alpha ?? 0) > 0 },
            isMoving: pieces.contains { $0.before != nil })
        extractRuby(from: &content, cue)
        return content
    }

    enum Layer { case text, boxed, box, measured, located }

    func body(_ content: Content, _ cue: WebVTTCue, _ layer: Layer, font: String?, reversed: Bool) -> String {
        var lines = [""]
        var above: Int?
        for piece in content.pieces {
            if piece.ruby != above {
                above = piece.ruby
                if let rubyText = content.rubyTexts.first(where: { $0.ruby == above }) {
                    lines[lines.count - 1] += spacer(for: rubyText, content)
                }
            }
            let pieceLines = piece.text.split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in pieceLines.enumerated() {
                if index > 0 { lines.append("") }
                if !line.isEmpty {
                    lines[lines.count - 1] +=
                        "{\(tags(piece, cue, layer, font: font, content.rubyTexts))}" + WebVTTLayout.escaped(line)
                }
            }
        }
        return (reversed ? lines.reversed() : lines).joined(separator: "\\N")
    }

    private static func escaped(_ text: Substring) -> String {
        // A word joiner after a backslash prevents an escape sequence.
        text.replacingOccurrences(of: "\\", with: "\\\u{2060}").replacingOccurrences(of: "{", with: "\\{")
            .replacingOccurrences(of: "\r", with: "")
    }

    private func tags(_ piece: WebVTTPiece, _ cue: WebVTTCue, _ layer: Layer, font: String?, _ rubyTexts: [RubyText])
        -> String
    {
        let style = piece.style
        let size = look.lineHeight * style.scale * (piece.isRubyText ? WebVTTLayout.rubyScale : 1)
        var result =
            "\\b\(style.isBold ? 1 : 0)\\i\(style.isItalic ? 1 : 0)\\fs\(String(format: "%.2f", size))\\fn\(font ?? style.font ?? look.font)"
        let rubyText = piece.isRubyText ? nil : rubyTexts.first { $0.ruby == piece.ruby }
        if !rubyTexts.isEmpty { result += String(format: "\\fsp%.2f", rubyText?.spacing ?? 0) }
        func colors(_ style: WebVTTTextStyle) -> String {
            let fill = "\\1c&H\(style.color.assColor)&\\1a&H\(style.color.assAlpha(style.opacity))&"
            let box = "\\3c&H\(style.background.assColor)&\\3a&H\(style.background.assAlpha(style.opacity))&"
            switch layer {
            case .text: return fill
            case .boxed: return fill + box
            case .box: return box
            case .measured: return "\\3a&H00&"
            case .located: return rubyText.map { "\\3c&H\($0.assColor)&\\3a&H00&" } ?? "\\3a&HFF&"
            }
        }
        if layer == .text || layer == .boxed {
            result += "\\u\(style.isUnderlined ? 1 : 0)\\s\(style.isStruck ? 1 : 0)"
        }
        guard layer != .measured, layer != .located, let before = piece.before, let time = piece.time else {
            return result + colors(style)
        }
        let moment = max(0, (time - cue.start) / 1_000_000)
        return result + colors(before) + "\\t(\(moment),\(moment),\(colors(style)))"
    }

    func event(_ layer: Int, _ style: String, _ availableLength: Double, _ tags: String, _ body: String) -> String {
        "\(layer),\(style),,0,\(Int(max(0, width - availableLength).rounded())),0,,{\(tags)}\(body)"
    }

    func events(
        _ content: Content, _ cue: WebVTTCue, availableLength: Double, tags: String, font: String?, reversed: Bool
    )
        -> [String]
    {
        func body(_ layer: Layer) -> String { self.body(content, cue, layer, font: font, reversed: reversed) }
        guard content.hasBox else { return [event(1, AssScript.bare, availableLength, tags, body(.text))] }
        guard look.edge != .none else { return [event(1, AssScript.boxed, availableLength, tags, body(.boxed))] }
        return [
            event(0, AssScript.box, availableLength, tags, body(.box)),
            event(1, AssScript.bare, availableLength, tags, body(.text)),
        ]
    }

    // MARK: positions

    private typealias Side = SubtitleStyle.Alignment

    private func side(_ cue: WebVTTCue) -> Side {
        if user.overridesAuthor || cue.settings.textAlignment == .center, let alignment = user.alignment {
            return alignment
        }
        let isRightToLeft = WebVTTLayout.isRightToLeft(cue.text.plain)
        return switch cue.settings.textAlignment {
        case .left: .left
        case .right: .right
        case .center: .center
        case .start: isRightToLeft ? .right : .left
        case .end: isRightToLeft ? .left : .right
        }
    }

    /// Returns whether text is written from right to left, by its first letter with a direction (Hebrew, Arabic and
    /// similar).
    static func isRightToLeft(_ text: String) -> Bool {
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EEFF: return true
            case _ where scalar.properties.isAlphabetic: return false
            default: continue
            }
        }
        return false
    }

    private static func isIdeographic(_ text: String) -> Bool {
        text.unicodeScalars.contains {
            (0x2E80...0x9FFF).contains($0.value) || (0xAC00...0xD7AF).contains($0.value)
                || (0xF900...0xFAFF).contains($0.value) || $0.value >= 0x20000 && $0.value < 0x30000
        }
    }

    /// Returns the start and end of the cue's box along its lines, in fractions of the whole (WebVTT section 7.2, steps
    /// 2–7).
    private func span(_ settings: WebVTTSettings, _ side: Side, margin: Double) -> (start: Double, end: Double) {
        if settings.position == .automatic, settings.size == 100 { return (margin, 1 - margin) }
        var position: Double =
            switch side {
            case .left: 0
            case .center: 50
            case .right: 100
            }
        if case .percentage(let value) = settings.position { position = value }
        let anchor: Side =
            switch settings.positionAlignment {
            case .lineLeft: .left
            case .center: .center
            case .lineRight: .right
            case .automatic: side
            }
        let most: Double =
            switch anchor {
            case .left: 100 - position
            case .right: position
            case .center: min(position, 100 - position) * 2
            }
        let size = min(settings.size, most)
        let start: Double =
            switch anchor {
            case .left: position
            case .right: position - size
            case .center: position - size / 2
            }
        return (start / 100, (start + size) / 100)
    }

    /// Returns the height of the lines without the box around them.
    ///
    /// The height is rounded to whole lines, unless the lines have different heights.
    private func depth(_ height: Double) -> Double {
        let bare = max(height - look.padding, look.lineHeight)
        let whole = (bare / look.lineHeight).rounded() * look.lineHeight
        return abs(bare - whole) < max(3, look.padding) ? whole : bare
    }

    private func place(_ cue: WebVTTCue) -> Placed? {
        let content = content(cue)
        let side = side(cue)
        let isVertical = cue.settings.writingDirection != .horizontal && !usesUserPosition
        let settings = usesUserPosition ? WebVTTSettings() : cue.settings
        // `along` is the length of the area in the direction of the lines.
        let along = isVertical ? height : width
        let span = span(
            settings, side, margin: isVertical ? look.verticalMargin / height : look.horizontalMargin / width)
        let availableLength = max((span.end - span.start) * along, 1)
        let font = isVertical && WebVTTLayout.isIdeographic(cue.text.plain) ? "@" + look.font : nil
        let reversed = cue.settings.writingDirection == .verticalGrowingRight && isVertical
        let probe = event(
            0, AssScript.boxed, availableLength, "\\an7\\pos(0,0)",
            body(content, cue, .measured, font: nil, reversed: false))
        guard let size = measure([probe]) else { return nil }
        let depth = min(depth(size.height), isVertical ? width : height)
        let length = min(size.width, availableLength)
        let point = side.position(in: span) * along
        let first = side.begin(point, length)

        let linePosition = self.linePosition(
            settings, depth: depth, from: first, to: first + length, isVertical: isVertical)
        let box =
            isVertical
            ? Box(left: linePosition, top: first, right: linePosition + depth, bottom: first + length)
            : Box(left: first, top: linePosition, right: first + length, bottom: linePosition + depth)
        let at = isVertical ? (x: linePosition + depth, y: point) : (x: point, y: linePosition)
        // Text and ruby text are rotated about the same point, so their positions are computed without rotation.
        let rotationTags = isVertical ? String(format: "\\org(%.2f,%.2f)\\frz-90", at.x, at.y) : ""
        let tags = String(format: "\\an%d\\pos(%.2f,%.2f)", side.number, at.x, at.y) + rotationTags
        return Placed(
            events: events(content, cue, availableLength: availableLength, tags: tags, font: font, reversed: reversed)
                + rubyTexts(
                    content, cue, availableLength: availableLength, anchor: side.number, at: at, with: rotationTags,
                    font: font,
                    reversed: reversed),
            box: box, cue: cue, isMoving: content.isMoving)
    }

    /// Returns the position of the box, perpendicular to its lines, at which the box covers no other box (WebVTT
    /// section 7.2, steps 8–11 and “adjust the positions”). If there is no such position, returns the position that the
    /// cue requests.
    private func linePosition(_ settings: WebVTTSettings, depth: Double, from: Double, to: Double, isVertical: Bool)
        -> Double
    {
        let whole = isVertical ? width : height
        let last = max(0, whole - depth)
        var offset: Double
        var searchesBackward: Bool
        switch settings.line {
        case .automatic where isVertical:
            // The default position is the last line.
            offset = settings.writingDirection == .verticalGrowingLeft ? 0 : last
            searchesBackward = settings.writingDirection == .verticalGrowingRight
        case .automatic:
            let position = look.verticalPosition
            searchesBackward = (position ?? 1) >= 0.5
            if let position, position < 0.5 {
                offset = max(look.verticalMargin, position * whole)
            } else {
                offset = min(whole - look.verticalMargin, (position ?? 1) * whole) - depth
            }
        case .number(let value):
            var line = value.rounded()
            // Lines that grow to the left are counted from the right.
            if isVertical, settings.writingDirection == .verticalGrowingLeft { line = -(line + 1) }
            searchesBackward = line < 0
            offset = line >= 0 ? line * look.lineHeight : whole + line * look.lineHeight
        case .percentage(let value):
            offset = value / 100 * whole
            switch settings.lineAlignment {
            case .start: break
            case .center: offset -= depth / 2
            case .end: offset -= depth
            }
            searchesBackward = offset > whole / 2
        }
        offset = min(max(offset, 0), last)
        let requested = offset
        for direction in [searchesBackward, !searchesBackward] {
            offset = requested
            while offset >= 0, offset <= last {
                let box =
                    isVertical
                    ? Box(left: offset, top: from, right: offset + depth, bottom: to)
                    : Box(left: from, top: offset, right: to, bottom: offset + depth)
                let others = placed.values.map(\.box).filter(box.overlaps)
                if others.isEmpty { return offset }
                if direction {
                    offset = (others.map { isVertical ? $0.left : $0.top }.min() ?? 0) - depth
                } else {
                    offset = others.map { isVertical ? $0.right : $0.bottom }.max() ?? whole
                }
            }
        }
        return requested
    }

    // MARK: regions

    /// Positions the cues of a region: the newest at the bottom, older ones above it. The region's clip cuts off the
    /// rest.
    private func fill(_ region: WebVTTRegion, _ cues: [(id: Int, cue: WebVTTCue)]) {
        let wide = region.width / 100 * width
        let high = Double(region.lines) * look.lineHeight
        let left = region.viewportAnchor.x / 100 * width - region.regionAnchor.x / 100 * wide
        let top = region.viewportAnchor.y / 100 * height - region.regionAnchor.y / 100 * high
        let clip = String(format: "\\clip(%.2f,%.2f,%.2f,%.2f)", left, top, left + wide, top + high)
        var bottom = top + high
        for (id, cue) in cues.reversed() {
            let content = content(cue)
            let side = side(cue)
            let span = span(cue.settings, side, margin: 0)
            let availableLength = max((span.end - span.start) * wide, 1)
            let probe = event(
                0, AssScript.boxed, availableLength, "\\an7\\pos(0,0)",
                body(content, cue, .measured, font: nil, reversed: false))
            guard let size = measure([probe]) else { continue }
            let depth = depth(size.height)
            let point = left + wide * side.position(in: span)
            bottom -= depth
            let first = side.begin(point, size.width)
            let tags = String(format: "\\an%d\\pos(%.2f,%.2f)", side.number, point, bottom)
            placed[id] = Placed(
                events: events(
                    content, cue, availableLength: availableLength, tags: tags + clip, font: nil, reversed: false)
                    + rubyTexts(
                        content, cue, availableLength: availableLength, anchor: side.number, at: (point, bottom),
                        with: clip,
                        font: nil,
                        reversed: false),
                box: Box(left: first, top: bottom, right: first + size.width, bottom: bottom + depth), cue: cue,
                isMoving: content.isMoving)
        }
    }
}

extension SubtitleStyle.Alignment {
    /// Returns the aligned position in a box, in the unit of `span`.
    fileprivate func position(in span: (start: Double, end: Double)) -> Double {
        switch self {
        case .left: span.start
        case .center: (span.start + span.end) / 2
        case .right: span.end
        }
    }
    /// Returns the start of a line of `length` that is aligned to `point`.
    fileprivate func begin(_ point: Double, _ length: Double) -> Double {
        switch self {
        case .left: point
        case .center: point - length / 2
        case .right: point - length
        }
    }
    /// The number of the alignment at the upper edge in libass's tag `an`.
    fileprivate var number: Int {
        switch self {
        case .left: 7
        case .center: 8
        case .right: 9
        }
    }
}
