import Foundation

/// A Wayland compositor for one test, without a screen and without a graphics device: Weston or sway.
///
/// On sway, windows float at the upper left corner in the size that they request. `key` and `pointer` simulate input.
/// Weston 10 accepts no input from programs and places windows anywhere; a window as large as the screen is at its
/// upper left corner.
public final class PrivateCompositor: PrivateScreen, @unchecked Sendable {
    // Only one test at a time uses an instance.
    public enum Kind: String, Sendable { case weston, sway }

    public struct DidNotStart: Error {
        public let log: String
    }
    public struct DidNotRun: Error {
        public let command: String
        public let code: Int32
        public let said: String
    }

    public let kind: Kind
    private let folder: URL
    private let server: ChildProcess
    private let socket: String
    private let size: (width: Int, height: Int)
    private var mouse: WaylandPointer?
    /// A `wtype` that runs as long as the compositor and keeps a keyboard connected. Without it, the keyboard would
    /// disappear after each key, and programs would miss the next key.
    private var keyboard: ChildProcess?

    /// Starts a compositor and waits until it accepts clients.
    /// - Parameters:
    ///   - width: The width of the screen, in points.
    ///   - height: The height of the screen, in points.
    ///   - scale: The number of pixels per point. On Weston, a whole number.
    ///   - outputs: The number of screens side by side, on sway.
    public static func launch(
        _ kind: Kind, width: Int = 1280, height: Int = 800, scale: Double = 1, outputs: Int = 1
    ) async throws -> PrivateCompositor {
        try await offPool {
            try PrivateCompositor(kind, width: width, height: height, scale: scale, outputs: outputs)
        }
    }

    private init(_ kind: Kind, width: Int, height: Int, scale: Double, outputs: Int) throws {
        self.kind = kind
        size = (width, height)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-way-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var environment = ProcessInfo.processInfo.environment
        for name in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "SWAYSOCK"] { environment[name] = nil }
        environment["XDG_RUNTIME_DIR"] = folder.path
        let log = folder.appendingPathComponent("log").path
        // Weston's options and sway's modes are in pixels.
        let pixels = (width: Int(Double(width) * scale), height: Int(Double(height) * scale))
        switch kind {
        case .weston:
            socket = "wayland-test"
            let configuration = folder.appendingPathComponent("weston.ini")
            try """
            [shell]
            panel-position=none
            background-color=0xff404040
            locking=false
            animation=none
            startup-animation=none
            close-animation=none

            """.write(to: configuration, atomically: true, encoding: .utf8)
            // `--debug` allows programs to take screenshots. An idle compositor would turn its screen off.
            server = try ChildProcess(
                "weston",
                [
                    "--backend=headless-backend.so", "--use-pixman", "--shell=desktop-shell.so",
                    "--config=\(configuration.path)",
                    "--idle-time=0", "--debug", "--socket=\(socket)", "--width=\(pixels.width)",
                    "--height=\(pixels.height)", "--scale=\(Int(scale))",
                ], environment: environment, output: log, error: log)
        case .sway:
            socket = "wayland-1"
            let configuration = folder.appendingPathComponent("config")
            try """
            xwayland disable
            output * resolution \(pixels.width)x\(pixels.height) scale \(scale)
            default_border none
            default_floating_border none
            for_window [app_id=".*"] floating enable, border none, move absolute position 0 0
            seat seat0 hide_cursor 0

            """.write(to: configuration, atomically: true, encoding: .utf8)
            environment["WLR_BACKENDS"] = "headless"
            environment["WLR_RENDERER"] = "pixman"
            environment["WLR_LIBINPUT_NO_DEVICES"] = "1"
            environment["WLR_HEADLESS_OUTPUTS"] = "\(outputs)"
            environment["SWAYSOCK"] = folder.appendingPathComponent("ipc").path
            environment["HOME"] = folder.path
            // sway refuses to run as root.
            let isRoot = geteuid() == 0
            if isRoot {
                for path in [folder.path, configuration.path] { chown(path, 65534, 65534) }
            }
            server = try ChildProcess(
                line: (isRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [])
                    + ["sway", "--config", configuration.path],
                environment: environment, output: log, error: log)
        }
        try waitUntilReady(log)
        guard kind == .sway else { return }
        keyboard = try ChildProcess("wtype", ["-s", "1000000000"], environment: self.environment)
        let hasKeyboard: Bool? = try Deadline().poll {
            try command(["-t", "get_seats"]).contains("\"type\": \"keyboard\"") ? true : nil
        }
        if hasKeyboard == nil { throw DidNotStart(log: "sway has no keyboard: wtype is not seen") }
    }

    private func waitUntilReady(_ log: String) throws {
        let isReady: Bool? = Deadline().poll(while: { server.exitCode == nil }) {
            let isThere =
                switch kind {
                case .weston: LocalSocket.accepts(folder.appendingPathComponent(socket).path)
                case .sway:
                    FileManager.default.fileExists(atPath: folder.appendingPathComponent("ipc").path)
                        && (try? command(["-t", "get_outputs"]).contains("\"active\": true")) == true
                }
            return isThere ? true : nil
        }
        if isReady == true { return }
        throw DidNotStart(log: (try? String(contentsOfFile: log, encoding: .utf8)) ?? "")
    }

    public func close() {
        mouse = nil
        keyboard?.send(SIGKILL)
        server.send(SIGTERM)
        server.wait(seconds: 5)
        try? FileManager.default.removeItem(at: folder)
    }
    deinit { close() }

    public var environment: [String: String] {
        var all = ProcessInfo.processInfo.environment
        all["DISPLAY"] = nil
        // The whole path, so that a test may set another runtime folder.
        all["WAYLAND_DISPLAY"] = folder.appendingPathComponent(socket).path
        all["XDG_RUNTIME_DIR"] = folder.path
        all["GDK_BACKEND"] = "wayland"
        return all
    }

    public func screenshot() throws -> Screenshot {
        let shotFolder = folder.appendingPathComponent("shot-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: shotFolder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: shotFolder) }
        let file: URL
        switch kind {
        case .sway:
            file = shotFolder.appendingPathComponent("shot.ppm")
            try run("grim", ["-t", "ppm", file.path])
        case .weston:
            // weston-screenshooter chooses the file name and writes to the current folder.
            try run("/bin/sh", ["-c", "cd \"$0\" && exec weston-screenshooter", shotFolder.path])
            let names = try FileManager.default.contentsOfDirectory(atPath: shotFolder.path)
            guard let name = names.first else {
                throw DidNotRun(command: "weston-screenshooter", code: 0, said: "no file")
            }
            file = shotFolder.appendingPathComponent(name)
        }
        let sizeFile = shotFolder.appendingPathComponent("size").path
        try run(
            "convert",
            [file.path, "-depth", "8", "-write", "rgb:\(shotFolder.path)/pixels", "-format", "%w", "info:\(sizeFile)"])
        let width = Int(
            try String(contentsOfFile: sizeFile, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines))
        return Screenshot(
            pixels: [UInt8](try Data(contentsOf: shotFolder.appendingPathComponent("pixels"))), width: width ?? 1)
    }

    /// Runs a client of this compositor until it ends.
    /// - Returns: The client's output.
    @discardableResult
    public func run(_ program: String, _ arguments: [String]) throws -> String {
        let file = folder.appendingPathComponent("output-\(UUID().uuidString.prefix(8))").path
        let errors = file + ".err"
        defer { for end in [file, errors] { try? FileManager.default.removeItem(atPath: end) } }
        var environment = environment
        environment["SWAYSOCK"] = folder.appendingPathComponent("ipc").path
        let code = try ChildProcess(program, arguments, environment: environment, output: file, error: errors).wait()
        func text(_ file: String) -> String { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }
        guard code == 0 else {
            throw DidNotRun(command: ([program] + arguments).joined(separator: " "), code: code, said: text(errors))
        }
        return text(file)
    }

    // MARK: sway

    /// Runs `swaymsg`.
    /// - Returns: The output of `swaymsg`.
    @discardableResult
    public func command(_ arguments: [String]) throws -> String { try run("swaymsg", arguments) }

    /// Presses a key in the focused window.
    /// - Parameter name: The name of the key in X, such as `space`.
    public func key(_ name: String) throws { try run("wtype", ["-k", name]) }

    /// Returns the compositor's mouse, and connects it on the first call.
    public func pointer() throws -> WaylandPointer {
        if let mouse { return mouse }
        let made = try WaylandPointer(
            folder.appendingPathComponent(socket).path, width: size.width, height: size.height)
        mouse = made
        return made
    }
}
