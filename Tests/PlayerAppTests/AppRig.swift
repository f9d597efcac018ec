import Foundation
import TestSupport
import Testing

/// An environment for `zoetrope app` as on a desktop, with a private session bus, screen and home folder.
final class AppRig: @unchecked Sendable {
    // `@unchecked Sendable`, because only one test at a time uses it.
    let bus: PrivateSessionBus, display: PrivateDisplay, home: URL
    static let name = "io.github.zoetrope.Zoetrope", path = "/io/github/zoetrope/Zoetrope"

    init() async throws {
        bus = try await PrivateSessionBus.launch()
        display = try await PrivateDisplay.launch()
        home = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-home-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        // Move the pointer away from the windows, which open at the upper left.
        try display.xdotool(["mousemove", "1270", "790"])
    }
    deinit {
        display.close()
        try? FileManager.default.removeItem(at: home)
    }

    var environment: [String: String] {
        [
            "HOME": home.path, "XDG_STATE_HOME": home.path + "/state", "XDG_CONFIG_HOME": home.path + "/config",
            "XDG_DATA_HOME": home.path + "/data", "XDG_CACHE_HOME": home.path + "/cache",
            "DBUS_SESSION_BUS_ADDRESS": bus.address, "XDG_RUNTIME_DIR": bus.runtimeFolder,
            "ZOETROPE_RENDERER": "cpu", "NO_AT_BRIDGE": "1", "PULSE_SERVER": "unix:/nonexistent",
        ]
    }
    var stateFile: URL { home.appendingPathComponent("state/zoetrope/player.json") }
    var positionsFile: URL { home.appendingPathComponent("state/zoetrope/positions.sqlite") }
    var preferencesFile: URL { home.appendingPathComponent("config/zoetrope/player.json") }

    func start(_ arguments: String..., environment more: [String: String] = [:]) throws -> ToolProcess {
        try ToolProcess(["app"] + arguments, environment: environment.merging(more) { $1 }, display: display)
    }

    /// Copies the blue video to the given file name. It lasts ten minutes, so that no test sees its end.
    func film(_ name: String) throws -> URL {
        let url = home.appendingPathComponent(name)
        try FileManager.default.copyItem(at: TestMedia.url("blue.mp4"), to: url)
        return url
    }
    /// The color of the video.
    static let blue = [0x20, 0x60, 0xC0]

    // MARK: requests

    /// Calls a method of the app on the bus. `arguments` are in GVariant's text format.
    @discardableResult
    func call(_ method: String, _ arguments: String..., interface: String = "org.freedesktop.Application") async throws
        -> (code: Int32, text: String)
    {
        try await bus.run(
            "gdbus",
            [
                "call", "--session", "--dest", Self.name, "--object-path", Self.path, "--method",
                "\(interface).\(method)",
            ] + arguments)
    }
    func open(_ urls: URL...) async throws -> Int32 {
        let list = urls.map { "'\($0.absoluteString)'" }.joined(separator: ", ")
        return try await call("Open", "[\(list)]", "{}").code
    }
    func activate(_ action: String, _ parameter: String = "[]") async throws {
        try await call("ActivateAction", action, parameter, "{}")
    }

    /// Runs `playerctl`, which uses MPRIS like a desktop's media controls, and returns its output.
    func ctl(_ arguments: String...) async throws -> String {
        try await bus.run("playerctl", ["-p", "io_github_zoetrope_Zoetrope"] + arguments).text
    }
    var position: Double {
        get async throws { Double(try await ctl("position")) ?? -1 }
    }

    // MARK: windows

    /// Returns the X identifiers and titles of the app's visible windows.
    func windows() throws -> [(id: String, title: String)] {
        try display.xdotool(["search", "--onlyvisible", "--class", "zoetrope"]).split(separator: "\n").compactMap {
            let id = String($0)
            let said = try display.xdotool(["getwindowname", id, "getwindowgeometry", "--shell", id])
            // Skip GTK's internal window of one pixel, which grabs the pointer during a drag.
            return said.contains("WIDTH=1\n") ? nil : (id, said.prefix { $0 != "\n" }.description)
        }
    }
    func titles() throws -> [String] { try windows().map(\.title).filter { !$0.isEmpty }.sorted() }
    func comes(
        _ expected: String? = nil, sourceLocation: SourceLocation = #_sourceLocation,
        _ isSo: @escaping @Sendable () async throws -> Bool
    ) async throws -> Bool {
        try await eventually(
            expected, seen: { "the windows \((try? titles()) ?? [])" }, sourceLocation: sourceLocation, isSo)
    }
    func shows(_ titles: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> Bool {
        let wanted = titles.sorted()
        return try await comes("the windows \(wanted)", sourceLocation: sourceLocation) { try self.titles() == wanted }
    }
    func plays(sourceLocation: SourceLocation = #_sourceLocation) async throws -> Bool {
        try await comes("Playing", sourceLocation: sourceLocation) { try await self.ctl("status") == "Playing" }
    }
    func key(_ keys: String, in title: String) throws { try display.key(keys, in: title) }
    /// Opens a dialog with keys. They are repeated, because a new window may ignore the first key press, but only long
    /// after, because a late dialog would then be opened twice.
    func dialog(_ keys: String, in title: String) async throws -> (id: String, title: String) {
        let own = try windows().map(\.id)
        @Sendable func other() throws -> (id: String, title: String)? { try windows().first { !own.contains($0.id) } }
        _ = try await comes("a dialog") {
            if try other() != nil { return true }
            try self.key(keys, in: title)
            return try Deadline(seconds: 30).poll { try other() } != nil
        }
        return try #require(try other())
    }
    /// Closes the window `title` with Ctrl+W. It repeats, because a new window may ignore the first key press.
    func closes(_ title: String) async throws -> Bool {
        try await comes {
            guard let window = try self.windows().first(where: { $0.title == title }) else { return true }
            try self.display.key("ctrl+w", window: window.id)
            for _ in 0..<40 where try self.titles().contains(title) {}
            return try !self.titles().contains(title)
        }
    }
    /// Waits for the process to end and returns its exit code. Records its output as an issue if the code is not 0.
    func ends(_ tool: ToolProcess, _ at: SourceLocation = #_sourceLocation) async -> Int32 {
        let end = await tool.finish()
        if end.code != 0 { Issue.record("exit code \(end.code): \(end.output)\(end.error)", sourceLocation: at) }
        return end.code
    }
}
