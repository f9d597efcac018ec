import Foundation

/// A namespace for file names made from texts of servers and users. Names are a single part of a path and consist of
/// ASCII letters, digits, `-` and `_`. They are never empty, hidden, or the name of a device.
enum SafeName {
    /// Returns a file name for a text.
    ///
    /// - Parameter limit: The maximum length, in bytes.
    static func make(_ text: String, limit: Int) -> String {
        var result = ""
        var isGap = false
        for character in text.prefix(4 * limit).folding(options: .diacriticInsensitive, locale: nil) {
            guard let byte = character.asciiValue, isPlain(byte) else {
                isGap = true
                continue
            }
            if isGap, !result.isEmpty { result += "-" }
            isGap = false
            result.append(character)
            if result.utf8.count >= limit { break }
        }
        result = String(result.prefix(limit))
        while result.hasSuffix("-") { result.removeLast() }
        return result.isEmpty || isDevice(result) ? "item" + (result.isEmpty ? "" : "-" + result) : result
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
            || byte == 0x5F
    }

    /// Returns whether the name is a device's on Windows, because users copy packages to other systems.
    private static func isDevice(_ name: String) -> Bool {
        let name = name.lowercased()
        if ["con", "prn", "aux", "nul"].contains(name) { return true }
        return name.count == 4 && (name.hasPrefix("com") || name.hasPrefix("lpt")) && name.last?.isNumber == true
    }

    /// Returns the file extension of a URL, without the dot, if `known` contains it.
    static func mediaExtension(of url: String, among known: [String]) -> String? {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        guard let dot = path.lastIndex(of: "."), path.distance(from: dot, to: path.endIndex) <= 6 else {
            return nil
        }
        let name = path[path.index(after: dot)...].lowercased()
        return known.contains(name) ? name : nil
    }

    /// Returns the 64-bit FNV-1a hash of a text. Only suitable for names, not for security.
    static func digest(_ text: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return String(format: "%016lx", hash)
    }
}
