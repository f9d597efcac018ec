import CSystem
import CX11
import Foundation

/// The display goes while it is used. Xlib leaves a program no way on: what it calls then must not return, and what is
/// there by default ends the program by a signal or by `exit`, which takes down what other threads still use.
enum DisplayLoss {
    /// Says so and ends with 1. Before the display is opened, and again when GDK has set its own handler.
    static func install() {
        XSetIOErrorHandler { display in
            let name = display.flatMap { zt_x11_name($0) }.map { String(cString: $0) } ?? "?"
            let program = URL(fileURLWithPath: CommandLine.arguments.first ?? "").lastPathComponent
            // What the program has printed so far is not lost with it.
            fflush(nil)
            FileHandle.standardError.write(
                Data("\(program): The X server of the display “\(name)” closed the connection.\n".utf8))
            _exit(1)
        }
        // Written to a server that has gone, libxcb's socket would end the program by SIGPIPE before anybody is asked.
        // A handler that does nothing, unlike SIG_IGN, is not handed down to programs that are started.
        var now = sigaction()
        guard sigaction(SIGPIPE, nil, &now) == 0, now.__sigaction_handler.sa_handler == nil else { return }
        var quiet = sigaction()
        quiet.__sigaction_handler.sa_handler = { _ in }
        quiet.sa_flags = Int32(SA_RESTART)
        sigaction(SIGPIPE, &quiet, nil)
    }
}
