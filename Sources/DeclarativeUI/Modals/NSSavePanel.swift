import Foundation
import GTK

/// The desktop's dialog for the name and the folder of a new file. Modeled on AppKit's type.
///
/// ```swift
/// let panel = NSSavePanel()
/// panel.nameFieldStringValue = "Clip.mp4"
/// panel.allowedContentTypes = [.mpeg4Movie]
/// panel.begin { response in
///     if response == .OK, let url = panel.url { export(to: url) }
/// }
/// ```
/// If there is a portal, the desktop's own dialog is shown, otherwise GTK's. The dialog asks before a file is replaced.
@MainActor @preconcurrency
open class NSSavePanel {
    /// Creates a panel that is not shown yet.
    public init() {}

    /// The title of the dialog. If it is empty, `message` is the title.
    open var title = ""
    /// A text for the user. The dialog shows it only as its title, if `title` is empty.
    open var message = ""
    /// The label of the button that confirms the choice. Empty means the usual label in the user's language.
    open var prompt = ""
    /// The name of the new file when the dialog opens. After `.OK`, the name that the user has chosen.
    open var nameFieldStringValue = ""
    /// The folder that the dialog shows first, or nil for the folder that the desktop chooses. After `.OK`, the folder
    /// of the chosen file.
    open var directoryURL: URL?
    /// The types of the file. An empty array allows all types.
    ///
    /// The dialog shows only files of these types. The URL gets the extension of the first type if the name has none of
    /// the types' extensions. If there is a file with the extended name, the dialog opens again with that name, so that
    /// it asks before the file is replaced.
    open var allowedContentTypes: [UTType] = []
    /// Whether names with another extension than those of `allowedContentTypes` stay unchanged.
    open var allowsOtherFileTypes = false
    /// Stored without effect: the desktop's dialog decides whether folders can be created.
    open var canCreateDirectories = true
    /// Stored without effect: the desktop's dialog has a setting for hidden files.
    open var showsHiddenFiles = false
    /// Stored without effect: names are shown with their extensions.
    open var isExtensionHidden = false, canSelectHiddenExtension = false
    /// Stored without effect: the label of the name field belongs to the desktop's dialog.
    open var nameFieldLabel = ""

    /// The chosen URL, or nil before the user has confirmed a choice. A file on a server has no file URL.
    open var url: URL? { chosen.first }
    /// Whether the dialog is shown.
    open var isVisible: Bool { dialog != nil }

    final var chosen: [URL] = []
    private final var dialog: GTKFileChooser?
    private final var handler: (@MainActor (NSApplication.ModalResponse) -> Void)?
    private final weak var window: NSWindow?
    private final var isModal = false

    /// Shows the dialog over the window with the keyboard focus.
    /// - Parameter handler: Called once on the main actor, after the dialog has closed.
    public final func begin(completionHandler handler: @escaping @MainActor (NSApplication.ModalResponse) -> Void) {
        show(over: NSApp.keyWindow, isModal: false, handler)
    }
    /// Shows the dialog over a window, which receives no input until the dialog closes.
    /// - Parameters:
    ///   - window: The window.
    ///   - handler: Called once on the main actor, after the dialog has closed.
    public final func beginSheetModal(
        for window: NSWindow, completionHandler handler: @escaping @MainActor (NSApplication.ModalResponse) -> Void
    ) {
        show(over: window, isModal: true, handler)
    }
    /// Shows the dialog over the window with the keyboard focus, and returns after it has closed.
    @discardableResult public final func begin() async -> NSApplication.ModalResponse {
        await withCheckedContinuation { continuation in begin { continuation.resume(returning: $0) } }
    }
    /// Shows the dialog over a window, and returns after it has closed.
    @discardableResult public final func beginSheetModal(for window: NSWindow) async -> NSApplication.ModalResponse {
        await withCheckedContinuation { continuation in
            beginSheetModal(for: window) { continuation.resume(returning: $0) }
        }
    }
    /// Not available: a second main loop inside a task of the main actor would stop all other tasks of that actor.
    @available(*, unavailable, message: "Use begin(completionHandler:) or await begin().")
    public final func runModal() -> NSApplication.ModalResponse { .cancel }
    /// Closes the dialog, with the response `.cancel`.
    open func cancel(_ sender: Any?) {
        dialog?.cancel()
        ended([])
    }

    private final func show(
        over window: NSWindow?, isModal: Bool, _ handler: @escaping @MainActor (NSApplication.ModalResponse) -> Void
    ) {
        // A second call, or a call without a display, shows no dialog.
        guard dialog == nil, let opened = makeDialog(over: window?.gtkWindow, { self.answered($0) }) else {
            DispatchQueue.main.async { MainActor.assumeIsolated { handler(.cancel) } }
            return
        }
        chosen = []
        self.handler = handler
        (self.window, self.isModal) = (window, isModal)
        dialog = opened
        if let directoryURL, directoryURL.isFileURL { opened.setFolder(directoryURL) }
        opened.setEndings(FileDialog.endings(allowedContentTypes))
        opened.show(isModal: isModal)
    }
    private final func answered(_ urls: [URL]) {
        // GTK is still closing the dialog.
        DispatchQueue.main.async { MainActor.assumeIsolated { self.ended(urls) } }
    }
    private final func ended(_ urls: [URL]) {
        guard dialog != nil else { return }
        dialog = nil
        chosen = urls.map { finished($0) }
        if let url = chosen.first {
            directoryURL = url.deletingLastPathComponent()
            nameFieldStringValue = url.lastPathComponent
        }
        let handler = handler
        self.handler = nil
        if let handler, let first = urls.first, needsQuestion(first) {
            chosen = []
            return show(over: window, isModal: isModal, handler)
        }
        handler?(urls.isEmpty ? .cancel : .OK)
    }

    /// The title of the dialog.
    final var shownTitle: String { title.isEmpty ? message : title }
    /// Creates the dialog, or returns nil without a display.
    func makeDialog(over window: GTKWindow?, _ answered: @escaping @MainActor ([URL]) -> Void) -> GTKFileChooser? {
        guard GTKStart.ensure() else { return nil }
        let dialog = GTKFileChooser(
            saving: shownTitle, over: window, accept: prompt.isEmpty ? nil : prompt, answered)
        if !nameFieldStringValue.isEmpty { dialog?.setName(nameFieldStringValue) }
        return dialog
    }
    /// Returns whether the URL gets an extension and then is that of a file, for which the dialog has not asked.
    final func needsQuestion(_ url: URL) -> Bool {
        let extended = finished(url)
        return extended != url && extended.isFileURL && FileManager.default.fileExists(atPath: extended.path)
    }
    /// Returns the URL with the extension of the first type, if it needs one.
    func finished(_ url: URL) -> URL {
        let endings = FileDialog.endings(allowedContentTypes).map { $0.lowercased() }
        guard !allowsOtherFileTypes, let ending = allowedContentTypes.first?.preferredFilenameExtension,
            !endings.isEmpty, !endings.contains(url.pathExtension.lowercased())
        else { return url }
        return url.appendingPathExtension(ending)
    }
}

extension NSApplication {
    /// The user's response to a dialog. Modeled on AppKit's type.
    public struct ModalResponse: RawRepresentable, Hashable, Sendable {
        /// The number of the response, as in AppKit.
        public let rawValue: Int
        /// Creates a response.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// The response of a user who confirms the choice, and of a user who cancels the dialog.
        public static let OK = ModalResponse(rawValue: 1), cancel = ModalResponse(rawValue: 0)
    }
}
