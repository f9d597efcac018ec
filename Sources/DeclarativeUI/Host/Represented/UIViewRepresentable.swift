import Foundation
@_spi(Graph) import ViewGraph

/// A view with layers as a view of this dialect. UIKit's protocol: what is shown is a `UIView`, or a `GtkView` over a
/// widget of GTK's.
///
/// Made when the view comes into a window. `GtkWidgetRepresentable` says how sizes are chosen. Main actor.
@MainActor @preconcurrency
public protocol UIViewRepresentable: View where Body == Never {
    /// The type of the UIKit view.
    associatedtype UIViewType: GtkView
    /// What lives as long as the view's identity.
    associatedtype Coordinator = Void
    /// What the methods are given: coordinator, transaction and environment.
    typealias Context = UIViewRepresentableContext<Self>
    /// A new view, which is then put into the window.
    func makeUIView(context: Context) -> UIViewType
    /// Called once it was made, and when the view, its environment or what this read has changed.
    func updateUIView(_ uiView: UIViewType, context: Context)
    /// The view leaves its window.
    static func dismantleUIView(_ uiView: UIViewType, coordinator: Coordinator)
    /// Makes the coordinator, once, before the view; nothing where there is none.
    func makeCoordinator() -> Coordinator
    /// Points; nil: as the widget likes.
    func sizeThatFits(_ proposal: ProposedViewSize, uiView: UIViewType, context: Context) -> CGSize?
}

extension UIViewRepresentable {
    public var body: Never { preconditionFailure("\(Self.self) has no body; it represents a widget") }
    /// By default nothing is to be done.
    public static func dismantleUIView(_ uiView: UIViewType, coordinator: Coordinator) {}
    /// By default the view chooses its size.
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
    /// Of a view without a coordinator: nothing to make.
    public func makeCoordinator() {}
}

/// What is around the view.
@MainActor @preconcurrency
public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {
    /// What `makeCoordinator()` made; the same as long as the view's identity lasts.
    public let coordinator: Representable.Coordinator
    /// Of the change that is shown.
    public let transaction: Transaction
    /// The environment of the view, as it is now.
    public let environment: EnvironmentValues
}
