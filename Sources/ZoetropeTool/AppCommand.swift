import ArgumentParser
import Foundation
import MediaCore
import PlayerApp
import Synchronization

/// `zoetrope app`
struct OpenApp: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Open the desktop app Zoetrope.",
        discussion: """
            Without FILE its start page opens. There is one app on a desktop: a file that is open already comes to the
            front, and windows of one process are all there is.

            EXAMPLES
              zoetrope app
              zoetrope app film.mp4
              zoetrope app films/ https://example.com/master.m3u8

            KEPT
              The window's size, and with “Continue Where Films Were Left” the place in each film, in
              $XDG_STATE_HOME/zoetrope/player.json; what was chosen in $XDG_CONFIG_HOME/zoetrope/player.json.

            EXIT CODES
              0 its last window was closed · 1 there is no display, or it could not begin (standard error says why) · 64 wrong usage
            """)

    @Argument(help: ArgumentHelp("Files, folders, lists or addresses.", valueName: "file"))
    var files: [FileArgument] = []
    @Flag(name: .customLong("new-window"), help: "Open one more window, where the app runs already.")
    var newWindow = false
    @Flag(
        name: .customLong("gapplication-service"),
        help: ArgumentHelp("Wait for the session bus to say what to open: how it starts the app.", visibility: .hidden))
    var isService = false

    func validate() throws {
        if isService || newWindow, !files.isEmpty {
            throw ValidationError("--\(isService ? "gapplication-service" : "new-window") takes no files.")
        }
    }

    func report(of failure: ToolFailure) -> String? { nil }

    func perform() throws {
        try MainActor.assumeIsolated {
            let app = try PlayerApplication(fetch: PlaySource.fetch(insecure: false)) { Console.note($0) }
            let signal = Mutex<Int32?>(nil)
            Signals.setHandler { number in
                signal.withLock { $0 = number }
                DispatchQueue.main.async { MainActor.assumeIsolated { app.quit() } }
            }
            try app.run(files.map(\.url), isService: isService, newWindow: newWindow)
            if let number = signal.withLock({ $0 }) { throw ToolFailure(.signal(number), "interrupted") }
        }
    }
}
