import Foundation

extension Text {
    /// Words of one look.
    struct Run: Equatable, Sendable {
        var text: String
        var font: Font?
        var weight: Font.Weight?
        var color: Color?
        var isItalic = false, isUnderlined = false, isStruck = false, isMonospaced = false, hasMonospacedDigits = false
        var kerning: CGFloat = 0
        /// What a click on it opens.
        var link: URL?
        /// What it says depends on the time; `text` is what it said when it was made.
        var time: DateText?

        /// Where it says nothing of its own, `look` does.
        func over(_ look: Run) -> Run {
            with(self) {
                $0.font = font ?? look.font
                $0.weight = weight ?? look.weight
                $0.color = color ?? look.color
                $0.isItalic = isItalic || look.isItalic
                $0.isUnderlined = isUnderlined || look.isUnderlined
                $0.isStruck = isStruck || look.isStruck
                $0.isMonospaced = isMonospaced || look.isMonospaced
                $0.link = link ?? look.link
            }
        }
    }

    /// With the words of `date` where they depend on the time.
    func resolved(at date: Date) -> Text {
        guard runs.contains(where: { $0.time != nil }) else { return self }
        return with(self) {
            for index in $0.runs.indices {
                if let time = $0.runs[index].time { $0.runs[index].text = time.text(at: date) }
            }
        }
    }
    /// When it says something else, if it does by itself.
    func nextChange(after date: Date) -> Date? { runs.compactMap { $0.time?.nextChange(after: date) }.min() }
}

/// The time that texts are shown at.
@MainActor
enum TextClock {
    /// Another one in tests.
    static var now: () -> Date = { Date() }
}
