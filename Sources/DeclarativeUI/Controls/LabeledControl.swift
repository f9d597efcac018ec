import Foundation
@_spi(Graph) import ViewGraph

private struct LabelsHiddenKey: EnvironmentKey { static let defaultValue = false }
extension EnvironmentValues {
    var labelsAreHidden: Bool {
        get { self[LabelsHiddenKey.self] }
        set { self[LabelsHiddenKey.self] = newValue }
    }
}

extension View {
    /// Controls below show no label; assistive technology is still told it.
    public func labelsHidden() -> some View { setting(\.labelsAreHidden, true) }
}

/// A control with its label: beside it (above it where there is no room for both), above it, or only told to assistive
/// technology.
struct LabeledControl<Label: View, Control: View>: View {
    enum Place { case leading, above, hidden }
    let label: Label
    let place: Place
    let control: Control
    @Environment(\.labelsAreHidden) private var areHidden

    var body: some View {
        NamedControl {
            if Label.self == EmptyView.self {
                control
            } else if areHidden || place == .hidden {
                control
                LabelSlot(isHidden: true, content: label)
            } else if place == .above {
                VStack(alignment: .leading, spacing: Space.snug) {
                    LabelSlot(isHidden: false, content: label)
                    control
                }
            } else {
                LabeledRow {
                    LabelSlot(isHidden: false, content: label)
                    control
                }
            }
        }
    }
}

/// Marks what is the label of a control.
struct LabelSlot<Content: View>: _PrimitiveView {
    let isHidden: Bool
    let content: Content
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ContainerFiber(view, inputs, LabelSlotElement(isHidden: view.isHidden), content: { $0.content }) { _, _, _ in }
    }
}

final class LabelSlotElement: LayersElement {
    private let isOut: Bool
    init(isHidden: Bool) {
        isOut = isHidden
        super.init()
    }
    override var isHidden: Bool { isOut }
    // The control says it.
    override func speaks(for child: Element) -> Bool { true }
    // What is not shown is in no window: it would be read out as a label of its own.
    override func attach(_ host: any ElementHost) { if !isOut { super.attach(host) } }
    override func forgetArrangement() { if isOut { parent?.host?.needsLayout() } }
    override func contains(_ point: CGPoint) -> Bool { !isOut && super.contains(point) }
}

/// Gives the control below the name that the label below says.
struct NamedControl<Content: View>: _PrimitiveView {
    let content: Content
    init(@ViewBuilder content: () -> Content) { self.content = content() }
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ContainerFiber(view, inputs, NamedControlElement(), content: { $0.content }) { _, _, _ in }
    }
}

final class NamedControlElement: WrapperElement {
    /// What the label says; empty without one.
    var title: String { find(self, LabelSlotElement.self)?.spokenWords ?? "" }
    /// The control: not what is in the label.
    var control: ControlElement? { find(self, ControlElement.self) }

    private func find<E: Element>(_ element: Element, _ type: E.Type) -> E? {
        for child in element.children {
            if let found = child as? E { return found }
            if child is LabelSlotElement { continue }
            if let found = find(child, type) { return found }
        }
        return nil
    }

    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        super.layoutChildren(size, proposal)
        guard let control else { return }
        let title = title
        if !title.isEmpty { control.name = title }
    }
}
