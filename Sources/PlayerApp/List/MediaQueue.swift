import Foundation
import MediaCore
import PlayerControls

/// The queue of the entries of a list.
package typealias MediaQueue = PlayQueue<MediaList.Entry>

extension MediaQueue {
    /// Opens entries of a list until one of them can be played. Meanwhile the current entry continues to play.
    ///
    /// Only files, folders and `http` or `https` URLs are opened: reading a pipe or a device would consume its data. At
    /// most 16 entries are opened.
    /// - Returns: The reason why the first entry can't be played, if none of the opened entries can. Nil as soon as an
    ///   entry can be played, or is of a kind that is not opened here.
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
