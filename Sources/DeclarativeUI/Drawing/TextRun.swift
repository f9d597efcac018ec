import Foundation

extension Text {
    /// A part of a text with one look.
    struct Run: Equatable, Sendable {
        var text: String
        var font: Font?
        var weight: Font.Weight?
        var color: Color?
        /// The style of the letters, if `color` is nil.
        var style: AnyShapeStyle?
        var isItalic = false, isUnderlined = false, isStruck = false, isMonospaced = false, hasMonospacedDigits = false
        var kerning: CGFloat = 0
        /// The URL that a click opens.
        var link: URL?
        /// The source of the text if it depends on the time. `text` is then its value at creation.
        var time: DateText?

        /// Returns this run with the attributes of `look` where it sets none itself.
        func over(_ look: Run) -> Run {
            with(self) {
                $0.font = font ?? look.font
                $0.weight = weight ?? look.weight
                $0.color = color ?? (style == nil ? look.color : nil)
                $0.style = style ?? look.style
                $0.isItalic = isItalic || look.isItalic
                $0.isUnderlined = isUnderlined || look.isUnderlined
                $0.isStruck = isStruck || look.isStruck
                $0.isMonospaced = isMonospaced || look.isMonospaced
                $0.link = link ?? look.link
            }
        }
    }

    /// The style of all parts without their own color, or nil if these parts have no style or several.
    var commonStyle: AnyShapeStyle? {
        let plain = runs.filter { $0.color == nil && $0.link == nil && !$0.text.isEmpty }
        guard let style = plain.first?.style, plain.allSatisfy({ $0.style == style }) else { return nil }
        return style
    }

    /// Returns the text with the values that its time-dependent parts have at `date`.
    func resolved(at date: Date) -> Text {
        guard runs.contains(where: { $0.time != nil }) else { return self }
        return with(self) {
            for index in $0.runs.indices {
                if let time = $0.runs[index].time { $0.runs[index].text = time.text(at: date) }
            }
        }
    }
    /// Returns the next time at which the text changes by itself, or nil if it never does.
    func nextChange(after date: Date) -> Date? { runs.compactMap { $0.time?.nextChange(after: date) }.min() }
}

/// The clock of time-dependent texts.
@MainActor
enum TextClock {
    /// Returns the current time. Tests replace it.
    static var now: () -> Date = { Date() }
}
