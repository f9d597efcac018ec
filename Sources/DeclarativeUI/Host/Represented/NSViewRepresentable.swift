import Foundation

/// A view with layers as a view of this dialect. AppKit's protocol: what is shown is an `NSView`, or a `GtkView` over a
/// widget of GTK's.
///
/// Made when the view comes into a window. `GtkWidgetRepresentable` says how sizes are chosen. Main actor.
@MainActor @preconcurrency
public protocol NSViewRepresentable: View where Body == Never {
    associatedtype NSViewType: GtkView
    /// What lives as long as the view's identity.
    associatedtype Coordinator = Void
    typealias Context = NSViewRepresentableContext<Self>
    func makeNSView(context: Context) -> NSViewType
    /// Called once it was made, and when the view, its environment or what this read has changed.
    func updateNSView(_ nsView: NSViewType, context: Context)
    /// The view leaves its window.
    static func dismantleNSView(_ nsView: NSViewType, coordinator: Coordinator)
    func makeCoordinator() -> Coordinator
    /// Points; nil: as the widget likes.
    func sizeThatFits(_ proposal: ProposedViewSize, nsView: NSViewType, context: Context) -> CGSize?
}

extension NSViewRepresentable {
    public var body: Never { preconditionFailure("\(Self.self) has no body; it stands for a widget") }
    public static func dismantleNSView(_ nsView: NSViewType, coordinator: Coordinator) {}
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
    public func makeCoordinator() {}
}

/// What is around the view.
@MainActor @preconcurrency
public struct NSViewRepresentableContext<Representable: NSViewRepresentable> {
    public let coordinator: Representable.Coordinator
    /// Of the change that is shown.
    public let transaction: Transaction
    public let environment: EnvironmentValues
}
