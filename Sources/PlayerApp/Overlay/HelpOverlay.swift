import Presentation

/// The keyboard shortcuts over the video, from `KeyTable`.
@MainActor
package enum HelpOverlay {
    /// Returns a new panel.
    /// - Parameter closed: Called when the panel is clicked.
    package static func make(closed: @escaping @MainActor () -> Void) -> OverlayPanel {
        OverlayPanel(at: .centre, name: PlayerWords.localized("Keyboard Shortcuts"), clicked: closed)
    }

    /// Fills a panel with two columns, which are stacked in a narrow window.
    package static func fill(_ panel: OverlayPanel) {
        var columns: [[(key: String, text: String)]] = [[], []]
        for (index, section) in KeyTable.sections.enumerated() {
            let column = index < 2 ? 0 : 1
            columns[column].append((PlayerWords.localized(section.title), ""))
            columns[column] += KeyTable.lines(of: section, translate: PlayerWords.localized).map { ($0.keys, $0.text) }
        }
        columns[1].append((PlayerWords.localized("Mouse"), ""))
        columns[1] += KeyTable.mouse.map { (PlayerWords.localized($0.what), PlayerWords.localized($0.text)) }
        panel.fill(columns)
    }
}
