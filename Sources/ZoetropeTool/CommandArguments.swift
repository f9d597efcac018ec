import ArgumentParser
import Foundation
import MediaCore

/// The command line before the parser sees it: bytes as they came, `play` where it is meant, negative numbers.
enum CommandArguments {
    /// The process's own, without its name.
    static func ofProcess() -> [String] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            CommandLine.unsafeArgv[index].map { argument in
                text(UnsafeBufferPointer(start: argument, count: strlen(argument)).map { UInt8(bitPattern: $0) })
            }
        }
    }

    // MARK: bytes that are no UTF-8

    /// A byte that is no part of a character stands as one of these (private use) while it is text; a character that
    /// happens to be one of these stands as its bytes.
    private static let stands: ClosedRange<UInt32> = 0x10FE80...0x10FEFF

    static func text(_ bytes: [UInt8]) -> String {
        if let whole = String(validating: bytes, as: UTF8.self),
            !whole.unicodeScalars.contains(where: { stands.contains($0.value) })
        {
            return whole
        }
        var result = String.UnicodeScalarView()
        var index = 0
        next: while index < bytes.count {
            for length in 1...min(4, bytes.count - index) {
                guard let one = String(validating: bytes[index..<index + length], as: UTF8.self)?.unicodeScalars.first,
                    !stands.contains(one.value)
                else { continue }
                result.append(one)
                index += length
                continue next
            }
            if let stand = UnicodeScalar(0x10FE00 + UInt32(bytes[index])) { result.append(stand) }
            index += 1
        }
        return String(result)
    }

    static func bytes(_ text: String) -> [UInt8] {
        text.unicodeScalars.flatMap {
            stands.contains($0.value) ? [UInt8(truncatingIfNeeded: $0.value)] : Array(String($0).utf8)
        }
    }

    /// For people.
    static func readable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { stands.contains($0.value) }) else { return text }
        return text.unicodeScalars.map {
            stands.contains($0.value) ? String(format: "\\x%02X", $0.value & 0xFF) : String($0)
        }.joined()
    }

    // MARK: what is meant

    /// - Throws: usage, for what is neither a command nor a file, and for a file's name that reads as options.
    static func prepared(_ given: [String], commands: [String]) throws(ToolFailure) -> [String] {
        var arguments = given
        if let first = arguments.first {
            if first == "--" || first == "-"
                || !first.hasPrefix("-") && first != "help" && !commands.contains(first) && isMedia(first)
            {
                arguments.insert("play", at: 0)
            } else if !first.hasPrefix("-"), first != "help", !commands.contains(first) {
                let near = commands.min { distance($0, first) < distance($1, first) }.flatMap {
                    distance($0, first) <= 2 ? $0 : nil
                }
                throw ToolFailure(
                    .usage,
                    "there is no command “\(readable(first))”."
                        + (near.map { " Did you mean “\($0)”?" } ?? " There are \(commands.joined(separator: ", ")).")
                        + " A file of that name is played by `zoetrope ./\(readable(first))`")
            }
        }
        return try joined(arguments)
    }

    /// `--brightness -0.5` is a value, which the parser takes for an option; `-dash.mp4` is none, though it begins as
    /// `-d -a -s -h` do.
    private static func joined(_ arguments: [String]) throws(ToolFailure) -> [String] {
        var result: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" { return result + [argument] + rest }
            guard argument.count > 1, argument.hasPrefix("-"), !argument.hasPrefix("--") else {
                result.append(argument)
                continue
            }
            let body = argument.dropFirst()
            if let digit = body.first, digit.isNumber || digit == ".", let option = result.last, option.hasPrefix("--"),
                option.count > 2, !option.contains("=")
            {
                result[result.count - 1] = option + "=" + argument
            } else if body.allSatisfy({ "hoy".contains($0) }) {
                result.append(argument)
            } else {
                throw ToolFailure(
                    .usage,
                    "there is no option “\(readable(argument))”. A file of that name is written ./\(readable(argument)), or behind --"
                )
            }
        }
        return result
    }

    /// It is there, or looks as what could be: a URL, a path, a name with an ending.
    private static func isMedia(_ text: String) -> Bool {
        if text.contains("://") || text.contains("/") { return true }
        if let path = FilePath(bytes: bytes(text)), path.withCString({ access($0, F_OK) }) == 0 { return true }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count > 1 && (1...5).contains(parts[parts.count - 1].count)
            && parts[parts.count - 1].allSatisfy { $0.isLetter || $0.isNumber }
    }

    /// How many letters to change, add, leave out or swap.
    private static func distance(_ a: String, _ b: String) -> Int {
        let a = Array(a)
        let b = Array(b.prefix(40))
        var before: [Int] = []
        var last = Array(0...b.count)
        for i in 0..<a.count {
            var row = [i + 1]
            for j in 0..<b.count {
                var best = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
                row.append(best)
            }
            (before, last) = (last, row)
        }
        return last[b.count]
    }
}
