import Foundation

/// A view with layers as a view of this dialect. UIKit's protocol: what is shown is a `UIView`, or a `GtkView` over a
/// widget of GTK's.
///
/// Made when the view comes into a window. `GtkWidgetRepresentable` says how sizes are chosen. Main actor.
@MainActor @preconcurrency
public protocol UIViewRepresentable: View where Body == Never {
    associatedtype UIViewType: GtkView
    /// What lives as long as the view's identity.
    associatedtype Coordinator = Void
    typealias Context = UIViewRepresentableContext<Self>
    func makeUIView(context: Context) -> UIViewType
    /// Called once it was made, and when the view, its environment or what this read has changed.
    func updateUIView(_ uiView: UIViewType, context: Context)
    /// The view leaves its window.
    static func dismantleUIView(_ uiView: UIViewType, coordinator: Coordinator)
    func makeCoordinator() -> Coordinator
    /// Points; nil: as the widget likes.
    func sizeThatFits(_ proposal: ProposedViewSize, uiView: UIViewType, context: Context) -> CGSize?
}

extension UIViewRepresentable {
    public var body: Never { preconditionFailure("\(Self.self) has no body; it stands for a widget") }
    public static func dismantleUIView(_ uiView: UIViewType, coordinator: Coordinator) {}
    public func sizeThatFits(_ proposal: ProposedViewSize, uiView: UIViewType, context: Context) -> CGSize? { nil }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        let context: @MainActor (RepresentedPlace<Coordinator>) -> Context = {
            Context(coordinator: $0.coordinator, transaction: $0.transaction, environment: $0.environment)
        }
        return RepresentedFiber(
            view, inputs,
            Representation(
                coordinator: { $0.makeCoordinator() },
                make: { $0.makeUIView(context: context($1)) },
                widget: { $0.widget },
                update: { $0.updateUIView($1, context: context($2)) },
                size: { $0.sizeThatFits($1, uiView: $2, context: context($3)) },
                shown: { _, _ in },
                dismantle: { dismantleUIView($0, coordinator: $1) }))
    }
}

extension UIViewRepresentable where Coordinator == Void {
    public func makeCoordinator() {}
}

/// What is around the view.
@MainActor @preconcurrency
public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {
    public let coordinator: Representable.Coordinator
    /// Of the change that is shown.
    public let transaction: Transaction
    public let environment: EnvironmentValues
}
