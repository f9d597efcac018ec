import Foundation
@_spi(Graph) import ViewGraph

/// A controller's view as a view. AppKit's protocol: the controller is a `NSViewController`, or a
/// `GtkViewController` over a widget of GTK's.
///
/// Made when the view comes into a window. `GtkWidgetRepresentable` says how sizes are chosen. Main actor.
@MainActor @preconcurrency
public protocol NSViewControllerRepresentable: View where Body == Never {
    /// The type of the controller.
    associatedtype NSViewControllerType: GtkViewOwner
    /// What lives as long as the view's identity.
    associatedtype Coordinator = Void
    /// What the methods are given: coordinator, transaction and environment.
    typealias Context = NSViewControllerRepresentableContext<Self>
    /// A new controller; its view is loaded right after this.
    func makeNSViewController(context: Context) -> NSViewControllerType
    /// Called once it was made, and when the view, its environment or what this read has changed.
    func updateNSViewController(_ nsViewController: NSViewControllerType, context: Context)
    /// The view leaves its window.
    static func dismantleNSViewController(_ nsViewController: NSViewControllerType, coordinator: Coordinator)
    /// Makes the coordinator, once, before the controller; nothing where there is none.
    func makeCoordinator() -> Coordinator
    /// Points; nil: as the widget likes.
    func sizeThatFits(_ proposal: ProposedViewSize, nsViewController: NSViewControllerType, context: Context) -> CGSize?
}

extension NSViewControllerRepresentable {
    public var body: Never { preconditionFailure("\(Self.self) has no body; it represents a widget") }
    /// By default nothing is to be done.
    public static func dismantleNSViewController(_ nsViewController: NSViewControllerType, coordinator: Coordinator) {}
    /// By default the controller's view chooses its size.
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
    /// Of a view without a coordinator: nothing to make.
    public func makeCoordinator() {}
}

/// What is around the view.
@MainActor @preconcurrency
public struct NSViewControllerRepresentableContext<Representable: NSViewControllerRepresentable> {
    /// What `makeCoordinator()` made; the same as long as the view's identity lasts.
    public let coordinator: Representable.Coordinator
    /// Of the change that is shown.
    public let transaction: Transaction
    /// The environment of the view, as it is now.
    public let environment: EnvironmentValues
}
