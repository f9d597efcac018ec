import Foundation

/// A line of a terminal that is drawn repeatedly.
struct TerminalLine {
    private var drawn = 0

    /// Draws the line over the previous one, without flicker.
    mutating func draw(_ line: String) {
        // Spaces overwrite the rest of a longer previous line.
        Console.progress("\r" + line + String(repeating: " ", count: max(0, drawn - line.count)))
        drawn = line.count
    }

    /// Removes the line from the terminal.
    mutating func clear() {
        if drawn > 0 { Console.progress("\r" + String(repeating: " ", count: drawn) + "\r") }
        drawn = 0
    }

    /// The width of the terminal; 80 if it is unknown.
    static var columns: Int {
        var size = winsize()
        return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }
}
