import Presentation

/// All keys, over the picture: `KeyTable` as it is.
@MainActor
package enum HelpOverlay {
    /// - Parameter closed: it was clicked.
    package static func make(closed: @escaping @MainActor () -> Void) -> OverlayPanel {
        OverlayPanel(at: .centre, name: PlayerWords.localized("Keyboard Shortcuts"), clicked: closed)
    }

    /// Two columns, which stand below each other in a narrow window.
    package static func fill(_ panel: OverlayPanel) {
        var columns: [[(key: String, words: String)]] = [[], []]
        for (index, section) in KeyTable.sections.enumerated() {
            let column = index < 2 ? 0 : 1
            columns[column].append((PlayerWords.localized(section.title), ""))
            columns[column] += KeyTable.lines(of: section, words: PlayerWords.localized).map { ($0.keys, $0.words) }
        }
        columns[1].append((PlayerWords.localized("Mouse"), ""))
        columns[1] += KeyTable.mouse.map { (PlayerWords.localized($0.what), PlayerWords.localized($0.words)) }
        panel.fill(columns)
    }
}
