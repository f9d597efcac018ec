/// What in a playlist contradicts the specification and was read all the same. It is not what the playlist says, so it
/// takes no part in comparison.
package struct PlaylistWarnings: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        /// 1-based.
        package let line: Int
        /// One sentence without a final full stop.
        package let reason: String
    }

    /// In the order of lines, at most `most`.
    package private(set) var entries: [Entry] = []
    /// One fault is often in every line.
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
