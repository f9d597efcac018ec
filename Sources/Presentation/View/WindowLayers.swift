import Foundation
import GTK

/// What lies over a window's videos: a text for a moment, controls and panels. Main actor.
@MainActor
final class WindowLayers {
    /// Called with whether anything lies over the videos now.
    var onCover: (Bool) -> Void = { _ in }
    private let overlay = GTKOverlay()
    private let osd = OSD()
    private var pointer: WindowPointer?
    private var hasText = false, hasControls = false
    private var shown: Set<GTKWidget> = []
    /// Each with the margin that it has below by itself.
    private var panels: [(widget: GTKWidget, margin: Int32)] = []
    /// The height of the bar of controls, points.
    private var bar = 0.0

    /// - Parameter videos: what the layers lie over.
    init(over videos: GTKWidget) {
        overlay.setChild(videos)
        overlay.addOverlay(osd.widget)
        // It may lie over any of a wall's videos.
        osd.onVisible = { [weak self] isVisible in
            self?.hasText = isVisible
            self?.followCovers()
        }
    }

    var widget: GTKWidget { overlay.widget }

    private func followCovers() { onCover(hasText || hasControls || !shown.isEmpty) }

    // MARK: text

    /// - Parameter seconds: nil: until `endSticky()`, or the next such text.
    func say(_ text: String, seconds: Double?) { osd.show(text, seconds: seconds) }
    func endSticky() { osd.endSticky() }

    // MARK: controls

    /// See `PlayerWindow.addControls`.
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
        // What is told for a moment stands above them.
        osd.widget.marginBottom = isSeen ? 72 : 24
        placePanels()
        followCovers()
    }

    /// The pointer brings no controls any longer.
    func removePointer() { pointer = nil }

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

    /// Keeps panels above the bar of controls. They are translucent: the bar would make their last lines illegible.
    private func placePanels() {
        let covered = Int32(saturating: bar)
        for (panel, margin) in panels { panel.marginBottom = max(margin, covered) }
    }
}
