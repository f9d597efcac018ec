import Foundation
import Synchronization
import TestSupport
import Testing

/// Tests of the desktop app with a real session bus and real windows.
@Suite("The app on a desktop", .serialized)
struct AppTests {
    @Test("each file opened through the bus has one window of its own")
    func opensByBus() async throws {
        let rig = try await AppRig()
        let (one, two) = (try rig.film("one.mp4"), try rig.film("two.mp4"))
        let app = try rig.start()
        #expect(try await rig.shows("Zoetrope"))
        expectEqual(try await rig.open(one), 0)
        // The file opens in the window that was empty.
        #expect(try await rig.shows("one.mp4"))
        #expect(try await rig.plays())
        #expect(
            try await rig.comes { (try rig.display.screenshot()).isNear(300, 250, AppRig.blue, within: 24) })
        expectEqual(try await rig.open(one), 0)
        expectEqual(try await rig.open(two), 0)
        // Requests are handled in order.
        #expect(try await rig.shows("one.mp4", "two.mp4"))
        expectEqual(try await rig.open(one), 0)
        // A second process passes its file to the running app and ends.
        let again = try rig.start(two.path)
        #expect(await rig.ends(again) == 0)
        #expect(try rig.titles() == ["one.mp4", "two.mp4"])
        let more = try rig.start("--new-window")
        #expect(await rig.ends(more) == 0)
        #expect(try await rig.shows("Zoetrope", "one.mp4", "two.mp4"))
        #expect(try await rig.closes("Zoetrope"))
        #expect(try await rig.closes("two.mp4"))
        #expect(try await rig.shows("one.mp4"))
        #expect(app.child.exitCode == nil, "\(app.errors.suffix(2000))")
        #expect(try await rig.closes("one.mp4"))
        #expect(await rig.ends(app) == 0)
        #expect(!app.errors.contains("CRITICAL"), "\(app.errors)")
    }

    @Test("files, folders and lists become one playlist, navigated with keys")
    func lists() async throws {
        let rig = try await AppRig()
        for name in ["films/part 10.mp4", "films/part 2.mp4"] {
            try FileManager.default.createDirectory(
                at: rig.home.appendingPathComponent("films"), withIntermediateDirectories: true)
            _ = try rig.film(name)
        }
        let last = try rig.film("last.mp4")
        let list = rig.home.appendingPathComponent("all.m3u")
        try Data("films/part 2.mp4\n\(last.path)\n".utf8).write(to: list)
        let app = try rig.start(rig.home.appendingPathComponent("films").path, list.path)
        #expect(try await rig.shows("part 2.mp4 (1/4)"))
        // A window that is not drawn yet may ignore keys.
        #expect(try await rig.plays())
        for title in ["part 10.mp4 (2/4)", "part 2.mp4 (3/4)", "last.mp4 (4/4)"] {
            try rig.key("alt+Right", in: "mp4")
            #expect(try await rig.shows(title))
        }
        try rig.key("alt+Left", in: "last.mp4")
        #expect(try await rig.shows("part 2.mp4 (3/4)"))
        // The key works as in `zoetrope play`.
        try rig.key("less", in: "part 2.mp4")
        #expect(try await rig.shows("part 10.mp4 (2/4)"))
        try rig.key("ctrl+q", in: "part 10.mp4")
        #expect(await rig.ends(app) == 0)
    }

    @Test("a window opens before the server returns its playlist")
    func listOnServer() async throws {
        let rig = try await AppRig()
        for name in ["a.mp4", "b.mp4"] { _ = try rig.film(name) }
        let server = try StreamServer(root: rig.home)
        let answers = Answers()
        server.serve("list.m3u") { _, context in
            try context.wait(seconds: Deadline.seconds) { answers.isLetGo }
            return .text("#EXTM3U\n#EXTINF:40,First\na.mp4\nb.mp4\n", type: "audio/x-mpegurl")
        }
        let app = try rig.start(server.url(for: "list.m3u").absoluteString)
        #expect(try await rig.shows("Zoetrope"))
        answers.letGo()
        server.wake()
        #expect(try await rig.shows("First (1/2)"))
        #expect(try await rig.plays())
        try rig.key("alt+Right", in: "First")
        #expect(try await rig.shows("b.mp4 (2/2)"))
        #expect(try await rig.plays())
        try rig.key("ctrl+q", in: "b.mp4")
        #expect(await rig.ends(app) == 0)
    }

    @Test("without a bus the app runs alone; without a display it fails")
    func alone() async throws {
        let rig = try await AppRig()
        let film = try rig.film("one.mp4")
        let app = try rig.start(film.path, environment: ["DBUS_SESSION_BUS_ADDRESS": "disabled:"])
        #expect(try await rig.shows("one.mp4"))
        #expect(try await rig.closes("one.mp4"))
        #expect(await rig.ends(app) == 0)
        let blind = try await ToolProcess.run(["app", film.path], environment: rig.environment)
        #expect(blind.code == 1 && blind.error.contains("display"), "\(blind.error)")
    }

    @Test("the bus starts the app on demand; it exits with its window")
    func isStarted() async throws {
        let rig = try await AppRig()
        let film = try rig.film("one.mp4")
        let services = rig.home.appendingPathComponent("services")
        try FileManager.default.createDirectory(at: services, withIntermediateDirectories: true)
        try Data(
            """
            [D-BUS Service]
            Name=\(AppRig.name)
            Exec="\(ToolProcess.executable)" app --gapplication-service

            """.utf8
        ).write(to: services.appendingPathComponent(AppRig.name + ".service"))
        let socket = rig.home.path + "/activating"
        let configuration = rig.home.appendingPathComponent("bus.conf")
        try Data(
            """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>unix:path=\(socket)</listen>
              <servicedir>\(services.path)</servicedir>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
              </policy>
            </busconfig>
            """.utf8
        ).write(to: configuration)
        // Programs that the bus starts inherit this environment.
        let environment = rig.display.environment.merging(rig.environment) { $1 }
            .merging(["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(socket)"]) { $1 }
        let said = rig.home.path + "/address"
        let daemon = try ChildProcess(
            "dbus-daemon",
            ["--config-file=\(configuration.path)", "--nofork", "--nopidfile", "--print-address=1"],
            environment: environment, output: said)
        defer { daemon.send(SIGTERM) }
        #expect(try await rig.comes { !ChildProcess.wholeLines(of: URL(fileURLWithPath: said)).isEmpty })
        func gdbus(_ arguments: String...) async throws -> Int32 {
            try await offPool { try ChildProcess("gdbus", arguments, environment: environment).wait() }
        }
        let code = try await gdbus(
            "call", "--session", "--dest", AppRig.name, "--object-path", AppRig.path, "--method",
            "org.freedesktop.Application.Open", "['\(film.absoluteString)']", "{}")
        #expect(code == 0)
        #expect(try await rig.shows("one.mp4"))
        #expect(
            try await rig.comes { (try rig.display.screenshot()).isNear(180, 90, AppRig.blue, within: 24) })
        #expect(try await rig.closes("one.mp4"))
        // When the process ends, its name disappears from the bus.
        #expect(
            try await rig.comes {
                let names = rig.home.path + "/names"
                _ = try await offPool {
                    try ChildProcess(
                        "gdbus",
                        [
                            "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/", "--method",
                            "org.freedesktop.DBus.ListNames",
                        ], environment: environment, output: names
                    ).wait()
                }
                let text = try String(contentsOfFile: names, encoding: .utf8)
                return text.contains("org.freedesktop.DBus") && !text.contains(AppRig.name)
            })
    }

    @Test("Return retries a file that failed; then keys control the video")
    func failure() async throws {
        let rig = try await AppRig()
        let film = rig.home.appendingPathComponent("late.mp4")
        let app = try rig.start(film.path, environment: AppRig.toldOf)
        #expect(try await rig.shows("late.mp4"))
        // The title is shown before the file fails.
        #expect(try await rig.isTold("Can’t Play “late.mp4”", by: app))
        let blank = try rig.display.screenshot()
        let made = try rig.film("made.mp4")
        // The first button has the focus, and retries.
        try FileManager.default.moveItem(at: made, to: film)
        #expect(
            try await rig.comes {
                try rig.key("Return", in: "late.mp4")
                return try await rig.ctl("status") == "Playing"
            })
        // The window then has the size of the small video. The checked point is above the message that an extra key
        // press causes.
        #expect(try await rig.comes { (try rig.display.screenshot()).isNear(170, 62, AppRig.blue, within: 24) })
        #expect(!blank.isNear(170, 62, AppRig.blue, within: 24))
        #expect(try await rig.plays())
        // The video then has the focus, not another button.
        try rig.key("Return", in: "late.mp4")
        try rig.key("space", in: "late.mp4")
        #expect(try await rig.comes { try await rig.ctl("status") == "Paused" })
        #expect(try rig.titles() == ["late.mp4"])
        try rig.key("ctrl+q", in: "late.mp4")
        #expect(await rig.ends(app) == 0)
    }

    @Test("keys control the video, not the first button of the bar")
    func keyboard() async throws {
        let rig = try await AppRig()
        let film = try rig.film("one.mp4")
        let app = try rig.start(film.path)
        #expect(try await rig.shows("one.mp4"))
        #expect(try await rig.plays())
        try rig.key("Return", in: "one.mp4")
        try rig.key("space", in: "one.mp4")
        #expect(try await rig.comes { try await rig.ctl("status") == "Paused" })
        #expect(try rig.titles() == ["one.mp4"])
        try rig.key("ctrl+q", in: "one.mp4")
        #expect(await rig.ends(app) == 0)
    }

    @Test("a damaged file among others is skipped")
    func failureInList() async throws {
        let rig = try await AppRig()
        let bad = rig.home.appendingPathComponent("bad.mp4")
        try Data("no film".utf8).write(to: bad)
        let good = try rig.film("good.mp4")
        let app = try rig.start(bad.path, good.path)
        #expect(try await rig.shows("good.mp4 (2/2)"))
        #expect(try await rig.plays())
        try rig.key("ctrl+q", in: "good.mp4")
        #expect(await rig.ends(app) == 0)
    }
}

/// A flag that makes a server wait with its answers until `letGo()`.
private final class Answers: Sendable {
    private let value = Atomic(false)
    var isLetGo: Bool { value.load(ordering: .acquiring) }
    func letGo() { value.store(true, ordering: .releasing) }
}
