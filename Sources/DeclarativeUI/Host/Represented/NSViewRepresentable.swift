import Foundation
@_spi(Graph) import ViewGraph

/// A view with layers as a view of this dialect. AppKit's protocol: what is shown is an `NSView`, or a `GtkView` over a
/// widget of GTK's.
///
/// Made when the view comes into a window. `GtkWidgetRepresentable` says how sizes are chosen. Main actor.
@MainActor @preconcurrency
public protocol NSViewRepresentable: View where Body == Never {
    /// The type of the AppKit view.
    associatedtype NSViewType: GtkView
    /// What lives as long as the view's identity.
    associatedtype Coordinator = Void
    /// What the methods are given: coordinator, transaction and environment.
    typealias Context = NSViewRepresentableContext<Self>
    /// A new view, which is then put into the window.
    func makeNSView(context: Context) -> NSViewType
    /// Called once it was made, and when the view, its environment or what this read has changed.
    func updateNSView(_ nsView: NSViewType, context: Context)
    /// The view leaves its window.
    static func dismantleNSView(_ nsView: NSViewType, coordinator: Coordinator)
    /// Makes the coordinator, once, before the view; nothing where there is none.
    func makeCoordinator() -> Coordinator
    /// Points; nil: as the widget likes.
    func sizeThatFits(_ proposal: ProposedViewSize, nsView: NSViewType, context: Context) -> CGSize?
}

extension NSViewRepresentable {
    public var body: Never { preconditionFailure("\(Self.self) has no body; it represents a widget") }
    /// By default nothing is to be done.
    public static func dismantleNSView(_ nsView: NSViewType, coordinator: Coordinator) {}
    /// By default the view chooses its size.
    public func sizeThatFits(_ proposal: ProposedViewSize, nsView: NSViewType, context: Context) -> CGSize? { nil }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        let context: @MainActor (RepresentedPlace<Coordinator>) -> Context = {
            Context(coordinator: $0.coordinator, transaction: $0.transaction, environment: $0.environment)
        }
        return RepresentedFiber(
            view, inputs,
            Representation(
                coordinator: { $0.makeCoordinator() },
                make: { $0.makeNSView(context: context($1)) },
                widget: { $0.widget },
                update: { $0.updateNSView($1, context: context($2)) },
                size: { $0.sizeThatFits($1, nsView: $2, context: context($3)) },
                shown: { _, _ in },
                dismantle: { dismantleNSView($0, coordinator: $1) }))
    }
}

extension NSViewRepresentable where Coordinator == Void {
    /// Of a view without a coordinator: nothing to make.
    public func makeCoordinator() {}
}

/// What is around the view.
@MainActor @preconcurrency
public struct NSViewRepresentableContext<Representable: NSViewRepresentable> {
    /// What `makeCoordinator()` made; the same as long as the view's identity lasts.
    public let coordinator: Representable.Coordinator
    /// Of the change that is shown.
    public let transaction: Transaction
    /// The environment of the view, as it is now.
    public let environment: EnvironmentValues
}
