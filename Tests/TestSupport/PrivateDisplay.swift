import Foundation
import Testing

/// An X server of a test's own, its screen as pixels, and a user's hands.
public final class PrivateDisplay: PrivateScreen, @unchecked Sendable {
    // Used by one test at a time.
    private let folder: URL
    private let server: ChildProcess
    /// A number that is nobody else's.
    private let wanted: Int?
    public let name: String

    public struct DidNotStart: Error {
        let expected: String, seen: String
    }

    /// - Parameter resets: the server begins anew when its last client goes, as a bare one does, and drops who
    ///   comes just then; off, so that a screenshot between two clients harms none.
    /// - Parameter wanted: its number, for a test that must not find another server there once this one has gone; nil:
    ///   the first that is free, which is somebody else's as soon as it is again.
    /// - Parameter depth: bits of its colours.
    public static func launch(resets: Bool = false, number wanted: Int? = nil, depth: Int = 24) async throws
        -> PrivateDisplay
    {
        try await offPool { try PrivateDisplay(resets: resets, number: wanted, depth: depth) }
    }

    public init(resets: Bool = false, number wanted: Int? = nil, depth: Int = 24) throws {
        self.wanted = wanted
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-display-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let number = folder.appendingPathComponent("number").path
        // -displayfd 1: it finds a free number and tells us on standard output, which is a file. -r: no key repeats,
        // which one held down by a slow machine would.
        server = try ChildProcess(
            "Xvfb",
            (wanted.map { [":\($0)"] } ?? []) + [
                "-displayfd", "1", "-screen", "0", "1280x800x\(depth)", "-nolisten", "tcp", "-r",
            ]
                + (resets ? [] : ["-noreset"]), output: number)
        func said() -> String { (try? String(contentsOfFile: number, encoding: .utf8)) ?? "" }
        let found = Deadline().poll(while: { [server] in server.exitCode == nil }) {
            said().hasSuffix("\n") ? Int(said().trimmingCharacters(in: .whitespacesAndNewlines)) : nil
        }
        guard let found else {
            throw DidNotStart(expected: "the number of Xvfb", seen: "\(said()) \(server.state)")
        }
        name = ":\(found)"
    }

    public func close() {
        // Asked to end it takes its socket with it.
        server.send(SIGTERM)
        server.wait(seconds: 5)
        // A killed one could not; another's at a number that was free has to stay.
        if let wanted, FileManager.default.fileExists(atPath: folder.path) {
            for file in ["/tmp/.X11-unix/X\(wanted)", "/tmp/.X\(wanted)-lock"] {
                try? FileManager.default.removeItem(atPath: file)
            }
        }
        try? FileManager.default.removeItem(at: folder)
    }

    /// It dies without a word to anybody.
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

    /// The whole screen now.
    public func screenshot() throws -> Screenshot {
        let file = folder.appendingPathComponent("shot-\(UUID().uuidString.prefix(8)).rgb").path
        try ChildProcess("import", ["-window", "root", "-depth", "8", "rgb:\(file)"], environment: environment).wait()
        defer { try? FileManager.default.removeItem(atPath: file) }
        let shot = Screenshot(pixels: [UInt8](try Data(contentsOf: URL(fileURLWithPath: file))), width: 1280)
        Sightings.note { "the screen \(shot.saved())" }
        return shot
    }

    /// A window manager of ours, from here on: on a bare server nobody answers requests about windows.
    public func manageWindows() async throws -> ChildProcess {
        let said = folder.appendingPathComponent("manager").path
        let environment = environment
        return try await offPool {
            let manager = try ChildProcess(
                line: Programs.command("WindowManager"), environment: environment, output: said)
            func words() -> String { (try? String(contentsOfFile: said, encoding: .utf8)) ?? "" }
            let isThere = Deadline().poll(while: { manager.exitCode == nil }) {
                words().contains("managing") ? true : nil
            }
            guard isThere == true else {
                throw DidNotStart(expected: "managing", seen: "\(words()) \(manager.state)")
            }
            return manager
        }
    }

    /// As `xdotool`; what it printed.
    @discardableResult
    public func xdotool(_ arguments: [String]) throws -> String { try run("xdotool", arguments) }

    /// Runs a client of this display; what it printed.
    @discardableResult
    public func run(_ program: String, _ arguments: [String]) throws -> String {
        let file = folder.appendingPathComponent("output-\(UUID().uuidString.prefix(8))").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try ChildProcess(program, arguments, environment: environment, output: file).wait()
        let output = ((try? String(contentsOfFile: file, encoding: .utf8)) ?? "").trimmingCharacters(
            in: .whitespacesAndNewlines)
        Sightings.note { "\(program) \(arguments.joined(separator: " ")): \(output.suffix(300))" }
        return output
    }

    /// The id of the visible window called `title`, once there is one.
    public func window(_ title: String) throws -> String? {
        let all = try xdotool(["search", "--onlyvisible", "--name", title])
        return all.split(separator: "\n").first.map(String.init)
    }

    /// Types into `window`; without a window manager the focus must be given.
    public func key(_ keys: String, window: String) throws {
        try xdotool(["windowfocus", "--sync", window])
        try xdotool(["key", keys])
    }
}

/// Eight-bit RGB pixels of a screen.
public struct Screenshot: Sendable, Equatable {
    public let pixels: [UInt8]
    public let width: Int

    public init(pixels: [UInt8], width: Int) {
        self.pixels = pixels
        self.width = width
    }

    /// Writes the picture to the folder for temporary files, for whoever reads a failed test; the file's path.
    public func saved() -> String {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("zt-seen-\(UUID().uuidString).ppm")
        let head = Data("P6 \(width) \(pixels.count / 3 / max(1, width)) 255\n".utf8)
        do { try (head + Data(pixels)).write(to: file) } catch { return "\(error)" }
        return file.path
    }

    public func color(_ x: Int, _ y: Int) -> [Int] {
        let at = (y * width + x) * 3
        return at + 2 < pixels.count ? pixels[at..<(at + 3)].map(Int.init) : []
    }

    public func isNear(_ x: Int, _ y: Int, _ expected: [Int], within tolerance: Int = 12) -> Bool {
        let found = color(x, y)
        let isNear = found.count == 3 && zip(found, expected).allSatisfy { abs($0 - $1) <= tolerance }
        if !isNear { Sightings.note { "\(found) at \(x), \(y), not \(expected)" } }
        return isNear
    }

    /// Pixels of the rectangle that differ from `other`'s.
    public func differences(from other: Screenshot, x: Range<Int>, y: Range<Int>) -> Int {
        let count = y.reduce(0) { sum, row in sum + x.count { color($0, row) != other.color($0, row) } }
        Sightings.note { "\(count) pixels differ in \(x), \(y)" }
        return count
    }
}
