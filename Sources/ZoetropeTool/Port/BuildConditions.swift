import Foundation

/// The conditions of `#if` directives, evaluated for Linux.
struct BuildConditions {
    private struct Level {
        /// Whether the code around the directive is compiled.
        var outer: Bool
        var isActive: Bool
        /// Whether one of the branches so far was compiled.
        var hasTaken: Bool
    }
    private var levels: [Level] = []
    private let known: Set<String>
    /// The modules that `canImport` conditions name.
    private(set) var requestedModules: Set<String> = []
    /// The line passed to the last call of `take`, if it is an `#if` that leaves out code for iOS; otherwise nil.
    private(set) var platformLeftOut: String?

    init(known: Set<String>) { self.known = known }

    var isActive: Bool { levels.last?.isActive ?? true }

    /// Evaluates a line of code.
    /// - Returns: False if the line is not a condition.
    mutating func take(_ line: String) -> Bool {
        platformLeftOut = nil
        if line.hasPrefix("#if ") || line.hasPrefix("#if(") {
            let outer = isActive
            let holds = outer && evaluate(String(line.dropFirst(3)))
            levels.append(Level(outer: outer, isActive: holds, hasTaken: holds))
            note(line, outer: outer, holds: holds)
        } else if line.hasPrefix("#elseif") {
            guard var level = levels.popLast() else { return true }
            let holds = level.outer && !level.hasTaken && evaluate(String(line.dropFirst(7)))
            level.isActive = holds
            level.hasTaken = level.hasTaken || holds
            levels.append(level)
        } else if line.hasPrefix("#else") {
            guard var level = levels.popLast() else { return true }
            level.isActive = level.outer && !level.hasTaken
            level.hasTaken = true
            levels.append(level)
        } else if line.hasPrefix("#endif") {
            _ = levels.popLast()
        } else {
            return false
        }
        return true
    }

    private mutating func note(_ line: String, outer: Bool, holds: Bool) {
        guard outer, !holds, line.contains("os(iOS)"), !line.contains("!os(iOS)") else { return }
        platformLeftOut = line
    }

    // MARK: one condition

    private mutating func evaluate(_ text: String) -> Bool {
        var tokens = Self.tokens(text.components(separatedBy: "//").first ?? text)[...]
        return either(&tokens)
    }
    private static func tokens(_ text: String) -> [String] {
        var result: [String] = []
        var word = ""
        func isWord(_ character: Character) -> Bool {
            character.isLetter || character.isNumber || "_.".contains(character)
        }
        for character in text {
            if isWord(character) {
                word.append(character)
                continue
            }
            if !word.isEmpty { result.append(word) }
            word = ""
            if character == "&" || character == "|", result.last == String(character) {
                result[result.count - 1] += String(character)
            } else if !character.isWhitespace {
                result.append(String(character))
            }
        }
        return word.isEmpty ? result : result + [word]
    }
    private mutating func either(_ tokens: inout ArraySlice<String>) -> Bool {
        var result = both(&tokens)
        while tokens.first == "||" {
            tokens.removeFirst()
            let next = both(&tokens)
            result = result || next
        }
        return result
    }
    private mutating func both(_ tokens: inout ArraySlice<String>) -> Bool {
        var result = single(&tokens)
        while tokens.first == "&&" {
            tokens.removeFirst()
            let next = single(&tokens)
            result = result && next
        }
        return result
    }
    /// The architecture of this computer, for which the package is built.
    private static var architecture: String {
        #if arch(arm64)
            return "arm64"
        #elseif arch(riscv64)
            return "riscv64"
        #else
            return "x86_64"
        #endif
    }
    private mutating func single(_ tokens: inout ArraySlice<String>) -> Bool {
        guard let first = tokens.popFirst() else { return false }
        if first == "!" { return !single(&tokens) }
        if first == "(" {
            let inner = either(&tokens)
            if tokens.first == ")" { tokens.removeFirst() }
            return inner
        }
        guard tokens.first == "(" else { return first == "DEBUG" || first == "true" }
        let argument = tokens.dropFirst().prefix { $0 != ")" }
        tokens = tokens.dropFirst(argument.count + 1)
        if tokens.first == ")" { tokens.removeFirst() }
        let value = argument.first ?? ""
        switch first {
        case "os": return value == "Linux"
        case "canImport":
            let module = String(value.prefix { $0 != "." })
            requestedModules.insert(module)
            return known.contains(module)
        // Every supported compiler is recent, so conditions for a minimum version (`>=`) are true, and others are
        // false.
        case "swift", "compiler": return argument.contains(">")
        case "arch": return value == Self.architecture
        default: return false
        }
    }
}
