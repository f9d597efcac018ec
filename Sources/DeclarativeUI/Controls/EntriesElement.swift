import Foundation
@_spi(Graph) import ViewGraph

/// Holds elements that are not shown but read: the entries of a menu, the options of a drop-down.
final class EntriesElement: Element {
    /// Something below has changed; told during updates.
    var onChange: (() -> Void)?
    override func forgetArrangement() { onChange?() }
    override var isHidden: Bool { true }
}

extension EnvironmentValues {
    /// What views are told whose words are read for a menu.
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
