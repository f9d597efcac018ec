import Foundation

/// A Swift file, with the modules that it imports on Linux and the lines that can't be compiled there.
struct PortSource {
    struct Finding: Hashable, Comparable {
        var file: String
        var line: Int
        /// The problem, as a clause.
        var problem: String
        /// The remedy, as a sentence.
        var remedy: String
        /// Whether the sources compile despite the finding.
        var isNote = false
        static func < (a: Finding, b: Finding) -> Bool {
            (a.file, a.line, a.problem) < (b.file, b.line, b.problem)
        }
    }

    private(set) var modules: Set<String> = []
    private(set) var imports: [(module: String, line: Int)] = []
    private(set) var findings: [Finding] = []
    /// Whether the file uses a macro of `ZoetropePreviews`.
    private(set) var hasPreview = false
    /// Whether the app begins in the file.
    private(set) var hasEntryPoint: Bool

    /// The modules that `AppleModules` provides.
    static let appleModules: Set<String> = [
        "SwiftUI", "AVKit", "AVFoundation", "AVFAudio", "CoreMedia", "CoreImage", "CoreGraphics", "QuartzCore",
        "Combine",
        "MediaPlayer", "UIKit", "AppKit", "PhotosUI", "UniformTypeIdentifiers", "os", "OSLog",
        "CoreVideo",
    ]
    /// The modules that belong to Swift for Linux.
    private static let toolchain: Set<String> = [
        "Swift", "Foundation", "FoundationNetworking", "FoundationXML", "Dispatch", "Observation", "Synchronization",
        "RegexBuilder", "Glibc", "XCTest", "Testing",
    ]

    /// Reads a source file.
    /// - Parameters:
    ///   - text: The content of the file.
    ///   - file: The path for findings.
    ///   - hasAppKit: Whether `canImport(AppKit)` is true. Pass true only if the target imports AppKit without a
    ///     condition. Otherwise, conditional code for the Mac would be compiled.
    ///   - others: The names of other modules that can be imported.
    init(_ text: String, file: String, hasAppKit: Bool, others: Set<String>) {
        let known = Self.toolchain.union(others).union(Self.appleModules).subtracting(hasAppKit ? [] : ["AppKit"])
        var conditions = BuildConditions(known: known)
        hasEntryPoint = file.split(separator: "/").last == "main.swift"
        var isInComment = false
        var lineNumber = 0
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            lineNumber += 1
            var code = line.trimmingCharacters(in: .whitespaces)
            if isInComment {
                guard let end = code.range(of: "*/") else { continue }
                isInComment = false
                code = String(code[end.upperBound...])
            }
            guard !code.hasPrefix("//") else { continue }
            if code.hasPrefix("/*"), !code.contains("*/") {
                isInComment = true
                continue
            }
            if conditions.take(code) {
                if let condition = conditions.platformLeftOut {
                    findings.append(
                        Finding(
                            file: file, line: lineNumber, problem: "the code under “\(condition)” is left out on Linux",
                            remedy: "Add “|| os(Linux)” to the condition if the app needs that code.", isNote: true))
                }
                continue
            }
            guard conditions.isActive else { continue }
            if let module = Self.imported(code) {
                imports.append((module, lineNumber))
                if Self.appleModules.contains(module) { modules.insert(module) }
                if code.hasSuffix("CoreImage.CIFilterBuiltins") {
                    findings.append(
                        Finding(
                            file: file, line: lineNumber, problem: "in Swift, only C modules have submodules",
                            remedy: "Write `import CoreImage`, which has the typed filters."))
                }
                continue
            }
            if code.hasPrefix("#Preview") || Self.hasEntry(code) { hasPreview = true }
            if PortAdvice.isEntryPoint(code) { hasEntryPoint = true }
            for advice in PortAdvice.lines where advice.applies(to: code) {
                findings.append(
                    Finding(file: file, line: lineNumber, problem: advice.problem, remedy: advice.remedy))
            }
        }
        modules.formUnion(conditions.requestedModules.intersection(Self.appleModules))
        if !hasAppKit { modules.remove("AppKit") }
        for (module, line) in imports where !known.contains(module) {
            let advice = PortAdvice.module(module)
            findings.append(
                Finding(file: file, line: line, problem: "there is no module “\(module)” on Linux", remedy: advice))
        }
    }

    /// Returns whether a line of code uses the macro `@Entry`, also after other attributes or in the line of its
    /// extension.
    private static func hasEntry(_ code: String) -> Bool {
        guard code.contains("@Entry") else { return false }
        let code = code.components(separatedBy: "//").first ?? code
        return code.contains(#/(^|[\s{;])@Entry(\s|$)/#)
    }

    /// Returns the module of an import such as `import class SwiftUI.Color` or `@testable import Film`; nil for other
    /// code.
    static func imported(_ code: String) -> String? {
        guard code.contains("import ") else { return nil }
        var tokens = code.split(whereSeparator: { $0 == " " || $0 == "\t" })[...]
        let before: Set<Substring> = ["public", "internal", "private", "fileprivate", "package"]
        while let first = tokens.first, first.hasPrefix("@") || before.contains(first) { tokens = tokens.dropFirst() }
        guard tokens.popFirst() == "import", var name = tokens.popFirst() else { return nil }
        let kinds: Set<Substring> = ["class", "struct", "enum", "protocol", "func", "var", "let", "typealias"]
        if kinds.contains(name) { name = tokens.popFirst() ?? "" }
        let module = name.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        return module.isEmpty ? nil : String(module)
    }
}
