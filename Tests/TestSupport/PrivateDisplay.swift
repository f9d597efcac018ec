import CXCB
import Foundation
import Testing

/// An X server for one test, with screenshots and simulated input.
public final class PrivateDisplay: PrivateScreen, @unchecked Sendable {
    // Only one test at a time uses an instance.
    private let folder: URL
    private let server: ChildProcess
    /// The requested display number, which no other server uses; nil for the first free number.
    private let wanted: Int?
    private let size: (width: Int, height: Int)
    public let name: String

    public struct NoScreenshot: Error {
        let display: String
    }
    public struct DidNotStart: Error {
        let expected: String, seen: String
    }

    /// Starts a server and waits until it accepts clients.
    /// - Parameters:
    ///   - resets: Whether the server resets when its last client disconnects, as a plain X server does. A reset
    ///     disconnects clients that connect at that moment. False by default, so that a screenshot between two clients
    ///     causes no reset.
    ///   - wanted: The display number, for a test in which no other server may take the number after this one ends. If
    ///     nil, the first free number, which another server can take as soon as it is free again.
    ///   - width: The width of the screen, in pixels.
    ///   - depth: The color depth, in bits.
    public static func launch(
        resets: Bool = false, number wanted: Int? = nil, width: Int = 1280, height: Int = 800, depth: Int = 24
    ) async throws -> PrivateDisplay {
        try await offPool {
            try PrivateDisplay(resets: resets, number: wanted, width: width, height: height, depth: depth)
        }
    }

    public init(
        resets: Bool = false, number wanted: Int? = nil, width: Int = 1280, height: Int = 800, depth: Int = 24
    ) throws {
        self.wanted = wanted
        size = (width, height)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-display-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let number = folder.appendingPathComponent("number").path
        // With `-displayfd 1`, the server prints its number to standard output, which is a file. `-r` disables key
        // repeat, because a slow machine would repeat a held key.
        server = try ChildProcess(
            "Xvfb",
            (wanted.map { [":\($0)"] } ?? []) + [
                "-displayfd", "1", "-screen", "0", "\(width)x\(height)x\(depth)", "-nolisten", "tcp", "-r",
            ]
                + (resets ? [] : ["-noreset"]), output: number)
        func output() -> String { (try? String(contentsOfFile: number, encoding: .utf8)) ?? "" }
        let found = Deadline().poll(while: { [server] in server.exitCode == nil }) {
            output().hasSuffix("\n") ? Int(output().trimmingCharacters(in: .whitespacesAndNewlines)) : nil
        }
        guard let found else {
            throw DidNotStart(expected: "the number of Xvfb", seen: "\(output()) \(server.state)")
        }
        name = ":\(found)"
    }

    public func close() {
        // On SIGTERM, the server removes its socket.
        server.send(SIGTERM)
        server.wait(seconds: 5)
        // A killed server leaves its socket. Only the socket of a requested number is removed; a free number may belong
        // to another server by now.
        if let wanted, FileManager.default.fileExists(atPath: folder.path) {
            for file in ["/tmp/.X11-unix/X\(wanted)", "/tmp/.X\(wanted)-lock"] {
                try? FileManager.default.removeItem(atPath: file)
            }
        }
        try? FileManager.default.removeItem(at: folder)
    }

    /// Kills the server without closing its connections properly.
    public func kill() {
        server.send(SIGKILL)
        server.wait(seconds: 5)
    }

    deinit { close() }

    public var environment: [String: String] {
        var all = ProcessInfo.processInfo.environment
        all["DISPLAY"] = name
        all["WAYLAND_DISPLAY"] = nil
        return all
    }

    /// Returns an image of the whole screen.
    public func screenshot() throws -> Screenshot {
        var count: Int32 = 0
        guard let pixels = zt_xcb_screenshot(name, &count) else { throw NoScreenshot(display: name) }
        defer { free(pixels) }
        let shot = Screenshot(
            pixels: [UInt8](UnsafeBufferPointer(start: pixels, count: Int(count))), width: size.width)
        Sightings.note { "the screen \(shot.saved())" }
        return shot
    }

    /// Starts this package's window manager, because a plain X server does not answer requests about windows.
    public func manageWindows() async throws -> ChildProcess {
        let log = folder.appendingPathComponent("manager").path
        let environment = environment
        return try await offPool {
            let manager = try ChildProcess(
                line: Programs.command("WindowManager"), environment: environment, output: log)
            func output() -> String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }
            let isThere = Deadline().poll(while: { manager.exitCode == nil }) {
                output().contains("managing") ? true : nil
            }
            guard isThere == true else {
                throw DidNotStart(expected: "managing", seen: "\(output()) \(manager.state)")
            }
            return manager
        }
    }

    /// Runs `xdotool`.
    /// - Returns: The output of `xdotool`.
    @discardableResult
    public func xdotool(_ arguments: [String]) throws -> String { try run("xdotool", arguments) }

    /// Runs a client of this display until it ends.
    ///
    /// A search of `xdotool` is repeated if it failed because a window was destroyed meanwhile: the program ends with an
    /// X error then, and the search would seem to have found nothing.
    /// - Returns: The client's output.
    @discardableResult
    public func run(_ program: String, _ arguments: [String]) throws -> String {
        let file = folder.appendingPathComponent("output-\(UUID().uuidString.prefix(8))").path
        let errors = file + ".errors"
        defer { for path in [file, errors] { try? FileManager.default.removeItem(atPath: path) } }
        func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
        let deadline = Deadline()
        repeat {
            try ChildProcess(program, arguments, environment: environment, output: file, error: errors).wait()
        } while arguments.first == "search" && text(errors).contains("X Error") && !deadline.isPast
        let output = text(file).trimmingCharacters(in: .whitespacesAndNewlines)
        let problem = text(errors)
        Sightings.note {
            "\(program) \(arguments.joined(separator: " ")): \(output.suffix(300)) \(problem.prefix(300))"
        }
        return output
    }

    /// Returns the ID of the visible window with `title`; nil if there is none yet.
    public func window(_ title: String) throws -> String? {
        let all = try xdotool(["search", "--onlyvisible", "--name", title])
        return all.split(separator: "\n").first.map(String.init)
    }

    /// Types keys into `window`, after giving it the focus, because no window manager does that.
    public func key(_ keys: String, window: String) throws {
        try xdotool(["windowfocus", "--sync", window])
        try xdotool(["key", keys])
    }

    /// Types keys into the window with `title`, as soon as it is visible. Throws an error if that takes too long.
    public func key(_ keys: String, in title: String) throws {
        guard let id = try Deadline().poll({ try window(title) }) else { throw NoWindow(title: title, keys: keys) }
        try key(keys, window: id)
    }
    public struct NoWindow: Error {
        let title: String, keys: String
    }
}

/// The pixels of a screen as 8-bit RGB.
public struct Screenshot: Sendable, Equatable {
    public let pixels: [UInt8]
    public let width: Int

    public init(pixels: [UInt8], width: Int) {
        self.pixels = pixels
        self.width = width
    }

    /// Saves the image as a file in the temporary folder, for the analysis of a failed test.
    /// - Returns: The file's path, or the error.
    public func saved() -> String {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("zt-seen-\(UUID().uuidString).ppm")
        let head = Data("P6 \(width) \(pixels.count / 3 / max(1, width)) 255\n".utf8)
        do { try (head + Data(pixels)).write(to: file) } catch { return "\(error)" }
        return file.path
    }

    /// Whether nothing has been drawn yet: a screen without windows is black.
    public var isBlack: Bool { pixels.allSatisfy { $0 == 0 } }

    public func color(_ x: Int, _ y: Int) -> [Int] {
        let at = (y * width + x) * 3
        return at + 2 < pixels.count ? [Int(pixels[at]), Int(pixels[at + 1]), Int(pixels[at + 2])] : []
    }

    public func isNear(_ x: Int, _ y: Int, _ expected: [Int], within tolerance: Int = 12) -> Bool {
        let found = color(x, y)
        let isNear = found.count == 3 && zip(found, expected).allSatisfy { abs($0 - $1) <= tolerance }
        if !isNear { Sightings.note { "\(found) at \(x), \(y), not \(expected)" } }
        return isNear
    }

    /// Returns the number of pixels in the rectangle that differ from those of `other`.
    public func differences(from other: Screenshot, x: Range<Int>, y: Range<Int>) -> Int {
        let count = y.reduce(0) { sum, row in sum + x.count { color($0, row) != other.color($0, row) } }
        Sightings.note { "\(count) pixels differ in \(x), \(y)" }
        return count
    }
}
