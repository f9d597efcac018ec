import Foundation
@_spi(Graph) import ViewGraph

/// The purpose of a document picker, for the older initializers. Modeled on UIKit's type.
public enum UIDocumentPickerMode: UInt, Sendable {
    /// The user selects files, and the app gets copies.
    case `import` = 0
    /// The user selects files, and the app gets the files themselves.
    case open
    /// The user chooses a place to which the app's files are copied, or moved.
    case exportToService, moveToService
}

/// A delegate that receives the URLs that the user has selected. Modeled on UIKit's protocol.
@MainActor @preconcurrency
public protocol UIDocumentPickerDelegate: AnyObject {
    /// Called once after the dialog has closed, with the selected files, or with the new URLs of exported files. The
    /// URL of a file on a server is not a file URL.
    func documentPicker(_ controller: UIDocumentPickerViewController, didPickDocumentsAt urls: [URL])
    /// Called once if the user cancels, or if a file can't be copied or moved. No file is then exported.
    func documentPickerWasCancelled(_ controller: UIDocumentPickerViewController)
    /// The older form for one file, called if the form for several files is not implemented.
    func documentPicker(_ controller: UIDocumentPickerViewController, didPickDocumentAt url: URL)
}
extension UIDocumentPickerDelegate {
    /// Calls the older form with the first file.
    public func documentPicker(_ controller: UIDocumentPickerViewController, didPickDocumentsAt urls: [URL]) {
        if let url = urls.first { documentPicker(controller, didPickDocumentAt: url) }
    }
    /// Does nothing.
    public func documentPickerWasCancelled(_ controller: UIDocumentPickerViewController) {}
    /// Does nothing.
    public func documentPicker(_ controller: UIDocumentPickerViewController, didPickDocumentAt url: URL) {}
}

/// A controller that lets the user select files in the desktop's dialog, or choose a place for the app's files. Modeled
/// on UIKit's type.
///
/// ```swift
/// struct VideoPicker: UIViewControllerRepresentable {
///     let opened: (URL) -> Void
///
///     func makeUIViewController(context: Context) -> UIDocumentPickerViewController {
///         let picker = UIDocumentPickerViewController(forOpeningContentTypes: [.movie])
///         picker.delegate = context.coordinator
///         return picker
///     }
///     func updateUIViewController(_ picker: UIDocumentPickerViewController, context: Context) {}
///     func makeCoordinator() -> Coordinator { Coordinator(opened: opened) }
///
///     final class Coordinator: NSObject, UIDocumentPickerDelegate {
///         let opened: (URL) -> Void
///         init(opened: @escaping (URL) -> Void) { self.opened = opened }
///         func documentPicker(_ controller: UIDocumentPickerViewController, didPickDocumentsAt urls: [URL]) {
///             if let url = urls.first { opened(url) }
///         }
///     }
/// }
/// ```
/// The dialog opens when the view appears, for example in a `sheet`. The sheet itself stays invisible. When the dialog
/// has closed, the picker closes the sheet, and then calls its delegate once.
@MainActor @preconcurrency
open class UIDocumentPickerViewController: _FilePickerController {
    private enum Purpose {
        case open([UTType], asCopy: Bool)
        case export([URL], asCopy: Bool)
    }
    private final let purpose: Purpose

    /// Creates a picker of existing files.
    /// - Parameters:
    ///   - contentTypes: The types of files that can be selected. `.item`, `.data`, `.content` or a type without known
    ///     file extensions allows all files, and so does an empty array. Folders can be selected only if all types are
    ///     folders.
    ///   - asCopy: Whether the delegate gets copies, which the app may move or remove. They are removed when the
    ///     program ends. The delegate is called after the files have been copied, which takes time for large videos.
    public init(forOpeningContentTypes contentTypes: [UTType], asCopy: Bool) {
        purpose = .open(contentTypes, asCopy: asCopy)
        super.init(nibName: nil, bundle: nil)
    }
    /// Creates a picker of existing files. The delegate gets the files themselves, not copies.
    public convenience init(forOpeningContentTypes contentTypes: [UTType]) {
        self.init(forOpeningContentTypes: contentTypes, asCopy: false)
    }
    /// Creates a picker of existing files, by type identifiers.
    /// - Parameters:
    ///   - allowedUTIs: The type identifiers, such as `public.movie`. An unknown identifier allows all files.
    ///   - mode: `import`, so that the delegate gets copies, or `open`. Other modes have the effect of `open`.
    public init(documentTypes allowedUTIs: [String], in mode: UIDocumentPickerMode) {
        purpose = .open(allowedUTIs.map { UTType(importedAs: $0) }, asCopy: mode == .import)
        super.init(nibName: nil, bundle: nil)
    }
    /// Creates a picker of a place for files of the app.
    ///
    /// For one file, the user chooses a name and a folder; an existing file is replaced if the user agrees. For several
    /// files, the user chooses a folder, in which no file is replaced.
    /// - Parameters:
    ///   - urls: The files.
    ///   - asCopy: Whether the files are copied. Otherwise they are moved.
    public init(forExporting urls: [URL], asCopy: Bool) {
        purpose = .export(urls, asCopy: asCopy)
        super.init(nibName: nil, bundle: nil)
    }
    /// Creates a picker of a place to which files of the app are moved.
    public convenience init(forExporting urls: [URL]) { self.init(forExporting: urls, asCopy: false) }
    /// Creates a picker of a place for a file of the app.
    /// - Parameters:
    ///   - url: The file.
    ///   - mode: `moveToService` moves the file. Other modes copy it.
    public convenience init(url: URL, in mode: UIDocumentPickerMode) { self.init(urls: [url], in: mode) }
    /// Creates a picker of a place for files of the app.
    /// - Parameters:
    ///   - urls: The files.
    ///   - mode: `moveToService` moves the files. Other modes copy them.
    public convenience init(urls: [URL], in mode: UIDocumentPickerMode) {
        self.init(forExporting: urls, asCopy: mode != .moveToService)
    }
    /// Returns nil, because archives of controllers are not supported.
    public required init?(coder: NSCoder) { return nil }

    /// The delegate, which is called on the main actor.
    open weak var delegate: (any UIDocumentPickerDelegate)?
    /// Whether the user can select several files.
    open var allowsMultipleSelection = false
    /// The folder that the dialog shows first, or nil for the folder that the desktop chooses.
    open var directoryURL: URL?
    /// Stored without effect: the desktop's dialog shows names with their extensions.
    open var shouldShowFileExtensions = false

    override var request: Request? {
        switch purpose {
        case .open(let types, _):
            return Request(types: types, isMultiple: allowsMultipleSelection, folder: directoryURL)
        case .export(let files, _):
            guard let first = files.first else { return nil }
            return files.count == 1
                ? Request(newName: first.lastPathComponent, folder: directoryURL)
                : Request(takesFolder: true, folder: directoryURL)
        }
    }
    override func ended(_ urls: [URL]) {
        guard let chosen = urls.first else { return deliver([]) }
        switch purpose {
        case .open(_, asCopy: false): deliver(urls)
        case .open(_, asCopy: true): withCopies(of: urls) { self.deliver($0) }
        case .export(let files, let asCopy):
            perform({
                do {
                    return try PickedFile.export(files, to: chosen, isFolder: files.count > 1, asCopy: asCopy)
                } catch {
                    ViewGraph.logger.error("Files can't be exported to \(chosen.path): \(error.localizedDescription)")
                    return []
                }
            }) { self.deliver($0) }
        }
    }
    private final func deliver(_ urls: [URL]) {
        // The presentation may be what keeps the delegate alive.
        let delegate = delegate
        if parent == nil { dismiss(animated: true, completion: nil) }
        if urls.isEmpty {
            delegate?.documentPickerWasCancelled(self)
        } else {
            delegate?.documentPicker(self, didPickDocumentsAt: urls)
        }
    }
}
