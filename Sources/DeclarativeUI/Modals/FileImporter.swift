import CGTK
import Foundation
import GLibSupport
import MediaCore
import Presentation
@_spi(Graph) import ViewGraph

extension View {
    /// Asks the user for a file, in the desktop's own dialog, while `isPresented`, which is set false when it is
    /// closed.
    /// - Parameters:
    ///   - allowedContentTypes: kinds of files that can be chosen; `.item`, `.data` and `.content` are all files. Of
    ///     folders alone, folders can be chosen; among others they cannot.
    ///   - onCompletion: called with the file that was chosen; not called when the user cancels. Main actor.
    public func fileImporter(
        isPresented: Binding<Bool>, allowedContentTypes: [UTType],
        onCompletion: @escaping @MainActor (Result<URL, any Error>) -> Void
    ) -> some View {
        fileImporter(isPresented: isPresented, allowedContentTypes: allowedContentTypes, allowsMultipleSelection: false)
        { result in
            switch result {
            case .success(let urls): if let url = urls.first { onCompletion(.success(url)) }
            case .failure(let error): onCompletion(.failure(error))
            }
        }
    }
    /// - Parameter allowsMultipleSelection: several files can be chosen.
    public func fileImporter(
        isPresented: Binding<Bool>, allowedContentTypes: [UTType], allowsMultipleSelection: Bool,
        onCompletion: @escaping @MainActor (Result<[URL], any Error>) -> Void
    ) -> some View {
        presenting(
            isPresented,
            in: { _ in
                FileDialog(types: allowedContentTypes, isMultiple: allowsMultipleSelection) { urls in
                    // Closed first, so that what is done with the files may ask for others.
                    isPresented.wrappedValue = false
                    if !urls.isEmpty { onCompletion(.success(urls)) }
                }
            }
        ) { AnyView(EmptyView()) }
    }
}

/// GTK's dialog for files: the desktop's own where there is a portal.
@MainActor
final class FileDialog: PresentationPlace {
    let root = LayersElement()
    var onClose: (() -> Void)?
    private let types: [UTType]
    private let isMultiple: Bool
    private let done: ([URL]) -> Void
    private var dialog: OpaquePointer?
    private var answer: SignalConnection?

    init(types: [UTType], isMultiple: Bool, done: @escaping ([URL]) -> Void) {
        self.types = types
        self.isMultiple = isMultiple
        self.done = done
    }

    func open(over element: Element?) {
        guard dialog == nil, let container = element?.host?.container else { return }
        let parent = gtk_widget_get_root(container).map { UnsafeMutablePointer<GtkWindow>($0) }
        let open = PlayerWords.localized("Open")
        guard
            let made = gtk_file_chooser_native_new(
                open, parent, FileDialog.action(types), open, PlayerWords.localized("Cancel"))
        else { return }
        dialog = made
        gtk_file_chooser_set_select_multiple(made, isMultiple ? 1 : 0)
        if let filter = FileDialog.filter(types) {
            gtk_file_chooser_add_filter(made, filter)
            g_object_unref(UnsafeMutableRawPointer(filter))
        }
        answer = SignalConnection(made, "response") { [weak self] (answer: Int32) in
            self?.answered(answer == GTK_RESPONSE_ACCEPT.rawValue)
        }
        gtk_native_dialog_set_modal(native(made), 1)
        gtk_native_dialog_show(native(made))
    }

    private func native(_ dialog: OpaquePointer) -> UnsafeMutablePointer<GtkNativeDialog> {
        UnsafeMutablePointer<GtkNativeDialog>(dialog)
    }

    private func answered(_ isAccepted: Bool) {
        let urls = isAccepted ? chosen : []
        // Not now: GTK is in the midst of closing it.
        OnMain.later { [weak self] in self?.done(urls) }
    }

    private var chosen: [URL] {
        guard let dialog, let list = gtk_file_chooser_get_files(dialog) else { return [] }
        defer { g_object_unref(UnsafeMutableRawPointer(list)) }
        return (0..<g_list_model_get_n_items(list)).compactMap { index in
            guard let file = g_list_model_get_item(list, index) else { return nil }
            defer { g_object_unref(file) }
            guard let uri = g_file_get_uri(OpaquePointer(file)) else { return nil }
            defer { g_free(uri) }
            return URL(string: String(cString: uri))
        }
    }

    func close() {
        guard let dialog else { return }
        self.dialog = nil
        answer?.disconnect()
        gtk_native_dialog_destroy(native(dialog))
        g_object_unref(UnsafeMutableRawPointer(dialog))
    }

    /// A dialog of GTK's is for files or for folders.
    static func action(_ types: [UTType]) -> GtkFileChooserAction {
        !types.isEmpty && types.allSatisfy { $0.conforms(to: .directory) }
            ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER : GTK_FILE_CHOOSER_ACTION_OPEN
    }

    /// Nil: all files.
    private static func filter(_ types: [UTType]) -> OpaquePointer? {
        let endings = FileDialog.endings(types)
        guard !endings.isEmpty, let filter = gtk_file_filter_new() else { return nil }
        for ending in endings { gtk_file_filter_add_suffix(filter, ending) }
        return filter
    }

    /// How files that can be chosen end; none is any.
    static func endings(_ types: [UTType]) -> [String] {
        let all: [UTType] = [.item, .data, .content]
        guard !types.isEmpty, !types.contains(where: { type in all.contains(type) || type.allExtensions.isEmpty })
        else { return [] }
        return types.flatMap(\.allExtensions)
    }
}
