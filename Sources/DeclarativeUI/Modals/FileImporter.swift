import Foundation
import GTK
import Presentation
@_spi(Graph) import ViewGraph

extension View {
    /// Shows the desktop's dialog for selecting a file while `isPresented` is true, and sets `isPresented` to false
    /// when the dialog closes.
    ///
    /// ```swift
    /// @State private var selectsFile = false
    ///
    /// var body: some View {
    ///     Button("Open…") { selectsFile = true }
    ///         .fileImporter(isPresented: $selectsFile, allowedContentTypes: [.movie]) { result in
    ///             switch result {
    ///             case .success(let url): open(url)
    ///             case .failure(let error): print(error.localizedDescription)
    ///             }
    ///         }
    /// }
    /// ```
    /// - Parameters:
    ///   - isPresented: Whether the dialog is shown.
    ///   - allowedContentTypes: The types of files that can be selected. `.item`, `.data`, `.content` or a type without
    ///     known file extensions allows all files, and so does an empty array. Folders can be selected only if all
    ///     types are folders.
    ///   - onCompletion: Called on the main actor with the selected file, after the dialog has closed. Not called if
    ///     the user cancels, and never called with a failure. The URL of a file on a server is not a file URL.
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
    /// Shows the desktop's dialog for selecting files while `isPresented` is true, and sets `isPresented` to false when
    /// the dialog closes.
    ///
    /// ```swift
    /// .fileImporter(
    ///     isPresented: $selectsFiles, allowedContentTypes: [.movie, .audio], allowsMultipleSelection: true
    /// ) { result in
    ///     if case .success(let urls) = result { add(urls) }
    /// }
    /// ```
    /// - Parameters:
    ///   - isPresented: Whether the dialog is shown.
    ///   - allowedContentTypes: The types of files that can be selected. `.item`, `.data`, `.content` or a type without
    ///     known file extensions allows all files, and so does an empty array. Folders can be selected only if all
    ///     types are folders.
    ///   - allowsMultipleSelection: Whether the user can select several files.
    ///   - onCompletion: Called on the main actor with the selected files, after the dialog has closed. Not called if
    ///     the user cancels, and never called with a failure. The URL of a file on a server is not a file URL.
    public func fileImporter(
        isPresented: Binding<Bool>, allowedContentTypes: [UTType], allowsMultipleSelection: Bool,
        onCompletion: @escaping @MainActor (Result<[URL], any Error>) -> Void
    ) -> some View {
        presenting(
            isPresented,
            in: { fiber in
                FileDialog(
                    types: allowedContentTypes, isMultiple: allowsMultipleSelection,
                    folder: fiber.environment.fileDialogFolder
                ) { urls in
                    // Close the dialog first, so that `onCompletion` may show another one.
                    isPresented.wrappedValue = false
                    if !urls.isEmpty { onCompletion(.success(urls)) }
                }
            }
        ) { AnyView(EmptyView()) }
    }

    /// Sets the folder that the dialogs of `fileImporter` in this view show first. Matches SwiftUI's
    /// `fileDialogDefaultDirectory(_:)`.
    ///
    /// ```swift
    /// struct OpenButton: View {
    ///     let folder: URL
    ///     @State private var selectsFile = false
    ///
    ///     var body: some View {
    ///         Button("Open…") { selectsFile = true }
    ///             .fileImporter(isPresented: $selectsFile, allowedContentTypes: [.movie]) { print($0) }
    ///             .fileDialogDefaultDirectory(folder)
    ///     }
    /// }
    /// ```
    /// - Parameter defaultDirectory: The file URL of the folder. If it is nil or does not exist, the desktop chooses the
    ///   folder.
    public func fileDialogDefaultDirectory(_ defaultDirectory: URL?) -> some View {
        environment(\.fileDialogFolder, defaultDirectory)
    }
}

private struct FileDialogFolderKey: EnvironmentKey { static let defaultValue: URL? = nil }

extension EnvironmentValues {
    fileprivate var fileDialogFolder: URL? {
        get { self[FileDialogFolderKey.self] }
        set { self[FileDialogFolderKey.self] = newValue }
    }
}

/// A GTK dialog for selecting files. If there is a portal, the desktop's own dialog is shown.
@MainActor
final class FileDialog: PresentationPlace {
    let root = LayersElement()
    var onClose: (() -> Void)?
    private let types: [UTType]
    private let isMultiple: Bool
    private let folder: URL?
    private let done: ([URL]) -> Void
    private var dialog: GTKFileChooser?

    init(types: [UTType], isMultiple: Bool, folder: URL?, done: @escaping ([URL]) -> Void) {
        self.types = types
        self.isMultiple = isMultiple
        self.folder = folder
        self.done = done
    }

    func open(over element: Element?) {
        guard dialog == nil, let container = element?.host?.container else { return }
        dialog = FileDialog.make(types, isMultiple: isMultiple, over: container.window) { [weak self] urls in
            // Call `done` later, because GTK is still closing the dialog.
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.done(urls) } }
        }
        dialog?.setFolder(folder)
        dialog?.show(isModal: true)
    }

    func close() { dialog = nil }

    /// Creates the dialog that selects files of these types, or folders. Returns nil without a display.
    static func make(
        _ types: [UTType], isMultiple: Bool, takesFolders: Bool = false, over window: GTKWindow?,
        _ answered: @escaping @MainActor ([URL]) -> Void
    ) -> GTKFileChooser? {
        let open = PlayerWords.localized("Open")
        let dialog = GTKFileChooser(
            open, over: window, takesFolders: takesFolders || FileDialog.takesFolders(types), accept: open,
            cancel: PlayerWords.localized("Cancel"), answered)
        dialog?.setAllowsMany(isMultiple)
        dialog?.setEndings(endings(types))
        return dialog
    }

    /// Returns whether the dialog selects folders. A GTK dialog is for files or for folders, not for both.
    static func takesFolders(_ types: [UTType]) -> Bool {
        !types.isEmpty && types.allSatisfy { $0.conforms(to: .directory) }
    }

    /// Returns the extensions of the files that can be selected. An empty array allows all files.
    static func endings(_ types: [UTType]) -> [String] {
        let unrestricted: [UTType] = [.item, .data, .content]
        guard !types.isEmpty,
            !types.contains(where: { type in unrestricted.contains(type) || type.allExtensions.isEmpty })
        else { return [] }
        return types.flatMap(\.allExtensions)
    }
}
