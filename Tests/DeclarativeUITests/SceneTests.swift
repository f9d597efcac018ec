import Foundation
import TestSupport
import Testing

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

/// Tests of the app's menus without a display.
@MainActor @Suite("Menus without a display", .serialized)
struct CommandMenuTests {
    private final class Window: MenuWindow {
        var isEnabled = false, changes = 0
        var menus: [MenuEntry] { [MenuEntry(title: "Full Screen", isEnabled: isEnabled, kind: .text)] }
        func menusChanged() { changes += 1 }
    }

    @Test("a window is notified when only its own menus change")
    func ownMenus() async {
        let window = Window()
        CommandMenus.add(window)
        defer { CommandMenus.remove(window) }
        CommandMenus.check()
        window.isEnabled = true
        CommandMenus.check()
        CommandMenus.check()
        // Resumes after the notifications, which were queued before.
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in OnMain.later { done.resume() } }
        #expect(window.changes == 1)
    }
}

/// Tests of an app with several scenes and menus, on a screen.
@Suite("Scenes and menus", .serialized)
struct SceneTests {
    /// `@unchecked Sendable`, because only one test at a time uses it.
    private final class Probe: @unchecked Sendable {
        let display: PrivateDisplay
        let app: AppProcess
        private var manager: ChildProcess?

        /// - Parameters:
        ///   - arguments: The arguments of the app.
        ///   - isManaged: Whether a window manager runs on the display.
        init(_ arguments: [String] = [], isManaged: Bool = false) async throws {
            display = try await PrivateDisplay.launch()
            if isManaged { manager = try await display.manageWindows() }
            app = try AppProcess("Scene", arguments, display: display)
            try await app.wait(for: "ready")
            let window = try await until { [self] in try self.display.window("^Library$") }
            try focus(try #require(window))
        }

        deinit {
            manager?.send(SIGKILL)
            display.close()
        }

        func windows(_ title: String) throws -> [String] {
            try display.xdotool(["search", "--onlyvisible", "--name", "^\(title)$"]).split(separator: "\n").map(
                String.init)
        }
        func focus(_ window: String) throws { try display.xdotool(["windowfocus", "--sync", window]) }
        func key(_ keys: String) throws { try display.xdotool(["key", keys]) }
        func size(_ window: String) throws -> [Int] {
            let lines = try display.xdotool(["getwindowgeometry", "--shell", window]).split(separator: "\n")
            return ["WIDTH=", "HEIGHT="].compactMap { key in
                lines.first { $0.hasPrefix(key) }.flatMap { Int($0.dropFirst(key.count)) }
            }
        }
        func comes(_ condition: @escaping @Sendable () throws -> Bool) async throws -> Bool {
            try await until { try condition() ? true : nil } == true
        }
        /// Waits until a window with this title has the focus. A window that opens takes the focus, so a test must wait
        /// for that before it focuses another window.
        func isInFront(_ title: String) async throws -> Bool {
            try await comes {
                guard let id = try? self.display.xdotool(["getwindowfocus"]) else { return false }
                return try self.windows(title).contains(id.trimmingCharacters(in: .whitespacesAndNewlines))
            }
        }
        func has(_ title: String, _ count: Int) async throws -> Bool {
            try await comes { try self.windows(title).count == count }
        }
    }

    @Test("minimizing a window without the focus ends in the background")
    func phase() async throws {
        let probe = try await Probe(["phase"])
        let window = try #require(try probe.windows("Library").first)
        let other = try AppProcess("Scene", display: probe.display)
        try await other.wait(for: "ready")
        #expect(try await probe.has("Library", 2))
        try probe.focus(try #require(try probe.windows("Library").first { $0 != window }))
        try await probe.app.wait(for: "phase inactive")
        // Unmapping the window has the effect of minimizing it, which needs a window manager.
        try probe.display.xdotool(["windowunmap", "--sync", window])
        try await probe.app.wait(for: "phase background")
        try probe.display.xdotool(["windowmap", "--sync", window])
        try await probe.app.wait(for: "phase inactive")
    }

    @Test("only the first scene opens at launch; openWindow(id:) opens the others")
    func byID() async throws {
        let probe = try await Probe()
        #expect(try probe.windows("Film.*").isEmpty && probe.windows("Inspector").isEmpty)
        try probe.key("ctrl+i")
        #expect(try await probe.isInFront("Inspector"))
        let library = try #require(try probe.windows("Library").first)
        try probe.focus(library)
        try probe.key("ctrl+i")
        #expect(try await probe.isInFront("Inspector"))
        try probe.focus(library)
        try probe.key("ctrl+l")
        #expect(try await probe.has("Library", 2))
        #expect(try probe.windows("Inspector").count == 1)
    }

    @Test("openWindow(value:) opens one window per value; dismissWindow closes it")
    func byValue() async throws {
        let probe = try await Probe()
        let library = try #require(try probe.windows("Library").first)
        try probe.key("ctrl+1")
        #expect(try await probe.isInFront("Film 1"))
        try probe.focus(library)
        try probe.key("ctrl+2")
        #expect(try await probe.isInFront("Film 2"))
        let (one, two) = (
            try #require(try probe.windows("Film 1").first), try #require(try probe.windows("Film 2").first)
        )
        try probe.focus(one)
        try probe.key("ctrl+s")
        try await probe.app.wait(for: "film 1 count 1")
        try probe.key("ctrl+s")
        try await probe.app.wait(for: "film 1 count 2")
        try probe.focus(two)
        try probe.key("ctrl+s")
        try await probe.app.wait(for: "film 2 count 1")
        try probe.focus(library)
        try probe.key("ctrl+1")
        #expect(try await probe.isInFront("Film 1"))
        try probe.focus(library)
        try probe.key("ctrl+e")
        #expect(try await probe.has("Film 1", 0))
        #expect(try probe.windows("Film 2") == [two])
        // `dismiss` closes a window that presents nothing.
        try probe.focus(two)
        try probe.key("alt+x")
        #expect(try await probe.has("Film 2", 0))
        // The window opens again with new state.
        try probe.focus(library)
        try probe.key("ctrl+1")
        #expect(try await probe.isInFront("Film 1"))
        try probe.key("ctrl+s")
        try await probe.app.wait(for: "film 1 count 1")
    }

    @Test("a large sheet is as high as the window below it")
    func sheet() async throws {
        let probe = try await Probe()
        try probe.key("ctrl+1")
        #expect(try await probe.isInFront("Film 1"))
        let film = try #require(try probe.windows("Film 1").first)
        let library = try #require(try probe.windows("Library").first)
        try probe.key("ctrl+j")
        #expect(try await probe.has("Above Film 1", 1))
        let sheet = try #require(try probe.windows("Above Film 1").first)
        #expect(try await probe.comes { try probe.size(sheet)[1] == probe.size(film)[1] })
        #expect(try probe.size(film)[1] != probe.size(library)[1])
    }

    @Test("dismissWindow(id:) closes a scene's windows and logs an unknown id")
    func dismissed() async throws {
        let probe = try await Probe()
        let library = try #require(try probe.windows("Library").first)
        try probe.key("ctrl+i")
        #expect(try await probe.isInFront("Inspector"))
        try probe.focus(library)
        try probe.key("ctrl+u")
        try probe.key("ctrl+d")
        try await probe.app.wait(for: "inspector gone")
        #expect(try await probe.has("Inspector", 0))
        #expect(
            try await probe.comes { probe.app.errors.contains("attic") && probe.app.errors.contains("“inspector”") })
        #expect(!probe.app.errors.contains("CRITICAL"), "\(probe.app.errors)")
    }

    @Test("windowResizability(.contentSize) fixes a window whose content has one size")
    func resizability() async throws {
        let probe = try await Probe()
        try probe.key("ctrl+i")
        #expect(try await probe.has("Inspector", 1))
        let window = try #require(try probe.windows("Inspector").first)
        #expect(
            try await probe.comes {
                let hints = try probe.display.run("xprop", ["-id", window, "WM_NORMAL_HINTS"])
                let size = try probe.size(window)
                return hints.contains("maximum size: \(size[0]) by \(size[1])") && size[0] == 240
            })
        let library = try #require(try probe.windows("Library").first)
        #expect(try !probe.display.run("xprop", ["-id", library, "WM_NORMAL_HINTS"]).contains("maximum size: 4"))
    }

    /// Also: a window whose content is as large as the screen can shrink.
    @Test("in the phone style, the screen is as large as the window")
    func phoneScreen() async throws {
        let probe = try await Probe()
        try probe.key("ctrl+b")
        try await probe.app.wait(for: "screen 300 400")
        #expect(try await probe.has("Phone", 1))
        let window = try #require(try probe.windows("Phone").first)
        for (width, height) in [(500, 450), (320, 300)] {
            try probe.display.xdotool(["windowsize", window, "\(width)", "\(height)"])
            try await probe.app.wait(for: "screen \(width) \(height)")
        }
        #expect(!probe.app.errors.contains("CRITICAL"), "\(probe.app.errors)")
    }

    @Test("in the phone style, dismiss does not close the only window", arguments: ["ctrl+j", "ctrl+b"])
    func phoneDismiss(key: String) async throws {
        let isOnly = key == "ctrl+j"
        let probe = try await Probe()
        try probe.key(key)
        #expect(try await probe.isInFront("Phone"))
        if isOnly { #expect(try await probe.has("Library", 0)) }
        try probe.key("ctrl+k")
        try await probe.app.wait(for: "dismissed")
        guard isOnly else {
            #expect(try await probe.has("Phone", 0))
            return
        }
        try probe.key("ctrl+k")
        try await probe.app.wait(for: "dismissed")
        #expect(try await probe.has("Phone", 1))
    }

    @Test("an app continues when its last window closes while another opens")
    func lastCloses() async throws {
        let probe = try await Probe()
        try probe.key("ctrl+g")
        #expect(try await probe.isInFront("Inspector"))
        #expect(try await probe.has("Library", 0))
        try probe.key("ctrl+p")
        try await probe.app.wait(for: "plays 1")
    }

    @Test("a scene's title and resizability follow the app's state")
    func followed() async throws {
        let probe = try await Probe()
        try probe.key("ctrl+h")
        #expect(try await probe.isInFront("Deck 0"))
        try probe.key("ctrl+p")
        #expect(try await probe.has("Deck 1", 1))
        let deck = try #require(try probe.windows("Deck 1").first)
        @Sendable func isFixed() throws -> Bool {
            try probe.display.run("xprop", ["-id", deck, "WM_NORMAL_HINTS"]).contains("maximum size: 240 by")
        }
        #expect(try await probe.comes { try isFixed() })
        try probe.key("ctrl+f")
        #expect(try await probe.comes { try !isFixed() })
        try probe.key("ctrl+f")
        #expect(try await probe.comes { try isFixed() })
    }

    @Test("menu shortcuts work with any focus, only while enabled")
    func shortcuts() async throws {
        let probe = try await Probe()
        try probe.key("ctrl+shift+r")
        try probe.key("ctrl+p")
        try await probe.app.wait(for: "plays 1")
        #expect(!probe.app.lines.contains("rewind"))
        try probe.key("ctrl+y")
        try await probe.app.wait(for: "typing")
        try probe.key("a")
        try await probe.app.wait(for: "text a")
        try probe.key("ctrl+p")
        try await probe.app.wait(for: "plays 2")
        try probe.key("ctrl+shift+r")
        try await probe.app.wait(for: "rewind")
        try probe.key("ctrl+o")
        try await probe.app.wait(for: "open")
        try probe.key("ctrl+m")
        try await probe.app.wait(for: "loud true")
        try probe.key("ctrl+m")
        try await probe.app.wait(for: "loud false")
        // The app's commands that replace the group of Quit work, in another window too.
        try probe.key("ctrl+q")
        try await probe.app.wait(for: "leave")
        try probe.key("ctrl+2")
        #expect(try await probe.isInFront("Film 2"))
        try probe.key("ctrl+p")
        try await probe.app.wait(for: "plays 3")
        // Every app has New Window and Close Window.
        try probe.key("ctrl+n")
        #expect(try await probe.isInFront("Library"))
        #expect(try probe.windows("Library").count == 2)
        try probe.focus(try #require(try probe.windows("Film 2").first))
        try probe.key("ctrl+w")
        #expect(try await probe.has("Film 2", 0))
    }

    @Test("a command reads the focused value of the front window")
    func focusedValue() async throws {
        let probe = try await Probe()
        let library = try #require(try probe.windows("Library").first)
        try probe.key("ctrl+1")
        #expect(try await probe.isInFront("Film 1"))
        try probe.focus(library)
        try probe.key("ctrl+2")
        #expect(try await probe.isInFront("Film 2"))
        for (title, film) in [("Film 1", 1), ("Film 2", 2), ("Film 1", 1)] {
            try probe.focus(try #require(try probe.windows(title).first))
            // Repeat the key until the menus have updated to the focused window.
            #expect(
                try await probe.comes {
                    try probe.key("ctrl+k")
                    return probe.app.lines.last == "front film \(film)"
                })
        }
        try probe.focus(library)
        try probe.key("ctrl+p")
        try await probe.app.wait(for: "plays 1")
        let told = probe.app.lines.count
        try probe.key("ctrl+k")
        try probe.key("ctrl+p")
        try await probe.app.wait(for: "plays 2")
        #expect(!probe.app.lines.dropFirst(told).contains { $0.hasPrefix("front film") })
    }

    @Test("the menu bar is at the top and its entries work")
    func menuBar() async throws {
        let probe = try await Probe()
        _ = try await probe.display.settled { !$0.isBlack }
        // File is the first menu and New Window its first entry. An open menu is a window with the program's name. A
        // second click on a menu that opens late would close it, so the next click comes long after.
        #expect(
            try await probe.comes {
                if try probe.windows("Library").count >= 2 { return true }
                let isOpen = try !probe.windows("Probes").isEmpty
                try probe.display.xdotool(
                    isOpen ? ["mousemove", "60", "44", "click", "1"] : ["mousemove", "18", "12", "click", "1"])
                let isDone: Bool? = try Deadline(seconds: 20).poll {
                    if try probe.windows("Library").count >= 2 { return true }
                    return try isOpen || probe.windows("Probes").isEmpty ? nil : false
                }
                return isDone == true
            })
    }

    @Test("assistive technology finds the menu bar's menus by name")
    func spoken() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let output = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-menus-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: output) }
        let code = try await offPool {
            try ChildProcess(
                "dbus-run-session",
                [
                    "--", Repository.fixture("atspi-dump"), "Playback",
                ] + Programs.command("Scene"), environment: display.environment, output: output.path
            ).wait()
        }
        let heard = try String(contentsOf: output, encoding: .utf8)
        #expect(code == 0, "\(heard)")
        for name in ["File", "View", "Playback", "Film"] { #expect(heard.contains("\t\(name)"), "\(name) in \(heard)") }
        #expect(!heard.contains("\tEdit") && !heard.contains("\tHelp"))
    }

    @Test(
        "F11, Escape and NSApp.keyWindow control full screen where allowed",
        arguments: [false, true])
    func fullScreen(_ isManaged: Bool) async throws {
        let probe = try await Probe(isManaged: isManaged)
        let library = try #require(try probe.windows("Library").first)
        let size = try probe.size(library)
        func is_(_ wanted: [Int]) async throws -> Bool { try await probe.comes { try probe.size(library) == wanted } }
        for back in ["F11", "Escape"] {
            try probe.key("F11")
            #expect(try await is_([1280, 800]))
            try probe.key(back)
            #expect(try await is_(size), "\(back)")
        }
        try probe.key("ctrl+t")
        #expect(try await is_([1280, 800]))
        try probe.key("ctrl+t")
        #expect(try await is_(size))
        try probe.key("ctrl+i")
        #expect(try await probe.has("Inspector", 1))
        let inspector = try #require(try probe.windows("Inspector").first)
        try probe.focus(inspector)
        let small = try probe.size(inspector)
        try probe.key("F11")
        try probe.key("ctrl+p")
        try await probe.app.wait(for: "plays 1")
        #expect(try probe.size(inspector) == small)
    }
}
