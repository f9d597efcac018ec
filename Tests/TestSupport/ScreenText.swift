import Foundation

/// Words and bars read from a picture of the screen: what a user sees, whatever the app believes to show.
public enum ScreenText {
    /// A rectangle of the screen, pixels.
    public struct Area: Sendable, Equatable {
        public var x: Int, y: Int, width: Int, height: Int
        public init(_ x: Int, _ y: Int, _ width: Int, _ height: Int) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }
    }

    public struct Failed: Error, CustomStringConvertible {
        public let description: String
    }

    /// The line of text in `area`, read by tesseract; light on dark or dark on light.
    ///
    /// - Parameters:
    ///   - area: little more than the line is high.
    ///   - characters: the only ones that it may have; nil: any.
    public static func line(_ shot: Screenshot, in area: Area, only characters: String? = nil) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-words-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (raw, picture) = (folder.appendingPathComponent("raw.ppm"), folder.appendingPathComponent("line.pgm").path)
        // Dark on light, as it was printed on paper.
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

    /// The seconds that a clock in `area` shows (“1:05”, “−0:55”, “1:00:00”); nil where none can be read.
    public static func clock(_ shot: Screenshot, in area: Area) throws -> Double? {
        seconds(try line(shot, in: area, only: "0123456789:-−"))
    }

    /// The seconds of “1:05”, “−0:55”, “1:00:00”; nil for anything else.
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

    /// The ground is dark, and so the letters light: most pixels are ground.
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
            let said = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
            throw Failed(
                description:
                    "\(program) ended with \(code): \(said.suffix(300)). Is it installed? scripts/bootstrap test")
        }
    }
}

extension Screenshot {
    /// How much of a bar is filled, 0…1: as far as it has the colour that it begins with.
    ///
    /// - Parameters:
    ///   - y: a row through its middle.
    ///   - x: from its beginning to its end; a knob on the way counts by half.
    public func filled(y: Int, x: Range<Int>) -> Double {
        guard !x.isEmpty else { return 0 }
        let start = color(x.lowerBound + 2, y)
        // The rest of the bar has the colour of its end; what is neither is the knob.
        let rest = color(x.upperBound - 3, y)
        let isNear: (Int, [Int]) -> Bool = { at, wanted in
            zip(self.color(at, y), wanted).allSatisfy { abs($0 - $1) <= 16 }
        }
        let end = x.dropFirst(2).first { !isNear($0, start) } ?? x.upperBound
        let next = (end..<x.upperBound).first { isNear($0, rest) } ?? x.upperBound
        return (Double(end + next) / 2 - Double(x.lowerBound)) / Double(x.count)
    }
}
