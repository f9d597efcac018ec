import CGTK
import GTK

/// The widgets of a window's playlist.
@MainActor
struct PanelWidgets {
    private let panel: GTKWidget?
    /// The playlist. It is an overlay, which covers `space` if the window is wide enough, and the page otherwise.
    private let side = GTKBox(GTK_ORIENTATION_HORIZONTAL)
    private let space = GTKBox(GTK_ORIENTATION_HORIZONTAL)
    /// The shade behind a playlist that covers the page. A click on it hides the playlist.
    let shade = GTKBox(GTK_ORIENTATION_HORIZONTAL)

    init(_ panel: GTKWidget?) {
        self.panel = panel
        space.request(width: PanelState.width + 1)
        shade.addClass("zoetrope-shade")
        side.setAlignment(horizontal: GTK_ALIGN_END)
        side.addClass("zoetrope-side")
        side.append(GTKSeparator(GTK_ORIENTATION_VERTICAL))
        if let panel {
            panel.request(width: PanelState.width)
            side.append(panel)
        }
    }

    /// Adds the playlist and its space.
    /// - Parameters:
    ///   - content: The content of the window.
    ///   - row: The box with the page.
    func add(to content: GTKOverlay, beside row: GTKBox) {
        row.append(space)
        content.addOverlay(side)
    }

    /// Shows or hides the playlist and its space, but not the shade. A hidden playlist does not keep the focus.
    func show(_ state: PanelState) {
        if !state.isShown, let window = side.window, let focus = window.focus, contains(focus) { window.focus = nil }
        side.isVisible = state.isShown
        space.isVisible = state.isShown && state.isDocked
    }

    /// Sets the width of the playlist, in points.
    func request(width: Int32) {
        if let panel, panel.requestedWidth != width { panel.request(width: width) }
    }

    func contains(_ widget: GTKWidget) -> Bool { widget.isInside(side) }
}
