import Foundation
import TestSupport
import Testing

/// Runs every command with every option and invalid values. Each must succeed or report an error; it must never crash,
/// hang or fail silently. `ZOETROPE_HOSTILE=all` tries all values with all options, otherwise a few of each, chosen by
/// a seed.
@Suite("Invalid input for the tool", .serialized)
struct ToolHostileTests {
    private struct Command {
        var words: [String]
        /// The other required options. An option is left out while it is tested itself.
        var needs: [(option: String, value: String?)]
        var options: [String]
        var takesFile = true
    }

    private static let picture = ["--filter", "--shader", "--brightness", "--contrast", "--subtitles"]
    private static let commands = [
        Command(
            words: ["play"], needs: [("--headless", nil), ("--seconds", "0.2"), ("--frames", "2")],
            options: [
                "--speed", "--start", "--volume", "--audio", "--renderer", "--seconds", "--frames", "--wall",
                "--report", "--size", "--subtitle-language",
            ] + picture),
        Command(words: ["probe"], needs: [("--timeout", "5")], options: ["--timeout"]),
        Command(
            words: ["snapshot"], needs: [("-o", "out.png"), ("--timeout", "5")],
            options: ["--at", "-o", "--output", "--max-width", "--tolerance", "--timeout"] + picture),
        Command(
            words: ["render"], needs: [("-o", "out.mp4"), ("-y", nil), ("--to", "0.1")],
            options: [
                "-o", "--from", "--to", "--preset", "--width", "--fps", "--report", "--part", "--as-parts",
            ] + picture),
        Command(
            words: ["filters", "SepiaTone"], needs: [], options: ["--category", "--sheet", "--picture", "--at"],
            takesFile: false),
        Command(words: ["bench", "seek"], needs: [("--positions", "0")], options: ["--positions"]),
    ]
    private static let values = [
        "1e400", "-1e400", "nan", "-nan", "inf", "-inf", "-1", "0", "-0.0", "1e300", "1e-300", "99999999999999999999",
        "9223372036854775807", "-9223372036854775808", "4294967296",
        "0x0", "999999x999999", "-1x-1", "16384x16384", "1280x", "x", "0x1p1023", "", "-", ".", "..", ":", "::",
        "1:2:3:4", "99999999999:59:59", "4294967295:59:59.999", "½", "٣", "\u{202E}x", "a,b,,c", ",",
        "/dev/zero", "/dev/full", "/dev/null", "/dev/stdin", "/nonexistent/x.png", "folder", "fifo", "socket", "empty",
        "/proc/self/mem", "/proc/cpuinfo", "unreadable",
        "SepiaTone:intensity=nan", "SepiaTone:intensity=1e308", "GaussianBlur:radius=1e300",
        "GaussianBlur:radius=-1e300", "GaussianBlur:radius=inf", "Crop:rectangle=0;0;1e300;1e300",
        "Crop:rectangle=nan;nan;nan;nan",
        "AffineTransform:transform=nan", "Pixellate:scale=0", "Pixellate:scale=1e-300", "ColorMonochrome:color=#ffffff",
        "LanczosScaleTransform:scale=1e300", "SepiaTone:intensity", "SepiaTone:=", ":::", "a.png", "\n", "\u{1B}[2J",
    ]

    /// Creates a folder with many kinds of files that are not media.
    private func stage() throws -> ToolShell {
        let shell = try ToolShell()
        try FileManager.default.copyItem(
            at: TestMedia.url("quad-h264.mp4"), to: URL(fileURLWithPath: shell.file("film.mp4")))
        try FileManager.default.createDirectory(atPath: shell.file("folder"), withIntermediateDirectories: false)
        try (0..<30).map { _ in "3" }.joined(separator: "\n").write(
            toFile: shell.file("trace"), atomically: true, encoding: .utf8)
        try Data().write(to: URL(fileURLWithPath: shell.file("empty")))
        try Data([1]).write(to: URL(fileURLWithPath: shell.file("unreadable")))
        chmod(shell.file("unreadable"), 0)
        mkfifo(shell.file("fifo"), 0o600)
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array(shell.file("socket").utf8.prefix(107))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return shell
    }

    private func quoted(_ word: String) -> String { "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'" }

    private func check(_ shell: ToolShell, _ arguments: [String]) async throws {
        let run = try await shell.run(
            "ulimit -v 8000000; exec $Z " + arguments.map(quoted).joined(separator: " ") + " < /dev/null", seconds: 180)
        #expect([0, 1, 64].contains(run.code), "\(arguments) ended with \(run.code): \(run.error.suffix(400))")
        if run.code != 0 { #expect(run.error.count > 20, "\(arguments) said nothing: “\(run.error)”") }
        let left = shell.contents.filter { $0.hasSuffix(".part") }
        #expect(left.isEmpty, "\(arguments) left \(left)")
    }

    @Test("each option withstands invalid values without a crash or hang")
    func options() async throws {
        let shell = try stage()
        let all = ProcessInfo.processInfo.environment["ZOETROPE_HOSTILE"] == "all"
        var random = SeededNumbers(seed: 20)
        for command in Self.commands {
            for option in command.options {
                for value in all ? Self.values : Array(Self.values.shuffled(using: &random).prefix(3)) {
                    var arguments = command.words + (command.takesFile ? ["film.mp4"] : [])
                    for need in command.needs
                    where need.option != option && !(need.option == "-o" && option == "--output") {
                        arguments.append(need.option)
                        if let value = need.value { arguments.append(value) }
                    }
                    try await check(
                        shell,
                        arguments
                            + (value.hasPrefix("-") && option == "-o"
                                ? [option, value] : option == "-o" ? [option, value] : ["\(option)=\(value)"]))
                }
            }
        }
    }

    @Test(
        "each command withstands input that is no media file",
        arguments: [
            "folder", "fifo", "socket", "empty", "unreadable", "missing", "/dev/zero", "/dev/full", "/dev/null",
            "/proc/self/mem", "/proc/cpuinfo", "/proc/kmsg", "", " ", "\n", "\u{1B}[2J", "film.mp4/x", "LONG",
            "http://", "http:///", "http://[", "://", "file://", "data:,x", "\u{10FFFF}",
        ])
    func files(name: String) async throws {
        let shell = try stage()
        let name = name == "LONG" ? String(repeating: "x", count: 5000) + ".mp4" : name
        for command in Self.commands where command.takesFile {
            var arguments = command.words + ["--", name]
            for need in command.needs.reversed() {
                arguments.insert(contentsOf: [need.option] + (need.value.map { [$0] } ?? []), at: command.words.count)
            }
            try await check(shell, arguments)
        }
        for arguments in [
            [name], ["snapshot", "film.mp4", "-o", "out.png", "--subtitles=" + name],
            ["snapshot", "film.mp4", "-o", "out.png", "--shader=" + name],
            ["filters", "SepiaTone", "--sheet", "a.png", "--picture=" + name],
        ] {
            try await check(shell, arguments)
        }
    }
}
