import Foundation
import MediaCore
import PlayerControls

/// The queue of the entries of a list.
package typealias MediaQueue = PlayQueue<MediaList.Entry>

extension MediaQueue {
    /// Opens entries of a list, until one of them can be played, while the current entry plays on.
    ///
    /// Only files and http(s) resources are opened: reading a pipe or a device would consume what is to be played.
    /// - Returns: Why the first entry can't be played; nil if one of those that were opened can.
    package func problem(of list: MediaList) async -> AVError? {
        await problem(of: list.entries) { entry in
            guard let path = FilePath(entry.url) else {
                return ["http", "https"].contains(entry.url.scheme?.lowercased() ?? "")
            }
            var info = stat()
            return path.withCString { stat($0, &info) } != 0 || info.st_mode & S_IFMT == S_IFREG
                || info.st_mode & S_IFMT == S_IFDIR
        }
    }
}
