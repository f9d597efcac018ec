import Foundation

/// The streams that `Tests/Fixtures/make-test-streams` makes (its head lists them); made on first need when they are not
/// there.
public enum TestStreams {
    public static let folder = Repository.root.appendingPathComponent(".generated/streams")

    /// The file `path`, absolute: `vod-ts/master.m3u8`.
    public static func url(_ path: String) throws -> URL {
        let url = folder.appendingPathComponent(path)
        if !FileManager.default.fileExists(atPath: url.path) {
            // The script locks: several test processes may meet here.
            let script = Repository.fixture("make-test-streams")
            let log = FileManager.default.temporaryDirectory.appendingPathComponent("zt-streams-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: log) }
            let code = try ChildProcess(script, [folder.path], error: log.path).wait(seconds: 300)
            guard code == 0 else {
                throw Failure(
                    description:
                        "Tests/Fixtures/make-test-streams, run for \(path), ended with \(code): \(((try? String(contentsOf: log, encoding: .utf8)) ?? "").suffix(500))"
                )
            }
        }
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw Failure(description: "Tests/Fixtures/make-test-streams makes no \(path)")
        }
        return url
    }

    /// A server of all of them.
    package static func server() throws -> StreamServer {
        _ = try url("vod-ts/master.m3u8")
        return try StreamServer(root: folder)
    }

    /// Pictures a second, pictures, seconds of a segment, and the rungs' sizes and luma of the lower half.
    package static let framesPerSecond = 30, frameCount = 720, segmentSeconds = 2.0
    package static let rungs: [(width: Int, height: Int, kilobits: Int, luma: Int)] = [
        (320, 64, 150, 40), (480, 96, 400, 90), (640, 128, 900, 140), (960, 192, 2000, 190),
    ]

    /// The rung whose grey is nearest to `luma`, that of any place in the lower half.
    package static func rung(luma: Int) -> Int {
        rungs.indices.min { abs(rungs[$0].luma - luma) < abs(rungs[$1].luma - luma) } ?? 0
    }

    public struct Failure: Error, CustomStringConvertible { public let description: String }
}
