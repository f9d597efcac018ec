import Foundation
import Zoetrope

/// What the command line says.
enum Launch {
    static let page = options.page
    static let isDark = options.isDark
    /// Seconds at which all that plays stands from the start, without sound: how the pictures are taken that a test
    /// compares pages with.
    static let still = options.still
    /// What the stream page opens.
    static let url = options.url

    static let usage = """
        Usage: Gallery [--page NAME] [--dark] [--url URL] [--still SECONDS]

          --page NAME      Open this page first, by its name or title:
        \(pageLines)
          --dark           Open the gallery in its dark appearance.
          --url URL        Open this file or URL on the stream page.
          --still SECONDS  Pause everything that plays at this time.
          -h, --help       Show this help.

        """

    /// Of names, as they stand below their option.
    private static var pageLines: String {
        let names = Page.allCases.map(\.rawValue)
        return stride(from: 0, to: names.count, by: 6).map { start in
            String(repeating: " ", count: 19) + names[start..<min(start + 6, names.count)].joined(separator: ", ")
        }.joined(separator: ",\n")
    }

    /// Ends the program where the command line asks for help, or makes no sense; before there is a window.
    static func check() {
        if CommandLine.arguments.dropFirst().contains(where: { ["--help", "-h"].contains($0) }) {
            FileHandle.standardOutput.write(Data(usage.utf8))
            exit(0)
        }
        guard case .failure(let problem) = parsed else { return }
        FileHandle.standardError.write(Data("Gallery: \(problem.text)\nSee Gallery --help.\n".utf8))
        exit(64)
    }

    private static let parsed = Options.parsed(CommandLine.arguments.dropFirst())
    private static let options = (try? parsed.get()) ?? Options()

    private struct Options {
        var page = Page.start
        var isDark = false
        var still: Double?
        var url: String?

        static func parsed(_ arguments: ArraySlice<String>) -> Result<Options, Problem> {
            var options = Options()
            var rest = arguments
            while let name = rest.popFirst() {
                if name == "--dark" {
                    options.isDark = true
                    continue
                }
                guard ["--page", "--url", "--still", "--preview", "--input"].contains(name) else {
                    return .failure(Problem(text: "there is no option “\(name)”."))
                }
                guard let value = rest.popFirst() else { return .failure(Problem(text: "\(name) needs a value.")) }
                switch name {
                case "--page":
                    guard let page = Page(named: value) else {
                        let names = Page.allCases.map(\.rawValue).joined(separator: ", ")
                        return .failure(Problem(text: "there is no page “\(value)”. The pages are \(names)."))
                    }
                    options.page = page
                case "--url": options.url = value
                case "--still":
                    guard let seconds = Double(value), seconds.isFinite, seconds >= 0 else {
                        return .failure(Problem(text: "--still is “\(value)”; it must be 0 or more seconds."))
                    }
                    options.still = seconds
                // Of every app (`PreviewProvider`), and of programs that tests drive.
                default: break
                }
            }
            return .success(options)
        }
    }

    private struct Problem: Error { let text: String }
}

extension Page {
    /// - Parameter name: a case's name, a title or a file's name, in any spelling: `pip`, `pictureInPicture`,
    ///   `"Picture in Picture"`, `picture-in-picture`.
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
    /// How a page's player begins: it plays, unless the gallery was started with `--still`.
    static var opening: PlaybackCommand {
        Launch.still.map { .batch([.mute, .seek(to: $0, play: false)]) } ?? .play
    }
}

extension Binding<PlaybackCommand> {
    /// For a player that is told nothing else.
    @MainActor static var opening: Binding<PlaybackCommand> { .constant(.opening) }
}
