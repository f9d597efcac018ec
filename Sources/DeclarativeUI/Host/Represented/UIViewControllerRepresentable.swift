import Foundation

/// A controller's view as a view. UIKit's protocol: the controller is a `UIViewController` (an
/// `AVPlayerViewController`, say), or a `GtkViewController` over a widget of GTK's.
///
/// Made when the view comes into a window. `GtkWidgetRepresentable` says how sizes are chosen. Main actor.
@MainActor @preconcurrency
public protocol UIViewControllerRepresentable: View where Body == Never {
    associatedtype UIViewControllerType: GtkViewOwner
    /// What lives as long as the view's identity.
    associatedtype Coordinator = Void
    typealias Context = UIViewControllerRepresentableContext<Self>
    func makeUIViewController(context: Context) -> UIViewControllerType
    /// Called once it was made, and when the view, its environment or what this read has changed.
    func updateUIViewController(_ uiViewController: UIViewControllerType, context: Context)
    /// The view leaves its window.
    static func dismantleUIViewController(_ uiViewController: UIViewControllerType, coordinator: Coordinator)
    func makeCoordinator() -> Coordinator
    /// Points; nil: as the widget likes.
    func sizeThatFits(_ proposal: ProposedViewSize, uiViewController: UIViewControllerType, context: Context) -> CGSize?
}

extension UIViewControllerRepresentable {
    public var body: Never { preconditionFailure("\(Self.self) has no body; it stands for a widget") }
    public static func dismantleUIViewController(_ uiViewController: UIViewControllerType, coordinator: Coordinator) {}
    public func sizeThatFits(_ proposal: ProposedViewSize, uiViewController: UIViewControllerType, context: Context)
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
                make: { $0.makeUIViewController(context: context($1)) },
                widget: { $0.gtkView.widget },
                update: { $0.updateUIViewController($1, context: context($2)) },
                size: { $0.sizeThatFits($1, uiViewController: $2, context: context($3)) },
                shown: { $0.gtkViewIsShown($1) },
                dismantle: { dismantleUIViewController($0, coordinator: $1) }))
    }
}

extension UIViewControllerRepresentable where Coordinator == Void {
    public func makeCoordinator() {}
}

/// What is around the view.
@MainActor @preconcurrency
public struct UIViewControllerRepresentableContext<Representable: UIViewControllerRepresentable> {
    public let coordinator: Representable.Coordinator
    /// Of the change that is shown.
    public let transaction: Transaction
    public let environment: EnvironmentValues
}
