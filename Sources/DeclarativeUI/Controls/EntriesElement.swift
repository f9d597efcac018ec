@_spi(Graph) import ViewGraph

/// An element whose children are read but not shown: the entries of a menu, or the options of a drop-down.
final class EntriesElement: Element {
    /// Called during updates when a descendant has changed.
    var onChange: (() -> Void)?
    override func forgetArrangement(of child: Element?) { onChange?() }
    override var isHidden: Bool { true }
}

extension EnvironmentValues {
    /// The environment for views whose texts are read for a menu.
    var forEntries: EnvironmentValues {
        with(self) {
            $0.isLazy = false
            $0.font = nil
            $0.foregroundStyle = nil
            $0.labelsAreHidden = false
            $0.buttonStyle = .menu
            $0.toggleStyle = .automatic
        }
    }
}
