import Foundation
import GTK
import MediaCore
@_spi(Graph) import ViewGraph

/// A GTK widget of an app's own as a view. Shaped as SwiftUI's `UIViewRepresentable`.
///
/// Widgets travel as `GTKWidget`, which any binding of GTK can make and take apart: `GTKWidget(gtk_button_new())`. They
/// are made when the view comes into a window, and not at all without a display. Main actor.
///
/// It takes the size the widget likes best; where the widget has none, or expands, all that is offered.
@MainActor @preconcurrency
public protocol GtkWidgetRepresentable: View where Body == Never {
    /// What lives as long as the view's identity, for signals and the like.
    associatedtype Coordinator = Void
    /// What the methods are given: coordinator, transaction and environment.
    typealias Context = GtkWidgetRepresentableContext<Self>
    /// A new widget, as GTK returns it; the view takes it.
    func makeWidget(context: Context) -> GTKWidget
    /// The widget is to show what the view now says: called once it was made, and when the view, its environment or
    /// what this read has changed.
    func updateWidget(_ widget: GTKWidget, context: Context)
    /// The view leaves its window; the widget goes after this.
    static func dismantleWidget(_ widget: GTKWidget, coordinator: Coordinator)
    /// Makes the coordinator, once, before the widget; nothing where there is none.
    func makeCoordinator() -> Coordinator
    /// Points; nil: as the widget likes.
    func sizeThatFits(_ proposal: ProposedViewSize, widget: GTKWidget, context: Context) -> CGSize?
}

extension GtkWidgetRepresentable {
    public var body: Never { preconditionFailure("\(Self.self) has no body; it represents a widget") }
    /// By default nothing is to be done.
    public static func dismantleWidget(_ widget: GTKWidget, coordinator: Coordinator) {}
    /// By default the widget chooses its size.
    public func sizeThatFits(_ proposal: ProposedViewSize, widget: GTKWidget, context: Context) -> CGSize? { nil }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        let context: @MainActor (RepresentedPlace<Coordinator>) -> Context = {
            Context(coordinator: $0.coordinator, transaction: $0.transaction, environment: $0.environment)
        }
        return RepresentedFiber(
            view, inputs,
            Representation(
                coordinator: { $0.makeCoordinator() },
                make: { $0.makeWidget(context: context($1)) },
                widget: { $0 },
                update: { $0.updateWidget($1, context: context($2)) },
                size: { $0.sizeThatFits($1, widget: $2, context: context($3)) },
                shown: { _, _ in },
                dismantle: { dismantleWidget($0, coordinator: $1) }))
    }
}

extension GtkWidgetRepresentable where Coordinator == Void {
    /// Of a view without a coordinator: nothing to make.
    public func makeCoordinator() {}
}

/// What is around a widget's view.
@MainActor @preconcurrency
public struct GtkWidgetRepresentableContext<Representable: GtkWidgetRepresentable> {
    /// What `makeCoordinator()` made; the same as long as the view's identity lasts.
    public let coordinator: Representable.Coordinator
    /// Of the change that is shown.
    public let transaction: Transaction
    /// The environment of the view, as it is now.
    public let environment: EnvironmentValues
}
