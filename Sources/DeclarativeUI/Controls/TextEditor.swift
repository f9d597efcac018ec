import GTK
import CGTK
import Foundation
@_spi(Graph) import ViewGraph

/// Text of many lines to edit: a GtkTextView that scrolls. SwiftUI's view.
///
/// It takes the room that is offered. What the binding refuses or changes is what stands in it, at once. Main actor.
public struct TextEditor: View {
    let text: Binding<String>
    /// An editor of `text`; at least 40 points wide and high, 240 × 120 where nothing is offered.
    public init(text: Binding<String>) { self.text = text }
    public var body: some View { NativeTextEditor(text: text.wrappedValue, binding: text) }
}

struct NativeTextEditor: _PrimitiveView {
    let text: String
    let binding: Binding<String>
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        LeafFiber(view, inputs, TextEditorElement()) { element, view, fiber in element.set(view, fiber.environment) }
    }
}

final class TextEditorElement: ControlElement {
    /// The distance of the text from the edges, in points: its margins and the line around it.
    static let textInsets = EdgeInsets(
        top: Space.snug + Space.line, leading: Space.regular + Space.line, bottom: Space.snug + Space.line,
        trailing: Space.regular + Space.line)

    private var view: NativeTextEditor?
    private var isMonospaced = false
    private(set) var text = ""
    private var editor: GTKTextView?

    func set(_ view: NativeTextEditor, _ environment: EnvironmentValues) {
        self.view = view
        text = view.text
        isMonospaced = environment.font?.design == .monospaced
        follow(environment)
        update()
    }

    override func makeWidget() -> GTKWidget? {
        let scrolled = GTKScrolledWindow()
        let made = GTKTextView()
        scrolled.setChild(made.widget)
        scrolled.setHasFrame(true)
        made.setMargins(vertical: Int32(Space.snug), horizontal: Int32(Space.regular))
        made.setWrapMode(GTK_WRAP_WORD_CHAR)
        // Tab leads on, as in every other control.
        made.setAcceptsTab(false)
        editor = made
        connect(made.buffer, "changed") { [weak self] in self?.edited() }
        return scrolled.widget
    }

    override func willRemove(_ widget: GTKWidget) {
        super.willRemove(widget)
        editor = nil
    }

    override func named(_ widget: GTKWidget) -> [GTKWidget] {
        editor.map { [$0.widget] } ?? []
    }

    override func configure(_ widget: GTKWidget) {
        super.configure(widget)
        guard let editor else { return }
        editor.setMonospaced(isMonospaced)
        // What the app calls it is said of the text, not of the frame around it.
        if let label = accessibility.label { editor.setAccessibleLabel(label) }
        show()
    }

    /// The widget's text becomes ours, its cursor stays as near as can be.
    private func show() {
        guard let buffer = editor?.buffer, buffer.text != text else { return }
        silently { buffer.text = text }
    }

    private func edited() { type(editor?.buffer.text ?? text) }

    /// The user wants `text` to stand there; the binding has the last word.
    func type(_ wanted: String) {
        guard let view, isEnabled else { return }
        if wanted != text {
            text = wanted
            view.binding.wrappedValue = wanted
            text = view.binding.wrappedValue
        }
        show()
    }

    /// Points: what it takes when nothing is offered.
    private static let ideal = CGSize(width: 240, height: 120)
    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        CGSize(
            width: max(40, proposal.width ?? TextEditorElement.ideal.width),
            height: max(40, proposal.height ?? TextEditorElement.ideal.height))
    }
}
