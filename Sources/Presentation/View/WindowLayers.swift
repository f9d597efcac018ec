import GTK

/// The layers over a window's videos: a short text, controls and panels.
@MainActor
final class WindowLayers {
    /// Called with true while anything is above the videos, and with false otherwise.
    var onCover: (Bool) -> Void = { _ in }
    private let overlay = GTKOverlay()
    private let osd = OSD()
    private var pointer: WindowPointer?
    private var hasText = false, hasControls = false
    private var shown: Set<GTKWidget> = []
    /// The panels, each with the bottom margin that applies without controls.
    private var panels: [(widget: GTKWidget, margin: Int32)] = []
    /// The height of the bar of controls, in points.
    private var bar = 0.0

    /// Creates the layers.
    /// - Parameter videos: The widget below the layers.
    init(over videos: GTKWidget) {
        overlay.setChild(videos)
        overlay.addOverlay(osd.widget)
        // The text may be above any of the videos, so all of them are treated as covered.
        osd.onVisible = { [weak self] isVisible in
            self?.hasText = isVisible
            self?.followCovers()
        }
    }

    var widget: GTKWidget { overlay.widget }

    /// Stops all later changes of the widgets, because GTK frees them with the window.
    func close() {
        pointer = nil
        osd.close()
    }

    private func followCovers() { onCover(hasText || hasControls || !shown.isEmpty) }

    // MARK: text

    /// Shows a text.
    /// - Parameters:
    ///   - text: The text.
    ///   - seconds: The time until it disappears. Nil shows the text until `endSticky()` or the next text without a
    ///     time. Until then, texts with a time are ignored.
    func showMessage(_ text: String, seconds: Double?) { osd.show(text, seconds: seconds) }
    func endSticky() { osd.endSticky() }

    // MARK: controls

    /// Adds controls. See `PlayerWindow.addControls`.
    func addControls(
        in window: GTKWindow, _ widget: @escaping @MainActor () -> GTKWidget?,
        moved: @escaping @MainActor (_ isMotion: Bool) -> Void, left: @escaping @MainActor () -> Void
    ) {
        var isThere = false
        pointer = WindowPointer(
            window.widget,
            moved: { [weak self] isMotion in
                guard let self else { return }
                if isMotion, !isThere, let widget = widget() {
                    isThere = true
                    overlay.addOverlay(widget)
                }
                moved(isMotion)
            }, left: left)
    }

    func controlsAreSeen(_ isSeen: Bool, height: Double) {
        hasControls = isSeen
        bar = isSeen ? height : 0
        // Short texts appear above the controls.
        osd.widget.marginBottom = isSeen ? 72 : 24
        placePanels()
        followCovers()
    }

    // MARK: panels

    func add(_ widget: GTKWidget) {
        widget.isVisible = false
        overlay.addOverlay(widget)
        panels.append((widget, widget.marginBottom))
        placePanels()
    }

    func show(_ isShown: Bool, _ widget: GTKWidget) {
        widget.isVisible = isShown
        if isShown { shown.insert(widget) } else { shown.remove(widget) }
        followCovers()
    }

    /// Moves panels above the bar of controls. Panels are translucent, so the bar would make their last lines
    /// illegible.
    private func placePanels() {
        let covered = Int32(saturating: bar)
        for (panel, margin) in panels { panel.marginBottom = max(margin, covered) }
    }
}
