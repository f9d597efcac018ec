import Foundation

/// The media made by `Tests/Fixtures/make-test-media`. Missing files are made on first use.
public enum TestMedia {
    public static let folder = Repository.root.appendingPathComponent(".generated/media")

    /// Returns the absolute URL of the file `name`.
    public static func url(_ name: String) throws -> URL {
        let url = folder.appendingPathComponent(name)
        if !FileManager.default.fileExists(atPath: url.path) {
            // The script takes a lock, because several test processes may start it at the same time.
            let script = Repository.fixture("make-test-media")
            let log = FileManager.default.temporaryDirectory.appendingPathComponent("zt-media-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: log) }
            let code = try ChildProcess(script, [folder.path], error: log.path).wait(seconds: 300)
            guard code == 0 else {
                throw ScriptFailed(
                    name: name, code: code, message: (try? String(contentsOf: log, encoding: .utf8)) ?? "")
            }
        }
        guard FileManager.default.fileExists(atPath: url.path) else { throw Missing(name: name) }
        return url
    }

    public struct ScriptFailed: Error, CustomStringConvertible {
        let name: String, code: Int32, message: String
        public var description: String {
            "Tests/Fixtures/make-test-media, run for \(name), ended with \(code): \(message.suffix(500))"
        }
    }

    public struct Missing: Error, CustomStringConvertible {
        let name: String
        public var description: String { "Tests/Fixtures/make-test-media makes no \(name)" }
    }
}
