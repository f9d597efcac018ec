import Foundation
import TestSupport
import Testing

/// Tests that open a file or URL in a window that already plays something.
@Suite("Opening files in place of the current one", .serialized)
struct AppOpeningTests {
    private func recent(_ rig: AppRig) -> String {
        (try? String(contentsOf: rig.home.appendingPathComponent("data/recently-used.xbel"), encoding: .utf8)) ?? ""
    }

    /// Types `address` into the dialog that Ctrl+L opens.
    private func type(_ address: String, _ rig: AppRig, in title: String) async throws {
        let dialog = try await rig.dialog("ctrl+l", in: title).id
        try rig.display.xdotool(["windowfocus", "--sync", dialog])
        try rig.display.xdotool(["key", "ctrl+a"])
        try rig.display.xdotool(["type", "--delay", "10", address])
        try rig.display.xdotool(["key", "Return"])
    }

    @Test("a URL or file that fails is reported, and playback continues")
    func failure() async throws {
        let rig = try await AppRig()
        let (one, two) = (try rig.film("one.mp4"), try rig.film("two.mp4"))
        let bad = rig.home.appendingPathComponent("bad.mp4")
        try Data("no film".utf8).write(to: bad)
        try rig.left(showsList: false)
        let app = try rig.start(one.path, two.path, environment: AppRig.toldOf)
        #expect(try await rig.shows("one.mp4 (1/2)"))
        #expect(try await rig.plays())
        for (address, name) in [
            ("http://127.0.0.1:9/nowhere.mp4", "nowhere.mp4"), (bad.path, "bad.mp4"),
            (rig.home.appendingPathComponent("missing.mp4").path, "missing.mp4"),
        ] {
            let before = try await rig.position
            try await type(address, rig, in: "one.mp4")
            #expect(try await rig.isTold("Can’t Play “\(name)”", by: app))
            #expect(try rig.titles().contains("one.mp4 (1/2)"))
            #expect(try await rig.position >= before)
            expectEqual(try await rig.ctl("status"), "Playing")
            // Escape closes the dialog, which stays open so that the user can correct the text.
            let own = try #require(try rig.display.window("one.mp4"))
            #expect(
                try await rig.comes {
                    guard let dialog = try rig.windows().first(where: { $0.id != own }) else { return true }
                    try rig.display.key("Escape", window: dialog.id)
                    return false
                })
            #expect(!recent(rig).contains(name), "\(recent(rig))")
        }
        try rig.key("alt+Right", in: "one.mp4")
        #expect(try await rig.shows("two.mp4 (2/2)"))
        try rig.key("ctrl+q", in: "two.mp4")
        #expect(await rig.ends(app) == 0)
        #expect(recent(rig).contains("one.mp4"))
    }

    @Test("a URL that plays replaces the list and becomes a recent file")
    func success() async throws {
        let rig = try await AppRig()
        let (one, two) = (try rig.film("one.mp4"), try rig.film("two.mp4"))
        let server = try StreamServer(root: rig.home)
        try rig.left(showsList: false)
        let app = try rig.start(one.path)
        #expect(try await rig.shows("one.mp4"))
        #expect(try await rig.plays())
        try await type(server.url(for: "two.mp4").absoluteString, rig, in: "one.mp4")
        #expect(try await rig.shows("two.mp4"))
        #expect(try await rig.plays())
        #expect(try await rig.comes { recent(rig).contains(server.url(for: "two.mp4").absoluteString) })
        #expect(!recent(rig).contains(two.absoluteString))
        try rig.key("ctrl+q", in: "two.mp4")
        #expect(await rig.ends(app) == 0)
    }

    @Test("a file on a server is requested only once", arguments: [true, false])
    func single(_ isTyped: Bool) async throws {
        let rig = try await AppRig()
        let one = try rig.film("one.mp4")
        let folder = rig.home.appendingPathComponent("served")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let two = folder.appendingPathComponent("two.mp4")
        let code = try await offPool {
            try ChildProcess(
                "ffmpeg",
                ["-v", "error", "-nostdin", "-y", "-i", one.path, "-c", "copy", "-movflags", "+faststart", two.path]
            ).wait(seconds: 60)
        }
        try #require(code == 0)
        let server = try StreamServer(root: folder)
        try rig.left(showsList: false)
        let address = server.url(for: "two.mp4").absoluteString
        let app = isTyped ? try rig.start(one.path) : try rig.start(address)
        if isTyped {
            #expect(try await rig.shows("one.mp4"))
            #expect(try await rig.plays())
            try await type(address, rig, in: "one.mp4")
        }
        #expect(try await rig.shows("two.mp4"))
        #expect(try await rig.plays())
        // The pointer shows the controls, which read the tracks and variants. This must not cause a second request.
        #expect(
            try await rig.comes {
                try rig.display.xdotool(["mousemove", "\(250 + Int.random(in: 0...3))", "250"])
                return try await rig.position > 2
            })
        #expect(server.requests("two.mp4").count == 1, "\(server.requests.map(\.path))")
        try rig.key("ctrl+q", in: "two.mp4")
        #expect(await rig.ends(app) == 0)
    }

    @Test(
        "a channel list named like a stream plays, however it is opened",
        arguments: ["typed", "typed first", "argument", "bus"])
    func channels(_ way: String) async throws {
        let rig = try await AppRig()
        let one = try rig.film("one.mp4")
        for name in ["first.mp4", "second.mp4"] { _ = try rig.film(name) }
        let server = try StreamServer(root: rig.home)
        try Data(
            "#EXTM3U\n#EXTINF:-1 tvg-id=\"x\",First\nfirst.mp4\n#EXTINF:-1,Second\n\(server.url(for: "second.mp4"))\n"
                .utf8
        ).write(to: rig.home.appendingPathComponent("iptv.m3u8"))
        let list = server.url(for: "iptv.m3u8")
        try rig.left(showsList: false)
        let app =
            switch way {
            case "argument": try rig.start(list.absoluteString)
            case "typed first": try rig.start()
            default: try rig.start(one.path)
            }
        switch way {
        case "typed":
            #expect(try await rig.shows("one.mp4"))
            #expect(try await rig.plays())
            try await type(list.absoluteString, rig, in: "one.mp4")
        case "typed first":
            #expect(try await rig.shows("Zoetrope"))
            try await type(list.absoluteString, rig, in: "Zoetrope")
        case "bus":
            #expect(try await rig.shows("one.mp4"))
            #expect(try await rig.plays())
            expectEqual(try await rig.open(list), 0)
        default: break
        }
        #expect(try await rig.comes { try rig.titles().contains("First (1/2)") }, "\(app.errors)")
        #expect(try await rig.plays())
        #expect(try await rig.comes { recent(rig).contains(list.absoluteString) }, "\(recent(rig))")
        try rig.key("alt+Right", in: "First")
        #expect(try await rig.comes { try rig.titles().contains("Second (2/2)") })
        try await rig.activate("quit")
        #expect(await rig.ends(app) == 0)
    }

    @Test("a file that fails at launch does not become a recent file")
    func recentAtStart() async throws {
        let rig = try await AppRig()
        let folder = rig.home.appendingPathComponent("films")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        _ = try rig.film("films/good.mp4")
        let bad = rig.home.appendingPathComponent("bad.mp4")
        try Data("no film".utf8).write(to: bad)
        let app = try rig.start(bad.path, folder.path)
        #expect(try await rig.shows("good.mp4 (2/2)"))
        #expect(try await rig.plays())
        try rig.key("ctrl+q", in: "good.mp4")
        #expect(await rig.ends(app) == 0)
        // A folder is in the recent files under the name with which it was opened.
        #expect(recent(rig).contains("/films\"") || recent(rig).contains("/films/\""), "\(recent(rig))")
        #expect(!recent(rig).contains("bad.mp4"))
    }
}
