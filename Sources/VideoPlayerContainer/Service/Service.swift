import Zoetrope

/// The base of all services: a widget's view model, or what several widgets and services share.
///
/// A ``Context`` makes one when it is first asked for it, by `init(_:)`, and owns it. Whatever is `@Published` or
/// ``ViewState`` in it tells the widgets that read it (``WithService``) when it changes.
@MainActor @preconcurrency
open class Service: ObservableObject {
    /// Whose service it is; nil once the context has gone. Read as it is in code that does not care (`context.render`),
    /// or as an optional.
    public weak var context: Context!

    /// OpenCombine makes a class without anything `@Published` a new publisher at each look; with this there is one for
    /// the service's life, which ``ViewState`` and ``StateSync`` use too.
    @Published private var anchor: Void = ()

    /// Called by the context, once; a subclass that has an initialiser of its own calls this one first.
    public required init(_ context: Context) { self.context = context }
}
