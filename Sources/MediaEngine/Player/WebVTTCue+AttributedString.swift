import Foundation
import Streaming

/// The attributes for a cue's tags, in addition to Foundation's `languageIdentifier`. (Foundation on Linux has no
/// `inlinePresentationIntent`.)
public enum LegibleAttributes {
    /// An attribute that is true for text in `<b>`.
    public enum Bold: AttributedStringKey {
        public typealias Value = Bool
        public static let name = "zoetrope.bold"
    }
    /// An attribute that is true for text in `<i>`.
    public enum Italic: AttributedStringKey {
        public typealias Value = Bool
        public static let name = "zoetrope.italic"
    }
    /// An attribute that is true for text in `<u>`.
    public enum Underline: AttributedStringKey {
        public typealias Value = Bool
        public static let name = "zoetrope.underline"
    }
    /// An attribute with the name of the speaker (`<v>`).
    public enum Voice: AttributedStringKey {
        public typealias Value = String
        public static let name = "zoetrope.voice"
    }
    /// An attribute with the classes of all elements around the text, outermost first.
    public enum Classes: AttributedStringKey {
        public typealias Value = [String]
        public static let name = "zoetrope.classes"
    }
    /// An attribute with the ruby text (`<rt>`), such as the pronunciation, of the text.
    public enum Ruby: AttributedStringKey {
        public typealias Value = String
        public static let name = "zoetrope.ruby"
    }
    /// An attribute with the item time, in nanoseconds, from which the text is visible.
    public enum Time: AttributedStringKey {
        public typealias Value = Int64
        public static let name = "zoetrope.time"
    }
}

extension WebVTTCue {
    /// The text with its tags as attributes. Ruby text becomes an attribute of its base text.
    ///
    /// ```swift
    /// output.onChange = { cues, _ in
    ///     subtitles = cues.map(\.attributedString)
    /// }
    /// ```
    public var attributedString: AttributedString {
        let runs = text.runs
        var result = AttributedString()
        for (index, run) in runs.enumerated() where !run.isRubyText {
            var piece = AttributedString(run.text)
            if run.isBold { piece[LegibleAttributes.Bold.self] = true }
            if run.isItalic { piece[LegibleAttributes.Italic.self] = true }
            if run.isUnderlined { piece[LegibleAttributes.Underline.self] = true }
            if let voice = run.voice { piece[LegibleAttributes.Voice.self] = voice }
            if let language = run.language { piece.languageIdentifier = language }
            if !run.classes.isEmpty { piece[LegibleAttributes.Classes.self] = run.classes }
            if let time = run.time { piece[LegibleAttributes.Time.self] = time }
            if let ruby = run.ruby {
                let reading = runs[(index + 1)...].prefix { $0.ruby == ruby }.drop { !$0.isRubyText }.prefix {
                    $0.isRubyText
                }.map(\.text).joined()
                if !reading.isEmpty { piece[LegibleAttributes.Ruby.self] = reading }
            }
            result += piece
        }
        return result
    }
}
