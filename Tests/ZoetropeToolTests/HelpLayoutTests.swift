import Foundation
import TestSupport
import Testing

/// Tests the help of every command in a terminal.
@Suite("Help in a terminal")
struct HelpLayoutTests {
    /// The path of each command, from the tool's own description.
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

    /// Returns the lines of each section, by its heading. The summary has an empty heading.
    private func sections(_ lines: [String]) -> [(heading: String, lines: [String])] {
        lines.reduce(into: [("", [])]) { sections, line in
            if !line.isEmpty, indent(line) == 0, line == line.uppercased() {
                sections.append((line, []))
            } else {
                sections[sections.count - 1].1.append(line)
            }
        }
    }

    @Test("no line exceeds the terminal, and paragraphs are filled", arguments: [60, 80, 100])
    func width(columns: Int) async throws {
        let all = try await commands()
        #expect(all.count > 12)
        for command in all {
            for (heading, lines) in sections(try await help(command, columns: columns)) {
                for (line, next) in zip(lines, lines.dropFirst() + [""]) {
                    #expect(line.count <= columns, "\(command): \(line)")
                    let isProse = ["", "DESCRIPTION"].contains(heading)
                    // An option's text begins in column 26, on the line of its name or below a long name.
                    let isOption = indent(line) == 26 || indent(line) == 2 && line.dropFirst(2).contains("  ")
                    let isContinued = isProse ? indent(next) == indent(line) : isOption && indent(next) == 26
                    guard isContinued, !line.isEmpty, let word = next.split(separator: " ").first else { continue }
                    #expect(line.count + 1 + word.count > columns, "\(command) is broken too early: \(line)")
                }
            }
        }
    }

    @Test("sections have a fixed order, and each command has examples")
    func order() async throws {
        let order = ["", "USAGE", "EXAMPLES", "DESCRIPTION", "ARGUMENTS"]
        let last = ["KEYS AND MOUSE", "FILES", "EXIT CODES"]
        for command in try await commands() {
            let headings = sections(try await help(command, columns: 80)).map(\.heading)
            #expect(Set(headings).count == headings.count, "\(command): \(headings)")
            let first = headings.prefix { order.contains($0) }
            #expect(Array(first) == order.filter { first.contains($0) }, "\(command): \(headings)")
            let rest = headings.drop { !last.contains($0) }
            #expect(Array(rest) == last.filter { rest.contains($0) }, "\(command): \(headings)")
            #expect(headings.contains("EXAMPLES"), "\(command): \(headings)")
        }
    }

    @Test("options begin with a verb; play's options are in groups")
    func options() async throws {
        let run = try await ToolProcess.run(["--experimental-dump-help"])
        let all = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        func arguments(_ command: [String: Any]) -> [[String: Any]] {
            (command["arguments"] as? [[String: Any]] ?? [])
                + (command["subcommands"] as? [[String: Any]] ?? []).flatMap(arguments)
        }
        for argument in arguments(try #require(all["command"] as? [String: Any])) {
            guard argument["shouldDisplay"] as? Bool == true, argument["kind"] as? String != "positional" else {
                continue
            }
            let text = try #require(argument["abstract"] as? String, "\(argument)")
            let first = try #require(text.split(separator: " ").first)
            #expect(text.hasSuffix(".") && first.first?.isUppercase == true, "\(text)")
            #expect(!["No", "Where", "Of", "The", "A", "What", "How", "Which", "All"].contains(first), "\(text)")
        }
        let play = sections(try await help(["play"], columns: 80)).map(\.heading)
        #expect(
            play.filter {
                !["", "USAGE", "EXAMPLES", "DESCRIPTION", "ARGUMENTS", "KEYS AND MOUSE", "EXIT CODES"].contains($0)
            }
                == ["PLAYBACK", "VIDEO", "AUDIO", "SUBTITLES", "WINDOW", "NETWORK", "OUTPUT", "GENERAL"])
    }

    @Test("examples can be copied at every width")
    func examples() async throws {
        for command in try await commands() {
            var seen: [Set<String>] = []
            for columns in [60, 100] {
                let lines = try await help(command, columns: columns)
                let examples = sections(lines).first { $0.heading == "EXAMPLES" }?.lines ?? []
                let commands = examples.filter { !$0.hasPrefix("  # ") }.joined(separator: "\n")
                    .replacingOccurrences(of: " \\\n", with: " ")
                seen.append(
                    Set(
                        commands.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
                            .filter { !$0.isEmpty }))
            }
            #expect(seen.first == seen.last, "\(command)")
        }
    }

    @Test("lines have 40 to 100 columns on extreme terminals", arguments: ["1", "0", "-5", "x", "", "9999999999"])
    func limits(columns: String) async throws {
        let run = try await ToolProcess.run(["help", "render"], environment: ["COLUMNS": columns])
        expectEnd(run, 0)
        let longest = run.output.split(separator: "\n").map(\.count).max() ?? 0
        #expect((40...100).contains(longest), "\(longest)")
    }

    @Test("completions, JSON and the version are not wrapped")
    func others() async throws {
        let narrow = ["COLUMNS": "40"]
        for arguments in [["--generate-completion-script", "bash"], ["--experimental-dump-help"], ["--version"]] {
            let plain = try await ToolProcess.run(arguments)
            let same = try await ToolProcess.run(arguments, environment: narrow)
            #expect(plain.code == 0 && plain.output == same.output, "\(arguments)")
        }
    }
}
