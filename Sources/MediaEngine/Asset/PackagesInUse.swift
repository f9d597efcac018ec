import Foundation
import Synchronization

/// A registry of the downloaded packages that are being read, for playback or for images, by folder path. These
/// packages must not be deleted to free space. All methods can be called from any thread.
package final class PackagesInUse: Sendable {
    package static let shared = PackagesInUse()

    private struct State {
        var users: [String: Int] = [:]
        var onPlay: [(id: UUID, call: @Sendable (String) -> Void)] = []
    }
    private let state = Mutex(State())

    /// A token that marks a package as in use. The package stays in use until all its tokens are released.
    package final class Use: Sendable {
        private let path: String
        fileprivate init(_ path: String) { self.path = path }
        deinit { PackagesInUse.shared.end(path) }
    }

    /// Marks the package that contains `url` as in use.
    /// - Returns: A token; nil if the URL is not in a package.
    package func use(_ url: URL) -> Use? {
        guard let path = PackagesInUse.package(of: url) else { return nil }
        state.withLock { $0.users[path, default: 0] += 1 }
        return Use(path)
    }

    /// Reports that a player has opened `url`, if the URL is in a package.
    package func didPlay(_ url: URL) {
        guard let path = PackagesInUse.package(of: url) else { return }
        for observer in state.withLock({ $0.onPlay }) { observer.call(path) }
    }

    package func isUsed(_ path: String) -> Bool { state.withLock { $0.users[path] != nil } }

    /// Registers a closure that is called with the package's path when a player opens a package, on the thread that
    /// reads it.
    package func onPlay(_ id: UUID, _ call: @escaping @Sendable (String) -> Void) {
        state.withLock { $0.onPlay.append((id, call)) }
    }
    package func stop(_ id: UUID) { state.withLock { state in state.onPlay.removeAll { $0.id == id } } }

    private func end(_ path: String) {
        state.withLock { state in
            guard let count = state.users[path] else { return }
            state.users[path] = count > 1 ? count - 1 : nil
        }
    }

    /// Returns the path of the `.movpkg` folder that contains `url`; nil if there is none.
    private static func package(of url: URL) -> String? {
        guard url.isFileURL else { return nil }
        var parts = url.standardizedFileURL.path.split(separator: "/")
        while let last = parts.last {
            if last.hasSuffix(".movpkg") { return "/" + parts.joined(separator: "/") }
            parts.removeLast()
        }
        return nil
    }
}
