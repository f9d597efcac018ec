import ArgumentParser
import Foundation
import MediaCore
import PlayerApp
import Synchronization

/// The command `zoetrope app`, which opens files in the desktop app.
struct OpenApp: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Open files in the desktop app.",
        usage: "zoetrope app [options] [<file> ...]",
        discussion: """
            EXAMPLES
              # Open the start page
              zoetrope app
              # Open a file, or a folder and a stream
              zoetrope app film.mp4
              zoetrope app films/ https://example.com/master.m3u8

            DESCRIPTION
              Opens several files as one playlist. If the app is already running, the files open in an empty window. If
              no window is empty, the app opens a new one. If a window already shows the files, the app brings that
              window to the front.

            FILES
              $XDG_CONFIG_HOME/zoetrope/player.json      Your settings. Default folder: ~/.config.
              $XDG_STATE_HOME/zoetrope/player.json       Window size. Default folder: ~/.local/state.
              $XDG_STATE_HOME/zoetrope/positions.sqlite  Positions, if “Resume from Last Position” is on.

            EXIT CODES
              0    The last window was closed.
              1    The app could not start, for example without a display. The reason is on standard error.
              64   Invalid arguments.
              130  Interrupted by Ctrl-C.
            """)

    @Argument(help: ArgumentHelp("Media files, folders, playlists or URLs.", valueName: "file"))
    var files: [FileArgument] = []
    @OptionGroup(title: "Window") var window: AppWindowOptions
    @Flag(
        name: .customLong("gapplication-service"),
        help: ArgumentHelp("Wait for the session bus to open files. D-Bus activation uses this.", visibility: .hidden))
    var isService = false

    func validate() throws {
        if isService || window.newWindow, !files.isEmpty {
            throw ValidationError(
                "--\(isService ? "gapplication-service" : "new-window") can't be combined with files.")
        }
    }

    func report(of failure: ToolFailure) -> String? { nil }

    func perform() throws {
        try MainActor.assumeIsolated {
            let app = try PlayerApplication(fetch: PlaySource.fetch(ServerAccess())) { Console.note($0) }
            let signal = Mutex<Int32?>(nil)
            ExitSignals.setHandler { number in
                signal.withLock { $0 = number }
                DispatchQueue.main.async { MainActor.assumeIsolated { app.quit() } }
            }
            try app.run(files.map(\.url), isService: isService, newWindow: window.newWindow)
            if let number = signal.withLock({ $0 }) { throw ToolFailure(.signal(number), "Interrupted.") }
        }
    }
}

/// Window options of `zoetrope app`.
struct AppWindowOptions: ParsableArguments {
    @Flag(name: .customLong("new-window"), help: "Open another window with the start page.")
    var newWindow = false
}
