/// The position of the playlist in a window, beside the page or over it, and whether the playlist is shown.
struct PanelState {
    /// The width of the playlist, in points.
    static let width: Int32 = 300
    /// `freeWidth`: the minimum width of the page that stays visible beside a playlist over it. `dockedWidth`: the
    /// minimum width of a window that shows the page and the playlist side by side. Both are in points.
    private static let freeWidth: Int32 = 44, dockedWidth: Int32 = 600

    /// Whether the playlist has its own space beside the page. In a narrow window and in full screen, it covers the
    /// page instead.
    private(set) var isDocked: Bool
    /// Whether the user wants the playlist beside the page in a window that is wide enough.
    private var isPreferred = false
    /// Whether the user has opened the playlist over the page.
    private var isOpen = false

    /// Creates the state of a window whose playlist is hidden.
    /// - Parameter width: The width of the window's content, in points; nil if it is not known yet.
    init(width: Double?) { isDocked = (width ?? 0) >= Double(PanelState.dockedWidth) }

    var isShown: Bool { isDocked ? isPreferred : isOpen }
    /// Whether the playlist covers the page.
    var isOverPage: Bool { !isDocked && isOpen }

    /// Shows or hides the playlist, beside the page or over it.
    mutating func show(_ isShown: Bool) {
        if isDocked { isPreferred = isShown } else { isOpen = isShown }
    }
    /// Sets whether the playlist is shown in a window that is wide enough.
    mutating func prefer(_ isPreferred: Bool) { self.isPreferred = isPreferred }

    /// Handles a new size of the window. Returns whether the playlist moves beside the page or over it.
    /// - Parameter width: The width of the window's content, in points.
    mutating func fit(width: Int32, isFullscreen: Bool) -> Bool {
        let hasSpace = width >= PanelState.dockedWidth && !isFullscreen
        guard hasSpace != isDocked else { return false }
        isDocked = hasSpace
        isOpen = false
        return true
    }
    /// Returns the width of the playlist in a window's content of the width `width`, in points.
    func panelWidth(in width: Int32) -> Int32 {
        isDocked ? PanelState.width : max(1, min(PanelState.width, width - PanelState.freeWidth))
    }
}
