import Foundation
import Streaming

/// Ruby text, in small letters above its base, or to its right in vertical text.
///
/// libass does not support ruby. An invisible character makes the base's line taller. The base is then located in a
/// test drawing, and its ruby text becomes an event at that position.
extension WebVTTLayout {
    struct RubyText: Hashable {
        var ruby: Int
        var pieces: [WebVTTPiece]
        /// The additional distance between the base's letters, in pixels, which makes space for longer ruby text.
        var spacing: Double
        /// The size of the base's letters, relative to the default size.
        var scale: Double

        /// The color that identifies the base in a test drawing: 0xRRGGBB.
        var color: UInt32 { UInt32(truncatingIfNeeded: ruby) }
        /// The color as `BBGGRR`, the format of override tags.
        var assColor: String { String(format: "%02X%02X00", color & 0xff, color >> 8 & 0xff) }
    }

    /// The size of ruby text relative to its base. Browsers use one half too.
    static let rubyScale = 0.5

    /// Separates ruby text from the other text.
    ///
    /// Ruby text whose base is empty or has several lines stays in the text, in small letters.
    func extractRuby(from content: inout Content, _ cue: WebVTTCue) {
        var rubyTexts: [RubyText] = []
        for ruby in Set(content.pieces.compactMap(\.ruby)).sorted() where ruby <= 0xffff {
            let both = content.pieces.filter { $0.ruby == ruby }
            let base = both.filter { !$0.isRubyText }
            let above = both.filter(\.isRubyText)
            func isLine(_ pieces: [WebVTTPiece]) -> Bool {
                pieces.contains { !$0.text.allSatisfy(\.isWhitespace) } && !pieces.contains { $0.text.contains("\n") }
            }
            guard isLine(base), isLine(above) else { continue }
            let letters = base.reduce(0) { $0 + $1.text.count }
            let excess = extent(above, cue) - extent(base, cue)
            rubyTexts.append(
                RubyText(
                    ruby: ruby, pieces: above, spacing: max(0, excess) / Double(max(1, letters)),
                    scale: base.map(\.style.scale).max() ?? 1))
        }
        content.rubyTexts = rubyTexts
        content.pieces.removeAll { piece in piece.isRubyText && rubyTexts.contains { $0.ruby == piece.ruby } }
    }

    private func extent(_ pieces: [WebVTTPiece], _ cue: WebVTTCue) -> Double {
        let content = Content(pieces: pieces, hasBox: true, isMoving: false)
        return measure([
            event(
                0, AssScript.boxed, width, "\\an7\\pos(0,0)\\q2",
                body(content, cue, .measured, font: nil, reversed: false))
        ])?.width ?? 0
    }

    /// Returns an invisible character without width that makes the base's line tall enough for base and ruby text.
    func spacer(for rubyText: RubyText, _ content: Content) -> String {
        let above =
            look.lineHeight * WebVTTLayout.rubyScale * (rubyText.pieces.map(\.style.scale).max() ?? 1)
            + (content.hasBox ? look.padding : 0)
        // In most fonts, four fifths of the line height are above the baseline.
        let size = look.lineHeight * rubyText.scale + above / 0.8
        return String(format: "{\\fs%.2f\\fscx1\\fsp0\\1a&HFF&\\3a&HFF&\\4a&HFF&}\u{a0}{\\fscx100\\1a\\3a\\4a}", size)
    }

    /// Returns the events of the ruby text for a text that is drawn at `point`.
    ///
    /// - Parameters:
    ///   - anchor: libass's number of the text's corner at `point`: 7 for top left, 8 for top center, 9 for top right.
    ///   - extra: Tags for the displayed events only, not for the test drawing, such as those that rotate text.
    func rubyTexts(
        _ content: Content, _ cue: WebVTTCue, availableLength: Double, anchor: Int, at point: (x: Double, y: Double),
        with extra: String, font: String?, reversed: Bool
    ) -> [String] {
        guard !content.rubyTexts.isEmpty else { return [] }
        // The test drawing is at the top, where nothing is cut off. Text to be rotated might exceed the view elsewhere.
        let testPoint = (x: anchor == 7 ? 0 : anchor == 8 ? (width / 2).rounded() : width, y: 0.0)
        let tags = String(format: "\\an%d\\pos(%.2f,%.2f)\\bord1\\shad0\\1a&HFF&", anchor, testPoint.x, testPoint.y)
        let boxes = locate(
            event(
                0, AssScript.boxed, availableLength, tags, body(content, cue, .located, font: font, reversed: reversed))
        )
        return content.rubyTexts.flatMap { rubyText -> [String] in
            // A base outside the view has no ruby text.
            guard let base = boxes[rubyText.color] else { return [] }
            let own = Content(pieces: rubyText.pieces, hasBox: content.hasBox, isMoving: content.isMoving)
            let middle = (base.left + base.right - rubyText.spacing) / 2 + point.x - testPoint.x
            let bottom = base.top + 1 - (content.hasBox ? look.padding : 0) + point.y - testPoint.y
            // Clip the box of the ruby text, because two translucent boxes would look darker where they overlap.
            let clip = extra.isEmpty && content.hasBox ? String(format: "\\clip(0,0,%.2f,%.2f)", width, bottom) : ""
            return events(
                own, cue, availableLength: width,
                tags: String(format: "\\an2\\pos(%.2f,%.2f)\\q2", middle, bottom) + extra + clip,
                font: font, reversed: false)
        }
    }
}
