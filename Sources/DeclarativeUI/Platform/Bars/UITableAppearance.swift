import Foundation
@_spi(Graph) import ViewGraph

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
        get { TableLook.values.current.background.uiColor }
        set { TableLook.values.current.background.uiColor = newValue }
    }
    /// The style of the lines between rows. The default is `.singleLine`. Lists with the style `.sidebar` have no
    /// lines.
    public var separatorStyle: SeparatorStyle {
        get { TableLook.values.current.hasSeparators ? .singleLine : .none }
        set { TableLook.values.current.hasSeparators = newValue != .none }
    }
    /// The color of the lines between rows. Nil means the default color.
    public var separatorColor: UIColor? {
        get { TableLook.values.current.separator.uiColor }
        set { TableLook.values.current.separator.uiColor = newValue }
    }
    /// The distances of the lines from the edges of the list, or of a card, in points. The top and the bottom distance
    /// have no effect, and `listRowSeparatorLeading` and `listRowSeparatorTrailing` have priority. Nil means that lines
    /// start at the content of the row above and end at the trailing edge.
    public var separatorInset: UIEdgeInsets? {
        get { TableLook.values.current.separatorInset }
        set { TableLook.values.current.separatorInset = newValue }
    }

    /// The view above the rows of all lists. It is as wide as the list, and scrolls with the rows.
    ///
    /// The height of the view is read when this property is set. A view without a height is not shown, and takes no
    /// space. Views have only one superview, so the view is in the list that has appeared last. Other lists keep the
    /// space for it.
    public var tableHeaderView: UIView? {
        didSet { TableLook.values.current.header = TableEnd(tableHeaderView) }
    }
    /// The view below the rows of all lists, as described for `tableHeaderView`.
    ///
    /// An empty view removes the lines of empty rows in UIKit. There are no empty rows here, so such a view changes
    /// nothing.
    public var tableFooterView: UIView? {
        didSet { TableLook.values.current.footer = TableEnd(tableFooterView) }
    }
    /// The space above and below the rows of all lists, in points. Negative distances count as 0. The left and the
    /// right distance have no effect.
    public var contentInset = UIEdgeInsets.zero {
        didSet {
            TableLook.values.current.topSpace = CGFloat?(contentInset.top).side ?? 0
            TableLook.values.current.bottomSpace = CGFloat?(contentInset.bottom).side ?? 0
        }
    }
    /// The value of a distance that the list chooses: −1.
    public static let automaticDimension: CGFloat = -1
    /// The space above the headers of sections, in points, in addition to the space of a row. A negative value, such as
    /// `automaticDimension`, means the space that the list chooses.
    public var sectionHeaderTopPadding = UITableView.automaticDimension {
        didSet {
            TableLook.values.current.headerPadding =
                sectionHeaderTopPadding >= 0 ? CGFloat?(sectionHeaderTopPadding).side : nil
        }
    }

    /// Whether the user can select rows in lists with a selection. Links and controls in rows still work.
    public var allowsSelection: Bool {
        get { TableLook.values.current.allowsSelection }
        set { TableLook.values.current.allowsSelection = newValue }
    }
    /// The tint color of all lists without a `tint` of their own. Nil means the accent color.
    public var tintColor: UIColor? {
        get { TableLook.values.current.tint.uiColor }
        set { TableLook.values.current.tint.uiColor = newValue }
    }
    /// Whether the scroll bars of lists are visible during scrolling.
    public var showsVerticalScrollIndicator: Bool {
        get { TableLook.values.current.showsIndicator }
        set { TableLook.values.current.showsIndicator = newValue }
    }
    /// Stored without effect: lists do not scroll horizontally.
    public var showsHorizontalScrollIndicator = true
    /// Stored without effect: GTK ends scrolling at the edges of the content.
    public var bounces = true, alwaysBounceVertical = false
    /// Stored without effect: Linux desktops have no on-screen keyboard.
    public var keyboardDismissMode = UIScrollView.KeyboardDismissMode.none
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
        get { TableLook.values.current.rowBackground.uiColor }
        set { TableLook.values.current.rowBackground.uiColor = newValue }
    }
    /// The style of the background of selected rows.
    public enum SelectionStyle: Int, Sendable {
        /// No background, or a background in the color of selections. The colors are the same.
        case none, blue, gray, `default`
    }
    /// The style of the background of selected rows. With `.none`, only the focus ring marks the selected row.
    public var selectionStyle = SelectionStyle.default {
        didSet { TableLook.values.current.marksSelection = selectionStyle != .none }
    }
    /// A view whose background color is that of selected rows. The color is read when this property is set.
    ///
    /// Without a color, selected rows have no background. The view itself, its layers and its subviews are not shown.
    /// Nil means the color of selections.
    public var selectedBackgroundView: UIView? {
        didSet {
            TableLook.values.current.selection = selectedBackgroundView.map { Color($0.backgroundColor ?? .clear) }
        }
    }
    /// The tint color of rows in lists without a `tint` of their own. Nil means the tint color of the list.
    public var tintColor: UIColor? {
        get { TableLook.values.current.rowTint.uiColor }
        set { TableLook.values.current.rowTint.uiColor = newValue }
    }
}

/// The look of the headers and footers of sections in all lists and forms, which
/// `UITableViewHeaderFooterView.appearance()` returns. Modeled on UIKit's type.
@MainActor @preconcurrency
public final class UITableViewHeaderFooterView {
    private static let shared = UITableViewHeaderFooterView()
    /// Returns the object for all headers and footers. Visible lists update after each change.
    public static func appearance() -> UITableViewHeaderFooterView { shared }
    private init() {}

    private func update() {
        TableLook.values.current.headerBackground =
            (backgroundView?.backgroundColor ?? tintColor).map { Color($0) }
    }
    /// The background color of headers and footers. Nil means no background.
    public var tintColor: UIColor? { didSet { update() } }
    /// A view whose background color is that of headers and footers, with priority over `tintColor`. The color is read
    /// when this property is set. The view itself, its layers and its subviews are not shown.
    public var backgroundView: UIView? { didSet { update() } }
}

/// The look of lists that set no look of their own.
struct TableLook: Equatable {
    @MainActor static let values = ControlValues(TableLook())
    var background: Color?, rowBackground: Color?, headerBackground: Color?, separator: Color?
    var hasSeparators = true
    var separatorInset: UIEdgeInsets?
    /// The views above and below the rows, and the space above and below them, in points.
    var header: TableEnd?, footer: TableEnd?
    var topSpace: CGFloat = 0, bottomSpace: CGFloat = 0
    /// The space above headers in addition to the space of a row, in points, or nil for the list's own.
    var headerPadding: CGFloat?
    var allowsSelection = true, marksSelection = true
    var selection: Color?
    /// The tint colors of lists and of their rows.
    var tint: Color?, rowTint: Color?
    var showsIndicator = true
}
