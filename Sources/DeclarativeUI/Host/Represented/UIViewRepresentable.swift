import Foundation
@_spi(Graph) import ViewGraph

/// A view with layers as a SwiftUI view. Same API as in UIKit: the content is a `UIView`, or a `GtkView` with a GTK
/// widget.
///
/// ```swift
/// struct Caption: UIViewRepresentable {
///     let text: String
///
///     func makeUIView(context: Context) -> UILabel { UILabel() }
///     func updateUIView(_ label: UILabel, context: Context) { label.text = text }
/// }
/// ```
/// The content is created when the view is added to a window. `GtkWidgetRepresentable` describes how sizes are chosen.
@MainActor @preconcurrency
public protocol UIViewRepresentable: View where Body == Never {
    /// The type of the UIKit view.
    associatedtype UIViewType: GtkView
    /// The type of the coordinator, which lives as long as the view's identity.
    associatedtype Coordinator = Void
    /// The argument of the methods: coordinator, transaction and environment.
    typealias Context = UIViewRepresentableContext<Self>
    /// Returns a new view, which is then added to the window.
    func makeUIView(context: Context) -> UIViewType
    /// Updates the view. Called after its creation, and when the view, its environment or a value that this method has
    /// read changes.
    func updateUIView(_ uiView: UIViewType, context: Context)
    /// Cleans up before the view is removed from its window.
    static func dismantleUIView(_ uiView: UIViewType, coordinator: Coordinator)
    /// Returns the coordinator. Called once, before the view is created.
    func makeCoordinator() -> Coordinator
    /// Returns the size in points, or nil for the widget's own choice.
    func sizeThatFits(_ proposal: ProposedViewSize, uiView: UIViewType, context: Context) -> CGSize?
}

extension UIViewRepresentable {
    public var body: Never { preconditionFailure("\(Self.self) has no body; it represents a widget") }
    /// Does nothing by default.
    public static func dismantleUIView(_ uiView: UIViewType, coordinator: Coordinator) {}
    /// Returns nil by default, so that the view chooses its size.
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
    /// Returns no coordinator.
    public func makeCoordinator() {}
}

/// The context of a represented view.
@MainActor @preconcurrency
public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {
    /// The coordinator that `makeCoordinator()` has returned. The same for the view's whole life.
    public let coordinator: Representable.Coordinator
    /// The transaction of the current change.
    public let transaction: Transaction
    /// The current environment of the view.
    public let environment: EnvironmentValues
}
