import CGTK
import GTK

/// Words on a dark panel over the picture, as widgets of GTK. Main actor.
@MainActor
package final class OverlayPanel {
    /// For a `GtkOverlay`, as large as it wants to be.
    package var widget: GTKWidget { scroll.widget }
    private let scroll = GTKScrolledWindow()
    private let content = GTKBox(GTK_ORIENTATION_HORIZONTAL, spacing: OverlayPanel.columnSpacing)
    /// All keys are as wide as the widest, also in columns that stand below each other.
    private let keys = GTKSizeGroup.widths()
    private let signals = Signals()

    package enum Place { case topLeading, centre }

    /// Points: around the panel, and around what is in it.
    private static let margin: Int32 = 16, padding: Int32 = 16
    /// Points: between columns, and between keys and words.
    private static let columnSpacing: Int32 = 32, wordSpacing: Int32 = 12

    private static let style = Stylesheet(
        """
        .zoetrope-panel { background: rgba(0,0,0,0.8); color: white; padding: \(padding)px; border-radius: 12px; font-size: 90%; }
        .zoetrope-panel .key { font-weight: bold; }
        .zoetrope-panel .heading { font-weight: bold; opacity: 0.75; margin-top: 8px; }
        .zoetrope-panel label { font-feature-settings: "tnum"; }
        """)

    /// - Parameter clicked: it was clicked; nil: clicks go through it.
    init(at place: Place, name: String, clicked: (@MainActor () -> Void)? = nil) {
        OverlayPanel.style.ensure()
        content.addClass("zoetrope-panel")
        // What scrolls may have been given more than it takes.
        content.setAlignment(vertical: place == .centre ? GTK_ALIGN_CENTER : GTK_ALIGN_START)
        // Lines that are too long wrap; only columns that are too high scroll.
        scroll.setBars(horizontal: GTK_POLICY_NEVER, vertical: GTK_POLICY_AUTOMATIC)
        scroll.followChildSize()
        scroll.setChild(content.widget)
        scroll.setAlignment(horizontal: place == .centre ? GTK_ALIGN_CENTER : GTK_ALIGN_START)
        scroll.setAlignment(vertical: place == .centre ? GTK_ALIGN_CENTER : GTK_ALIGN_START)
        scroll.setAccessibleLabel(name)
        scroll.setMargins(top: OverlayPanel.margin, bottom: OverlayPanel.margin, sides: OverlayPanel.margin)
        if let clicked {
            let click = GTKClickGesture()
            signals.on(click, "released") { clicked() }
            scroll.add(click)
        } else {
            scroll.setCanTarget(false)
        }
    }

    /// Columns of keys and words; rows without words are headings. Columns stand beside each other where there is room
    /// for them (`fit`).
    func fill(_ columns: [[(key: String, words: String)]]) {
        while let child = content.firstChild { content.remove(child) }
        for rows in columns {
            let grid = GTKGrid()
            grid.setSpacing(column: UInt32(OverlayPanel.wordSpacing), row: 2)
            grid.setAlignment(vertical: GTK_ALIGN_START)
            for (row, line) in rows.enumerated() {
                if line.words.isEmpty {
                    attach(line.key, "heading", to: grid, 0, Int32(row), width: 2)
                } else {
                    attach(line.key, "key", to: grid, 0, Int32(row), width: 1)
                    attach(line.words, nil, to: grid, 1, Int32(row), width: 1)
                }
            }
            content.append(grid)
        }
    }

    /// - Parameter width: of what the panel lies over, points.
    func fit(width: Int32) {
        var wanted: Int32 = 2 * (OverlayPanel.margin + OverlayPanel.padding) - OverlayPanel.columnSpacing
        for column in content.children {
            wanted += column.measure(GTK_ORIENTATION_HORIZONTAL).natural + OverlayPanel.columnSpacing
        }
        let isWide = wanted <= width
        content.setOrientation(isWide ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL)
        content.setSpacing(isWide ? OverlayPanel.columnSpacing : 0)
    }

    /// What there is no room for. - Parameter steps: down, or up where negative.
    func scroll(by steps: Double) {
        let adjustment = scroll.vertical
        adjustment.value += steps * 40
    }

    private func attach(
        _ text: String, _ style: String?, to grid: GTKGrid, _ column: Int32, _ row: Int32,
        width: Int32
    ) {
        let label = GTKLabel(text)
        label.setTextAlignment(0)
        label.setWraps(at: style == nil ? PANGO_WRAP_WORD_CHAR : PANGO_WRAP_WORD, natural: GTK_NATURAL_WRAP_NONE)
        label.setAlignment(vertical: GTK_ALIGN_START)
        if let style { label.addClass(style) }
        if style == "key" { keys.object.add(label) }
        grid.attach(label, column: column, row: row, width: width)
    }
}
