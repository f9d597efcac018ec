import Foundation
import TestSupport
import Testing

/// Help in a terminal, of every command.
@Suite("Help in a terminal")
struct HelpLayoutTests {
    /// The words that name each command, from the tool's own description of itself.
    private func commands() async throws -> [[String]] {
        let run = try await ToolProcess.run(["--experimental-dump-help"])
        let all = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        func below(_ command: Any?, _ path: [String]) -> [[String]] {
            let inner = (command as? [String: Any])?["subcommands"] as? [[String: Any]] ?? []
            return [path]
                + inner.flatMap { one -> [[String]] in
                    guard let name = one["commandName"] as? String, name != "help" else { return [] }
                    return below(one, path + [name])
                }
        }
        return below(all["command"], [])
    }

    private func help(_ command: [String], columns: Int) async throws -> [String] {
        let run = try await ToolProcess.run(["help"] + command, environment: ["COLUMNS": "\(columns)"])
        #expect(run.code == 0, "\(command): \(run.error)")
        return run.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
    private func indent(_ line: String) -> Int { line.prefix { $0 == " " }.count }

    @Test("lines fit the terminal and are full", arguments: [60, 80, 100])
    func width(columns: Int) async throws {
        let all = try await commands()
        #expect(all.count > 12)
        for command in all {
            let lines = try await help(command, columns: columns)
            for (line, next) in zip(lines, lines.dropFirst() + [""]) {
                let words = line.split(separator: " ")
                #expect(line.count <= columns || words.count <= 1, "\(command): \(line)")
                // Of a paragraph, or of an option's words, which begin in the 26th column.
                let isProse = indent(line) == 0 && line.contains { $0.isLowercase } && !line.hasPrefix("USAGE")
                // A name too long for its column stands alone.
                let hasWords = indent(line) == 26 || line.dropFirst(2).contains("  ")
                let isOption = line.hasPrefix("  ") && hasWords && indent(next) == 26
                guard isProse && indent(next) == 0 || isOption, let first = next.split(separator: " ").first else {
                    continue
                }
                #expect(line.count + 1 + first.count > columns, "\(command) is broken early: \(line)")
            }
        }
    }

    @Test("examples can be copied at every width")
    func examples() async throws {
        for command in try await commands() {
            var seen: [Set<String>] = []
            for columns in [60, 100] {
                let lines = try await help(command, columns: columns)
                guard let start = lines.firstIndex(where: { $0.hasPrefix("EXAMPLE") }) else { continue }
                let examples = lines[(start + 1)...].prefix { $0.hasPrefix(" ") }.joined(separator: "\n")
                    .replacingOccurrences(of: " \\\n", with: " ")
                seen.append(
                    Set(
                        examples.split(separator: "\n").map {
                            // Without comments, which stand above where they have no room behind.
                            $0.prefix { $0 != "#" }.split(separator: " ").joined(separator: " ")
                        }.filter { !$0.isEmpty }))
            }
            #expect(seen.first == seen.last, "\(command)")
        }
    }

    @Test(
        "a narrow terminal, a wide one and none have their limits", arguments: ["1", "0", "-5", "x", "", "9999999999"])
    func limits(columns: String) async throws {
        let run = try await ToolProcess.run(["help", "render"], environment: ["COLUMNS": columns])
        #expect(run.code == 0)
        let longest = run.output.split(separator: "\n").map(\.count).max() ?? 0
        #expect((40...100).contains(longest), "\(longest)")
    }

    @Test("what is no help stays as it is")
    func others() async throws {
        let narrow = ["COLUMNS": "40"]
        for arguments in [["--generate-completion-script", "bash"], ["--experimental-dump-help"], ["--version"]] {
            let plain = try await ToolProcess.run(arguments)
            let same = try await ToolProcess.run(arguments, environment: narrow)
            #expect(plain.code == 0 && plain.output == same.output, "\(arguments)")
        }
    }
}
