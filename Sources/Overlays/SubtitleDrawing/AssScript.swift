import Foundation

/// Functions that write script headers with styles for libass, and apply the user's style to events.
enum AssScript {
    private static let styleFields = """
        Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, \
        ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
        """
    /// The style of the box below text with an edge.
    static let box = "ZoetropeBox"
    /// The style of text without a box, with or without an edge, regardless of the default style.
    static let bare = "ZoetropeBare"
    /// The style of text with a box and no edge, regardless of the default style.
    static let boxed = "ZoetropeBoxed"

    /// Returns a script header for events that have no styles of their own.
    ///
    /// - Parameters:
    ///   - look: The style, in pixels of `area`.
    ///   - width: The width of the events' coordinate system.
    ///   - height: The height of the events' coordinate system.
    ///   - area: The size of the area for the text, in pixels.
    static func head(_ look: SubtitleLook, width: Int, height: Int, area: (width: Double, height: Double)) -> String {
        let unit = Double(height) / area.height
        let column = Double(width) / area.width
        func number(_ value: Double) -> String { String(format: "%.3f", value * unit) }
        let (alignment, margin) = placement(look, areaHeight: area.height)
        let side = Int((look.horizontalMargin * column).rounded())
        func style(
            _ name: String, _ border: Int, _ fill: String, _ outlineColor: String, _ outline: Double, _ shadow: Double
        ) -> String {
            "Style: \(name),\(look.font),\(number(look.lineHeight)),\(fill),\(fill),\(outlineColor),\(look.edgeColor.assStyle),0,0,0,0,100,100,0,0,"
                + "\(border),\(number(outline)),\(number(shadow)),\(alignment),\(side),\(side),\(margin(unit)),-1"
        }
        let isBoxed = look.hasBox && !look.needsTwoEvents
        let main =
            isBoxed
            ? style("Default", 3, look.color.assStyle, look.background.assStyle, look.padding, 0)
            : style("Default", 1, look.color.assStyle, look.edgeColor.assStyle, look.outline, look.shadow)
        let below = style(box, 3, "&HFF000000", look.background.assStyle, look.padding, 0)
        let bareText = style(bare, 1, look.color.assStyle, look.edgeColor.assStyle, look.outline, look.shadow)
        let boxedText = style(boxed, 3, look.color.assStyle, look.background.assStyle, look.padding, 0)
        return """
            [Script Info]
            ScriptType: v4.00+
            PlayResX: \(width)
            PlayResY: \(height)
            ScaledBorderAndShadow: yes
            WrapStyle: 0
            YCbCr Matrix: None

            [V4+ Styles]
            Format: \(styleFields)
            \(main)
            \(below)
            \(boxedText)
            \(bareText)

            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

            """
    }

    /// Returns libass's alignment number, and a function that returns the vertical margin for a unit.
    private static func placement(_ look: SubtitleLook, areaHeight: Double) -> (Int, (Double) -> Int) {
        let column =
            switch look.alignment {
            case .left: 1
            case .right: 3
            case .center, nil: 2
            }
        guard let position = look.verticalPosition else {
            return (column, { Int((look.verticalMargin * $0).rounded()) })
        }
        if position < 0.5 {
            return (column + 6, { Int((max(look.verticalMargin, position * areaHeight) * $0).rounded()) })
        }
        return (column, { Int((max(look.verticalMargin, (1 - position) * areaHeight) * $0).rounded()) })
    }

    /// Returns the events that draw an event in the default style: one, or two if the box is a separate event.
    static func events(_ event: String, _ look: SubtitleLook) -> [String] {
        guard look.needsTwoEvents else { return [event] }
        var fields = fields(event)
        guard fields.count == 8 else { return [event] }
        let layer = Int(fields[0]) ?? 0
        fields[0] = String(layer + 1)
        let upper = fields.joined(separator: ",")
        fields[0] = String(layer)
        fields[1] = box
        fields[7] = AssTags.without(fields[7]) {
            ["1c", "c", "1a", "alpha", "3c", "3a", "4c", "4a", "bord", "shad", "blur", "be", "r"].contains($0)
        }
        return [fields.joined(separator: ","), upper]
    }

    static func fields(_ event: String) -> [String] {
        event.split(separator: ",", maxSplits: 7, omittingEmptySubsequences: false).map(String.init)
    }

    // MARK: an author's script

    private static let prefix = "Zoetrope-"

    /// Returns `script` with a second set of styles, in which the user's values replace the author's.
    static func restyled(_ script: String, _ style: SubtitleStyle, frameHeight: Double, scale: Double) -> String {
        var result: [String] = []
        var names: [String] = []
        var section = ""
        var height = 288.0
        for line in script.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init) {
            result.append(line)
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if trimmed.hasPrefix("[") { section = trimmed.lowercased() }
            if let value = value(of: "PlayResY", trimmed).flatMap(Double.init), value > 0 { height = value }
            guard section.contains("styles") else { continue }
            if let format = value(of: "Format", trimmed) {
                names = format.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            } else if let value = value(of: "Style", trimmed), !names.isEmpty {
                var fields = value.split(separator: ",", omittingEmptySubsequences: false).map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
                guard fields.count >= names.count else { continue }
                let unit = frameHeight > 0 ? height / frameHeight : 1
                change(
                    &fields, names, style,
                    SubtitleLook(
                        style, width: frameHeight * 16 / 9, height: frameHeight, picture: frameHeight,
                        scale: scale), unit,
                    isOld: !section.contains("+"))
                result.append("Style: " + fields.joined(separator: ","))
            }
        }
        return result.joined(separator: "\n")
    }

    private static func value(of key: String, _ line: String) -> String? {
        guard line.lowercased().hasPrefix(key.lowercased() + ":") else { return nil }
        return line.dropFirst(key.count + 1).trimmingCharacters(in: .whitespaces)
    }

    private static func change(
        _ fields: inout [String], _ names: [String], _ style: SubtitleStyle, _ look: SubtitleLook, _ unit: Double,
        isOld: Bool
    ) {
        func set(_ name: String, _ value: String) {
            if let index = names.firstIndex(of: name), index < fields.count { fields[index] = value }
        }
        func number(_ value: Double) -> String { String(format: "%.3f", value * unit) }
        if let index = names.firstIndex(of: "name") { fields[index] = prefix + fields[index].drop { $0 == "*" } }
        if style.fontFamily != nil { set("fontname", look.font) }
        if style.size != nil { set("fontsize", number(look.lineHeight)) }
        if style.color != nil {
            set("primarycolour", look.color.assStyle)
            set("secondarycolour", look.color.assStyle)
        }
        if let edge = style.edge {
            set("borderstyle", "1")
            set("outline", number(look.outline))
            set("shadow", number(look.shadow))
            if edge == .outline {
                set("outlinecolour", look.edgeColor.assStyle)
            } else {
                set("backcolour", look.edgeColor.assStyle)
            }
        } else if style.edgeColor != nil {
            set("outlinecolour", look.edgeColor.assStyle)
        }
        if style.backgroundColor != nil {
            if look.hasBox, style.edge == .outline {
                // Border style 4 draws an edge and a box. The box has the color of the shadow, and the distance of the
                // shadow as its padding.
                set("borderstyle", "4")
                set("backcolour", look.background.assStyle)
                set("shadow", number(look.padding))
            } else if look.hasBox {
                set("borderstyle", "3")
                set("outlinecolour", look.background.assStyle)
                set("outline", number(look.padding))
                set("shadow", "0")
            } else if let index = names.firstIndex(of: "borderstyle"), fields[index] != "1" {
                set("borderstyle", "1")
            }
        }
        if style.horizontalMargin != nil {
            set("marginl", String(Int(look.horizontalMargin * unit)))
            set("marginr", String(Int(look.horizontalMargin * unit)))
        }
        if style.verticalPosition != nil || style.alignment != nil || style.verticalMargin != nil {
            let (alignment, margin) = placement(
                look, areaHeight: look.verticalMargin / min(max(style.verticalMargin ?? 0.04, 0.0001), 0.4))
            // The old format has other alignment numbers: 1–3 at the bottom, 5–7 at the top.
            set("alignment", String(isOld && alignment > 6 ? alignment - 2 : alignment))
            set("marginv", String(margin(unit)))
        }
    }

    /// Returns `event` with the user's version of its style, without tags that contradict it. Nil for a sign, which
    /// keeps its style. A sign is an event that is positioned, clipped, rotated, slanted or drawn.
    ///
    /// - Parameter hasSigns: Whether the script may contain signs. If false, every event gets the user's style.
    static func restyled(_ event: String, _ style: SubtitleStyle, hasSigns: Bool = true) -> String? {
        var fields = fields(event)
        guard fields.count == 8 else { return nil }
        let names = AssTags.names(fields[7])
        guard
            !hasSigns
                || names.isDisjoint(with: [
                    "pos", "move", "org", "clip", "iclip", "p", "frx", "fry", "frz", "fr", "fax", "fay",
                ])
        else { return nil }
        var removedTags: Set<String> = []
        if style.fontFamily != nil { removedTags.insert("fn") }
        if style.size != nil { removedTags.formUnion(["fs", "fscx", "fscy"]) }
        if style.color != nil { removedTags.formUnion(["c", "1c", "2c", "1a", "2a", "alpha"]) }
        if style.edge != nil || style.backgroundColor != nil {
            removedTags.formUnion([
                "3c", "4c", "3a", "4a", "bord", "xbord", "ybord", "shad", "xshad", "yshad", "blur", "be",
            ])
        }
        if style.edgeColor != nil { removedTags.formUnion(["3c", "3a"]) }
        if style.alignment != nil || style.verticalPosition != nil {
            removedTags.formUnion(hasSigns ? ["an", "a"] : ["an", "a", "pos"])
        }
        if style.verticalPosition != nil || style.verticalMargin != nil { fields[5] = "0" }
        if style.horizontalMargin != nil {
            fields[3] = "0"
            fields[4] = "0"
        }
        let own = prefix + fields[1].drop { $0 == "*" }
        fields[1] = own
        fields[7] = AssTags.rewritten(fields[7]) { name, body in
            if removedTags.contains(name) { return nil }
            guard name == "r" else { return String(body) }
            // The tag changes to another style, or back to that of the event.
            let other = body.dropFirst().trimmingCharacters(in: .whitespaces).drop { $0 == "*" }
            return "r" + (other.isEmpty ? own : prefix + other)
        } plainText: {
            String($0)
        }
        return fields.joined(separator: ",")
    }
}
