import Downloads
import Foundation
import MediaCore
import MediaEngine

/// A process that downloads, and that tests can kill: LIBRARY [URL] [--height N] [--audio a,b] [--subtitles a,b] [--id
/// ID] [--segments N] [--reserve BYTES] [--no-pictures] [--remove] [--settle] [--play FILE].
///
/// `--play` opens a package in a player, prints the item's status and keeps the player until the process is killed.
///
/// `--remove` removes all downloads, and `--settle` only completes removals that have begun. Without a URL, it
/// continues the library's downloads. It prints each state in a line, and ends when no download continues by itself.
@main struct DownloadProbe {
    @MainActor static func main() async {
        var arguments = CommandLine.arguments.dropFirst()
        guard let folder = arguments.popFirst() else { exit(64) }
        var options = DownloadOptions()
        var url: URL?
        var policy: DownloadPolicy?
        var removes = false
        var settles = false
        while let argument = arguments.popFirst() {
            switch argument {
            case "--height": options.quality = .height(arguments.popFirst().flatMap { Int($0) } ?? 0)
            case "--audio": options.audioLanguages = list(arguments.popFirst())
            case "--subtitles": options.subtitleLanguages = list(arguments.popFirst())
            case "--id": options.id = arguments.popFirst()
            case "--no-pictures": options.includesIFrames = false
            case "--segments":
                policy = policy ?? DownloadPolicy()
                policy?.simultaneousSegments = arguments.popFirst().flatMap { Int($0) } ?? 4
            case "--reserve":
                policy = policy ?? DownloadPolicy()
                policy?.reservedSpace = arguments.popFirst().flatMap { Int64($0) } ?? 0
            case "--remove": removes = true
            case "--settle": settles = true
            case "--play": await play(URL(fileURLWithPath: arguments.popFirst() ?? ""))
            default: url = URL(string: argument)
            }
        }
        do {
            let library = try DownloadLibrary(at: URL(fileURLWithPath: folder))
            if removes { for download in library.downloads { try await download.remove() } }
            if settles {
                _ = await library.totalSize()
                exit(0)
            }
            if let policy { try await library.setPolicy(policy) }
            if let url { try await library.add(url, options: options) }
            for download in library.downloads {
                for await state in download.states {
                    say(
                        "\(download.id) \(word(state)) \(download.progress.bytes)/\(download.progress.expectedBytes) \(download.progress.seconds)/\(download.progress.expectedSeconds)"
                    )
                    if state.isSettled { break }
                }
            }
            exit(library.downloads.allSatisfy { $0.state == .finished } ? 0 : 1)
        } catch {
            say("failed \(error)")
            exit(1)
        }
    }

    @MainActor static func play(_ url: URL) async {
        let item = AVPlayerItem(url: url)
        let player = AVPlayer(playerItem: item)
        player.isMuted = true
        for await status in item.values(of: \.status) where status != .unknown {
            say(status == .readyToPlay ? "ready" : "failed \(String(describing: item.error))")
        }
        withExtendedLifetime(player) {}
    }

    /// Writes a line without buffering, because the reader may kill this process next.
    static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    static func list(_ text: String?) -> [String] { text?.split(separator: ",").map(String.init) ?? [] }

    static func word(_ state: DownloadState) -> String {
        switch state {
        case .queued: "queued"
        case .preparing: "preparing"
        case .downloading: "downloading"
        case .waiting(let error): "waiting(\(error.code.rawValue): \(error.reason))"
        case .paused: "paused"
        case .finished: "finished"
        case .failed(let error): "failed(\(error.code.rawValue): \(error.reason))"
        case .cancelled: "cancelled"
        }
    }
}
