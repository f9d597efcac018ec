import Foundation
import GTK
import Presentation

/// The desktop's own dialog for opening files. Main actor.
@MainActor
package final class FileChooser {
    private let dialog: GTKFileChooser

    /// Asks for files. - Parameter chosen: what was chosen; empty: nothing. Called once; this lives until then.
    /// - Returns: nil without a display.
    package init?(over window: GTKWindow, chosen: @escaping @MainActor ([URL]) -> Void) {
        guard let dialog = GTKFileChooser(PlayerWords.localized("Open Files"), over: window, chosen) else { return nil }
        self.dialog = dialog
        dialog.setAllowsMany(true)
        dialog.show()
    }
}
