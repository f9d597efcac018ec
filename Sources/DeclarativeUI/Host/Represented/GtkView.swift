import CGTK
import Foundation
import GTK
import MediaCore
@_spi(Graph) import ViewGraph

/// A GTK widget as an object: what `UIView` and `NSView` are made of. Subclass it, or hand it a widget.
@MainActor @preconcurrency
open class GtkView {
    /// Owned by its parent, and by this object. Of a `UIView` or an `NSView` it is made when it is first asked for,
    /// which needs a display.
    public var widget: GTKWidget {
        if let made { return made.object }
        let fresh = makeWidget()
        made = GTKReference(fresh)
        return fresh
    }
    // An object of its own: an app's views need not know on which thread they go.
    private var made: GTKReference<GTKWidget>?

    /// - Parameter widget: as GTK returns a new one; this object keeps it alive.
    public init(widget: GTKWidget) {
        made = GTKReference(widget)
    }
    /// An empty box, which is made when it is asked for. Public, as an app's subclass of `UIView` would else not
    /// inherit `init()`.
    public init(later: Void) {}

    func makeWidget() -> GTKWidget {
        GTKBox(GTK_ORIENTATION_VERTICAL).widget
    }

    /// Something lies over it in its window, or it goes through an effect: what it shows must be drawn by GTK.
    func setCovered(_ covered: Bool) {}
    /// It shows what may have a surface of its own.
    var isLayered: Bool { false }
    /// The element that shows it now; nil: none any more.
    func enclose(_ element: Element?) {}
}

/// What `UIViewControllerRepresentable` and `NSViewControllerRepresentable` take for a controller: `UIViewController`,
/// `NSViewController`, `GtkViewController`.
@MainActor @preconcurrency
public protocol GtkViewOwner: AnyObject {
    /// Loaded when it is first asked for.
    var gtkView: GtkView { get }
    /// It has come into a window, or left it.
    func gtkViewIsShown(_ isShown: Bool)
}

/// A widget and what is done with it, for code that has GTK's widgets. Subclass it.
@MainActor @preconcurrency
open class GtkViewController: GtkViewOwner {
    private var loaded: GtkView?
    /// Makes the controller; its view is loaded when it is first asked for.
    public init() {}
    /// Loaded when it is first asked for.
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
    /// Whether `view` was loaded; asking does not load it.
    public var isViewLoaded: Bool { loaded != nil }
    /// Sets `view`. By default it is an empty box.
    open func loadView() {}
    /// `view` is there.
    open func viewDidLoad() {}
    /// `view` is in a window. - Parameter animated: always false.
    open func viewDidAppear(_ animated: Bool) {}
    /// `view` has left its window. - Parameter animated: always false.
    open func viewDidDisappear(_ animated: Bool) {}

    /// The same as `view`, for `GtkViewOwner`.
    public final var gtkView: GtkView { view }
    /// Calls `viewDidAppear` or `viewDidDisappear`, never animated.
    public final func gtkViewIsShown(_ isShown: Bool) {
        if isShown { viewDidAppear(false) } else { viewDidDisappear(false) }
    }
}

/// Views are equal when they are the same object.
extension GtkView: Hashable {
    nonisolated public static func == (a: GtkView, b: GtkView) -> Bool { a === b }
    nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
