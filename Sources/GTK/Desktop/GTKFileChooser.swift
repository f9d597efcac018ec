import CGTK
import Foundation

/// The desktop's dialog for opening files, or GTK's if the desktop has none.
@MainActor
package final class GTKFileChooser {
    private let dialog: UnsafeMutablePointer<GtkNativeDialog>
    private var answer: SignalConnection?

    /// Creates a dialog. Returns nil without a display.
    ///
    /// - Parameters:
    ///   - takesFolders: Whether the user chooses folders instead of files.
    ///   - accept: The label of the accept button, or nil for GTK's label.
    ///   - answered: A closure that is called once with the chosen URLs, or with none if the user cancels.
    package convenience init?(
        _ title: String, over window: GTKWindow?, takesFolders: Bool = false, accept: String? = nil,
        cancel: String? = nil, _ answered: @escaping @MainActor ([URL]) -> Void
    ) {
        self.init(
            zt_gtk_file_chooser_new(title, window?.raw(), takesFolders.gboolean, accept, cancel), answered)
    }

    /// Creates a dialog for the name and the folder of a new file. The user must confirm that a file is replaced.
    /// Returns nil without a display.
    ///
    /// - Parameters:
    ///   - accept: The label of the accept button, or nil for GTK's label.
    ///   - answered: A closure that is called once with the chosen URL, or with none if the user cancels.
    package convenience init?(
        saving title: String, over window: GTKWindow?, accept: String? = nil, cancel: String? = nil,
        _ answered: @escaping @MainActor ([URL]) -> Void
    ) {
        self.init(zt_gtk_file_saver_new(title, window?.raw(), accept, cancel), answered)
    }

    private init?(_ dialog: UnsafeMutablePointer<GtkNativeDialog>?, _ answered: @escaping @MainActor ([URL]) -> Void) {
        guard let dialog else { return nil }
        self.dialog = dialog
        answer = SignalConnection(dialog, "response") { [weak self] (answer: Int32) in
            guard let self else { return }
            let urls = answer == GTK_RESPONSE_ACCEPT.rawValue ? chosen : []
            self.answer?.disconnect()
            answered(urls)
        }
    }

    isolated deinit {
        answer?.disconnect()
        zt_gtk_file_chooser_destroy(dialog)
    }

    package func setAllowsMany(_ allows: Bool) { zt_gtk_file_chooser_set_multiple(dialog, allows.gboolean) }

    /// Sets the name in the field of a dialog for a new file.
    package func setName(_ name: String) { zt_gtk_file_chooser_set_name(dialog, name) }
    /// Sets the folder that is shown first. If it is nil or does not exist, the desktop chooses the folder.
    package func setFolder(_ folder: URL?) {
        guard let folder, folder.isFileURL, FileManager.default.fileExists(atPath: folder.path) else { return }
        zt_gtk_file_chooser_set_folder(dialog, folder.path)
    }
    /// Closes the dialog without an answer.
    package func cancel() {
        answer?.disconnect()
        zt_gtk_file_chooser_hide(dialog)
    }

    /// Shows only files with these extensions.
    package func setEndings(_ endings: [String]) {
        guard !endings.isEmpty, let filter = gtk_file_filter_new() else { return }
        for ending in endings { gtk_file_filter_add_suffix(filter, ending) }
        zt_gtk_file_chooser_add_filter(dialog, filter)
        g_object_unref(UnsafeMutableRawPointer(filter))
    }

    package func show(isModal: Bool = false) { zt_gtk_file_chooser_show(dialog, isModal.gboolean) }

    private var chosen: [URL] {
        guard let files = zt_gtk_file_chooser_get_files(dialog) else { return [] }
        defer { g_object_unref(UnsafeMutableRawPointer(files)) }
        return (0..<g_list_model_get_n_items(files)).compactMap { index in
            guard let file = g_list_model_get_item(files, index) else { return nil }
            defer { g_object_unref(file) }
            return String(owned: g_file_get_uri(OpaquePointer(file))).flatMap { URL(string: $0) }
        }
    }
}
