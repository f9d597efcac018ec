import ArgumentParser
import Foundation
import MediaCore

/// The entry point of the tool. Only this type and `ExitSignals` end the process.
@main
enum Main {
    static func main() {
        // Closed standard descriptors get placeholders on which reading or writing fails. Otherwise, a file that is
        // opened later would get their numbers.
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) == -1 {
            _ = open("/dev/null", mode)
        }
        ExitSignals.install()
        var command: (any ToolCommand)?
        do {
            var parsed = try Tool.parseAsRoot(CommandArguments.prepared(CommandArguments.ofProcess(), for: Tool.self))
            command = parsed as? any ToolCommand
            try parsed.run()
            try Console.close()
            end(0)
        } catch {
            end(error, command)
        }
    }

    /// Reports the error and ends the process.
    private static func end(_ error: any Error, _ command: (any ToolCommand)?) -> Never {
        if command == nil, !(error is ToolFailure) { return endParsing(error) }
        let failure = ToolFailure(error)
        if case .signal(SIGPIPE) = failure.kind { ExitSignals.end(by: SIGPIPE) }
        Console.note(failure.message)
        if !failure.isReported, let line = command?.report(of: failure) { try? Console.out(line) }
        switch failure.kind {
        case .failed: end(1)
        case .usage:
            let usage = command.flatMap { type(of: $0).configuration.usage } ?? "zoetrope "
            Console.err(HelpLayout.hint("\(usage.prefix { $0 != "[" && $0 != "<" })--help"))
            end(64)
        case .signal(let number): ExitSignals.end(by: number)
        }
    }

    /// Ends the process after help, the version, a completion script or invalid arguments. The parser throws all of
    /// these as errors.
    private static func endParsing(_ error: any Error) -> Never {
        var text = Credentials.removed(
            from: CommandArguments.readable(Tool.fullMessage(for: error, columns: HelpLayout.unlimited)))
        let columns = HelpLayout.columns(ProcessInfo.processInfo.environment)
        let isHelp = HelpLayout.isHelp(text)
        if isHelp { text = HelpLayout.wrapped(text, columns: columns) }
        // `exitCode(for:)` would lay out help again, for a width that may be unknown.
        let code = isHelp ? 0 : Tool.exitCode(for: error).rawValue
        if code != 0 {
            Console.err(
                text.isEmpty
                    ? "zoetrope: Unknown error \(code). Please report this as a bug."
                    : HelpLayout.failure(text, columns: columns))
            end(code)
        }
        do {
            try Console.out(text)
            try Console.close()
            end(0)
        } catch {
            end(error, nil)
        }
    }

    /// Ends the process with `_exit`. `exit` would destroy objects that other threads, such as zt-net, may still use.
    private static func end(_ code: Int32) -> Never {
        fflush(nil)
        _exit(code)
    }
}

struct Tool: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zoetrope",
        abstract: "Play, inspect, convert and download video and audio.",
        usage: """
            zoetrope <file> [play options]
            zoetrope <command> [options]
            """,
        discussion: """
            EXAMPLES
              # Play a file; short for “zoetrope play film.mp4”
              zoetrope film.mp4
              # Loop a file
              zoetrope play film.mp4 --loop
              # Show the tracks of a file
              zoetrope probe film.mp4
              # Save the frame at 1 min 30 s
              zoetrope snapshot film.mp4 --at 1:30 -o poster.png
              # Cut out a scene
              zoetrope render film.mkv -o scene.mp4 --from 1:30 --to 2:00
              # Download a stream
              zoetrope download https://example.com/master.m3u8 -o talk.movpkg

            EXIT CODES
              0    The command succeeded.
              1    The command failed. The reason is on standard error.
              64   Invalid arguments.
              130  Interrupted by Ctrl-C (128 + n: ended by signal n).
            """,
        version: ProductVersion.text,
        subcommands: [
            Play.self, OpenApp.self, Probe.self, Loudness.self, Snapshot.self, VideoContactSheet.self, Render.self,
            Join.self, Batch.self, DownloadCommand.self, DownloadsCommand.self, Filters.self, Port.self, Bench.self,
        ])
}
