import ArgumentParser
import Foundation
import GLibSupport
import MediaCore
import MediaEngine

/// `zoetrope bench`: figures about the engine itself, for `Benchmarks/run`.
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure the engine on this machine.", subcommands: [BenchSeek.self, BenchABR.self])
}

/// `zoetrope bench seek`
struct BenchSeek: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "seek",
        abstract: "Time exact seeks in a paused file, each from the call to its picture being at hand.",
        discussion: """
            EXAMPLE
              zoetrope bench seek film.mp4 --positions 12.5,3,40.04 --json
            """)

    @Argument(help: "Media file.") var file: FileArgument
    @Option(help: ArgumentHelp("Seconds, by commas.", valueName: "list")) var positions: String
    @Flag(help: "Print one JSON object on the last line.") var json = false

    func validate() throws {
        let parts = positions.split(separator: ",")
        guard !parts.isEmpty, parts.allSatisfy({ Double($0).map { (0...1e9).contains($0) } ?? false }) else {
            throw ValidationError("--positions “\(positions)” is no list of seconds, 0 or more; write 1,2.5,10.")
        }
    }

    func report(of failure: ToolFailure) -> String? { json ? Self.failureLine(failure, ["seekMs": [Double]()]) : nil }

    func perform() throws {
        let targets = positions.split(separator: ",").compactMap { Double($0) }
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
                    item.error as? AVError ?? AVError(.unknown, at: item.asset.url.location, reason: "cannot be played")
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
