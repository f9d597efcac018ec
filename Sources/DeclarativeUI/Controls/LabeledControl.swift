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
    /// Hides the labels of the controls in this view. Assistive technology still reads them.
    public func labelsHidden() -> some View { setting(\.labelsAreHidden, true) }
}

/// A control with its label beside it, above it, or only for assistive technology.
///
/// A label beside the control moves above it if the space is too narrow for both.
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

/// A view that marks its content as the label of a control.
struct LabelSlot<Content: View>: _PrimitiveView {
    let isHidden: Bool
    let content: Content
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ContainerFiber(view, inputs, LabelSlotElement(isHidden: view.isHidden), content: { $0.content }) { _, _, _ in }
    }
}

final class LabelSlotElement: LayersElement {
    private let isHiddenByParent: Bool
    init(isHidden: Bool) {
        isHiddenByParent = isHidden
        super.init()
    }
    override var isHidden: Bool { isHiddenByParent }
    // Assistive technology reads the label as the name of the control.
    override func includesText(of child: Element) -> Bool { true }
    // A hidden label stays out of the window, where assistive technology would read it as a separate label.
    override func attach(_ host: any ElementHost) { if !isHiddenByParent { super.attach(host) } }
    override func forgetArrangement(of child: Element?) { if isHiddenByParent { parent?.host?.needsLayout() } }
    override func contains(_ point: CGPoint) -> Bool { !isHiddenByParent && super.contains(point) }
}

/// A view that sets the accessibility name of the control inside it to the text of the label inside it.
struct NamedControl<Content: View>: _PrimitiveView {
    let content: Content
    init(@ViewBuilder content: () -> Content) { self.content = content() }
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ContainerFiber(view, inputs, NamedControlElement(), content: { $0.content }) { _, _, _ in }
    }
}

final class NamedControlElement: WrapperElement {
    /// The text of the label, or an empty string without a label.
    var title: String { find(self, LabelSlotElement.self)?.spokenText ?? "" }
    /// The control. Controls inside the label do not count.
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
