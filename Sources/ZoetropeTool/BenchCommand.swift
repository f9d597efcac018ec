import ArgumentParser
import Foundation
import GLibLoop
import MediaCore
import MediaEngine

/// The command `zoetrope bench`, which measures the engine for `Benchmarks/run`.
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure seeking.",
        usage: "zoetrope bench <command> [options]",
        discussion: """
            EXAMPLES
              # Measure seeks to three positions
              zoetrope bench seek film.mp4 --positions 12.5,3,40.04

            EXIT CODES
              0    The measurement was printed.
              1    The measurement failed. The reason is on standard error.
              64   Invalid arguments.
            """, subcommands: [BenchSeek.self])
}

/// The command `zoetrope bench seek`, which measures exact seeks.
struct BenchSeek: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "seek",
        abstract: "Measure how long exact seeks take while playback is paused.",
        usage: "zoetrope bench seek [options] <file> --positions <seconds,…>",
        discussion: """
            EXAMPLES
              # Seek to three positions, one after the other
              zoetrope bench seek film.mp4 --positions 12.5,3,40.04

            DESCRIPTION
              Measures each seek from the call until its frame is decoded, in milliseconds.

            EXIT CODES
              0    Every seek was measured.
              1    The file could not be played. The reason is on standard error.
              64   Invalid arguments.
            """)

    @Argument(help: "Media file or URL.") var file: FileArgument
    @OptionGroup(title: "Measurement") var measurement: SeekOptions
    @OptionGroup(title: "Output") var output: JSONOptions

    private var json: Bool { output.json }

    func report(of failure: ToolFailure) -> String? { json ? Self.failureLine(failure, ["seekMs": [Double]()]) : nil }

    func perform() throws {
        let targets = measurement.positions.split(separator: ",").compactMap { Double($0) }
        let result = MainActor.assumeIsolated {
            let timer = SeekTimer(file.url, targets)
            return timer.run()
        }
        let times = try result.get()
        if json {
            try Console.out("{\"error\":null,\"seekMs\":[\(times.map { String($0) }.joined(separator: ","))]}")
        } else {
            for (target, time) in zip(targets, times) { try Console.out("\(target) s: \(time) ms") }
        }
    }
}

/// The seeks that `zoetrope bench seek` measures.
struct SeekOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Seek to these positions, in seconds.", valueName: "seconds,…"))
    var positions: String

    func validate() throws {
        let parts = positions.split(separator: ",")
        guard !parts.isEmpty, parts.allSatisfy({ Double($0).map { (0...1e9).contains($0) } ?? false }) else {
            throw ValidationError(invalid: "--positions", positions, use: "seconds separated by commas: 1,2.5,10")
        }
    }
}

@MainActor
private final class SeekTimer {
    private let player: AVPlayer
    private let item: AVPlayerItem
    private let targets: [Double]
    private var times: [Double] = []
    private var failure: AVError?
    private var observation: NSKeyValueObservation?

    init(_ url: URL, _ targets: [Double]) {
        item = AVPlayerItem(url: url)
        player = AVPlayer(playerItem: item)
        self.targets = targets
    }

    func run() -> Result<[Double], AVError> {
        observation = item.observe(\.status, options: [.initial]) { [weak self] item, _ in
            guard let self else { return }
            switch item.status {
            case .unknown: break
            case .failed:
                failure =
                    item.error as? AVError
                    ?? AVError(.unknown, at: item.asset.url.location, reason: "the reason is unknown")
                MainLoop.quit()
            case .readyToPlay: next()
            }
        }
        MainLoop.run()
        player.replaceCurrentItem(with: nil)
        return failure.map { .failure($0) } ?? .success(times)
    }

    private func next() {
        guard times.count < targets.count else { return MainLoop.quit() }
        let began = HostClock.now()
        player.seek(to: CMTime(seconds: targets[times.count], preferredTimescale: 1_000_000_000)) { [weak self] _ in
            guard let self else { return }
            _ = player.videoFrameSource.pull(forHostTime: .now())
            times.append((Double(HostClock.now() - began) / 1e3).rounded() / 1e3)
            next()
        }
    }
}
