import Foundation
import MediaCore
import Synchronization

/// The downloaded packages that are being read, for playback or for images, by this process and others. These packages
/// must not be deleted to free space. All methods can be called from any thread.
///
/// Every reader holds a shared `flock` on the package's folder. The lock needs no permission to write, so packages on a
/// read-only disk can be played, and the kernel releases it when the process ends.
package final class PackagesInUse: Sendable {
    package static let shared = PackagesInUse()

    private let observers = Mutex<[(id: UUID, call: @Sendable (String) -> Void)]>([])

    /// A lock on a package's folder, which is released with the object.
    package final class Use: Sendable {
        private let descriptor: Int32
        fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }
        deinit { close(descriptor) }

        /// Locks a folder for its only user, who may then delete it.
        ///
        /// - Parameter folder: An open folder, which this call closes or keeps.
        /// - Returns: Nil if the folder is being read, or if it can't be locked.
        package static func exclusive(_ folder: Int32) -> Use? { Use.lock(folder, LOCK_EX) }

        fileprivate static func lock(_ folder: Int32, _ operation: Int32) -> Use? {
            // Never wait: a package that is locked exclusively is about to be deleted.
            guard flock(folder, operation | LOCK_NB) == 0 else {
                close(folder)
                return nil
            }
            return Use(folder)
        }
    }

    /// Marks the package that contains `url` as in use, until the returned object is released.
    ///
    /// - Returns: Nil if the URL is not in a package, or if the package can't be locked.
    package func use(_ url: URL) -> Use? {
        guard let path = PackagesInUse.package(of: url) else { return nil }
        let folder = path.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        return folder >= 0 ? Use.lock(folder, LOCK_SH) : nil
    }

    /// Reports that a player has opened `url`, if the URL is in a package.
    package func didPlay(_ url: URL) {
        guard let path = PackagesInUse.package(of: url) else { return }
        let text = String(decoding: path.bytes, as: UTF8.self)
        for observer in observers.withLock({ $0 }) { observer.call(text) }
    }

    /// Registers a closure that is called with the package's path when a player opens a package, on the thread that
    /// reads it.
    package func onPlay(_ id: UUID, _ call: @escaping @Sendable (String) -> Void) {
        observers.withLock { $0.append((id, call)) }
    }
    package func stop(_ id: UUID) { observers.withLock { all in all.removeAll { $0.id == id } } }

    /// Returns the path of the `.movpkg` folder that contains `url`; nil if there is none.
    private static func package(of url: URL) -> FilePath? {
        guard var path = FilePath(url.standardizedFileURL) else { return nil }
        while path.pathExtension != "movpkg" {
            let folder = path.folder
            guard folder.bytes.count < path.bytes.count else { return nil }
            path = folder
        }
        return path
    }
}
