import ArgumentParser
import Foundation
import MediaCore

/// The preparation of the command line for the parser: names that are not UTF-8, an implied `play`, and negative
/// numbers.
enum CommandArguments {
    /// Returns the arguments of this process, without its name.
    static func ofProcess() -> [String] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            CommandLine.unsafeArgv[index].map { argument in
                text(UnsafeBufferPointer(start: argument, count: strlen(argument)).map { UInt8(bitPattern: $0) })
            }
        }
    }

    // MARK: bytes that are not UTF-8

    /// Private-use characters that represent bytes that are not valid UTF-8. If an argument contains one of these
    /// characters itself, the character is represented as its bytes.
    private static let escapedBytes: ClosedRange<UInt32> = 0x10FE80...0x10FEFF
    /// The first byte of these characters in UTF-8. Few other characters begin with it.
    private static let firstByte: UInt8 = 0xF4

    static func text(_ bytes: [UInt8]) -> String {
        if !bytes.contains(firstByte), let whole = String(validating: bytes, as: UTF8.self) { return whole }
        var result = String.UnicodeScalarView()
        var index = 0
        next: while index < bytes.count {
            for length in 1...min(4, bytes.count - index) {
                guard
                    let scalar = String(validating: bytes[index..<index + length], as: UTF8.self)?.unicodeScalars.first,
                    !escapedBytes.contains(scalar.value)
                else { continue }
                result.append(scalar)
                index += length
                continue next
            }
            if let escaped = UnicodeScalar(0x10FE00 + UInt32(bytes[index])) { result.append(escaped) }
            index += 1
        }
        return String(result)
    }

    static func bytes(_ text: String) -> [UInt8] {
        guard text.utf8.contains(firstByte) else { return Array(text.utf8) }
        return text.unicodeScalars.flatMap {
            escapedBytes.contains($0.value) ? [UInt8(truncatingIfNeeded: $0.value)] : Array(String($0).utf8)
        }
    }

    /// Returns the text for messages, with escaped bytes: `caf\xE9`.
    static func readable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { escapedBytes.contains($0.value) }) else { return text }
        return text.unicodeScalars.map {
            escapedBytes.contains($0.value) ? String(format: "\\x%02X", $0.value & 0xFF) : String($0)
        }.joined()
    }

    // MARK: commands and files

    /// Returns the arguments in the form that the parser reads.
    /// - Throws: A usage failure for a word that is neither a command nor a file, and for a file name that looks like
    ///   options.
    static func prepared(_ given: [String], for root: any ParsableCommand.Type) throws(ToolFailure) -> [String] {
        var arguments = given
        let commands = names(below: root)
        if let first = arguments.first {
            // The name is empty if a shell variable is not set, for example.
            if first.isEmpty {
                throw ToolFailure(.usage, "The file name is empty. Name a file, a folder, a URL or a command.")
            }
            if first == "--" || first == "-"
                || !first.hasPrefix("-") && first != "help" && !commands.contains(first) && isMedia(first)
            {
                arguments.insert("play", at: 0)
            } else if !first.hasPrefix("-"), first != "help", !commands.contains(first) {
                throw unknown(
                    first, commands, " To play a file with this name, use `zoetrope ./\(readable(first))`.")
            } else {
                try checkNames(first == "help" ? arguments.dropFirst() : arguments[...], below: root)
            }
        }
        return try joined(arguments)
    }

    /// Rejects an unknown word where a command is expected. After `help`, the parser would print another help page.
    private static func checkNames(_ arguments: ArraySlice<String>, below root: any ParsableCommand.Type)
        throws(ToolFailure)
    {
        var command = root
        // Only the tool itself has the command `help`.
        guard arguments.first != "help" else { return }
        for word in arguments {
            let commands = names(below: command)
            guard !commands.isEmpty, !word.hasPrefix("-") else { return }
            guard let index = commands.firstIndex(of: word) else { throw unknown(word, commands) }
            command = command.configuration.subcommands[index]
        }
    }

    private static func names(below command: any ParsableCommand.Type) -> [String] {
        command.configuration.subcommands.map { $0.configuration.commandName ?? "\($0)".lowercased() }
    }

    private static func unknown(_ word: String, _ commands: [String], _ remedy: String = "") -> ToolFailure {
        let near = commands.min { distance($0, word) < distance($1, word) }.flatMap {
            distance($0, word) <= 2 ? $0 : nil
        }
        return ToolFailure(
            .usage,
            "Unknown command “\(readable(word))”."
                + (near.map { " Did you mean “\($0)”?" } ?? " The commands are \(commands.joined(separator: ", ")).")
                + remedy)
    }

    /// Joins a negative value with its option (`--brightness -0.5`), because the parser would read it as an option.
    /// Rejects names such as `-dash.mp4`, which the parser would read as `-d -a -s -h`.
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
                    "Unknown option “\(readable(argument))”. For a file with this name, use ./\(readable(argument)), or put -- before it."
                )
            }
        }
        return result
    }

    /// Returns whether the file exists, or the text looks like a URL, a path or a name with an extension.
    private static func isMedia(_ text: String) -> Bool {
        if text.contains("://") || text.contains("/") { return true }
        if let path = FilePath(bytes: bytes(text)), path.withCString({ access($0, F_OK) }) == 0 { return true }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count > 1 && (1...5).contains(parts[parts.count - 1].count)
            && parts[parts.count - 1].allSatisfy { $0.isLetter || $0.isNumber }
    }

    /// Returns the number of letters to change, add, remove or swap to turn `a` into `b`. Only the first 40 letters of
    /// `b` count.
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
