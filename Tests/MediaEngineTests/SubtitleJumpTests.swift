import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

/// A bitmap from 1 to 9 s, in a file whose subtitles are read together with its video. The event that removes the
/// bitmap is a packet of its own.
@Suite("Subtitles after a jump")
struct SubtitleJumpTests {
    private static func file(_ codec: String) throws -> URL {
        let sup = AssetTestMedia.folder.appendingPathComponent("long-picture-\(codec).sup")
        try FileManager.default.createDirectory(at: AssetTestMedia.folder, withIntermediateDirectories: true)
        try PGSWriter.stream([.init(start: 1, end: 9, x: 480, y: 810, width: 96, height: 12)]).write(to: sup)
        return try AssetTestMedia.make(
            "long-picture-\(codec).\(codec == "copy" ? "mkv" : "ts")",
            """
            -f lavfi -i testsrc2=s=64x36:r=25:d=20 \(codec == "copy" ? "" : "-fix_sub_duration") -itsoffset 1 \
            -i \(sup.path) -map 0 -map 1 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 50 -c:s \(codec)
            """)
    }

    /// Reads until a frame begins at or after `seconds`.
    private static func read(_ reader: ItemReader, until seconds: Double) throws {
        while true {
            switch reader.next() {
            case .video(let packet): if let pts = packet.pts, pts.seconds >= seconds { return }
            case .failed(let error): throw error
            case .end: return
            default: continue
            }
        }
    }

    private static func seek(_ reader: ItemReader, to seconds: Double) throws {
        if let error = reader.seek(to: MediaTime(seconds: seconds)) { throw error }
    }

    @Test("a remote file's bitmap disappears after a jump past its end", arguments: ["copy", "dvbsub"])
    func bitmap(_ codec: String) async throws {
        let file = try Self.file(codec)
        let server = try StreamServer(root: file.deletingLastPathComponent())
        defer { server.close() }
        let url = server.url(for: file.lastPathComponent)
        try await offPool {
            let reader = try ItemReader(url: url, selection: TrackSelection(), interrupt: InterruptToken())
            let subtitles = ItemSubtitles(url: url)
            subtitles.choose(.stream(1))
            subtitles.opened(reader.description)
            reader.subtitles = subtitles
            func isShown(at seconds: Double) -> Bool { !subtitles.cues(at: Int64(seconds * 1e9)).isEmpty }

            // The end of the bitmap is not read.
            try Self.read(reader, until: 3)
            #expect(!isShown(at: 0.9) && isShown(at: 1.1) && isShown(at: 8))
            try Self.seek(reader, to: 14)
            #expect(isShown(at: 2.9) && !isShown(at: 9.5) && !isShown(at: 14))
            try Self.read(reader, until: 15)
            #expect(isShown(at: 2.9) && !isShown(at: 14))

            // Reading continues in the part that was read, so the bitmap is shown on.
            try Self.seek(reader, to: 2.5)
            try Self.read(reader, until: 4)
            #expect(isShown(at: 8))
            try Self.seek(reader, to: 14)
            #expect(!isShown(at: 14))

            // The bitmap is read again, and then its end.
            try Self.seek(reader, to: 0)
            try Self.read(reader, until: 11)
            #expect(isShown(at: 1.1) && isShown(at: 8.9) && !isShown(at: 9.1))
            try Self.seek(reader, to: 0)
            try Self.read(reader, until: 3)
            #expect(isShown(at: 8.9) && !isShown(at: 9.1))
        }
    }
}
