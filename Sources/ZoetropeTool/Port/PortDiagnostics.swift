import Foundation

/// The errors of a build, each with the nearest equivalent in Zoetrope.
struct PortDiagnostics {
    private(set) var findings: [PortSource.Finding] = []

    /// Parses the errors in the compiler's output.
    /// - Parameters:
    ///   - output: The text that the compiler has printed.
    ///   - folder: The folder of the project. Paths of files are relative to it.
    ///   - names: Zoetrope's public names, from which remedies are chosen.
    init(_ output: String, folder: URL, names: PublicNames?) {
        var reported: Set<PortSource.Finding> = []
        let root = folder.resolvingSymlinksInPath().path + "/"
        for line in output.split(separator: "\n") {
            guard let mark = line.range(of: ": error: ") else { continue }
            let location = line[..<mark.lowerBound].split(separator: ":")
            guard location.count >= 3, let number = Int(location[location.count - 2]), location[0].hasSuffix(".swift")
            else {
                continue
            }
            let path = URL(fileURLWithPath: String(location[0])).resolvingSymlinksInPath().path
            let message = String(line[mark.upperBound...])
            let finding = PortSource.Finding(
                file: path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path, line: number,
                problem: message, remedy: Self.remedy(message, names))
            if reported.insert(finding).inserted { findings.append(finding) }
        }
        findings.sort()
    }

    /// Returns the name that the compiler could not find, according to its message; nil if the message reports another
    /// problem.
    static func missingName(_ message: String) -> String? {
        let before = ["cannot find '", "cannot find type '", "has no member '", "no such module '", "no type named '"]
        for prefix in before {
            guard let start = message.range(of: prefix) else { continue }
            let name = message[start.upperBound...].prefix { $0 != "'" && $0 != "(" }
            return name.isEmpty ? nil : String(name)
        }
        return nil
    }

    private static func remedy(_ message: String, _ names: PublicNames?) -> String {
        guard let name = missingName(message) else { return "" }
        if message.contains("no such module") { return PortAdvice.module(name) }
        if let advice = PortAdvice.lines.first(where: { $0.words.contains(name) }) { return advice.remedy }
        guard let near = names?.nearest(to: name) else {
            return "Zoetrope has no similar name. Put the code between `#if !os(Linux)` and `#endif`."
        }
        return "The nearest name that Zoetrope has is `\(near)`."
    }
}
