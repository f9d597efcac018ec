import CGTK
import GTK

/// A dark panel with text over the video, built from GTK widgets. Main actor.
@MainActor
package final class OverlayPanel {
    /// The widget for a `GtkOverlay`, in its natural size.
    package var widget: GTKWidget { scroll.widget }
    private var scroll: GTKScrolledWindow { scrollReference.object }
    private var content: GTKGrid { contentReference.object }
    // The texts may change after the window, which owns its widgets, has closed.
    private let scrollReference = GTKReference(GTKScrolledWindow())
    // A box would report a wrong height for texts that wrap in columns (GTK 4.18).
    private let contentReference = GTKReference(GTKGrid())
    private var columns: [GTKReference<GTKGrid>] = []
    /// Whether the columns are side by side.
    private var isWide = true
    /// The size group that gives all keys the width of the widest one, even in stacked columns.
    private let keys = GTKSizeGroup.widths()
    private let signals = Signals()

    package enum Place { case topLeading, centre }

    /// The space around the panel, and inside its border, in points.
    private static let margin: Int32 = 16, padding: Int32 = 16
    /// The space between columns, and between keys and texts, in points.
    private static let columnSpacing: Int32 = 32, textSpacing: Int32 = 12

    private static let style = Stylesheet(
        """
        .zoetrope-panel { background: rgba(0,0,0,0.8); color: white; padding: \(padding)px; border-radius: 12px; font-size: 90%; }
        .zoetrope-panel .key { font-weight: bold; }
        .zoetrope-panel .heading { font-weight: bold; opacity: 0.75; margin-top: 8px; }
        .zoetrope-panel label { font-feature-settings: "tnum"; }
        """)

    /// Creates a panel.
    /// - Parameters:
    ///   - place: The position of the panel.
    ///   - name: The name for assistive technology.
    ///   - clicked: Called when the panel is clicked. With nil, clicks pass through the panel.
    init(at place: Place, name: String, clicked: (@MainActor () -> Void)? = nil) {
        OverlayPanel.style.ensure()
        content.addClass("zoetrope-panel")
        content.setSpacing(column: UInt32(OverlayPanel.columnSpacing), row: 0)
        // The content may get more height than it needs.
        content.setAlignment(vertical: place == .centre ? GTK_ALIGN_CENTER : GTK_ALIGN_START)
        // Long lines wrap. The panel scrolls only if its columns are too high.
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

    /// Sets the columns of keys and texts. A row without a text is a heading. Columns are side by side if there is
    /// enough space (`fit`).
    func fill(_ texts: [[(key: String, text: String)]]) {
        removeColumns()
        columns = texts.map { rows in
            let grid = GTKGrid()
            grid.setSpacing(column: UInt32(OverlayPanel.textSpacing), row: 2)
            grid.setAlignment(vertical: GTK_ALIGN_START)
            for (row, line) in rows.enumerated() {
                if line.text.isEmpty {
                    attach(line.key, "heading", to: grid, 0, Int32(row), width: 2)
                } else {
                    attach(line.key, "key", to: grid, 0, Int32(row), width: 1)
                    attach(line.text, nil, to: grid, 1, Int32(row), width: 1)
                }
            }
            return GTKReference(grid)
        }
        addColumns()
    }

    private func removeColumns() { while let child = content.firstChild { content.remove(child) } }

    private func addColumns() {
        for (number, column) in columns.enumerated() {
            let place = Int32(number)
            content.attach(column.object, column: isWide ? place : 0, row: isWide ? 0 : place, width: 1)
        }
    }

    /// Arranges the columns for a width.
    /// - Parameter width: The width of the widget under the panel, in points.
    func fit(width: Int32) {
        var neededWidth: Int32 = 2 * (OverlayPanel.margin + OverlayPanel.padding) - OverlayPanel.columnSpacing
        for column in columns {
            neededWidth += column.object.measure(GTK_ORIENTATION_HORIZONTAL).natural + OverlayPanel.columnSpacing
        }
        guard isWide != (neededWidth <= width) else { return }
        isWide.toggle()
        removeColumns()
        addColumns()
    }

    /// Scrolls a panel that is too high.
    /// - Parameter steps: The number of steps down; negative values scroll up.
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
