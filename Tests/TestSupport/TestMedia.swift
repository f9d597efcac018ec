import Foundation

/// The media that `scripts/make-test-media` makes; made on first need when it is not there.
public enum TestMedia {
    public static let folder = Repository.root.appendingPathComponent(".generated/media")

    /// The file `name`, absolute.
    public static func url(_ name: String) throws -> URL {
        let url = folder.appendingPathComponent(name)
        if !FileManager.default.fileExists(atPath: url.path) {
            // The script locks: several test processes may meet here.
            let script = Repository.root.appendingPathComponent("scripts/make-test-media").path
            try ChildProcess(script, [folder.path]).wait(seconds: 300)
        }
        guard FileManager.default.fileExists(atPath: url.path) else { throw Missing(name: name) }
        return url
    }

    public struct Missing: Error, CustomStringConvertible {
        let name: String
        public var description: String { "scripts/make-test-media makes no \(name)" }
    }
}
