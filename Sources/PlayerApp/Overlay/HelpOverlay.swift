import Presentation

/// All keys, over the picture: `KeyTable` as it is.
@MainActor
package enum HelpOverlay {
    /// Nil without a display. - Parameter closed: it was clicked.
    package static func make(closed: @escaping @MainActor () -> Void) -> OverlayPanel? {
        OverlayPanel(at: .centre, name: PlayerWords.localized("Keyboard Shortcuts"), clicked: closed)
    }

    /// - Parameter width: of the window, points: two columns where there is room for them, else one, which is scrolled.
    package static func fill(_ panel: OverlayPanel, width: Int32) {
        let isWide = width >= 860
        var columns: [[(key: String, words: String)]] = isWide ? [[], []] : [[]]
        for (index, section) in KeyTable.sections.enumerated() {
            let column = !isWide || index < 2 ? 0 : 1
            columns[column].append((PlayerWords.localized(section.title), ""))
            columns[column] += KeyTable.lines(of: section, words: PlayerWords.localized).map { ($0.keys, $0.words) }
        }
        columns[columns.count - 1].append((PlayerWords.localized("Mouse"), ""))
        columns[columns.count - 1] += KeyTable.mouse.map {
            (PlayerWords.localized($0.what), PlayerWords.localized($0.words))
        }
        panel.fill(columns)
    }
}
