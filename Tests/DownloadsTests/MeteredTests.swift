import Foundation
import TestSupport
import Testing

/// Tests a process that downloads without GLib's main loop, with a NetworkManager simulated by python3-dbusmock.
@Suite("Metered networks reported by NetworkManager") struct MeteredTests {
    private final class Probe: @unchecked Sendable {
        // The tests use this object one at a time.
        let bus: PrivateSessionBus, manager: DBusMock, server = try? TestStreams.server()
        private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-metered-\(UUID().uuidString.prefix(8))")
        private let log: URL
        private var process: ChildProcess?

        /// Starts a bus with a simulated NetworkManager.
        /// - Parameter metered: The value of `NMMetered` in NetworkManager's `nm-dbus-interface.h`: 0 unknown, 1 yes, 2
        ///   no, 3 guessed yes, 4 guessed no.
        init(metered: Int) async throws {
            log = folder.appendingPathExtension("log")
            bus = try await PrivateSessionBus.launch()
            manager = try await DBusMock(
                "org.freedesktop.NetworkManager", at: "/org/freedesktop/NetworkManager", on: bus)
            try await manager.add(property: "Metered", "uint32 \(metered)")
            try await manager.add(property: "Connectivity", "uint32 4")
            try await manager.add(property: "State", "uint32 70")
        }
        deinit {
            process?.send(SIGKILL)
            process?.wait()
            server?.close()
            try? FileManager.default.removeItem(at: folder)
            try? FileManager.default.removeItem(at: log)
        }

        func start() throws {
            let server = try #require(server)
            process = try ChildProcess(
                Programs.path("DownloadProbe"),
                [folder.path, server.url(for: "vod-ts/master.m3u8").absoluteString, "--height", "64"],
                environment: bus.environment.merging(["DBUS_SYSTEM_BUS_ADDRESS": bus.address]) { $1 }, output: log.path)
        }
        /// Removes all downloads from another process.
        func removeAll() async throws {
            let program = Programs.path("DownloadProbe")
            let folder = folder.path
            _ = try await offPool { try ChildProcess(program, [folder, "--remove", "--settle"]).wait() }
        }
        var lines: [String] { ChildProcess.wholeLines(of: log) }
        func waits() async throws -> Bool {
            try await until { self.lines.last?.contains(" waiting(meteredNetwork") == true ? true : nil } == true
        }
        func ends() async throws -> Int32 { try await offPool { [process] in process?.wait() ?? -1 } }
    }

    @Test("a metered network delays the download until it is unmetered", arguments: [1, 3])
    func waits(metered: Int) async throws {
        let probe = try await Probe(metered: metered)
        try probe.start()
        #expect(try await probe.waits(), "\(probe.lines)")
        #expect(probe.server?.requests.isEmpty == true)
        try await probe.manager.change(property: "Metered", "uint32 2")
        #expect(try await probe.ends() == 0, "\(probe.lines)")
    }

    @Test("an unmetered or unknown network loads at once", arguments: [0, 2, 4])
    func loads(metered: Int) async throws {
        let probe = try await Probe(metered: metered)
        try probe.start()
        #expect(try await probe.ends() == 0, "\(probe.lines)")
        #expect(!probe.lines.contains { $0.contains("waiting") }, "\(probe.lines)")
    }

    @Test("a hung NetworkManager blocks nothing; a lost bus keeps the state")
    func silent() async throws {
        let probe = try await Probe(metered: 1)
        probe.manager.freeze()
        try probe.start()
        #expect(try await probe.ends() == 0, "\(probe.lines)")

        let other = try await Probe(metered: 1)
        try other.start()
        #expect(try await other.waits(), "\(other.lines)")
        other.bus.stop()
        // The last reported state stays in effect. The process still runs, because it reacts to a removal by another
        // process.
        try await other.removeAll()
        #expect(try await other.ends() == 0, "\(other.lines)")
        #expect(!other.lines.contains { $0.contains(" downloading") }, "\(other.lines)")
    }
}
