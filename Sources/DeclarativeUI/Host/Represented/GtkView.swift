import CGTK
import Foundation
import GTK
@_spi(Graph) import ViewGraph

/// A GTK widget as an object, the base class of `UIView` and `NSView`. Subclass it, or pass a widget.
@MainActor @preconcurrency
open class GtkView {
    /// The widget. Its parent and this object keep it alive.
    ///
    /// The widget of a `UIView` or `NSView` is created on first access, which needs a display.
    public var widget: GTKWidget {
        if let made { return made.object }
        let fresh = makeWidget()
        made = GTKReference(fresh)
        return fresh
    }
    // A separate object, so that an app's view may be released on any thread.
    private var made: GTKReference<GTKWidget>?

    /// Creates an object for a widget.
    /// - Parameter widget: A new widget as GTK returns it. This object keeps it alive.
    public init(widget: GTKWidget) {
        made = GTKReference(widget)
    }
    /// Creates an object whose widget, an empty box, is created on first access. Public, because a subclass of `UIView`
    /// in an app could not inherit `init()` otherwise.
    public init(later: Void) {}

    func makeWidget() -> GTKWidget {
        GTKBox(GTK_ORIENTATION_VERTICAL).widget
    }

    /// Sets whether GTK must draw the view, because other views cover it or an effect surrounds it.
    func setCovered(_ covered: Bool) {}
    /// Whether the view has layers, in which a video may have its own surface.
    var isLayered: Bool { false }
    /// Sets the element that shows the view. Nil means none.
    func enclose(_ element: Element?) {}
}

/// A controller of a view: `UIViewController`, `NSViewController` or `GtkViewController`.
/// `UIViewControllerRepresentable` and `NSViewControllerRepresentable` accept it.
@MainActor @preconcurrency
public protocol GtkViewOwner: AnyObject {
    /// The controller's view, loaded on first access.
    var gtkView: GtkView { get }
    /// Notifies the controller that its view was added to a window, or is about to be removed from it.
    func gtkViewIsShown(_ isShown: Bool)
}

/// A widget and its controller, for code that uses GTK's widgets. Subclass it.
@MainActor @preconcurrency
open class GtkViewController: GtkViewOwner {
    private var loaded: GtkView?
    /// Creates a controller. Its view is loaded on first access.
    public init() {}
    /// The controller's view, loaded on first access.
    public var view: GtkView {
        get {
            if let loaded { return loaded }
            loadView()
            let view = loaded ?? GtkView(later: ())
            loaded = view
            viewDidLoad()
            return view
        }
        set { loaded = newValue }
    }
    /// Whether the view is loaded. This property does not load it.
    public var isViewLoaded: Bool { loaded != nil }
    /// Sets `view`. Called on first access of `view`, unless the app has set it before. The default implementation does
    /// nothing. If this method sets no view, an empty box is used.
    open func loadView() {}
    /// Notifies the controller that `view` was loaded.
    open func viewDidLoad() {}
    /// Notifies the controller that `view` was added to a window.
    /// - Parameter animated: Always false.
    open func viewDidAppear(_ animated: Bool) {}
    /// Notifies the controller that `view` is about to be removed from its window.
    /// - Parameter animated: Always false.
    open func viewDidDisappear(_ animated: Bool) {}

    /// The same as `view`, for `GtkViewOwner`.
    public final var gtkView: GtkView { view }
    /// Calls `viewDidAppear` or `viewDidDisappear`, without animation.
    public final func gtkViewIsShown(_ isShown: Bool) {
        if isShown { viewDidAppear(false) } else { viewDidDisappear(false) }
    }
}

/// Views are equal if they are the same object.
extension GtkView: Hashable {
    nonisolated public static func == (a: GtkView, b: GtkView) -> Bool { a === b }
    nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
