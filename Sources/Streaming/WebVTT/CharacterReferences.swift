/// A decoder for the HTML character references that subtitles use: those of WebVTT, numeric ones, names of Latin-1
/// characters, and typographic characters. Other references are not changed.
enum CharacterReferences {
    private static let latin1 = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot \
        cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml \
        Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig \
        agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute \
        ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml
        """
    private static let named: [String: String] = {
        var all = [
            "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "lrm": "\u{200E}", "rlm": "\u{200F}",
            "zwj": "\u{200D}",
            "zwnj": "\u{200C}", "ensp": "\u{2002}", "emsp": "\u{2003}", "thinsp": "\u{2009}", "ndash": "\u{2013}",
            "mdash": "\u{2014}",
            "lsquo": "\u{2018}", "rsquo": "\u{2019}", "sbquo": "\u{201A}", "ldquo": "\u{201C}", "rdquo": "\u{201D}",
            "bdquo": "\u{201E}",
            "bull": "\u{2022}", "hellip": "\u{2026}", "lsaquo": "\u{2039}", "rsaquo": "\u{203A}", "euro": "\u{20AC}",
            "trade": "\u{2122}",
            "OElig": "\u{152}", "oelig": "\u{153}", "Scaron": "\u{160}", "scaron": "\u{161}", "Yuml": "\u{178}",
            "sung": "\u{266A}",
        ]
        for (index, name) in latin1.split(separator: " ").enumerated() {
            if let scalar = Unicode.Scalar(UInt32(0xA0 + index)) { all[String(name)] = String(Character(scalar)) }
        }
        return all
    }()

    /// Returns `text` with its references replaced.
    static func decode(_ text: ArraySlice<UInt8>) -> String {
        guard text.contains(0x26) else { return String(decoding: text, as: UTF8.self) }
        var result = ""
        var index = text.startIndex
        var plain = index
        while let position = text[index...].firstIndex(of: 0x26) {
            // Names have at most 7 letters, and valid numbers at most 7 digits.
            let limit = min(text.endIndex, position + 12)
            guard let end = text[position..<limit].firstIndex(of: 0x3B),
                let replacement = replacement(text[(position + 1)..<end])
            else {
                index = position + 1
                continue
            }
            result += String(decoding: text[plain..<position], as: UTF8.self) + replacement
            index = end + 1
            plain = index
        }
        return result + String(decoding: text[plain...], as: UTF8.self)
    }

    private static func replacement(_ name: ArraySlice<UInt8>) -> String? {
        guard name.first == 0x23 else { return named[String(decoding: name, as: UTF8.self)] }
        let digits = name.dropFirst()
        let value =
            digits.first == 0x78 || digits.first == 0x58
            ? UInt32(String(decoding: digits.dropFirst(), as: UTF8.self), radix: 16)
            : UInt32(String(decoding: digits, as: UTF8.self))
        guard let value, digits.first != 0x2B, digits.first != 0x2D else { return nil }
        // As in HTML, an invalid character number becomes the replacement character.
        guard value > 0, let scalar = Unicode.Scalar(value) else { return "\u{FFFD}" }
        return String(Character(scalar))
    }
}
