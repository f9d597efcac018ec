import Foundation
import Streaming

/// What a cue's tags say, beside Foundation's `languageIdentifier`. (Its `inlinePresentationIntent` is not on Linux.)
public enum LegibleAttributes {
    /// `true` where a cue has `<b>`.
    public enum Bold: AttributedStringKey {
        public typealias Value = Bool
        public static let name = "zoetrope.bold"
    }
    /// `true` where a cue has `<i>`.
    public enum Italic: AttributedStringKey {
        public typealias Value = Bool
        public static let name = "zoetrope.italic"
    }
    /// `true` where a cue has `<u>`.
    public enum Underline: AttributedStringKey {
        public typealias Value = Bool
        public static let name = "zoetrope.underline"
    }
    /// Who speaks.
    public enum Voice: AttributedStringKey {
        public typealias Value = String
        public static let name = "zoetrope.voice"
    }
    /// Of all elements around the text, outermost first.
    public enum Classes: AttributedStringKey {
        public typealias Value = [String]
        public static let name = "zoetrope.classes"
    }
    /// The reading of the text, written beside it.
    public enum Ruby: AttributedStringKey {
        public typealias Value = String
        public static let name = "zoetrope.ruby"
    }
    /// Item time, nanoseconds, before which the text is not said.
    public enum Time: AttributedStringKey {
        public typealias Value = Int64
        public static let name = "zoetrope.time"
    }
}

extension WebVTTCue {
    /// The text with its tags as attributes. Readings of ruby are an attribute of what they stand beside.
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
