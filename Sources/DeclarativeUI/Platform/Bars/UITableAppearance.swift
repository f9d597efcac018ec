import Foundation

/// The look of all lists and forms, which `UITableView.appearance()` returns. Modeled on UIKit's type.
///
/// There are no table views to create. `scrollContentBackground(.hidden)`, `listRowSeparator` and
/// `listRowSeparatorTint` override these values.
@MainActor @preconcurrency
public final class UITableView {
    /// The style of the lines between rows.
    public enum SeparatorStyle: Int, Sendable {
        /// No lines, or lines between rows.
        case none, singleLine
    }
    private static let shared = UITableView()
    /// Returns the object for all lists and forms. Visible lists update after each change.
    public static func appearance() -> UITableView { shared }
    private init() {}

    /// The color behind the rows. Nil means the background of the list's style.
    public var backgroundColor: UIColor? {
        get { TableLook.values.current.background.map { UIColor($0) } }
        set { TableLook.values.current.background = newValue.map { Color($0) } }
    }
    /// The style of the lines between rows. The default is `.singleLine`. Lists with the style `.sidebar` have no
    /// lines.
    public var separatorStyle: SeparatorStyle {
        get { TableLook.values.current.hasSeparators ? .singleLine : .none }
        set { TableLook.values.current.hasSeparators = newValue != .none }
    }
    /// The color of the lines between rows. Nil means the default color.
    public var separatorColor: UIColor? {
        get { TableLook.values.current.separator.map { UIColor($0) } }
        set { TableLook.values.current.separator = newValue.map { Color($0) } }
    }
}

/// The look of the rows of all lists and forms, which `UITableViewCell.appearance()` returns. Modeled on UIKit's type.
@MainActor @preconcurrency
public final class UITableViewCell {
    private static let shared = UITableViewCell()
    /// Returns the object for all rows. Visible lists update after each change.
    public static func appearance() -> UITableViewCell { shared }
    private init() {}

    /// The background color of rows, but not of headers and footers. Nil means the background of the list's style.
    /// `listRowBackground` covers the color.
    public var backgroundColor: UIColor? {
        get { TableLook.values.current.rowBackground.map { UIColor($0) } }
        set { TableLook.values.current.rowBackground = newValue.map { Color($0) } }
    }
}

/// The look of lists that set no look of their own.
struct TableLook: Equatable {
    @MainActor static let values = ControlValues(TableLook())
    var background: Color?, rowBackground: Color?, separator: Color?
    var hasSeparators = true
}
