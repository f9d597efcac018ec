import Foundation

/// The content of a navigation bar while its controller is on top. Modeled on UIKit's type.
@MainActor @preconcurrency
open class UINavigationItem {
    /// The size of a title.
    public enum LargeTitleDisplayMode: Int, Sendable {
        /// The same as `always`.
        case automatic
        /// A large title, if the bar prefers large titles.
        case always
        /// A small title.
        case never
    }

    /// Creates an item with a title.
    public init(title: String) { self.title = title }
    init() {}

    var onChange: (@MainActor () -> Void)?
    private func changed() { onChange?() }

    /// The title in the bar.
    open var title: String? { didSet { changed() } }
    /// The title of the back button while the next controller is on top. Nil means the title.
    open var backButtonTitle: String? { didSet { changed() } }
    /// Whether the bar has no back button.
    open var hidesBackButton = false { didSet { changed() } }
    /// Sets whether the bar has no back button. The change is not animated.
    open func setHidesBackButton(_ hidesBackButton: Bool, animated: Bool) { self.hidesBackButton = hidesBackButton }
    /// Whether the bar has a back button beside the items on the left. If false, these items replace the back button.
    open var leftItemsSupplementBackButton = false { didSet { changed() } }
    /// Whether the title is large, if the bar prefers large titles.
    open var largeTitleDisplayMode = LargeTitleDisplayMode.automatic { didSet { changed() } }

    /// The items on the left, from left to right.
    open var leftBarButtonItems: [UIBarButtonItem]? { didSet { replaced(oldValue, leftBarButtonItems) } }
    /// The items on the right, from right to left.
    open var rightBarButtonItems: [UIBarButtonItem]? { didSet { replaced(oldValue, rightBarButtonItems) } }
    /// The first item on the left. Setting it replaces all items on the left.
    open var leftBarButtonItem: UIBarButtonItem? {
        get { leftBarButtonItems?.first }
        set { leftBarButtonItems = newValue.map { [$0] } }
    }
    /// The rightmost item. Setting it replaces all items on the right.
    open var rightBarButtonItem: UIBarButtonItem? {
        get { rightBarButtonItems?.first }
        set { rightBarButtonItems = newValue.map { [$0] } }
    }
    /// Replaces the items on the left. The change is not animated.
    open func setLeftBarButton(_ item: UIBarButtonItem?, animated: Bool) { leftBarButtonItem = item }
    /// Replaces the items on the right. The change is not animated.
    open func setRightBarButton(_ item: UIBarButtonItem?, animated: Bool) { rightBarButtonItem = item }

    private func replaced(_ old: [UIBarButtonItem]?, _ new: [UIBarButtonItem]?) {
        for item in old ?? [] { item.onChange = nil }
        for item in new ?? [] { item.onChange = { [weak self] in self?.changed() } }
        changed()
    }
}
