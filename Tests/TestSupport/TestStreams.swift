import Foundation

/// The streams made by `Tests/Fixtures/make-test-streams`, whose header lists them. Missing streams are made on first
/// use.
public enum TestStreams {
    public static let folder = Repository.root.appendingPathComponent(".generated/streams")

    /// Returns the absolute URL of the file `path`, such as `vod-ts/master.m3u8`.
    public static func url(_ path: String) throws -> URL {
        let url = folder.appendingPathComponent(path)
        if !FileManager.default.fileExists(atPath: url.path) {
            // The script takes a lock, because several test processes may start it at the same time.
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

    /// Starts a server for all streams.
    package static func server() throws -> StreamServer {
        _ = try url("vod-ts/master.m3u8")
        return try StreamServer(root: folder)
    }

    /// The frame rate, the number of frames and the duration of a segment. `variants` has the sizes of the variants, and
    /// the luma of their lower halves.
    package static let framesPerSecond = 30, frameCount = 720, segmentSeconds = 2.0
    package static let variants: [(width: Int, height: Int, kilobits: Int, luma: Int)] = [
        (320, 64, 150, 40), (480, 96, 400, 90), (640, 128, 900, 140), (960, 192, 2000, 190),
    ]

    /// Returns the index of the variant whose gray is nearest to `luma`, the luma of any pixel in the lower half.
    package static func variant(luma: Int) -> Int {
        variants.indices.min { abs(variants[$0].luma - luma) < abs(variants[$1].luma - luma) } ?? 0
    }

    public struct Failure: Error, CustomStringConvertible { public let description: String }
}
