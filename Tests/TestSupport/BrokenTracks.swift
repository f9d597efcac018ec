import Foundation

/// Test videos in which one track can be decoded and the other can't. They are made from an intact video by changing a
/// few bytes.
public enum BrokenTracks {
    public static let videoFiles = [
        "unknown-video.mp4", "unknown-video.mkv", "parameters-video.mp4", "garbage-video.mkv", "headless-video.ts",
    ]
    public static let audioFiles = ["unknown-audio.mp4", "unknown-audio.mkv", "garbage-audio.mkv"]

    /// A file whose first video track can't be decoded, and whose second one is blue.
    public static func blueSecond() throws -> URL {
        let url = folder.appendingPathComponent("unknown-first.mkv")
        if FileManager.default.fileExists(atPath: url.path) { return url }
        let plain = try make(
            "two-videos.mkv",
            "-f lavfi -i testsrc2=s=160x90:r=25:d=2 -f lavfi -i color=blue:s=160x90:r=25:d=2 -map 0 -map 1 -c:v:0 mpeg4 -c:v:1 libx264 -pix_fmt yuv420p"
        )
        var bytes = [UInt8](try Data(contentsOf: plain))
        replace("V_MPEG4/ISO/ASP", by: "V_ZOETROPE/NONE", in: &bytes)
        let draft = folder.appendingPathComponent("draft-\(UUID().uuidString)")
        try Data(bytes).write(to: draft)
        _ = try? FileManager.default.moveItem(at: draft, to: url)
        return url
    }

    public static let folder = Repository.root.appendingPathComponent(".generated/media-tracks")

    /// Returns the file `name`. If it does not exist, it is made by `ffmpeg <arguments> <name>`.
    public static func make(_ name: String, _ arguments: String) throws -> URL {
        let url = folder.appendingPathComponent(name)
        if FileManager.default.fileExists(atPath: url.path) { return url }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The file is written under another name first, because tests run in parallel and a run may be interrupted.
        let draft = folder.appendingPathComponent("draft-\(UUID().uuidString)-\(name)")
        defer { try? FileManager.default.removeItem(at: draft) }
        let words = arguments.split(separator: " ").map(String.init)
        let code = try ChildProcess("ffmpeg", ["-nostdin", "-v", "error", "-y"] + words + [draft.path]).wait()
        guard code == 0 else { throw Failed(arguments: arguments, code: code) }
        try? FileManager.default.moveItem(at: draft, to: url)
        return url
    }
    public struct Failed: Error { let arguments: String, code: Int32 }

    private static func whole(_ container: String) throws -> URL {
        try make(
            "tracks.\(container)",
            "-f lavfi -i testsrc2=s=160x90:r=25:d=4 -f lavfi -i sine=440:d=4 -c:v libx264 -preset ultrafast -g 25 -pix_fmt yuv420p -c:a aac"
        )
    }

    public static func url(_ name: String) throws -> URL {
        let url = folder.appendingPathComponent(name)
        switch name {
        case "garbage-video.mkv":
            return try make(name, "-i \(try whole("mkv").path) -c copy -bsf:v noise=amount=1")
        case "garbage-audio.mkv":
            // Noise is hardly ever a valid frame of FLAC, whose header has a checksum. It can be a valid frame of AAC.
            return try make(name, "-i \(try whole("mkv").path) -c:v copy -c:a flac -bsf:a noise=amount=1")
        default: break
        }
        if FileManager.default.fileExists(atPath: url.path) { return url }
        var bytes = [UInt8](try Data(contentsOf: try whole(url.pathExtension)))
        switch name {
        case "unknown-video.mp4": replace("avc1", by: "zz01", after: "stsd", in: &bytes)
        case "headless-video.ts":
            // The parameter sets become filler data (ITU-T H.264 table 7-1).
            for index in bytes.indices.dropFirst(3)
            where bytes[index - 3...index - 1] == [0, 0, 1] && [0x67, 0x68].contains(bytes[index]) {
                bytes[index] = 0x6C
            }
        case "unknown-video.mkv": replace("V_MPEG4/ISO/AVC", by: "V_ZOETROPE/NONE", in: &bytes)
        case "unknown-audio.mp4":
            // The description of the track names the codec, too.
            replace("mp4a", by: "zz4a", after: "stsd", in: &bytes)
            replace("esds", by: "zzds", in: &bytes)
        case "unknown-audio.mkv": replace("A_AAC", by: "A_ZOE", in: &bytes)
        default:
            // The sequence parameter set follows the eight bytes of the configuration.
            if let place = find("avcC", in: bytes, from: 0) {
                for index in place + 13..<place + 24 { bytes[index] = 0xFF }
            }
        }
        let draft = folder.appendingPathComponent("draft-\(UUID().uuidString)-\(name)")
        try Data(bytes).write(to: draft)
        _ = try? FileManager.default.moveItem(at: draft, to: url)
        return url
    }

    private static func find(_ word: String, in bytes: [UInt8], from start: Int) -> Int? {
        let wanted = Array(word.utf8)
        return (start..<max(start, bytes.count - wanted.count)).first {
            bytes[$0] == wanted[0] && Array(bytes[$0..<$0 + wanted.count]) == wanted
        }
    }

    /// Replaces all occurrences of `old`. With an `anchor`, only the first occurrence within 64 bytes after each anchor
    /// is replaced.
    private static func replace(_ old: String, by new: String, after anchor: String? = nil, in bytes: inout [UInt8]) {
        var start = 0
        while let anchor, let place = find(anchor, in: bytes, from: start) {
            start = place + anchor.utf8.count
            if let place = find(old, in: Array(bytes[start..<min(bytes.count, start + 64)]), from: 0) {
                bytes.replaceSubrange(start + place..<start + place + old.utf8.count, with: Array(new.utf8))
            }
        }
        guard anchor == nil else { return }
        while let place = find(old, in: bytes, from: start) {
            bytes.replaceSubrange(place..<place + old.utf8.count, with: Array(new.utf8))
            start = place + old.utf8.count
        }
    }
}
