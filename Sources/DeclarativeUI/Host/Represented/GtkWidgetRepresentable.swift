import Foundation
import GTK
@_spi(Graph) import ViewGraph

/// A GTK widget of an app as a view. Modeled on SwiftUI's `UIViewRepresentable`.
///
/// ```swift
/// struct LevelBar: GtkWidgetRepresentable {
///     let level: Double
///
///     func makeWidget(context: Context) -> GTKWidget { GTKWidget(gtk_level_bar_new()) }
///     func updateWidget(_ widget: GTKWidget, context: Context) {
///         gtk_level_bar_set_value(widget.pointer, level)
///     }
/// }
/// ```
/// Widgets are passed as `GTKWidget`, which works with any binding of GTK: `GTKWidget(gtk_button_new())`. A widget is
/// created when its view is added to a window, and not without a display.
///
/// The view takes the widget's preferred size. A widget that has no preferred size, or that expands, takes all the
/// space that it is offered.
@MainActor @preconcurrency
public protocol GtkWidgetRepresentable: View where Body == Never {
    /// The type of the coordinator, which lives as long as the view's identity. Use it for signals, for example.
    associatedtype Coordinator = Void
    /// The argument of the methods: coordinator, transaction and environment.
    typealias Context = GtkWidgetRepresentableContext<Self>
    /// Returns a new widget as GTK returns it. The view takes ownership.
    func makeWidget(context: Context) -> GTKWidget
    /// Updates the widget. Called after its creation, and when the view, its environment or a value that this method
    /// has read changes.
    func updateWidget(_ widget: GTKWidget, context: Context)
    /// Cleans up before the view is removed from its window. The widget is destroyed afterward.
    static func dismantleWidget(_ widget: GTKWidget, coordinator: Coordinator)
    /// Returns the coordinator. Called once, before the widget is created.
    func makeCoordinator() -> Coordinator
    /// Returns the size in points, or nil for the widget's own choice.
    func sizeThatFits(_ proposal: ProposedViewSize, widget: GTKWidget, context: Context) -> CGSize?
}

extension GtkWidgetRepresentable {
    public var body: Never { preconditionFailure("\(Self.self) has no body; it represents a widget") }
    /// Does nothing by default.
    public static func dismantleWidget(_ widget: GTKWidget, coordinator: Coordinator) {}
    /// Returns nil by default, so that the widget chooses its size.
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
    /// Returns no coordinator.
    public func makeCoordinator() {}
}

/// The context of a widget's view.
@MainActor @preconcurrency
public struct GtkWidgetRepresentableContext<Representable: GtkWidgetRepresentable> {
    /// The coordinator that `makeCoordinator()` has returned. The same for the view's whole life.
    public let coordinator: Representable.Coordinator
    /// The transaction of the current change.
    public let transaction: Transaction
    /// The current environment of the view.
    public let environment: EnvironmentValues
}
