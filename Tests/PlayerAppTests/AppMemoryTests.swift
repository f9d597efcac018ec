import Foundation
import TestSupport
import Testing

/// Tests of the state that the app restores when it starts.
@Suite("State that the app keeps between runs", .serialized)
struct AppMemoryTests {
    private func size(_ rig: AppRig, _ title: String) throws -> [Int] {
        guard let window = try rig.display.window(title) else { return [] }
        let words = try rig.display.xdotool(["getwindowgeometry", "--shell", window]).split(separator: "\n")
        return ["WIDTH=", "HEIGHT="].compactMap { key in
            words.first { $0.hasPrefix(key) }.flatMap { Int($0.dropFirst(key.count)) }
        }
    }

    @Test("the window opens at the size of the last closed window")
    func size() async throws {
        let rig = try await AppRig()
        let first = try rig.start()
        #expect(try await rig.shows("Zoetrope"))
        let window = try #require(try rig.display.window("Zoetrope"))
        try rig.display.xdotool(["windowsize", "--sync", window, "731", "517"])
        #expect(try await rig.comes { try size(rig, "Zoetrope") == [731, 517] })
        // GTK uses the size in its next frame, in which the title moves to the new center.
        #expect(
            try await rig.comes {
                let shot = try rig.display.screenshot()
                return (335..<395).contains { x in (20..<34).contains { y in (shot.color(x, y).max() ?? 255) < 100 } }
            })
        #expect(try await rig.closes("Zoetrope"))
        #expect(await rig.ends(first) == 0)
        // Without a compositor GTK draws a frame around the window. The window must not shrink by that frame at each
        // start.
        for _ in 0..<3 {
            let next = try rig.start()
            let isSame = try await rig.comes {
                let seen = try size(rig, "Zoetrope")
                return seen.count == 2 && abs(seen[0] - 731) <= 1 && abs(seen[1] - 517) <= 1
            }
            let seen = try size(rig, "Zoetrope")
            #expect(isSame, "\(seen)")
            try rig.key("ctrl+q", in: "Zoetrope")
            #expect(await rig.ends(next) == 0)
        }
    }

    @Test("a video resumes at its last position only while resuming is on")
    func place() async throws {
        let rig = try await AppRig()
        let film = try rig.film("one.mp4")
        func run(_ body: () async throws -> Void) async throws {
            let app = try rig.start(film.path)
            #expect(try await rig.shows("one.mp4"))
            #expect(try await rig.plays())
            try await body()
            #expect(try await rig.closes("one.mp4"))
            #expect(await rig.ends(app) == 0)
        }
        try await run {
            _ = try await rig.ctl("position", "30")
            #expect(try await rig.comes { try await rig.position >= 30 })
        }
        #expect(!FileManager.default.fileExists(atPath: rig.positionsFile.path))
        try await run {
            #expect(try await rig.position < 20)
            try await rig.activate("resume")
            _ = try await rig.ctl("position", "40")
            #expect(try await rig.comes { try await rig.position >= 40 })
        }
        try await run {
            let goesOn = try await rig.comes { try await rig.position >= 40 }
            #expect(goesOn)
        }
        try await run {
            #expect(try await rig.comes { try await rig.position >= 40 })
            // When the user disables the option, the stored position is deleted.
            try await rig.activate("resume")
            #expect(
                try await rig.comes {
                    // The file's name must be neither in the database nor in its write-ahead log.
                    try ["", "-wal"].allSatisfy { suffix in
                        let part = URL(fileURLWithPath: rig.positionsFile.path + suffix)
                        let isThere = FileManager.default.fileExists(atPath: part.path)
                        return try !isThere || Data(contentsOf: part).range(of: Data("one.mp4".utf8)) == nil
                    }
                })
        }
        try await run {
            let place = try await rig.position
            #expect(place < 20)
        }
    }

    @Test("keys and the desktop's Next button resume videos of the playlist")
    func playlist() async throws {
        let rig = try await AppRig()
        let films = [try rig.film("one.mp4").path, try rig.film("two.mp4").path]
        let app = try rig.start(films[0], films[1])
        #expect(try await rig.shows("one.mp4 (1/2)"))
        #expect(try await rig.plays())
        try await rig.activate("resume")
        try rig.key("greater", in: "one.mp4")
        #expect(try await rig.shows("two.mp4 (2/2)"))
        // Repeated, because a position for the previous video, or for one that is not open yet, has no effect.
        #expect(
            try await rig.comes {
                _ = try await rig.ctl("position", "40")
                return try await rig.position >= 40
            })
        /// Whether the desktop's Next button is enabled. That may be later than the title changes.
        @Sendable func canGoNext() async throws -> Bool {
            try await rig.bus.run(
                "gdbus",
                [
                    "call", "--session", "--dest", "org.mpris.MediaPlayer2.io_github_zoetrope_Zoetrope",
                    "--object-path", "/org/mpris/MediaPlayer2", "--method", "org.freedesktop.DBus.Properties.Get",
                    "org.mpris.MediaPlayer2.Player", "CanGoNext",
                ]
            ).text == "(<true>,)"
        }
        for nextKey in ["greater", nil] {
            try rig.key("less", in: "two.mp4")
            #expect(try await rig.shows("one.mp4 (1/2)"))
            if let nextKey {
                try rig.key(nextKey, in: "one.mp4")
            } else {
                #expect(try await rig.comes("the Next button") { try await canGoNext() })
                _ = try await rig.ctl("next")
            }
            #expect(try await rig.shows("two.mp4 (2/2)"))
            #expect(try await rig.comes { try await rig.position >= 40 }, "\(nextKey ?? "Next")")
        }
        #expect(try await rig.closes("two.mp4 (2/2)"))
        #expect(await rig.ends(app) == 0)
        let again = try rig.start(films[1])
        #expect(try await rig.shows("two.mp4"))
        #expect(try await rig.comes { try await rig.position >= 40 })
        #expect(try await rig.closes("two.mp4"))
        #expect(await rig.ends(again) == 0)
    }

    @Test("a damaged state or preferences file is set aside at launch")
    func broken() async throws {
        let rig = try await AppRig()
        for file in [rig.stateFile, rig.preferencesFile] {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("{\"size\": [".utf8).write(to: file)
        }
        let app = try rig.start()
        #expect(try await rig.shows("Zoetrope"))
        try rig.key("ctrl+q", in: "Zoetrope")
        #expect(await rig.ends(app) == 0)
        for file in [rig.stateFile, rig.preferencesFile] {
            let aside = try String(contentsOf: file.appendingPathExtension("broken"), encoding: .utf8)
            #expect(aside == "{\"size\": [")
        }
    }

    @Test("an opened file appears in the desktop's and the app's recent files")
    func recent() async throws {
        let rig = try await AppRig()
        let film = try rig.film("one.mp4")
        let app = try rig.start(film.path)
        #expect(try await rig.shows("one.mp4"))
        #expect(try await rig.closes("one.mp4"))
        #expect(await rig.ends(app) == 0)
        let list = rig.home.appendingPathComponent("data/recently-used.xbel")
        let text = try String(contentsOf: list, encoding: .utf8)
        #expect(text.contains(film.absoluteString) && text.contains("video/mp4") && text.contains("zoetrope app %u"))
        let again = try rig.start()
        #expect(try await rig.shows("Zoetrope"))
        // The card shows a frame of the video.
        #expect(
            try await rig.comes {
                let shot = try rig.display.screenshot()
                return (100..<780).contains { x in
                    (300..<600).contains { y in
                        y % 8 == 0 && x % 8 == 0 && shot.isNear(x, y, AppRig.blue, within: 24)
                    }
                }
            })
        try rig.key("ctrl+q", in: "Zoetrope")
        #expect(await rig.ends(again) == 0)
    }

    @Test("dark and light follow the portal until the user chooses a scheme")
    func scheme() async throws {
        let rig = try await AppRig()
        let portal = try await DBusMock(
            "org.freedesktop.portal.Desktop", at: "/org/freedesktop/portal/desktop",
            interface: "org.freedesktop.portal.Settings", on: rig.bus)
        try await portal.add(
            "Read", takes: "ss", gives: "v",
            "ret = dbus.UInt32(1, variant_level=2) if args[1] == 'color-scheme' else dbus.UInt32(0, variant_level=2)")
        let app = try rig.start()
        #expect(try await rig.shows("Zoetrope"))
        @Sendable func isDark() throws -> Bool { (try rig.display.screenshot().color(20, 300).max() ?? 255) < 90 }
        @Sendable func isLight() throws -> Bool { (try rig.display.screenshot().color(20, 300).min() ?? 0) > 200 }
        #expect(try await rig.comes { try isDark() })
        try await portal.emit(
            "SettingChanged", of: "org.freedesktop.portal.Settings", at: "/org/freedesktop/portal/desktop", "ssv",
            "[<'org.freedesktop.appearance'>, <'color-scheme'>, <<uint32 2>>]")
        #expect(try await rig.comes { try isLight() })
        try await rig.activate("scheme", "[<'dark'>]")
        #expect(try await rig.comes { try isDark() })
        try await rig.activate("scheme", "[<'no such'>]")
        try rig.key("ctrl+q", in: "Zoetrope")
        #expect(await rig.ends(app) == 0)
        #expect(try String(contentsOf: rig.preferencesFile, encoding: .utf8).contains("\"dark\""))
    }
}
