import CGTK

/// The runs that a text's layout holds, if the number of lines is limited.
///
/// Pango limits the lines of each paragraph, SwiftUI those of the whole text. Therefore paragraphs are joined by line
/// separators, at which Pango breaks lines too. In the last allowed line Pango does not break at them, so that line
/// would hold all remaining paragraphs. An ellipsis replaces them.
struct TextLines {
    /// The conditions for which `runs` were shortened with an ellipsis.
    struct Cut: Equatable {
        var width: Int32
        var limit: Int
        var step: TextFitting.Step
    }

    /// The runs that are laid out now.
    private(set) var runs: [Text.Run]
    private let completeRuns: [Text.Run]
    /// Whether the text has several paragraphs that were joined.
    let isJoined: Bool
    /// The conditions of the current cut, or nil if `runs` are complete.
    private(set) var cut: Cut?

    private static let separator: Character = "\u{2028}"

    init(_ runs: [Text.Run] = [], isLimited: Bool = false) {
        isJoined = isLimited && runs.contains { $0.text.contains(where: TextLines.endsLine) }
        completeRuns = isJoined ? TextLines.joined(runs) : runs
        self.runs = completeRuns
    }

    private static func endsLine(_ character: Character) -> Bool {
        ["\n", "\r", "\r\n", "\u{2029}", separator].contains(character)
    }

    private static func joined(_ runs: [Text.Run]) -> [Text.Run] {
        var runs = runs
        for index in runs.indices {
            runs[index].text = String(runs[index].text.map { endsLine($0) ? separator : $0 })
        }
        // Pango adds no empty line after a final separator, but does after the end of a final paragraph.
        if let last = runs.lastIndex(where: { !$0.text.isEmpty }), runs[last].text.last == separator {
            runs[last].text += "\u{200B}"
        }
        return runs
    }

    mutating func restore() { (runs, cut) = (completeRuns, nil) }

    /// Replaces the part of the last allowed line that belongs to other paragraphs with an ellipsis. `layout` must
    /// contain the complete text.
    /// - Returns: Whether anything was removed.
    mutating func shorten(_ layout: OpaquePointer, _ mode: Text.TruncationMode, to cut: Cut) -> Bool {
        guard let line = pango_layout_get_line_readonly(layout, Int32(clamping: cut.limit - 1)),
            let bytes = pango_layout_get_text(layout)
        else { return false }
        let start = Int(line.pointee.start_index)
        let end = start + Int(max(0, line.pointee.length))
        func isSeparator(_ index: Int) -> Bool {
            index >= 0 && UInt8(bitPattern: bytes[index]) == 0xE2 && UInt8(bitPattern: bytes[index + 1]) == 0x80
                && UInt8(bitPattern: bytes[index + 2]) == 0xA8
        }
        guard let first = (start..<end).first(where: isSeparator), let last = (start..<end).last(where: isSeparator)
        else { return false }
        switch mode {
        case .tail: replace(first..<end, by: "…")
        case .middle: replace(first..<(last + 3), by: "…")
        // A shorter line must not move up into the previous one.
        case .head: replace(start..<(last + 3), by: start == 0 || isSeparator(start - 3) ? "…" : "\u{2028}…")
        }
        self.cut = cut
        return true
    }

    /// Replaces a range of the runs' text.
    /// - Parameter range: Offsets in bytes of UTF-8, at the bounds of characters.
    private mutating func replace(_ range: Range<Int>, by text: String) {
        var start = 0
        for index in runs.indices {
            let bytes = Array(runs[index].text.utf8)
            let end = start + bytes.count
            let before = bytes.prefix(max(0, range.lowerBound - start))
            let after = bytes.dropFirst(max(0, range.upperBound - start))
            runs[index].text =
                String(decoding: before, as: UTF8.self) + ((start..<end).contains(range.lowerBound) ? text : "")
                + String(decoding: after, as: UTF8.self)
            start = end
        }
    }
}
