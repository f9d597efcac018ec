import Foundation
import Synchronization

/// Packages of downloads that are being played, by the paths of their folders: whoever makes room leaves them alone.
/// Any thread.
package final class PackagesInUse: Sendable {
    package static let shared = PackagesInUse()

    private struct State {
        var users: [String: Int] = [:]
        var onUse: [(id: UUID, call: @Sendable (String) -> Void)] = []
    }
    private let state = Mutex(State())

    /// A reader of a package. It is in use as long as this lives.
    package final class Use: Sendable {
        private let path: String
        fileprivate init(_ path: String) { self.path = path }
        deinit { PackagesInUse.shared.end(path) }
    }

    /// - Returns: nil for what lies in no package.
    package func use(_ url: URL) -> Use? {
        guard url.isFileURL, let path = PackagesInUse.package(of: url.standardizedFileURL.path) else { return nil }
        let calls = state.withLock { state in
            state.users[path, default: 0] += 1
            return state.onUse.map(\.call)
        }
        for call in calls { call(path) }
        return Use(path)
    }

    package func isUsed(_ path: String) -> Bool { state.withLock { $0.users[path] != nil } }

    /// Called whenever somebody begins to play a package, on his thread.
    package func onUse(_ id: UUID, _ call: @escaping @Sendable (String) -> Void) {
        state.withLock { $0.onUse.append((id, call)) }
    }
    package func stop(_ id: UUID) { state.withLock { state in state.onUse.removeAll { $0.id == id } } }

    private func end(_ path: String) {
        state.withLock { state in
            guard let count = state.users[path] else { return }
            state.users[path] = count > 1 ? count - 1 : nil
        }
    }

    /// The folder `….movpkg` in which it lies.
    private static func package(of path: String) -> String? {
        var parts = path.split(separator: "/")
        while let last = parts.last {
            if last.hasSuffix(".movpkg") { return "/" + parts.joined(separator: "/") }
            parts.removeLast()
        }
        return nil
    }
}
