import Foundation
@_spi(Graph) import ViewGraph

/// The view of a controller as a SwiftUI view. Same API as in AppKit.
///
/// The controller is an `NSViewController`, or a `GtkViewController` with a GTK widget. It is created when the view is
/// added to a window. `GtkWidgetRepresentable` describes how sizes are chosen.
@MainActor @preconcurrency
public protocol NSViewControllerRepresentable: View where Body == Never {
    /// The type of the controller.
    associatedtype NSViewControllerType: GtkViewOwner
    /// The type of the coordinator, which lives as long as the view's identity.
    associatedtype Coordinator = Void
    /// The argument of the methods: coordinator, transaction and environment.
    typealias Context = NSViewControllerRepresentableContext<Self>
    /// Returns a new controller. Its view is loaded right after this call.
    func makeNSViewController(context: Context) -> NSViewControllerType
    /// Updates the controller. Called after its creation, and when the view, its environment or a value that this
    /// method has read changes.
    func updateNSViewController(_ nsViewController: NSViewControllerType, context: Context)
    /// Cleans up before the view is removed from its window.
    static func dismantleNSViewController(_ nsViewController: NSViewControllerType, coordinator: Coordinator)
    /// Returns the coordinator. Called once, before the controller is created.
    func makeCoordinator() -> Coordinator
    /// Returns the size in points, or nil for the widget's own choice.
    func sizeThatFits(_ proposal: ProposedViewSize, nsViewController: NSViewControllerType, context: Context) -> CGSize?
}

extension NSViewControllerRepresentable {
    public var body: Never { preconditionFailure("\(Self.self) has no body; it represents a widget") }
    /// Does nothing by default.
    public static func dismantleNSViewController(_ nsViewController: NSViewControllerType, coordinator: Coordinator) {}
    /// Returns nil by default, so that the controller's view chooses its size.
    public func sizeThatFits(_ proposal: ProposedViewSize, nsViewController: NSViewControllerType, context: Context)
        -> CGSize?
    { nil }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        let context: @MainActor (RepresentedPlace<Coordinator>) -> Context = {
            Context(coordinator: $0.coordinator, transaction: $0.transaction, environment: $0.environment)
        }
        return RepresentedFiber(
            view, inputs,
            Representation(
                coordinator: { $0.makeCoordinator() },
                make: { $0.makeNSViewController(context: context($1)) },
                widget: { $0.gtkView.widget },
                update: { $0.updateNSViewController($1, context: context($2)) },
                size: { $0.sizeThatFits($1, nsViewController: $2, context: context($3)) },
                shown: { $0.gtkViewIsShown($1) },
                dismantle: { dismantleNSViewController($0, coordinator: $1) }))
    }
}

extension NSViewControllerRepresentable where Coordinator == Void {
    /// Returns no coordinator.
    public func makeCoordinator() {}
}

/// The context of a represented controller.
@MainActor @preconcurrency
public struct NSViewControllerRepresentableContext<Representable: NSViewControllerRepresentable> {
    /// The coordinator that `makeCoordinator()` has returned. The same for the view's whole life.
    public let coordinator: Representable.Coordinator
    /// The transaction of the current change.
    public let transaction: Transaction
    /// The current environment of the view.
    public let environment: EnvironmentValues
}
