import Foundation
import TestSupport

/// The files for asset tests. ffmpeg makes each file once, in `.generated/media-asset`.
package enum AssetTestMedia {
    package struct Failed: Error { var command: String }

    package static let folder = Repository.root.appendingPathComponent(".generated/media-asset")

    /// Returns the file `name`. If it does not exist, it is made by `ffmpeg -y <arguments> <name>`.
    package static func make(_ name: String, _ arguments: String) throws -> URL {
        let url = folder.appendingPathComponent(name)
        if FileManager.default.fileExists(atPath: url.path) { return url }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The file is written under another name first, because tests run in parallel and a run may be interrupted.
        let draft = folder.appendingPathComponent("draft-\(UUID().uuidString)-\(name)")
        defer { try? FileManager.default.removeItem(at: draft) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.currentDirectoryURL = folder
        process.arguments = ["ffmpeg", "-nostdin", "-v", "error", "-y"] + split(arguments) + [draft.path]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(command: arguments) }
        try? FileManager.default.moveItem(at: draft, to: url)
        return url
    }

    /// Splits at spaces outside single quotes.
    private static func split(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var quoted = false
        for c in text {
            if c == "'" {
                quoted.toggle()
            } else if c == " " && !quoted {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                word.append(c)
            }
        }
        return word.isEmpty ? words : words + [word]
    }

    /// Creates a file for one test, which removes the file with `remove(_:)`.
    package static func temporary(_ name: String, _ bytes: Data) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zoetrope-asset-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appendingPathComponent(name)
        try bytes.write(to: url)
        return url
    }
    package static func remove(_ url: URL) { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }

    private static let picture = "-f lavfi -i testsrc2=s=320x180:r=25:d=2", tone = "-f lavfi -i sine=440:d=2"
    private static let x264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 25"

    package static func mp4() throws -> URL { try make("plain.mp4", "\(picture) \(tone) \(x264) -c:a aac -shortest") }
    package static func faststart() throws -> URL {
        try make("faststart.mp4", "\(picture) \(tone) \(x264) -c:a aac -shortest -movflags +faststart")
    }
    package static func mkv() throws -> URL { try make("plain.mkv", "\(picture) \(tone) \(x264) -c:a aac -shortest") }
    package static func ts() throws -> URL { try make("plain.ts", "\(picture) \(tone) \(x264) -c:a aac -shortest") }
    package static func audioOnly() throws -> URL { try make("tone.m4a", "\(tone) -c:a aac") }
    package static func rotated() throws -> URL {
        // FFmpeg 5's and 7's options for rotation differ, so the display matrix is written without FFmpeg.
        let url = folder.appendingPathComponent("rotated-90.mp4")
        if FileManager.default.fileExists(atPath: url.path) { return url }
        let draft = folder.appendingPathComponent("draft-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: draft) }
        try OrientedFile.write(try quadrants(), matrix: OrientedFile.matrices[1], to: draft)
        try? FileManager.default.moveItem(at: draft, to: url)
        return url
    }
    /// Returns a video with four plain colors: red and green above blue and white; 160×90, BT.709, limited range.
    package static func quadrants() throws -> URL {
        try make(
            "quadrants.mp4",
            """
            -f lavfi -i color=red:s=160x90:r=10:d=1 -vf \
            'drawbox=80:0:80:45:lime:fill,drawbox=0:45:80:45:blue:fill,drawbox=80:45:80:45:white:fill,scale=out_color_matrix=bt709:out_range=tv,format=yuv444p' \
            -c:v libx264 -preset ultrafast -qp 1 -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv
            """.replacingOccurrences(of: "\n", with: " "))
    }
    package static func anamorphic() throws -> URL {
        try make(
            "anamorphic.mp4",
            "-f lavfi -i testsrc2=s=180x144:r=25:d=1 -vf setsar=16/11 -c:v libx264 -preset ultrafast -pix_fmt yuv420p")
    }
    /// Returns a video in which the luma of frame n is 20 + 4 n. It has 50 frames at 25 per second, a keyframe every 25
    /// frames, and B-frames between.
    package static func counter(_ container: String) throws -> URL {
        try make(
            "counter.\(container)",
            """
            -f lavfi -i color=black:s=64x64:r=25:d=2 -vf 'geq=lum=20+N*4:cb=128:cr=128,format=yuv420p' \
            -c:v libx264 -preset medium -bf 3 -g 25 -qp 1
            """.replacingOccurrences(of: "\n", with: " "))
    }
    package static func languages() throws -> URL {
        try make(
            "languages.mkv",
            """
            \(picture) \(tone) -f lavfi -i sine=550:d=2 -f lavfi -i sine=660:d=2 -map 0 -map 1 -map 2 -map 3 \(x264) -c:a aac \
            -metadata:s:a:0 language=ger -metadata:s:a:1 language=eng -metadata:s:a:1 title=Commentary -disposition:a:0 default -disposition:a:1 comment
            """.replacingOccurrences(of: "\n", with: " "))
    }
    package static func tagged() throws -> URL {
        let cover = try make("cover.png", "-f lavfi -i testsrc2=s=32x32 -frames:v 1")
        let chapters = folder.appendingPathComponent("chapters.txt")
        try Data(
            """
            ;FFMETADATA1
            title=A Tone
            artist=Nobody
            album=Tests
            date=2024-05-01
            [CHAPTER]
            TIMEBASE=1/1000
            START=0
            END=1000
            title=One
            [CHAPTER]
            TIMEBASE=1/1000
            START=1000
            END=2000
            title=Two
            """.utf8
        ).write(to: chapters, options: .atomic)
        return try make(
            "tagged.m4a",
            "\(tone) -i \(cover.path) -i \(chapters.path) -map 0 -map 1 -map_metadata 2 -map_chapters 2 -c:a aac -c:v copy -disposition:v attached_pic"
        )
    }
    package static func hevc10() throws -> URL {
        try make(
            "ten.mp4",
            "\(picture) -c:v libx265 -x265-params log-level=none:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:range=limited -preset ultrafast -pix_fmt yuv420p10le -tag:v hvc1"
        )
    }
    package static func variable() throws -> URL {
        try make("variable.mp4", "\(picture) -vf 'select=not(mod(n\\,3))+gt(n\\,30)' -vsync vfr \(x264)")
    }
    package static func surround() throws -> URL {
        try make("surround.mka", "-f lavfi -i 'anoisesrc=d=1,pan=5.1|c0=c0|c1=c0|c2=c0|c3=c0|c4=c0|c5=c0' -c:a ac3")
    }
}
