import Zoetrope

/// The base class of all services: the view model of a widget, or state that several widgets and services share.
///
/// ```swift
/// final class LikeService: Service {
///     @ViewState var isLiked = false
///
///     func toggle() {
///         isLiked.toggle()
///         context.toast.toast(isLiked ? "Added to your likes" : "Removed from your likes")
///     }
/// }
/// ```
/// A ``Context`` creates a service with `init(_:)` when it is first requested, and owns it. Properties that are
/// `@Published` or a ``ViewState`` update the widgets that read them (``WithService``).
@MainActor @preconcurrency
open class Service: ObservableObject {
    /// The context of the service; nil after the context has been released.
    ///
    /// Use it like a non-optional property (`context.render`) where the context must exist, and like an optional
    /// elsewhere.
    public weak var context: Context!

    /// Without a `@Published` property, OpenCombine creates a new publisher with each access. This property gives the
    /// service one publisher for its whole life, which ``ViewState`` and ``StateSync`` also use.
    @Published private var anchor: Void = ()

    /// Creates a service. The context calls it once. A subclass with its own initializer calls this one first.
    public required init(_ context: Context) { self.context = context }
}
