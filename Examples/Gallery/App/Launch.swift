import Foundation
import Zoetrope

/// What the command line says: `--page grid`, by name or case; `--dark`; `--still 1`.
enum Launch {
    static var page: Page {
        guard let name = value(of: "--page")?.lowercased() else { return .start }
        return Page.allCases.first { "\($0)" == name || $0.title.lowercased() == name } ?? .start
    }

    static var isDark: Bool { CommandLine.arguments.contains("--dark") }

    /// Seconds at which all that plays stands from the start, without sound: how the pictures are taken that a test
    /// compares pages with.
    static let still: Double? = value(of: "--still").flatMap { Double($0) }.flatMap { $0.isFinite ? max(0, $0) : nil }

    /// What follows `name` on the command line.
    static func value(of name: String) -> String? {
        let all = CommandLine.arguments
        return all.firstIndex(of: name).flatMap { $0 + 1 < all.count ? all[$0 + 1] : nil }
    }
}

extension PlaybackCommand {
    /// How a page's player begins: it plays, unless the gallery was started with `--still`.
    static var opening: PlaybackCommand {
        Launch.still.map { .batch([.mute, .seek(to: $0, play: false)]) } ?? .play
    }
}

extension Binding<PlaybackCommand> {
    /// For a player that is told nothing else.
    @MainActor static var opening: Binding<PlaybackCommand> { .constant(.opening) }
}
