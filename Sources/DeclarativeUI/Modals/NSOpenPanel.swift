import Foundation
import GTK
import Presentation

/// The desktop's dialog for selecting files or folders. Modeled on AppKit's type.
///
/// ```swift
/// let panel = NSOpenPanel()
/// panel.allowedContentTypes = [.movie]
/// panel.allowsMultipleSelection = true
/// panel.begin { response in
///     if response == .OK { open(panel.urls) }
/// }
/// ```
@MainActor @preconcurrency
open class NSOpenPanel: NSSavePanel {
    /// Whether files can be selected.
    open var canChooseFiles = true
    /// Whether folders can be selected. Has an effect only if `canChooseFiles` is false, because GTK's dialog is for
    /// files or for folders, not for both.
    open var canChooseDirectories = false
    /// Whether the user can select several files.
    open var allowsMultipleSelection = false
    /// Stored without effect: URLs are those that the desktop's dialog returns.
    open var resolvesAliases = true
    /// The selected URLs, or none before the user has confirmed a choice. A file on a server has no file URL.
    open var urls: [URL] { chosen }

    override func makeDialog(over window: GTKWindow?, _ answered: @escaping @MainActor ([URL]) -> Void)
        -> GTKFileChooser?
    {
        guard GTKStart.ensure() else { return nil }
        let open = PlayerWords.localized("Open")
        let dialog = GTKFileChooser(
            shownTitle.isEmpty ? open : shownTitle, over: window, takesFolders: canChooseDirectories && !canChooseFiles,
            accept: prompt.isEmpty ? open : prompt, cancel: PlayerWords.localized("Cancel"), answered)
        dialog?.setAllowsMany(allowsMultipleSelection)
        return dialog
    }
    override func finished(_ url: URL) -> URL { url }
}
