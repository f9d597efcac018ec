import CGTK
import Foundation
import GTK
import Presentation
@_spi(Graph) import ViewGraph

/// A controller that shows the desktop's file dialog while its view is in a window: the base class of the pickers with
/// names of UIKit and PhotosUI. Not for apps.
///
/// The dialog opens soon after `viewDidAppear(_:)`, over the window that contains the controller's view. A sheet or a
/// cover with nothing else stays invisible, so that only the dialog is shown. If the view disappears first, the dialog
/// closes without a result. Overrides of `viewDidAppear(_:)` and `viewDidDisappear(_:)` must call `super`.
@MainActor @preconcurrency
open class _FilePickerController: UIViewController {
    /// The properties of the dialog.
    struct Request {
        /// The types of files. An empty array allows all files.
        var types: [UTType] = []
        var isMultiple = false
        /// Whether the user chooses a folder, whatever `types` are.
        var takesFolder = false
        /// The name of the new file in a dialog for saving. Nil means a dialog for opening files.
        var newName: String?
        /// The folder that is shown first, or nil for the desktop's choice.
        var folder: URL?
    }
    /// The dialog to show, or nil if there is nothing to choose from. Then the picker is canceled at once.
    var request: Request? { nil }
    /// Called once for each dialog, after it has closed, with the chosen URLs, or with none if the user cancels.
    func ended(_ urls: [URL]) {}

    /// Closes the sheet or the cover of declarative views that shows the controller. Returns false if there is none.
    final var closePresentation: (@MainActor () -> Bool)?
    private final var dialog: GTKFileChooser?
    private final var isWaiting = false
    /// Incremented when the view disappears, so that results for an earlier appearance are discarded.
    private final var appearance = 0

    open override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        isWaiting = true
        // Later, because the window of the view may not be decided yet.
        OnMain.later { [weak self] in self?.openDialog() }
    }
    open override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        isWaiting = false
        appearance += 1
        dialog?.cancel()
        dialog = nil
    }

    private final func openDialog() {
        guard isWaiting, dialog == nil else { return }
        isWaiting = false
        guard let request, let opened = makeDialog(request) else { return finish([]) }
        dialog = opened
        opened.setFolder(request.folder)
        opened.show(isModal: true)
    }
    /// Creates the dialog, or returns nil without a display.
    private final func makeDialog(_ request: Request) -> GTKFileChooser? {
        guard GTKStart.ensure() else { return nil }
        let current = appearance
        let answered: @MainActor ([URL]) -> Void = { [weak self] urls in
            // GTK is still closing the dialog.
            OnMain.later {
                guard let self, self.dialog != nil, current == self.appearance else { return }
                self.dialog = nil
                self.finish(urls)
            }
        }
        guard let name = request.newName else {
            return FileDialog.make(
                request.types, isMultiple: request.isMultiple, takesFolders: request.takesFolder, over: windowBelow,
                answered)
        }
        let save = PlayerWords.localized("Save")
        let dialog = GTKFileChooser(
            saving: save, over: windowBelow, accept: save, cancel: PlayerWords.localized("Cancel"), answered)
        dialog?.setName(name)
        return dialog
    }
    /// The window that contains the view, or the one below if that is a sheet that stays invisible.
    private final var windowBelow: GTKWindow? {
        var window = viewIfLoaded?.shownWindow
        while let hidden = window, !hidden.isVisible { window = hidden.parent }
        return window
    }

    /// Delivers the result. A picker that is canceled closes, even if the app leaves it open.
    final func finish(_ urls: [URL]) {
        let current = appearance
        ended(urls)
        guard urls.isEmpty, parent == nil else { return }
        // On devices, users can close a picker that the app leaves open. Here, nothing is visible that they could
        // close.
        OnMain.later { [weak self] in
            guard let self, isShown, current == appearance else { return }
            dismiss(animated: true, completion: nil)
        }
    }

    /// Copies files on another thread, then calls `body` with the copies. If the view has disappeared meanwhile, the
    /// copies are removed. A file that can't be copied is logged and left out.
    final func withCopies(of urls: [URL], _ body: @escaping @MainActor ([URL]) -> Void) {
        perform({ urls.compactMap { PickedFile.copyOrLog($0) } }, body) { $0.forEach(PickedFile.remove) }
    }
    /// Runs `work` on another thread, then calls `body` with the result, or `discard` if the view has disappeared.
    final func perform(
        _ work: @escaping @Sendable () -> [URL], _ body: @escaping @MainActor ([URL]) -> Void,
        discard: @escaping @MainActor ([URL]) -> Void = { _ in }
    ) {
        let current = appearance
        DispatchQueue.global(qos: .userInitiated).async { [weak self] in
            let result = work()
            OnMain.later { [weak self] in
                guard let self, isShown, current == appearance else { return discard(result) }
                body(result)
            }
        }
    }

    /// Closes the sheet or the cover that shows the picker, of declarative views or of a presenting controller.
    /// - Parameters:
    ///   - flag: Has no effect: presentations are not animated.
    ///   - completion: Called once on the main actor, after the presentation has closed.
    open override func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        guard modal.presentedIn == nil, closePresentation?() == true else {
            return super.dismiss(animated: flag, completion: completion)
        }
        // The presentation closes in the next update of the views.
        if let completion { OnMain.later { completion() } }
    }
}

extension RepresentedElement {
    /// Connects the element with the controller that it shows, if that is a picker.
    /// - Parameter environment: Returns the current environment of the view.
    func connect(_ product: Any, _ environment: @escaping @MainActor () -> EnvironmentValues?) {
        guard let picker = product as? _FilePickerController else { return }
        showsPicker = true
        picker.closePresentation = {
            guard let environment = environment(), environment.isPresented else { return false }
            environment.dismiss()
            return true
        }
    }
}

extension Element {
    /// Whether the element shows a picker, which has a window of its own, and otherwise only colors and shapes.
    var showsOnlyPicker: Bool {
        var hasPicker = false
        func isEmpty(_ element: Element) -> Bool {
            if let represented = element as? RepresentedElement, represented.showsPicker {
                hasPicker = true
                return true
            }
            if element.children.isEmpty { return element is ShapeElement || !(element is any DrawnElement) }
            return element.children.allSatisfy(isEmpty)
        }
        return isEmpty(self) && hasPicker
    }
}
