import Foundation
import MediaCore
import MediaEngine
import Overlays
import Streaming

/// A measurement of how a cost grows with a number, for `Benchmarks/run --only scale`. It prints one line of JSON.
///
///     Benches Scale players N URL    plays N players in this process for 8 s, without audio and without windows
///     Benches Scale queue N FILE     makes a queue of N items and goes to the next item ten times
///     Benches Scale cues N           reads a SubRip file of N cues
///     Benches Scale playlist N       reads a playlist of N segments
///     Benches Scale views N          shows N views and changes one of them 1,000 times per second, for 4 s
///     Benches Scale list N           scrolls a list of N rows by 100 rows per second, for 10 s
enum ScaleBench {
    @MainActor
    static func main() throws {
        let arguments = Benches.arguments
        guard arguments.count >= 3, let count = Int(arguments[2]), (1...1_000_000).contains(count) else {
            print("usage: Benches Scale players|queue|cues|playlist|views|list N [FILE]")
            exit(64)
        }
        let file =
            arguments.count > 3
            ? URL(string: arguments[3]).flatMap { $0.scheme == nil ? nil : $0 } ?? URL(fileURLWithPath: arguments[3])
            : nil
        switch (arguments[1], file) {
        case ("players", let file?): players(count, file)
        case ("queue", let file?): queue(count, file)
        case ("cues", _): try cues(count)
        case ("playlist", _): try playlist(count)
        case ("views", _): ViewScale.run(count)
        case ("list", _): ListScale.run(count)
        default: exit(64)
        }
    }

    @MainActor
    private static func players(_ count: Int, _ file: URL) {
        let queue = DispatchQueue(label: "display", qos: .userInteractive)
        let players = (0..<count).map { _ in
            let player = AVQueuePlayer(title: "bench", audioServer: nil)
            // Files are loops; streams are long enough.
            let looper = file.isFileURL ? AVPlayerLooper(player: player, templateItem: AVPlayerItem(url: file)) : nil
            if looper == nil { player.replaceCurrentItem(with: AVPlayerItem(url: file)) }
            player.play()
            return (player, PulledDisplay(player.videoFrameSource, on: queue), looper)
        }
        let begin = Usage.wall()
        Task { @MainActor in
            while players.contains(where: { $0.1.shown.frames == 0 }), Usage.wall() - begin < 60 {
                try? await Task.sleep(nanoseconds: 5_000_000)
            }
            let started = Usage.wall() - begin
            try? await Task.sleep(nanoseconds: 2_000_000_000)
            let (wall, cpu) = (Usage.wall(), Usage.cpu())
            let frames = players.map { $0.1.shown.frames }
            try? await Task.sleep(nanoseconds: 8_000_000_000)
            let span = Usage.wall() - wall
            let shown = zip(players, frames).map { Double($0.1.shown.frames - $1) / span }
            Usage.end([
                "cores": (Usage.cpu() - cpu) / span, "memory": Usage.memory(), "threads": Double(Usage.threads()),
                "startSeconds": started, "fewestFramesPerSecond": shown.min() ?? 0,
            ])
        }
        RunLoop.main.run()
    }

    @MainActor
    private static func queue(_ count: Int, _ file: URL) {
        let before = Usage.memory()
        let begin = Usage.wall()
        let player = AVQueuePlayer(items: (0..<count).map { _ in AVPlayerItem(url: file) })
        let made = Usage.wall() - begin
        let memory = Usage.memory() - before
        let next = Usage.wall()
        for _ in 0..<10 { player.advanceToNextItem() }
        let advanced = Usage.wall() - next
        Usage.end(["ms": made * 1000, "memory": memory, "advanceMs": advanced * 100])
    }

    private static func cues(_ count: Int) throws {
        func time(_ milliseconds: Int) -> String {
            String(
                format: "%02d:%02d:%02d,%03d", milliseconds / 3_600_000, milliseconds / 60_000 % 60,
                milliseconds / 1000 % 60, milliseconds % 1000)
        }
        let text = (0..<count).map {
            "\($0 + 1)\n\(time($0 * 1000)) --> \(time($0 * 1000 + 900))\nA line of text, as videos have it.\n"
        }
        let bytes = Array(text.joined(separator: "\n").utf8)
        let before = Usage.memory()
        let begin = Usage.wall()
        let document = try SubtitleDocument(bytes, url: URL(fileURLWithPath: "bench.srt"))
        let read = Usage.wall() - begin
        let memory = Usage.memory() - before
        let look = Usage.wall()
        for number in 0..<1000 {
            let second = Int64(number * 7919 % count)
            guard !document.text(at: CMTime(value: second * 10 + 5, timescale: 10)).isEmpty else { exit(1) }
        }
        Usage.end(["ms": read * 1000, "memory": memory, "lookupMs": Usage.wall() - look])
    }

    private static func playlist(_ count: Int) throws {
        guard let url = URL(string: "https://media.example/show/index.m3u8") else { exit(1) }
        let text = PlaylistBench.mediaText(0..<count) { "#EXTINF:6.006,\nsegment-\($0).ts" }
        let bytes = Array(text.utf8)
        let longer = Array(PlaylistBench.mediaText(0..<(count + 1)) { "#EXTINF:6.006,\nsegment-\($0).ts" }.utf8)
        let before = Usage.memory()
        var all: [Double] = []
        for _ in 0..<5 {
            let begin = ContinuousClock.now
            _ = try MediaPlaylist.parse(bytes, url: url)
            all.append(PlaylistBench.milliseconds(since: begin))
        }
        let playlist = try MediaPlaylist.parse(bytes, url: url)
        let memory = Usage.memory() - before
        withExtendedLifetime(playlist) {}
        Usage.end([
            "ms": all.sorted()[2], "memory": memory, "reloadMs": try PlaylistBench.reload(5, bytes, longer, url),
        ])
    }
}
