import CGTK
import Foundation
import GLibSupport
import Presentation

/// The desktop's own dialog for opening files. Main actor.
@MainActor
package final class FileChooser {
    private let signals = Signals()
    private let dialog: OpaquePointer

    /// Asks for files. - Parameter chosen: what was chosen; empty: nothing. Called once; this lives until then.
    /// - Returns: nil without a display.
    package init?(
        over window: UnsafeMutablePointer<GtkWindow>, chosen: @escaping @MainActor ([URL]) -> Void
    ) {
        guard
            let dialog = gtk_file_chooser_native_new(
                PlayerWords.localized("Open Files"), window, GTK_FILE_CHOOSER_ACTION_OPEN, nil, nil)
        else { return nil }
        self.dialog = dialog
        let chooser = dialog
        gtk_file_chooser_set_select_multiple(chooser, 1)
        signals.on(dialog, "response") { [weak self] (answer: Int32) in
            let urls = answer == GTK_RESPONSE_ACCEPT.rawValue ? FileChooser.urls(of: chooser) : []
            self?.signals.disconnect()
            chosen(urls)
        }
        gtk_native_dialog_show(UnsafeMutablePointer<GtkNativeDialog>(dialog))
    }
    isolated deinit {
        signals.disconnect()
        gtk_native_dialog_destroy(UnsafeMutablePointer<GtkNativeDialog>(dialog))
        g_object_unref(UnsafeMutableRawPointer(dialog))
    }

    private static func urls(of chooser: OpaquePointer) -> [URL] {
        guard let files = gtk_file_chooser_get_files(chooser) else { return [] }
        defer { g_object_unref(UnsafeMutableRawPointer(files)) }
        return (0..<g_list_model_get_n_items(files)).compactMap { index in
            guard let file = g_list_model_get_item(files, index) else { return nil }
            defer { g_object_unref(file) }
            guard let text = g_file_get_uri(OpaquePointer(file)) else { return nil }
            defer { g_free(text) }
            return URL(string: String(cString: text))
        }
    }
}
