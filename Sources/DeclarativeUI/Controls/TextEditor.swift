import GTK
import CGTK
import Foundation
@_spi(Graph) import ViewGraph

/// An editor for text with several lines: a `GtkTextView` that scrolls. Matches SwiftUI's `TextEditor`.
///
/// ```swift
/// @State private var notes = ""
///
/// var body: some View {
///     TextEditor(text: $notes)
///         .frame(minHeight: 120)
/// }
/// ```
/// `font(_:)` and `foregroundStyle(_:)` apply to the text. Gradients have no effect. The editor takes the proposed
/// size. If the binding rejects or changes the user's text, the editor shows the binding's value at once.
public struct TextEditor: View {
    let text: Binding<String>
    /// Creates an editor of `text`. It is at least 40 points wide and high, and 240 × 120 points without a proposal.
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
    /// The font and the color of the text, in CSS. Empty for those of the theme.
    private(set) var declarations = ""
    private var textClass = EditedTextClass()
    private var input = TextInput()
    private(set) var text = ""
    private var editor: GTKTextView?

    func set(_ view: NativeTextEditor, _ environment: EnvironmentValues) {
        self.view = view
        text = view.text
        declarations = environment.editedText(on: ControlTheme.frameColor)
        input = environment.textInput
        follow(environment)
        update()
    }

    override func makeWidget() -> GTKWidget? {
        let scrolled = GTKScrolledWindow()
        let textView = GTKTextView()
        scrolled.setChild(textView.widget)
        scrolled.setHasFrame(true)
        textView.setMargins(vertical: Int32(Space.snug), horizontal: Int32(Space.regular))
        textView.setWrapMode(GTK_WRAP_WORD_CHAR)
        // Tab moves the focus, as in every other control.
        textView.setAcceptsTab(false)
        editor = textView
        connect(textView.buffer, "changed") { [weak self] in self?.edited() }
        return scrolled.widget
    }

    override func willRemove(_ widget: GTKWidget) {
        super.willRemove(widget)
        textClass.release()
        editor = nil
    }

    override func named(_ widget: GTKWidget) -> [GTKWidget] {
        editor.map { [$0.widget] } ?? []
    }

    override func configure(_ widget: GTKWidget) {
        super.configure(widget)
        guard let editor else { return }
        textClass.use(declarations, on: editor.widget)
        editor.setInput(input.keyboard.purpose, hints: input.hints)
        show()
    }

    // The app's label belongs to the text view, too, which has the focus.
    override func applyAccessibility(replacing old: AccessibilityTexts) {
        super.applyAccessibility(replacing: old)
        guard let editor else { return }
        AccessibilityTexts(label: accessibility.label).apply(
            to: editor.widget, replacing: AccessibilityTexts(label: old.label))
    }

    /// Sets the widget's text, and keeps the cursor as close to its position as possible.
    private func show() {
        guard let buffer = editor?.buffer, buffer.text != text else { return }
        silently { buffer.text = text }
    }

    private func edited() { type(editor?.buffer.text ?? text) }

    /// Handles the text that the user has entered. The binding decides which text remains.
    func type(_ newText: String) {
        guard let view, isEnabled else { return }
        if newText != text {
            text = newText
            view.binding.wrappedValue = newText
            text = view.binding.wrappedValue
        }
        show()
    }

    /// The size without a proposal, in points.
    private static let ideal = CGSize(width: 240, height: 120)
    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        CGSize(
            width: max(40, proposal.width ?? TextEditorElement.ideal.width),
            height: max(40, proposal.height ?? TextEditorElement.ideal.height))
    }
}
