import Foundation
import TestSupport

/// A short HLS stream with subtitles for tests of the engine. It has 12 s of video in segments of 2 s, whose clock
/// begins at 10 s, and audio in two languages, each a sine. A second program has a clock that begins at 100 s.
package enum SubtitledStream {
    package static let segment = 2.0
    package static let count = 6

    /// Returns the folder of the stream, which is made once for all test processes.
    package static func folder() throws -> URL {
        let folder = Repository.root.appendingPathComponent(".generated/subtitled")
        if FileManager.default.fileExists(atPath: folder.path) { return folder }
        let fresh = Repository.root.appendingPathComponent(".generated/subtitled-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: fresh, withIntermediateDirectories: true)
        let picture = [
            "-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-keyint_min", "50", "-sc_threshold", "0",
            "-pix_fmt", "yuv420p",
            "-muxdelay", "0", "-muxpreload", "0",
        ]
        let arguments =
            [
                "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=size=128x72:rate=25:duration=12",
                "-f", "lavfi", "-i", "sine=440:sample_rate=48000:duration=12", "-f", "lavfi", "-i",
                "sine=550:sample_rate=48000:duration=12",
            ]
            + ["-map", "0"] + picture + [
                "-output_ts_offset", "10", "-f", "segment", "-segment_time", "2", "-segment_format", "mpegts",
                "\(fresh.path)/a%d.ts",
            ]
            + ["-map", "0"] + picture + [
                "-output_ts_offset", "100", "-f", "segment", "-segment_time", "2", "-segment_format", "mpegts",
                "\(fresh.path)/b%d.ts",
            ]
            + [
                "-map", "1", "-c:a", "aac", "-muxdelay", "0", "-muxpreload", "0", "-output_ts_offset", "10",
                "\(fresh.path)/en.ts",
            ]
            + [
                "-map", "2", "-c:a", "aac", "-muxdelay", "0", "-muxpreload", "0", "-output_ts_offset", "10",
                "\(fresh.path)/de.ts",
            ]
        let code = try ChildProcess("ffmpeg", arguments).wait()
        guard code == 0 else { throw Failed(description: "ffmpeg could not make the stream: it ended with \(code)") }
        // Another process may have finished first. Its stream is identical.
        if (try? FileManager.default.moveItem(at: fresh, to: folder)) == nil {
            try? FileManager.default.removeItem(at: fresh)
        }
        return folder
    }

    package struct Failed: Error, CustomStringConvertible { package let description: String }

    /// Returns a media playlist.
    /// - Parameter names: The names of the segments. `discontinuity` inserts a discontinuity tag instead.
    package static func playlist(_ names: [String], duration: Double = segment) -> String {
        var lines = [
            "#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:\(Int(duration.rounded(.up)))",
            "#EXT-X-PLAYLIST-TYPE:VOD",
        ]
        for name in names {
            lines += name == "discontinuity" ? ["#EXT-X-DISCONTINUITY"] : ["#EXTINF:\(duration),", name]
        }
        return (lines + ["#EXT-X-ENDLIST", ""]).joined(separator: "\n")
    }

    /// Returns a segment of subtitles. Each text is shown for the duration of a segment, the first one at `from`
    /// seconds of the file's time.
    package static func vtt(_ texts: [String], from: Double, map: String? = nil) -> String {
        var text = "WEBVTT\n" + (map.map { "X-TIMESTAMP-MAP=\($0)\n" } ?? "") + "\n"
        for (index, line) in texts.enumerated() {
            let start = from + Double(index) * segment
            text += "\(stamp(start)) --> \(stamp(start + segment))\n\(line)\n\n"
        }
        return text
    }

    package static func stamp(_ seconds: Double) -> String {
        let ms = Int((seconds * 1000).rounded())
        return String(format: "%02d:%02d:%02d.%03d", ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60, ms % 1000)
    }

    /// Serves the stream. `master.m3u8` has subtitles in English, German, German for the deaf, and forced ones in
    /// French. It also has captions, and audio in two languages if `hasSound` is true. Subtitle `n` has the text
    /// `<language> n`, from 2n to 2n + 2 s.
    package static func serve(hasSound: Bool = false, hasMap: Bool = true, isSplit: Bool = false) throws -> StreamServer
    {
        let server = try StreamServer(root: try folder())
        let sound =
            hasSound
            ? """
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,URI="en.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Deutsch",LANGUAGE="de",AUTOSELECT=YES,CHARACTERISTICS="public.accessibility.describes-video",URI="de.m3u8"

            """ : ""
        let master = """
            #EXTM3U
            \(sound)#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",AUTOSELECT=YES,URI="s/en.m3u8"
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="Deutsch",LANGUAGE="de",AUTOSELECT=YES,URI="s/de.m3u8"
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="Deutsch für Gehörlose",LANGUAGE="de",CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound",URI="s/de-sdh.m3u8"
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="Forced",LANGUAGE="fr",FORCED=YES,AUTOSELECT=YES,URI="s/fr.m3u8"
            #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="c",NAME="CC",LANGUAGE="en",INSTREAM-ID="CC1"
            #EXT-X-STREAM-INF:BANDWIDTH=200000,SUBTITLES="s",CLOSED-CAPTIONS="c"\(hasSound ? ",AUDIO=\"a\"" : "")
            v.m3u8

            """
        server.serve("master.m3u8") { _ in .playlist(master) }
        let half = count / 2
        let pictures =
            isSplit
            ? (0..<half).map { "a\($0).ts" } + ["discontinuity"] + (0..<half).map { "b\($0).ts" }
            : (0..<count).map { "a\($0).ts" }
        server.serve("v.m3u8") { _ in .playlist(playlist(pictures)) }
        for language in ["en", "de"] {
            server.serve("\(language).m3u8") { _ in .playlist(playlist(["\(language).ts"], duration: 12)) }
        }
        server.serve("s/*") { request in
            let name = String(request.path.dropFirst(2))
            if name.hasSuffix(".m3u8") {
                let language = name.dropLast(5)
                var names = (0..<count).map { "\(language)-\($0).vtt" }
                if isSplit { names.insert("discontinuity", at: half) }
                return .playlist(playlist(names))
            }
            let parts = name.dropLast(4).split(separator: "-")
            guard let number = parts.last.flatMap({ Int($0) }),
                case let language = parts.dropLast().joined(separator: "-")
            else { return nil }
            let own = Double(isSplit ? number % half : number) * segment
            let texts = ["\(language) \(number)"]
            // The program's clock begins at 10 s, after the discontinuity at 100 s. The clock of the subtitle files
            // begins at an hour.
            let clock = isSplit && number >= half ? 9_000_000 : 900_000
            let base = isSplit && number >= half ? 100.0 : 10
            return .text(
                hasMap
                    ? vtt(texts, from: 3600 + own, map: "MPEGTS:\(clock),LOCAL:01:00:00.000")
                    : vtt(texts, from: base + own), type: "text/vtt")
        }
        return server
    }
}
