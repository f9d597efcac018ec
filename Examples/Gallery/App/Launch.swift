import Foundation
import Zoetrope

/// The options of the command line. `check()` ends the program if they are invalid.
enum Launch {
    static let page = options.page
    static let isDark = options.isDark
    /// The time, in seconds, at which every player starts paused and muted; nil to play. Tests use the option to
    /// compare pages with reference images.
    static let still = options.still
    /// The source that the stream page opens; nil for the sample.
    static let url = options.url
    /// The path of the pipe that tests write to; nil if there is none.
    static let input = options.input

    static let usage = """
        Usage: Gallery [--page NAME] [--dark] [--url URL] [--still SECONDS]

          --page NAME      Open the gallery at this page:
        \(pageLines)
          --dark           Use the dark style.
          --url URL        Open this file or URL on the stream page.
          --still SECONDS  Start every player paused at this time.
          -h, --help       Show this help.

        """

    /// The names of the pages, six per line.
    private static var pageLines: String {
        let names = Page.allCases.map(\.rawValue)
        return stride(from: 0, to: names.count, by: 6).map { start in
            String(repeating: " ", count: 19) + names[start..<min(start + 6, names.count)].joined(separator: ", ")
        }.joined(separator: ",\n")
    }

    /// Exits if the command line requests help or is invalid, after printing the help or an error. Called before a
    /// window opens.
    static func check() {
        if CommandLine.arguments.dropFirst().contains(where: { ["--help", "-h"].contains($0) }) {
            FileHandle.standardOutput.write(Data(usage.utf8))
            exit(0)
        }
        guard case .failure(let problem) = parsed else { return }
        FileHandle.standardError.write(Data("Gallery: \(problem.text)\nSee “Gallery --help” for the options.\n".utf8))
        exit(64)
    }

    private static let parsed = Options.parsed(CommandLine.arguments.dropFirst())
    private static let options = (try? parsed.get()) ?? Options()

    private struct Options {
        var page = Page.start
        var isDark = false
        var still: Double?
        var url: String?
        var input: String?

        static func parsed(_ arguments: ArraySlice<String>) -> Result<Options, Problem> {
            var options = Options()
            var rest = arguments
            while let name = rest.popFirst() {
                if name == "--dark" {
                    options.isDark = true
                    continue
                }
                guard ["--page", "--url", "--still", "--preview", "--input"].contains(name) else {
                    return .failure(Problem(text: "Unknown option “\(name)”."))
                }
                guard let value = rest.popFirst() else {
                    return .failure(Problem(text: "Missing value for “\(name)”."))
                }
                switch name {
                case "--page":
                    guard let page = Page(named: value) else {
                        let names = Page.allCases.map(\.rawValue).joined(separator: ", ")
                        return .failure(Problem(text: "Unknown page “\(value)”. The pages are \(names)."))
                    }
                    options.page = page
                case "--url": options.url = value
                case "--still":
                    guard let seconds = Double(value), seconds.isFinite, seconds >= 0 else {
                        return .failure(
                            Problem(text: "Invalid value “\(value)” for --still. Use a number of seconds, 0 or more."))
                    }
                    options.still = seconds
                case "--input": options.input = value
                // `--preview` belongs to every app that shows previews.
                default: break
                }
            }
            return .success(options)
        }
    }

    private struct Problem: Error { let text: String }
}

extension Page {
    /// Finds a page by its case name, title or file name; nil if there is none. Case, spaces and punctuation are
    /// ignored: `pip`, `pictureInPicture`, `"Picture in Picture"` and `picture-in-picture` are the same page.
    init?(named name: String) {
        func plain(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }
        let wanted = plain(name)
        let found = Page.allCases.first { page in
            [page.rawValue, page.title, page.file.replacingOccurrences(of: "Page.swift", with: "")].contains {
                plain($0) == wanted
            }
        }
        guard !wanted.isEmpty, let found else { return nil }
        self = found
    }
}

extension PlaybackCommand {
    /// The first command of a page's player: play, or pause at the time of `--still`.
    static var opening: PlaybackCommand {
        Launch.still.map { .batch([.mute, .seek(to: $0, play: false)]) } ?? .play
    }
}

extension Binding<PlaybackCommand> {
    /// A binding for a player that gets no other command.
    @MainActor static var opening: Binding<PlaybackCommand> { .constant(.opening) }
}
