import Foundation
import GTK
import Presentation

/// The desktop's own dialog for opening files. Main actor.
@MainActor
package final class FileChooser {
    private let dialog: GTKFileChooser

    /// Shows the dialog. It exists until the user has answered.
    /// - Parameters:
    ///   - window: The window under the dialog.
    ///   - folder: The folder that is shown first; nil if the desktop chooses it.
    ///   - chosen: Called once with the chosen files; empty if the user chose none.
    /// - Returns: Nil without a display.
    package init?(over window: GTKWindow, in folder: URL?, chosen: @escaping @MainActor ([URL]) -> Void) {
        guard let dialog = GTKFileChooser(PlayerWords.localized("Open Files"), over: window, chosen) else { return nil }
        self.dialog = dialog
        dialog.setAllowsMany(true)
        dialog.setFolder(folder)
        dialog.show()
    }

    /// Returns the folder of the file that plays; without one, the user's folder for videos, if it exists.
    static func folder(for playing: URL?) -> URL? {
        if let playing, playing.isFileURL { return playing.deletingLastPathComponent() }
        let movies = FileManager.default.urls(for: .moviesDirectory, in: .userDomainMask).first
        return movies.flatMap { FileManager.default.fileExists(atPath: $0.path) ? $0 : nil }
    }
}
