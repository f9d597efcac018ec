/// The warnings about content of a playlist that contradicts the specification but was accepted. Warnings are not part
/// of the content, so all values are equal when playlists are compared.
package struct PlaylistWarnings: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        /// The number of the line, from 1.
        package let line: Int
        /// The reason, as one sentence without a full stop at the end.
        package let reason: String
    }

    /// The warnings in the order of lines, at most `most`.
    package private(set) var entries: [Entry] = []
    /// The maximum number of warnings. There is a limit because the same mistake often occurs in every line.
    static let most = 20

    mutating func add(_ line: Int, _ reason: String) {
        if entries.count < PlaylistWarnings.most { entries.append(Entry(line: line, reason: reason)) }
    }

    package static func == (_: PlaylistWarnings, _: PlaylistWarnings) -> Bool { true }
}

extension Playlist {
    package var warnings: PlaylistWarnings {
        switch self {
        case .multivariant(let playlist): playlist.common.warnings
        case .media(let playlist): playlist.common.warnings
        }
    }
}
