import ArgumentParser
import Foundation
import MediaCore

/// Where every run begins and every run ends.
@main
enum Main {
    static func main() {
        // What stands for closed descriptors refuses to be read or written, so that no other file gets their numbers.
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) == -1 {
            _ = open("/dev/null", mode)
        }
        Signals.install()
        var command: (any ToolCommand)?
        do {
            let names = Tool.configuration.subcommands.map { $0.configuration.commandName ?? "\($0)".lowercased() }
            var parsed = try Tool.parseAsRoot(CommandArguments.prepared(CommandArguments.ofProcess(), commands: names))
            command = parsed as? any ToolCommand
            try parsed.run()
            try Console.close()
            end(0)
        } catch {
            end(error, command)
        }
    }

    /// Says why, and ends.
    private static func end(_ error: any Error, _ command: (any ToolCommand)?) -> Never {
        if command == nil, !(error is ToolFailure) { return endParsing(error) }
        let failure = ToolFailure(error)
        if case .signal(SIGPIPE) = failure.kind { Signals.end(by: SIGPIPE) }
        Console.note(failure.message)
        if !failure.isReported, let line = command?.report(of: failure) { try? Console.out(line) }
        switch failure.kind {
        case .failed: end(1)
        case .usage:
            Console.err("See `zoetrope help\(command.map { " " + type(of: $0)._commandName } ?? "")`")
            end(64)
        case .signal(let number): Signals.end(by: number)
        }
    }

    /// The parser's own: help, the version, what makes no sense.
    private static func endParsing(_ error: any Error) -> Never {
        var text = Credentials.removed(
            from: CommandArguments.readable(Tool.fullMessage(for: error, columns: HelpLayout.unlimited)))
        let isHelp = HelpLayout.isHelp(text)
        if isHelp {
            text = HelpLayout.wrapped(text, columns: HelpLayout.columns(ProcessInfo.processInfo.environment))
        }
        // Asked for the code of help, the parser would lay it out again, for a terminal that it may not be able to.
        let code = isHelp ? 0 : Tool.exitCode(for: error).rawValue
        if code != 0 {
            Console.err(text.isEmpty ? "zoetrope: ended with \(code); please report this" : text)
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

    /// Threads may still be at work (the network's): what `exit` would take down under them goes with the process.
    private static func end(_ code: Int32) -> Never {
        fflush(nil)
        _exit(code)
    }
}

struct Tool: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zoetrope",
        abstract: "Play, probe, snapshot, filter, render and download media.",
        discussion: """
            `zoetrope film.mp4` is `zoetrope play film.mp4`.

            EXAMPLES
              zoetrope film.mp4
              zoetrope play film.mp4 --loop
              zoetrope probe film.mp4 --json
              zoetrope snapshot film.mp4 --at 1:30 -o poster.png
              zoetrope render film.mkv -o scene.mp4 --from 1:30 --to 2:00
              zoetrope download https://example.com/master.m3u8 -o talk.movpkg

            EXIT CODES
              0 done · 1 it could not be done (standard error says why) · 64 wrong usage · 128 + n ended by signal n (130: Ctrl-C)
            """,
        version: ProductVersion.text,
        subcommands: [
            Play.self, OpenApp.self, Probe.self, Snapshot.self, Render.self, DownloadOne.self, DownloadsAll.self,
            Filters.self,
            Bench.self,
        ])
}
