import Foundation
import TestSupport
import Testing

/// Tests of the values that an app stores in `UserDefaults`, on the disk.
@Suite("Stored defaults", .serialized)
struct StoredDefaultsTests {
    /// A probe that stores its settings in its own folder. `@unchecked Sendable`, because only one test at a time uses
    /// it.
    private final class Probe: @unchecked Sendable {
        let display: PrivateDisplay
        let app: AppProcess
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-stored-\(UUID().uuidString)")

        init(_ name: String = "Stored", _ arguments: [String] = []) async throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            display = try await PrivateDisplay.launch()
            app = try AppProcess(
                name, arguments, environment: ["HOME": folder.path, "XDG_CONFIG_HOME": folder.path],
                display: display)
        }

        deinit {
            display.close()
            try? FileManager.default.removeItem(at: folder)
        }

        /// All values in all stores, sorted, as `key=value`.
        var stored: String {
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            var texts: [String] = []
            for case let file as URL in files ?? FileManager.DirectoryEnumerator() where file.pathExtension == "plist" {
                // The file may be a binary or an XML property list.
                let values = (try? Data(contentsOf: file)).flatMap {
                    try? PropertyListSerialization.propertyList(from: $0, format: nil) as? [String: Any]
                }
                texts += (values ?? [:]).map { "\($0.key)=\($0.value)" }
            }
            return texts.sorted().joined(separator: " ")
        }

        func stores(_ wanted: [String]) async throws -> Bool {
            try await until("\(wanted) on the disk", seen: { self.stored }) { () -> Bool? in
                let stored = self.stored
                return wanted.allSatisfy { stored.contains($0) } ? true : nil
            } ?? false
        }
        func ends() async throws -> Int32? {
            try await until("the end of the app") { self.app.child.exitCode }
        }
    }

    private static let values = ["by-storage=7", "by-suite=in a suite", "plain=by the app"]

    @Test("values are on the disk while the app runs", arguments: ["Stored", "StoredKit"])
    func running(app: String) async throws {
        let probe = try await Probe(app)
        try await probe.app.wait(for: "ready")
        #expect(try await probe.stores(Self.values), "\(probe.stored)")
        #expect(probe.app.child.exitCode == nil)
    }

    @Test(
        "a signal ends the app in order, with all values stored", arguments: ["Stored", "StoredKit"], [SIGTERM, SIGINT])
    func signalled(app: String, number: Int32) async throws {
        let probe = try await Probe(app)
        try await probe.app.wait(for: "ready")
        probe.app.child.send(number)
        #expect(try await probe.ends() == 128 + number)
        #expect(try await probe.stores(Self.values + ["last=at the end"]), "\(probe.stored)")
    }

    @Test("closing the last window stores all values")
    func closed() async throws {
        let probe = try await Probe()
        try await probe.app.wait(for: "ready")
        let display = probe.display
        let window = try #require(try await until("its window") { try display.window("Stored") })
        try display.xdotool(["windowfocus", "--sync", window])
        try display.xdotool(["key", "alt+x"])
        #expect(try await probe.ends() == 0)
        #expect(try await probe.stores(Self.values + ["last=at the end"]), "\(probe.stored)")
    }

    @Test("an app that exits by itself stores its values")
    func exited() async throws {
        let probe = try await Probe("Stored", ["exit"])
        #expect(try await probe.ends() == 0)
        #expect(try await probe.stores(["by-storage=7", "plain=by the app"]), "\(probe.stored)")
    }
}
