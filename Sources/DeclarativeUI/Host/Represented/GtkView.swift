import CGTK
import Foundation
import MediaCore

/// A GTK widget as an object: what stands for `UIView` and `NSView` in the protocols of their names. Subclass it, or hand it a widget.
@MainActor @preconcurrency
open class GtkView {
    public let widget: OpaquePointer
    /// - Parameter widget: as GTK returns a new one; this object keeps it alive.
    public init(widget: OpaquePointer) {
        self.widget = widget
        g_object_ref_sink(UnsafeMutableRawPointer(widget))
    }
    isolated deinit { g_object_unref(UnsafeMutableRawPointer(widget)) }
}

/// A widget and what is done with it: what stands for `UIViewController` in the protocol of its name. Subclass it.
@MainActor @preconcurrency
open class GtkViewController {
    private var loaded: GtkView?
    public init() {}
    /// Loaded when it is first asked for.
    public var view: GtkView {
        get {
            if let loaded { return loaded }
            loadView()
            let view = loaded ?? GtkView(widget: OpaquePointer(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)))
            loaded = view
            viewDidLoad()
            return view
        }
        set { loaded = newValue }
    }
    public var isViewLoaded: Bool { loaded != nil }
    /// Sets `view`. By default it is an empty box.
    open func loadView() {}
    /// `view` is there.
    open func viewDidLoad() {}
    /// `view` is in a window. - Parameter animated: always false.
    open func viewDidAppear(_ animated: Bool) {}
    /// `view` has left its window. - Parameter animated: always false.
    open func viewDidDisappear(_ animated: Bool) {}
}
