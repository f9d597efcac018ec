import Foundation

/// The limits of the memory and time that a script may require of libass.
///
/// libass makes a full-size bitmap of every glyph and drawing, even if most of it is not visible. A hundred bytes of
/// text can require gigabytes. This type limits sizes, borders and coordinates, relative to the script's own
/// resolution, and estimates the cost of the rest.
///
/// The limits depend only on the script, not on the window.
struct AssLimits {
    /// The values of a style that affect the cost.
    private struct Look {
        var size = 18.0, scaleX = 100.0, scaleY = 100.0, spacing = 0.0, border = 2.0
    }
    /// The largest values that an event uses.
    private struct Extents {
        var size: Double, scaleX: Double, scaleY: Double, spacing: Double, border: Double
        var blur = 0.0, softness = 0.0
        /// The total width of the glyphs, in ems.
        var glyphs = 0.0
        /// The total area of the drawings.
        var drawingArea = 0.0
        var isRotated = false, isTilted = false, isMoving = false
        /// The largest shear, the largest coordinate of a position, and the largest coordinate of a clip's shape, in
        /// units of the script.
        var shear = 0.0, position = 0.0, clip = 0.0
        /// The largest coordinate of a drawing, in units of the script.
        var reach = 0.0
        /// Whether a `\t` has a negative exponent, which makes values unlimited, or is nested too deeply. libass reads
        /// the rest of the text again for each level.
        var isUnbounded = false
    }

    /// The maximum height and width of a glyph or a drawing, in screens.
    private static let screens = 2.0
    /// The maximum number of pixels to draw at one time, in screens. libass also draws parts that other text covers.
    static let maximumScreens = 64.0
    /// The cost factor of an event that moves, because libass draws it again for each frame.
    private static let movingCost = 8.0

    /// The script, with limited styles.
    let script: String
    /// The number of styles that were reduced.
    let reducedStyles: Int
    private let width: Double, height: Double
    private let styles: [String: Look]
    /// The largest values of all styles, for events that change their style within the text.
    private let greatest: Look

    init(_ script: String) {
        var size = (x: 0.0, y: 0.0)
        let lines = script.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for line in lines {
            if let value = AssLimits.value("PlayResX", line) { size.x = AssLimits.number(value[...]) }
            if let value = AssLimits.value("PlayResY", line) { size.y = AssLimits.number(value[...]) }
        }
        // libass completes missing values in the same way.
        if size.x <= 0, size.y <= 0 { size = (384, 288) }
        if size.y <= 0 { size.y = size.x == 1280 ? 1024 : max(1, size.x * 3 / 4) }
        if size.x <= 0 { size.x = size.y == 1024 ? 1280 : max(1, size.y * 4 / 3) }
        (width, height) = size

        var result: [String] = []
        var styles: [String: Look] = [:]
        var reduced = 0
        var names = AssLimits.format
        for line in lines.map(String.init) {
            if let format = AssLimits.value("Format", line[...]), format.lowercased().contains("fontsize") {
                names = format.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            }
            guard let style = AssLimits.value("Style", line[...]) else {
                result.append(line)
                continue
            }
            var fields = style.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            var isReduced = false
            func bounded(_ name: String, _ missing: Double, _ limit: Double) -> Double {
                guard let index = names.firstIndex(of: name), index < fields.count else { return missing }
                let value = AssLimits.number(fields[index][...])
                let new = value.bounded(to: -limit...limit)
                if new != value {
                    isReduced = true
                    fields[index] = AssLimits.text(new)
                }
                return new
            }
            var look = Look()
            look.size = bounded("fontsize", look.size, AssLimits.screens * size.y)
            let em = max(abs(look.size), 1)
            look.scaleX = bounded("scalex", look.scaleX, 100 * AssLimits.screens * size.x / em)
            look.scaleY = bounded("scaley", look.scaleY, 100 * AssLimits.screens * size.y / em)
            look.spacing = bounded("spacing", look.spacing, size.x)
            look.border = bounded("outline", look.border, size.y / 4)
            if isReduced { reduced += 1 }
            result.append(isReduced ? "Style: " + fields.joined(separator: ",") : line)
            let name = names.firstIndex(of: "name").flatMap { $0 < fields.count ? fields[$0] : nil } ?? ""
            styles[AssLimits.plain(name)] = look
        }
        self.script = reduced == 0 ? script : result.joined(separator: "\n")
        reducedStyles = reduced
        self.styles = styles
        greatest = styles.values.reduce(into: Look()) {
            $0.size = max($0.size, $1.size)
            $0.scaleX = max($0.scaleX, $1.scaleX)
            $0.scaleY = max($0.scaleY, $1.scaleY)
            $0.spacing = max($0.spacing, $1.spacing)
            $0.border = max($0.border, $1.border)
        }
    }

    /// Returns whether an event may be expensive to draw. Most events are not, and a script may have a hundred thousand
    /// events.
    func mayBeExpensive(_ event: String) -> Bool {
        event.utf8.count > 1024 || event.utf8.contains(UInt8(ascii: "{")) || greatest.size > height / 8
            || greatest.scaleX > 200 || greatest.scaleY > 200
    }

    /// The limited form of an event and its estimated cost.
    struct LimitedEvent {
        /// The event with limited values, or nil if no value had to be reduced.
        var bounded: String?
        /// The estimated number of pixels to draw, in screens.
        var screens: Double
    }

    func limit(_ event: String) -> LimitedEvent {
        var fields = AssScript.fields(event)
        guard fields.count == 8 else { return LimitedEvent(screens: 0) }
        let look = style(of: fields)
        let requested = extents(fields, look)
        let bounds = Bounds(self, requested, look)
        guard bounds.areExceeded(by: requested) else { return LimitedEvent(screens: cost(requested)) }
        fields[7] = bounded(fields[7], bounds, look)
        return LimitedEvent(bounded: fields.joined(separator: ","), screens: cost(extents(fields, look)))
    }

    /// The maximum values of one event.
    private struct Bounds {
        var size: Double, scaleX: Double, scaleY: Double, edge: Double, spacing: Double
        /// The limits of positions, and of the coordinates of clips and drawings in units of the script.
        var position: Double, clip: Double, shape: Double
        static let softness = 40.0, shear = 10.0

        init(_ limits: AssLimits, _ requested: Extents, _ look: Look) {
            // libass enlarges a glyph that is tilted out of the screen's plane by up to twenty times.
            let screens = AssLimits.screens / (requested.isTilted ? 4 : 1)
            let wide = screens * limits.width
            let high = screens * limits.height
            // The style's scale multiplies the size.
            size = min(high, 100 * high / max(look.scaleY, 100), 100 * wide / max(look.scaleX, 100))
            let em = requested.glyphs > 0 ? max(1, min(requested.size, size)) : 0.001
            (scaleX, scaleY) = (100 * wide / em, 100 * high / em)
            edge = limits.height / 4
            spacing = limits.width
            position = 10 * max(limits.width, limits.height, 1000)
            // A shape with this extent in all directions still costs no more than the limit of an event.
            clip = screens * 1.75 * (limits.width * limits.height).squareRoot()
            shape = clip * 100 / max(100, min(requested.scaleX, scaleX), min(requested.scaleY, scaleY))
        }

        func areExceeded(by e: Extents) -> Bool {
            e.isUnbounded || e.glyphs > 0 && e.size > size || e.scaleX > scaleX || e.scaleY > scaleY || e.border > edge
                || e.blur > edge || e.softness > Bounds.softness || e.spacing > spacing || e.shear > Bounds.shear
                || e.position > position || e.clip > clip || e.reach > shape
        }
    }

    private func bounded(_ text: String, _ bounds: Bounds, _ look: Look) -> String {
        // The style's own size applies without a tag, so a tag is added.
        let text = look.size > bounds.size ? "{\\fs\(AssLimits.text(bounds.size))}" + text : text
        var current = look.size
        var level = 0
        func limited(_ body: Substring, _ name: String, _ range: ClosedRange<Double>) -> String {
            let value = AssLimits.number(body.dropFirst(name.count))
            return range.contains(value) ? String(body) : name + AssLimits.text(value.bounded(to: range))
        }
        return AssTags.rewritten(text) { name, body in
            switch name {
            case "fs":
                let next = AssLimits.size(body, current, look)
                current = min(next, bounds.size)
                if current != next { return "fs" + AssLimits.text(current) }
            case "r": current = look.size
            case "fscx": return limited(body, name, -bounds.scaleX...bounds.scaleX)
            case "fscy": return limited(body, name, -bounds.scaleY...bounds.scaleY)
            case "bord", "xbord", "ybord", "blur": return limited(body, name, -bounds.edge...bounds.edge)
            case "be": return limited(body, name, 0...Bounds.softness)
            case "fsp": return limited(body, name, -bounds.spacing...bounds.spacing)
            case "fax", "fay": return limited(body, name, -Bounds.shear...Bounds.shear)
            case "pbo", "shad", "xshad", "yshad": return limited(body, name, -bounds.position...bounds.position)
            case "p": level = AssLimits.level(body)
            case "pos", "move", "org": return AssLimits.numbers(in: body, bounded: bounds.position)
            case "clip", "iclip":
                return AssLimits.numbers(
                    in: body,
                    bounded: AssLimits.isShape(body) ? AssLimits.unit(of: body) * bounds.clip : bounds.position)
            case "t":
                if let (numbers, index) = AssLimits.exponent(body) {
                    var numbers = numbers
                    numbers[index] = index == 0 ? "(0" : "0"
                    return "t" + numbers.joined(separator: ",")
                }
            case AssTags.tooDeep: return nil
            default: break
            }
            return String(body)
        } plainText: { text in
            level > 0 ? AssLimits.numbers(in: text, bounded: AssLimits.unit(level) * bounds.shape) : String(text)
        }
    }

    private func cost(_ e: Extents) -> Double {
        let edge = 2 * (e.border + 3 * e.blur)
        let glyph = (e.size * e.scaleX / 100 + e.spacing + edge, e.size * e.scaleY / 100 + edge)
        let shape = (e.drawingArea * e.scaleX * e.scaleY / 10_000).squareRoot() + edge
        var area = e.glyphs * glyph.0 * glyph.1
        if e.drawingArea > 0 { area += shape * shape }
        // Tilted text is enlarged where it is close to the viewer.
        area *= e.isTilted ? 16 : e.isRotated ? 2 : 1
        area *= 1 + e.softness / 8
        let screens = max(0.004, area / (width * height))
        return e.isMoving ? screens * AssLimits.movingCost : screens
    }

    /// Returns the part of an event that determines its bitmaps. Events with equal parts share their bitmaps.
    static func shape(of event: String) -> String {
        let fields = AssScript.fields(event)
        guard fields.count == 8 else { return event }
        let text = AssTags.without(fields[7]) {
            [
                "clip", "iclip", "pos", "an", "a", "c", "1c", "2c", "3c", "4c", "alpha", "1a", "2a", "3a", "4a", "fad",
                "fade",
            ].contains($0)
        }
        return fields[1] + "," + text
    }

    private func style(of fields: [String]) -> Look {
        if fields[7].contains("\\r") { return greatest }
        return styles[AssLimits.plain(fields[1])] ?? styles["default"] ?? greatest
    }

    private func extents(_ fields: [String], _ look: Look) -> Extents {
        var e = Extents(
            size: 0, scaleX: look.scaleX, scaleY: look.scaleY, spacing: max(0, look.spacing),
            border: max(0, look.border))
        var current = look.size
        var level = 0
        // Animated values may take any value in between, so the largest one counts.
        let isAnimated = fields[7].contains("\\t")
        e.isMoving = !fields[6].isEmpty
        if isAnimated { e.size = max(0, look.size) }
        _ = AssTags.rewritten(fields[7]) { name, body in
            func number() -> Double { AssLimits.number(body.dropFirst(name.count)) }
            switch name {
            case "fs":
                current = AssLimits.size(body, current, look)
                if isAnimated { e.size = max(e.size, current) }
            case "r": current = look.size
            case "fscx": e.scaleX = max(e.scaleX, abs(number()))
            case "fscy": e.scaleY = max(e.scaleY, abs(number()))
            case "bord", "xbord", "ybord": e.border = max(e.border, abs(number()))
            case "blur": e.blur = max(e.blur, abs(number()))
            case "be": e.softness = max(e.softness, number())
            case "fsp": e.spacing = max(e.spacing, abs(number()))
            case "frx", "fry": e.isTilted = true
            case "frz", "fr": e.isRotated = true
            case "fax", "fay":
                e.isRotated = true
                e.shear = max(e.shear, abs(number()))
            case "pbo", "shad", "xshad", "yshad": e.position = max(e.position, abs(number()))
            case "pos", "org": e.position = max(e.position, AssLimits.greatest(body))
            case "move":
                e.isMoving = true
                e.position = max(e.position, AssLimits.greatest(body))
            case "clip", "iclip":
                if AssLimits.isShape(body) {
                    e.clip = max(e.clip, AssLimits.greatest(body) / AssLimits.unit(of: body))
                } else {
                    e.position = max(e.position, AssLimits.greatest(body))
                }
            case "p": level = AssLimits.level(body)
            case "t":
                e.isMoving = true
                if AssLimits.exponent(body) != nil { e.isUnbounded = true }
            case AssTags.tooDeep: e.isUnbounded = true
            case "k", "K", "kf", "ko", "kt", "fad", "fade": e.isMoving = true
            default: break
            }
            return String(body)
        } plainText: { text in
            if level > 0 {
                let unit = AssLimits.unit(level)
                e.drawingArea += AssLimits.area(of: text) / (unit * unit)
                e.reach = max(e.reach, AssLimits.greatest(text) / unit)
            } else {
                e.size = max(e.size, current)
                e.glyphs += text.unicodeScalars.reduce(0) { $0 + ($1.value < 0x2E80 ? 0.6 : 1) }
            }
            return String(text)
        }
        return e
    }

    // MARK: parsing

    private static let format = [
        "name", "fontname", "fontsize", "primarycolour", "secondarycolour", "outlinecolour", "backcolour", "bold",
        "italic", "underline", "strikeout", "scalex", "scaley", "spacing", "angle", "borderstyle", "outline", "shadow",
        "alignment", "marginl", "marginr", "marginv", "encoding",
    ]

    private static func value(_ key: String, _ line: Substring) -> String? {
        let line = line.drop { $0.isWhitespace }
        guard line.count > key.count, line.prefix(key.count).lowercased() == key.lowercased(),
            line.dropFirst(key.count).first == ":"
        else { return nil }
        return line.dropFirst(key.count + 1).trimmingCharacters(in: .whitespaces)
    }

    private static func plain(_ style: String) -> String {
        style.trimmingCharacters(in: .whitespaces).drop { $0 == "*" }.lowercased()
    }

    /// Returns the number at the beginning of `text`, with or without a parenthesis. Like libass, returns 0 if there is
    /// none.
    private static func number(_ text: Substring) -> Double {
        let digits = text.drop { $0 == "(" || $0.isWhitespace }.prefix { "+-.0123456789eE".contains($0) }
        let value = strtod(String(digits), nil)
        return value.isFinite ? value : value > 0 ? 1e30 : -1e30
    }

    private static func text(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(format: "%.4f", value)
    }

    /// Returns the font size that `\fs` sets. `+2` and `-2` change the current size by tenths of it.
    private static func size(_ body: Substring, _ current: Double, _ look: Look) -> Double {
        let sizeText = body.dropFirst(2).drop { $0 == "(" || $0.isWhitespace }
        let value = number(sizeText)
        let size = sizeText.first == "+" || sizeText.first == "-" ? current * (1 + value / 10) : value
        return size > 0 ? size : look.size
    }

    /// Returns the level of `\p`.
    private static func level(_ body: Substring) -> Int { Int(saturating: number(body.dropFirst(1)).rounded(.down)) }
    /// Returns the number of units of a drawing with this level that equal one unit of the script.
    private static func unit(_ level: Int) -> Double { pow(2, Double(level.bounded(to: 1...31) - 1)) }
    /// Returns the number of units of a clip's shape, such as `\clip(2,m …)`, that equal one unit of the script.
    private static func unit(of clip: Substring) -> Double {
        guard let open = clip.firstIndex(of: "("), let comma = clip.firstIndex(of: ","), open < comma else { return 1 }
        return unit(Int(saturating: number(clip[clip.index(after: open)..<comma])))
    }

    /// Calls `body` with the position and value of each number in `text`.
    private static func numbers(_ text: Substring, _ body: (Range<Substring.Index>, Double) -> Void) {
        var index = text.startIndex
        while index < text.endIndex {
            let rest = text[index...].prefix { "+-.0123456789eE".contains($0) }
            if rest.isEmpty {
                index = text.index(after: index)
            } else {
                if rest.contains(where: \.isNumber) { body(rest.startIndex..<rest.endIndex, number(rest)) }
                index = rest.endIndex
            }
        }
    }

    /// Returns `text` with its numbers limited to `-limit…limit`.
    private static func numbers(in text: Substring, bounded limit: Double) -> String {
        var result = ""
        var end = text.startIndex
        numbers(text) { range, value in
            guard abs(value) > limit else { return }
            result += text[end..<range.lowerBound] + AssLimits.text(value.bounded(to: -limit...limit))
            end = range.upperBound
        }
        return result + text[end...]
    }

    private static func greatest(_ text: Substring) -> Double {
        var greatest = 0.0
        numbers(text) { greatest = max(greatest, abs($1)) }
        return greatest
    }

    /// Returns whether a clip is a drawing. Otherwise it is a rectangle.
    private static func isShape(_ clip: Substring) -> Bool { clip.contains("m") }

    /// Returns the numbers of `\t(…)` before its tags, and the index of the exponent among them. Returns nil if there
    /// is no negative exponent.
    private static func exponent(_ body: Substring) -> (numbers: [Substring], index: Int)? {
        guard body.contains("-") else { return nil }
        let numbers = body.dropFirst().split(separator: ",", omittingEmptySubsequences: false)
        // The last comma precedes the tags. Before it is the exponent alone, or two times and the exponent.
        guard numbers.count == 2 || numbers.count == 4 else { return nil }
        let index = numbers.count == 2 ? 0 : 2
        return number(numbers[index]) < 0 ? (numbers, index) : nil
    }

    /// Returns the area of the smallest rectangle around a drawing.
    private static func area(of drawing: Substring) -> Double {
        var low = (Double.infinity, Double.infinity)
        var high = (-Double.infinity, -Double.infinity)
        var isX = true
        numbers(drawing) { _, value in
            if isX {
                (low.0, high.0) = (min(low.0, value), max(high.0, value))
            } else {
                (low.1, high.1) = (min(low.1, value), max(high.1, value))
            }
            isX.toggle()
        }
        return low.0.isFinite && low.1.isFinite ? (high.0 - low.0) * (high.1 - low.1) : 0
    }
}
