import Foundation
import Streaming

/// Readings of ruby, small above their base (to its right where text is vertical). libass has no ruby: the base's line
/// is made higher by something that cannot be seen, the base is looked for where it was drawn, and the reading is an
/// event of its own there.
extension WebVTTLayout {
    struct Reading: Hashable {
        var ruby: Int
        var pieces: [WebVTTPiece]
        /// Pixels that each letter of the base stands further from the next, so that a longer reading has room.
        var spacing: Double
        /// How much larger than usual letters its base has.
        var scale: Double

        /// By which the base is told from others where it was drawn: 0xRRGGBB.
        var color: UInt32 { UInt32(truncatingIfNeeded: ruby) }
        /// The same as `BBGGRR`, as override tags have it.
        var assColor: String { String(format: "%02X%02X00", color & 0xff, color >> 8 & 0xff) }
    }

    /// Readings are half as large as their base, as browsers have them.
    static let readingScale = 0.5

    /// Parts readings from the text. One whose base is empty, or goes over several lines, stays in the text, small.
    func takeReadings(from content: inout Content, _ cue: WebVTTCue) {
        var readings: [Reading] = []
        for ruby in Set(content.pieces.compactMap(\.ruby)).sorted() where ruby <= 0xffff {
            let both = content.pieces.filter { $0.ruby == ruby }
            let base = both.filter { !$0.isReading }
            let above = both.filter(\.isReading)
            func isLine(_ pieces: [WebVTTPiece]) -> Bool {
                pieces.contains { !$0.text.allSatisfy(\.isWhitespace) } && !pieces.contains { $0.text.contains("\n") }
            }
            guard isLine(base), isLine(above) else { continue }
            let letters = base.reduce(0) { $0 + $1.text.count }
            let excess = extent(above, cue) - extent(base, cue)
            readings.append(
                Reading(
                    ruby: ruby, pieces: above, spacing: max(0, excess) / Double(max(1, letters)),
                    scale: base.map(\.style.scale).max() ?? 1))
        }
        content.readings = readings
        content.pieces.removeAll { piece in piece.isReading && readings.contains { $0.ruby == piece.ruby } }
    }

    private func extent(_ pieces: [WebVTTPiece], _ cue: WebVTTCue) -> Double {
        let content = Content(pieces: pieces, hasBox: true, isMoving: false)
        return measure([
            event(
                0, AssScript.boxed, width, "\\an7\\pos(0,0)\\q2",
                body(content, cue, .measured, font: nil, reversed: false))
        ])?.width ?? 0
    }

    /// A letter without width or colour that makes the line of a base as high as base and reading are.
    func room(for reading: Reading, _ content: Content) -> String {
        let above =
            look.lineHeight * WebVTTLayout.readingScale * (reading.pieces.map(\.style.scale).max() ?? 1)
            + (content.hasBox ? look.padding : 0)
        // Four fifths of a line lie above its baseline in most fonts.
        let size = look.lineHeight * reading.scale + above / 0.8
        return String(format: "{\\fs%.2f\\fscx1\\fsp0\\1a&HFF&\\3a&HFF&\\4a&HFF&}\u{a0}{\\fscx100\\1a\\3a\\4a}", size)
    }

    /// The events of the readings of a text that is drawn at `point`, its top's `anchor` there (libass's numbers: 7
    /// left, 8 middle, 9 right).
    /// - Parameter extra: tags for what is drawn, not for looking where it is: such as those that turn text.
    func readings(
        _ content: Content, _ cue: WebVTTCue, room: Double, anchor: Int, at point: (x: Double, y: Double),
        with extra: String, font: String?, reversed: Bool
    ) -> [String] {
        guard !content.readings.isEmpty else { return [] }
        // Looked for where nothing of it is cut off: text that will be turned may reach out of the picture before.
        let stand = (x: anchor == 7 ? 0 : anchor == 8 ? (width / 2).rounded() : width, y: 0.0)
        let tags = String(format: "\\an%d\\pos(%.2f,%.2f)\\bord1\\shad0\\1a&HFF&", anchor, stand.x, stand.y)
        let places = locate(
            event(0, AssScript.boxed, room, tags, body(content, cue, .located, font: font, reversed: reversed)))
        return content.readings.flatMap { reading -> [String] in
            // What is not in the picture has no reading either.
            guard let base = places[reading.color] else { return [] }
            let own = Content(pieces: reading.pieces, hasBox: content.hasBox, isMoving: content.isMoving)
            let middle = (base.left + base.right - reading.spacing) / 2 + point.x - stand.x
            let bottom = base.top + 1 - (content.hasBox ? look.padding : 0) + point.y - stand.y
            // Two boxes over each other would be darker there.
            let clip = extra.isEmpty && content.hasBox ? String(format: "\\clip(0,0,%.2f,%.2f)", width, bottom) : ""
            return events(
                own, cue, room: width, tags: String(format: "\\an2\\pos(%.2f,%.2f)\\q2", middle, bottom) + extra + clip,
                font: font, reversed: false)
        }
    }
}
