import Foundation
import TestSupport
import Testing

/// Tests of the app's accessibility, and of its log.
@Suite("Accessibility of the app", .serialized)
struct AppAccessTests {
    /// Returns the buttons that have neither a name nor a description.
    private func nameless(_ told: [AppRig.Told]) -> [AppRig.Told] {
        told.filter { $0.role.contains("button") && $0.name.isEmpty && $0.description.isEmpty }
    }

    @Test("every page's buttons and playlist rows have accessible names")
    func pages() async throws {
        let rig = try await AppRig()
        try rig.left(showsList: true)
        let film = try rig.film("one.mp4")
        let bad = rig.home.appendingPathComponent("bad.mp4")
        try Data("no film".utf8).write(to: bad)
        let app = try rig.start(environment: AppRig.toldOf)
        #expect(try await rig.shows("Zoetrope"))
        func has(_ words: String...) async throws {
            for word in words { #expect(try await rig.isTold(word, by: app), "\(word)") }
            let silent = nameless(try await rig.told(app))
            #expect(silent.isEmpty, "\(silent)")
        }
        try await has("Open…", "Open URL…", "Main Menu", "Playlist", "Add to Playlist…", "Drop videos")
        expectEqual(try await rig.open(bad), 0)
        try await has("Can’t Play “bad.mp4”", "Retry", "Open Another File…", "Copy Details")
        expectEqual(try await rig.open(film), 0)
        #expect(try await rig.shows("bad.mp4", "one.mp4"))
        #expect(try await rig.closes("bad.mp4"))
        try await has("one.mp4")
        let rows = try await rig.told(app).filter { $0.role == "list item" }
        #expect(rows.contains { $0.name.contains("one.mp4") }, "\(rows)")
        try rig.key("ctrl+q", in: "one.mp4")
        #expect(await rig.ends(app) == 0)
    }

    @Test("the About window has the app's icon, even if nothing is installed")
    func icon() async throws {
        let rig = try await AppRig()
        let app = try rig.start()
        #expect(try await rig.shows("Zoetrope"))
        /// Whether the screenshot shows the band of the app's icon, whose color nothing else here has.
        let isBand: @Sendable (Screenshot) -> Bool = { shot in
            (0..<600).contains { x in (50..<300).contains { shot.isNear(x, $0, [255, 196, 98], within: 8) } }
        }
        #expect(try !isBand(rig.display.screenshot()))
        let own = try rig.windows().map(\.id)
        try await rig.activate("about")
        #expect(try await rig.comes { try isBand(rig.display.screenshot()) })
        #expect(
            try await rig.comes {
                // Repeated, because a new window may ignore the first key press.
                guard let about = try rig.windows().first(where: { !own.contains($0.id) }) else { return true }
                try rig.display.key("Escape", window: about.id)
                return false
            })
        try rig.key("ctrl+q", in: "Zoetrope")
        #expect(await rig.ends(app) == 0)
    }

    @Test("pages, dialogs and menus cause no GTK warnings")
    func silence() async throws {
        let rig = try await AppRig()
        let films = [try rig.film("one.mp4").path, try rig.film("two.mp4").path]
        let app = try rig.start()
        #expect(try await rig.shows("Zoetrope"))
        let own = try #require(try rig.windows().first?.id)
        for action in ["shortcuts", "about", "open", "open-address"] {
            try await rig.activate(action)
            #expect(try await rig.comes { try rig.windows().count == 2 }, "\(action)")
            #expect(
                try await rig.comes {
                    guard let other = try rig.windows().first(where: { $0.id != own }) else { return true }
                    try rig.display.key("Escape", window: other.id)
                    return false
                }, "\(action)")
        }
        try rig.key("F10", in: "Zoetrope")
        try rig.display.xdotool(["key", "--delay", "100", "Down", "Down", "Escape"])
        try rig.key("F9", in: "Zoetrope")
        _ = try await rig.open(URL(fileURLWithPath: films[0]), URL(fileURLWithPath: films[1]))
        #expect(try await rig.shows("one.mp4 (1/2)"))
        #expect(try await rig.plays())
        try rig.display.xdotool(["mousemove", "300", "300", "mousemove", "310", "310"])
        for key in ["question", "question", "i", "i", "Menu", "Escape", "F8", "9", "o"] {
            try rig.key(key, in: "one.mp4")
        }
        // Make the window as small as possible.
        let window = try #require(try rig.display.window("one.mp4"))
        let hints = try rig.display.run("xprop", ["-id", window, "WM_NORMAL_HINTS"])
        let least = try #require(hints.firstMatch(of: /minimum size: (\d+) by (\d+)/))
        try rig.display.xdotool(["windowsize", "--sync", window, String(least.1), String(least.2)])
        try rig.key("o", in: "one.mp4")
        let bad = rig.home.appendingPathComponent("bad.mp4")
        try Data("no film".utf8).write(to: bad)
        _ = try await rig.open(bad)
        #expect(try await rig.shows("bad.mp4", "one.mp4 (1/2)"))
        try rig.key("ctrl+q", in: "bad.mp4")
        _ = await offTime { app.child.wait() }
        let complaints = app.errors.split(separator: "\n").filter {
            $0.contains("CRITICAL") || $0.contains("WARNING")
        }
        #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))")
        #expect(await rig.ends(app) == 0)
    }
    private func offTime(_ body: @escaping @Sendable () -> Int32) async -> Int32 {
        await Task.detached { body() }.value
    }
}
