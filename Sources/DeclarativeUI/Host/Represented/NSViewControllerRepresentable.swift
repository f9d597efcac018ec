import Foundation

/// A controller's view as a view. AppKit's protocol: the controller is a `NSViewController`, or a
/// `GtkViewController` over a widget of GTK's.
///
/// Made when the view comes into a window. `GtkWidgetRepresentable` says how sizes are chosen. Main actor.
@MainActor @preconcurrency
public protocol NSViewControllerRepresentable: View where Body == Never {
    associatedtype NSViewControllerType: GtkViewOwner
    /// What lives as long as the view's identity.
    associatedtype Coordinator = Void
    typealias Context = NSViewControllerRepresentableContext<Self>
    func makeNSViewController(context: Context) -> NSViewControllerType
    /// Called once it was made, and when the view, its environment or what this read has changed.
    func updateNSViewController(_ nsViewController: NSViewControllerType, context: Context)
    /// The view leaves its window.
    static func dismantleNSViewController(_ nsViewController: NSViewControllerType, coordinator: Coordinator)
    func makeCoordinator() -> Coordinator
    /// Points; nil: as the widget likes.
    func sizeThatFits(_ proposal: ProposedViewSize, nsViewController: NSViewControllerType, context: Context) -> CGSize?
}

extension NSViewControllerRepresentable {
    public var body: Never { preconditionFailure("\(Self.self) has no body; it stands for a widget") }
    public static func dismantleNSViewController(_ nsViewController: NSViewControllerType, coordinator: Coordinator) {}
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
    public func makeCoordinator() {}
}

/// What is around the view.
@MainActor @preconcurrency
public struct NSViewControllerRepresentableContext<Representable: NSViewControllerRepresentable> {
    public let coordinator: Representable.Coordinator
    /// Of the change that is shown.
    public let transaction: Transaction
    public let environment: EnvironmentValues
}
