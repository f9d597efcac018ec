import Foundation

/// Text and bars read from an image of the screen, to check what a user sees regardless of the app's state.
public enum ScreenText {
    /// A rectangle of the screen, in pixels.
    public struct Area: Sendable, Equatable {
        public var x: Int, y: Int, width: Int, height: Int
        public init(_ x: Int, _ y: Int, _ width: Int, _ height: Int) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }
    }

    public struct Failed: Error, CustomStringConvertible {
        public let description: String
    }

    /// Reads a line of text by tesseract. The text may be light on dark or dark on light.
    ///
    /// - Parameters:
    ///   - area: The area of the line, only slightly higher than the text.
    ///   - characters: The only characters that the text may contain; nil for any.
    public static func line(_ shot: Screenshot, in area: Area, only characters: String? = nil) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-words-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (raw, picture) = (folder.appendingPathComponent("raw.ppm"), folder.appendingPathComponent("line.pgm").path)
        // tesseract expects dark text on a light background.
        try ppm(shot, area).write(to: raw)
        try run(
            "convert",
            [raw.path, "-colorspace", "Gray", "-resize", "400%", "-auto-level"]
                + (isDark(shot, area) ? ["-negate"] : []) + ["-bordercolor", "white", "-border", "20", picture])
        let output = folder.appendingPathComponent("words").path
        try run(
            "tesseract",
            [picture, output, "--psm", "7"] + (characters.map { ["-c", "tessedit_char_whitelist=\($0)"] } ?? []))
        let text = try String(contentsOfFile: output + ".txt", encoding: .utf8)
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Returns the seconds that a clock in `area` shows (“1:05”, “−0:55”, “1:00:00”); nil if no time can be read.
    public static func clock(_ shot: Screenshot, in area: Area) throws -> Double? {
        seconds(try line(shot, in: area, only: "0123456789:-−"))
    }

    /// Returns the seconds of a text such as “1:05”, “−0:55” or “1:00:00”; nil for other texts.
    public static func seconds(_ clock: String) -> Double? {
        var digits = Substring(clock)
        var sign = 1.0
        if let first = digits.first, "-−–".contains(first) {
            sign = -1
            digits = digits.dropFirst()
        }
        let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.dropFirst().allSatisfy({ $0.count == 2 }) else { return nil }
        var sum = 0.0
        for part in parts {
            guard !part.isEmpty, let number = Int(part) else { return nil }
            sum = sum * 60 + Double(number)
        }
        return sign * sum
    }

    private static func ppm(_ shot: Screenshot, _ area: Area) -> Data {
        var data = Data("P6 \(area.width) \(area.height) 255\n".utf8)
        for y in area.y..<(area.y + area.height) {
            for x in area.x..<(area.x + area.width) {
                let color = shot.color(x, y)
                data.append(contentsOf: (color.isEmpty ? [0, 0, 0] : color).map { UInt8(clamping: $0) })
            }
        }
        return data
    }

    /// Whether the background is dark and the text is light. Most pixels belong to the background.
    private static func isDark(_ shot: Screenshot, _ area: Area) -> Bool {
        var levels: [Int] = []
        for y in area.y..<(area.y + area.height) {
            for x in area.x..<(area.x + area.width) { levels.append(shot.color(x, y).reduce(0, +)) }
        }
        levels.sort()
        guard let least = levels.first, let most = levels.last else { return false }
        return levels[levels.count / 2] * 2 < least + most
    }

    private static func run(_ program: String, _ arguments: [String]) throws {
        let errors = FileManager.default.temporaryDirectory.appendingPathComponent("zt-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: errors) }
        let code = try ChildProcess(
            program, arguments,
            environment: ProcessInfo.processInfo.environment.merging(["OMP_THREAD_LIMIT": "1"]) { $1 }, error: errors
        ).wait()
        guard code == 0 else {
            let output = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
            throw Failed(
                description:
                    "\(program) ended with \(code): \(output.suffix(300)). Is it installed? scripts/bootstrap test")
        }
    }
}

extension Screenshot {
    /// Returns the filled fraction of a bar, 0…1. The filled part has the color of the bar's beginning.
    ///
    /// - Parameters:
    ///   - y: A row through the middle of the bar.
    ///   - x: The columns of the bar. The fill ends in the middle of a knob.
    public func filled(y: Int, x: Range<Int>) -> Double {
        guard !x.isEmpty else { return 0 }
        let start = color(x.lowerBound + 2, y)
        // The unfilled part has the color of the bar's end. Pixels of other colors are the knob.
        let rest = color(x.upperBound - 3, y)
        let isNear: (Int, [Int]) -> Bool = { at, wanted in
            zip(self.color(at, y), wanted).allSatisfy { abs($0 - $1) <= 16 }
        }
        let end = x.dropFirst(2).first { !isNear($0, start) } ?? x.upperBound
        let next = (end..<x.upperBound).first { isNear($0, rest) } ?? x.upperBound
        return (Double(end + next) / 2 - Double(x.lowerBound)) / Double(x.count)
    }
}
