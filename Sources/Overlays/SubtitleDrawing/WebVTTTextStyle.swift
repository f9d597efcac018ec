import Foundation
import Streaming

/// The style of a piece of a cue's text.
struct WebVTTTextStyle: Hashable {
    var color: SubtitleStyle.Color
    var background: SubtitleStyle.Color
    var opacity = 1.0
    var isBold = false
    var isItalic = false
    var isUnderlined = false
    var isStruck = false
    /// The size of letters, relative to the cue's default.
    var scale = 1.0
    var font: String?

    mutating func apply(_ declarations: [WebVTTStyleSheet.Declaration], over user: SubtitleStyle?) {
        // Relative sizes refer to the size before the rule, even if the rule sets the size more than once.
        let inherited = scale
        for declaration in declarations {
            let value = declaration.value
            switch declaration.name {
            case "color": if user?.color == nil, let color = WebVTTStyleSheet.color(value) { self.color = color }
            case "background-color", "background":
                if user?.backgroundColor == nil, let color = WebVTTStyleSheet.color(value) { background = color }
            case "opacity": if let value = WebVTTTextStyle.number(value) { opacity = min(max(value, 0), 1) }
            case "font-weight": isBold = value == "bold" || value == "bolder" || (Double(value) ?? 0) >= 600
            case "font-style": isItalic = value == "italic" || value.hasPrefix("oblique")
            case "text-decoration", "text-decoration-line":
                isUnderlined = value.contains("underline")
                isStruck = value.contains("line-through")
            case "font-size":
                if user?.size == nil, let size = WebVTTTextStyle.size(value, now: inherited) {
                    scale = min(max(size, 0.1), 10)
                }
            case "font-family":
                if user?.fontFamily == nil, let first = value.split(separator: ",").first {
                    font = first.trimmingCharacters(in: CharacterSet(charactersIn: " \"'\\{}"))
                }
            default: continue
            }
        }
    }

    /// Parses a number, or a percentage as a fraction.
    private static func number(_ text: String) -> Double? {
        text.hasSuffix("%") ? Double(text.dropLast()).map { $0 / 100 } : Double(text)
    }

    private static func size(_ text: String, now: Double) -> Double? {
        let keywordSizes = [
            "xx-small": 0.5625, "x-small": 0.625, "small": 0.8125, "medium": 1, "large": 1.125, "x-large": 1.5,
            "xx-large": 2,
        ]
        if let word = keywordSizes[text] { return word }
        if text == "smaller" { return now / 1.2 }
        if text == "larger" { return now * 1.2 }
        func value(_ unit: String) -> Double? {
            text.hasSuffix(unit) ? Double(text.dropLast(unit.count).trimmingCharacters(in: .whitespaces)) : nil
        }
        if let value = value("%") { return now * value / 100 }
        if let value = value("rem") { return value }
        if let value = value("em") { return now * value }
        // `vh` is a hundredth of the frame's height. The default letters are 5vh.
        if let value = value("vh") { return value / 5 }
        // The default size in browsers is 16 pixels, which is 12 points.
        if let value = value("px") { return value / 16 }
        if let value = value("pt") { return value / 12 }
        return nil
    }

    static let classColors: [String: String] = [
        "white": "white", "lime": "lime", "cyan": "cyan", "red": "red", "yellow": "yellow", "magenta": "magenta",
        "blue": "blue", "black": "black",
    ]
}

/// A piece of a cue's text, with its style before and after its time.
struct WebVTTPiece: Hashable {
    var text: String
    var style: WebVTTTextStyle
    /// The style before `time`, or nil if it is the same or there is no time.
    var before: WebVTTTextStyle?
    /// The time at which the text is spoken, in media nanoseconds, or nil for the start of the cue.
    var time: Int64?
    /// Whether this piece is the ruby text of the base before it.
    var isRubyText = false
    /// A number that a base and its ruby text share, or nil outside of ruby.
    var ruby: Int?
}

extension WebVTTCue {
    /// Returns the text as pieces of one style each, by the cascade of WebVTT sections 7 and 8.
    func pieces(_ sheet: WebVTTStyleSheet, base: WebVTTTextStyle, user: SubtitleStyle?) -> [WebVTTPiece] {
        struct Element {
            var tag: String
            var classes: [String]
            var voice: String?
            var language: String?
        }
        var pieces: [WebVTTPiece] = []
        var time: Int64?
        var ruby = 0
        let hasTimes = sheet.knowsTime && text.runs.contains { $0.time != nil }

        func matches(_ selector: WebVTTStyleSheet.Selector, _ element: Element?, isPast: Bool?) -> Bool {
            if let wanted = selector.isPast, wanted != isPast { return false }
            guard let element else {
                guard
                    selector.isCue || selector.identifier == identifier && selector.identifier != nil
                        || selector.isPast != nil
                else { return false }
                return selector.tag == nil && selector.classes.isEmpty && selector.voice == nil
                    && selector.language == nil
            }
            if selector.isCue || selector.identifier != nil { return false }
            if selector.tag == nil, selector.classes.isEmpty, selector.voice == nil, selector.language == nil,
                selector.isPast != nil
            {
                return false
            }
            return (selector.tag == nil || selector.tag == element.tag)
                && selector.classes.isSubset(of: element.classes)
                && (selector.voice == nil || selector.voice == element.voice)
                && (selector.language == nil
                    || element.language?.lowercased().hasPrefix(selector.language?.lowercased() ?? "") == true)
        }

        func styled(_ style: WebVTTTextStyle, _ element: Element?, isPast: Bool?) -> WebVTTTextStyle {
            var style = style
            switch element?.tag {
            case "b": style.isBold = true
            case "i": style.isItalic = true
            case "u": style.isUnderlined = true
            default: break
            }
            // Section 5: classes that set colors without a style sheet.
            for name in element?.classes ?? [] {
                let isBehind = name.hasPrefix("bg_")
                guard let known = WebVTTTextStyle.classColors[isBehind ? String(name.dropFirst(3)) : name],
                    let color = WebVTTStyleSheet.color(known)
                else { continue }
                if isBehind {
                    if user?.backgroundColor == nil { style.background = color }
                } else if user?.color == nil {
                    style.color = color
                }
            }
            for rule in sheet.rules where matches(rule.selector, element, isPast: isPast) {
                style.apply(rule.declarations, over: user)
            }
            return style
        }

        func look(_ path: [Element], isPast: Bool?) -> WebVTTTextStyle {
            path.reduce(styled(base, nil, isPast: isPast)) { styled($0, $1, isPast: isPast) }
        }

        func walk(_ nodes: [WebVTTText.Node], _ path: [Element], isRubyText: Bool, isRuby: Bool) {
            for node in nodes {
                switch node {
                case .timestamp(let moment): time = moment
                case .text(let string):
                    let after = look(path, isPast: hasTimes ? true : nil)
                    let before = hasTimes && time != nil ? look(path, isPast: false) : nil
                    pieces.append(
                        WebVTTPiece(
                            text: string, style: after, before: before == after ? nil : before, time: time,
                            isRubyText: isRubyText, ruby: isRuby ? ruby : nil))
                case .element(let tag, let classes, let children):
                    var element = Element(tag: "c", classes: classes, voice: nil, language: path.last?.language)
                    var isInner = isRubyText
                    switch tag {
                    case .bold: element.tag = "b"
                    case .italic: element.tag = "i"
                    case .underline: element.tag = "u"
                    case .span: break
                    case .voice(let name):
                        element.tag = "v"
                        element.voice = name
                    case .language(let language):
                        element.tag = "lang"
                        element.language = language
                    case .ruby: element.tag = "ruby"
                    case .rubyText:
                        element.tag = "rt"
                        isInner = true
                    }
                    // A ruby element can contain several pairs of base and ruby text.
                    if tag == .ruby { ruby += 1 }
                    walk(children, path + [element], isRubyText: isInner, isRuby: isRuby || tag == .ruby)
                    if tag == .rubyText { ruby += 1 }
                }
            }
        }
        walk(text.nodes, [], isRubyText: false, isRuby: false)
        return pieces
    }
}
