import Foundation
@_spi(Graph) import ViewGraph

/// The behavior of all scroll views, lists and forms, which `UIScrollView.appearance()` returns. Modeled on UIKit's
/// type. There are no scroll views of UIKit to create.
@MainActor @preconcurrency
public final class UIScrollView {
    /// The way in which scrolling hides an on-screen keyboard, which Linux desktops do not have.
    public enum KeyboardDismissMode: Int, Sendable {
        /// Scrolling does not hide the keyboard.
        case none
        /// A drag, or a drag that reaches the keyboard, hides the keyboard.
        case onDrag, interactive
        /// The same for the keyboard and the view above it.
        case onDragWithAccessory, interactiveWithAccessory
    }
    private static let shared = UIScrollView()
    /// Returns the object for all scroll views. A change applies to scroll views that are created or updated later.
    public static func appearance() -> UIScrollView { shared }
    private init() {}

    /// Whether the vertical scroll bar is visible during scrolling. Views can hide it, but not show it again.
    public var showsVerticalScrollIndicator = true
    /// Whether the horizontal scroll bar is visible during scrolling. Views can hide it, but not show it again.
    public var showsHorizontalScrollIndicator = true
    /// Stored without effect: GTK ends scrolling at the edges of the content.
    public var bounces = true, alwaysBounceVertical = false, alwaysBounceHorizontal = false
    /// Stored without effect: Linux desktops have no on-screen keyboard.
    public var keyboardDismissMode = KeyboardDismissMode.none

    /// The axes whose scroll bars are hidden.
    var hiddenBars: Axis.Set {
        var axes: Axis.Set = []
        if !showsVerticalScrollIndicator { axes.insert(.vertical) }
        if !showsHorizontalScrollIndicator { axes.insert(.horizontal) }
        return axes
    }
}
