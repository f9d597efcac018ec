import CGTK
import Foundation

/// A window over another one, which takes no input until this one is closed.
@MainActor
final class ModalWindow: PresentationPlace {
    private let graph: ViewGraph
    private var window: HostWindow?
    private var shortcuts: WindowShortcuts?
    /// Before GTK makes Return its own.
    private var returns: WindowShortcuts?
    private var wasClosed = false
    private var title = ""
    private let isResizable: Bool
    let root = LayersElement()
    var onClose: (() -> Void)?
    /// What Return does, when nothing that has the focus takes it.
    var onReturn: (() -> Void)?
    /// What Escape and the window's own button do; nil: `onClose`.
    var onCancel: (() -> Void)?

    init(graph: ViewGraph, isResizable: Bool = true) {
        self.graph = graph
        self.isResizable = isResizable
    }

    func open(over element: Element?) {
        // Where there is no window below, there is none above either: in tests.
        guard !wasClosed, window == nil, let container = element?.host?.container else { return }
        let parent = gtk_widget_get_root(container).map {
            UnsafeMutableRawPointer($0).assumingMemoryBound(to: GtkWidget.self)
        }
        guard let window = HostWindow(title: title, graph: graph, parent: parent) else { return }
        self.window = window
        window.root.direction = element?.isMirrored == true ? .rightToLeft : .leftToRight
        window.root.setChildren([root])
        window.onClose = { [weak self] in self?.cancel() }
        gtk_window_set_resizable(window.gtkWindow, isResizable ? 1 : 0)
        if let surface = window.surface.widget {
            shortcuts = WindowShortcuts(on: surface)
            shortcuts?.add(GDK_KEY_Escape) { [weak self] in
                self?.cancel()
                return true
            }
            returns = WindowShortcuts(on: surface, phase: GTK_PHASE_CAPTURE)
            for key in [GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter] {
                returns?.add(key) { [weak self] in
                    // A button that the user went to is pressed itself.
                    guard let self, let action = onReturn, returns?.isFocusOnButton != true else { return false }
                    action()
                    return true
                }
            }
        }
        window.present(size: nil, isSheet: true)
        // GTK gives the first button the focus, and with it Return: that is the default button's.
        if onReturn != nil { gtk_window_set_focus(window.gtkWindow, nil) }
    }

    func titled(_ title: String?) {
        self.title = title ?? self.title
        window?.title = self.title
    }

    private func cancel() { (onCancel ?? onClose)?() }

    func close() {
        wasClosed = true
        shortcuts?.remove()
        shortcuts = nil
        returns?.remove()
        returns = nil
        window?.close()
        window = nil
    }
}
