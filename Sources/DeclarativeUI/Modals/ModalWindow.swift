import CGTK
import Foundation
import GTK
@_spi(Graph) import ViewGraph

/// A window over another window. Until this window closes, the other one is darkened and receives no input.
@MainActor
final class ModalWindow: PresentationPlace {
    private let graph: ViewGraph
    private var window: HostWindow?
    private var shortcuts: WindowShortcuts?
    /// The shortcuts for Return, which are handled before GTK handles the key.
    private var returnShortcuts: WindowShortcuts?
    private var wasClosed = false
    private var title = ""
    private let isDialog: Bool
    private var parent: GTKWindow?
    private var isShown = false
    let root = LayersElement()
    var onClose: (() -> Void)?
    /// Called for Return, unless a button with the focus uses the key.
    var onReturn: (() -> Void)?
    /// Called when the user presses Escape or the window's close button. If nil, `onClose` is called.
    var onCancel: (() -> Void)?

    /// Creates a window that is not visible yet.
    ///
    /// - Parameters:
    ///   - graph: The graph of the content.
    ///   - isDialog: Whether the window is as large as its content and has no desktop frame. The content then needs
    ///     buttons that close the window.
    init(graph: ViewGraph, isDialog: Bool = false) {
        self.graph = graph
        self.isDialog = isDialog
    }

    func open(over element: Element?) {
        // In tests without a display, the element below has no widget. Then no window is opened.
        guard !wasClosed, window == nil, let container = element?.host?.container else { return }
        let parent = container.window
        guard let window = HostWindow(title: title, graph: graph, parent: parent) else { return }
        self.window = window
        window.root.direction = element?.isMirrored == true ? .rightToLeft : .leftToRight
        window.root.setChildren([root])
        window.onClose = { [weak self] in self?.cancel() }
        if isDialog { window.becomeDialog() }
        if let surface = window.surface.widget {
            shortcuts = WindowShortcuts(on: surface)
            shortcuts?.add(GDK_KEY_Escape) { [weak self] in
                self?.cancel()
                return true
            }
            returnShortcuts = WindowShortcuts(on: surface, phase: GTK_PHASE_CAPTURE)
            returnShortcuts?.add(GDK_KEY_Return) { [weak self] in
                // Return presses the button to which the user has moved the focus.
                guard let self, let action = onReturn, returnShortcuts?.isFocusOnButton != true else { return false }
                action()
                return true
            }
        }
        self.parent = parent
        show()
    }

    /// Shows the window, unless a picker is its only content: the picker's dialog is then shown alone.
    private func show() {
        guard let window, !isShown else { return }
        isShown = !root.showsOnlyPicker
        window.surface.reportsStructure = !isShown
        guard isShown else { return }
        if let parent { ModalWindow.darken(parent, 1) }
        window.present(size: nil, isSheet: true)
        // GTK focuses the first button, which would then receive Return. Return belongs to the default button.
        if onReturn != nil { window.window.focus = nil }
    }

    func titled(_ title: String?) {
        self.title = title ?? self.title
        window?.title = self.title
        show()
    }

    private var isDismissDisabled = false
    func setDismissDisabled(_ isDisabled: Bool) { isDismissDisabled = isDisabled }
    private func cancel() { if !isDismissDisabled { (onCancel ?? onClose)?() } }

    func close() {
        wasClosed = true
        shortcuts?.remove()
        shortcuts = nil
        returnShortcuts?.remove()
        returnShortcuts = nil
        window?.close()
        window = nil
        if isShown, let parent { ModalWindow.darken(parent, -1) }
        parent = nil
    }

    /// The number of modal windows over each window.
    private static var modalCounts: [GTKWindow: Int] = [:]
    private static func darken(_ window: GTKWindow, _ change: Int) {
        let count = modalCounts[window, default: 0] + change
        modalCounts[window] = count > 0 ? count : nil
        // The window below may have closed before this one.
        guard HostWindow.all.contains(where: { $0.window == window }) else { return }
        Stylesheet.modals.ensure()
        window.setClass("zt-behind", count > 0)
    }
}

extension Stylesheet {
    /// The style rules for dialogs and for the windows behind them.
    static let modals = Stylesheet(
        """
        window.zt-behind { filter: brightness(\(Shade.behindModal)); }
        window { transition: filter \(Int(Motion.standardSeconds * 1000))ms ease-out; }
        window.zt-dialog.csd { border-radius: \(Int(Radius.window))px; box-shadow: \(Elevation.modal.css), 0 0 0 1px rgba(0,0,0,0.15); }
        window.zt-dialog:not(.csd) { box-shadow: inset 0 0 0 1px alpha(currentColor, 0.25); }
        """)
}
