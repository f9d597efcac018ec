import CSystem
import CX11
import Foundation

/// A handler for the loss of the X server connection.
///
/// Xlib does not let a program continue after the loss: the handler must not return. The default handlers end the
/// program by a signal or by `exit`, which destroys objects that other threads still use.
enum DisplayLoss {
    /// Installs the handler, which prints a message and exits with status 1.
    ///
    /// Call this before the display is opened, after GDK has set its own handler.
    static func install() {
        XSetIOErrorHandler { display in
            let name = display.flatMap { zt_x11_name($0) }.map { String(cString: $0) } ?? "?"
            let program = URL(fileURLWithPath: CommandLine.arguments.first ?? "").lastPathComponent
            // Buffered output must not be lost.
            fflush(nil)
            FileHandle.standardError.write(
                Data("\(program): The X server of the display “\(name)” closed the connection.\n".utf8))
            _exit(1)
        }
        // When libxcb writes to a closed connection, SIGPIPE would end the program before the handler runs. Unlike
        // SIG_IGN, a handler that does nothing is not inherited by programs that this one starts.
        var now = sigaction()
        guard sigaction(SIGPIPE, nil, &now) == 0, now.__sigaction_handler.sa_handler == nil else { return }
        var quiet = sigaction()
        quiet.__sigaction_handler.sa_handler = { _ in }
        quiet.sa_flags = Int32(SA_RESTART)
        sigaction(SIGPIPE, &quiet, nil)
    }
}
