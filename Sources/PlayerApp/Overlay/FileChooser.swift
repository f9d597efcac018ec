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
    ///   - chosen: Called once with the chosen files; empty if the user chose none.
    /// - Returns: Nil without a display.
    package init?(over window: GTKWindow, chosen: @escaping @MainActor ([URL]) -> Void) {
        guard let dialog = GTKFileChooser(PlayerWords.localized("Open Files"), over: window, chosen) else { return nil }
        self.dialog = dialog
        dialog.setAllowsMany(true)
        dialog.show()
    }
}
