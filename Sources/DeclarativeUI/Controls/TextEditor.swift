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
    public var body: some View {
        NativeTextEditor(
            text: text.wrappedValue, binding: text, ground: UITextView.appearance().shownGround)
    }
}

struct NativeTextEditor: _PrimitiveView {
    let text: String
    let binding: Binding<String>
    /// Whether the editor belongs to a text field: Return submits, and the style of text fields applies.
    var isField = false
    /// The color behind the text, or nil for that of the theme.
    var ground: Color?
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        LeafFiber(view, inputs, TextEditorElement()) { element, view, fiber in element.set(view, fiber.environment) }
    }
}

final class TextEditorElement: ControlElement {
    private static func margins(isPlain: Bool) -> CGSize {
        isPlain ? .zero : CGSize(width: Space.regular, height: Space.snug)
    }
    /// Returns the distance of the text from the edges, in points: its margins and the line around it.
    static func textInsets(isPlain: Bool) -> EdgeInsets {
        let (margins, line) = (margins(isPlain: isPlain), isPlain ? 0 : Space.line)
        return EdgeInsets(
            top: margins.height + line, leading: margins.width + line, bottom: margins.height + line,
            trailing: margins.width + line)
    }

    private var view: NativeTextEditor?
    /// The font and the color of the text, in CSS. Empty for those of the theme.
    private(set) var declarations = ""
    /// The color behind the text, or nil for that of the theme.
    private(set) var ground: Color.Components?
    private var textClass = EditedTextClass()
    private var input = TextInput()
    private var submit = SubmitActions()
    private var isPlain = false
    private var keys: EventController?
    private(set) var text = ""
    private var editor: GTKTextView?

    func set(_ view: NativeTextEditor, _ environment: EnvironmentValues) {
        self.view = view
        text = view.text
        isPlain = view.isField && environment.textFieldIsPlain
        submit = environment.submitActions
        let ground = view.ground?.resolved(dark: environment.colorScheme == .dark, accent: environment.tintColor)
        // Behind a translucent color is the app's own background.
        let opaqueGround = ground ?? ControlTheme.frameColor
        declarations = environment.editedText(on: isPlain || opaqueGround.opacity < 1 ? nil : opaqueGround)
        self.ground = ground
        input = environment.textInput
        follow(environment)
        update()
    }

    override func makeWidget() -> GTKWidget? {
        let scrolled = GTKScrolledWindow()
        let textView = GTKTextView()
        scrolled.setChild(textView.widget)
        textView.setWrapMode(GTK_WRAP_WORD_CHAR)
        // Tab moves the focus, as in every other control.
        textView.setAcceptsTab(false)
        editor = textView
        connect(textView.buffer, "changed") { [weak self] in self?.edited() }
        if view?.isField == true {
            let keys = EventController(GTKKeyController(), on: textView.widget, phase: GTK_PHASE_CAPTURE)
            keys.onKey { [weak self] in self?.pressed($0, $1) ?? false }
            self.keys = keys
            // Scroll bars would make a field of one line too high.
            scrolled.setBars(horizontal: GTK_POLICY_EXTERNAL, vertical: GTK_POLICY_EXTERNAL)
        }
        return scrolled.widget
    }

    override func willRemove(_ widget: GTKWidget) {
        super.willRemove(widget)
        textClass.release()
        editor = nil
        keys?.remove()
        keys = nil
    }

    override func named(_ widget: GTKWidget) -> [GTKWidget] {
        editor.map { [$0.widget] } ?? []
    }

    override func configure(_ widget: GTKWidget) {
        super.configure(widget)
        guard let editor else { return }
        widget.as(GTKScrolledWindow.self)?.setHasFrame(!isPlain)
        editor.widget.setClass("zt-plain", isPlain)
        let insets = TextEditorElement.margins(isPlain: isPlain)
        editor.setMargins(vertical: Int32(insets.height), horizontal: Int32(insets.width))
        textClass.use(declarations, ground: ground, on: editor.widget)
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

    /// Handles a key of a text field. Return submits, and with a modifier it inserts a line break.
    private func pressed(_ symbol: UInt32, _ held: GdkModifierType) -> Bool {
        let modifiers = GDK_SHIFT_MASK.rawValue | GDK_CONTROL_MASK.rawValue | GDK_ALT_MASK.rawValue
        guard KeyEquivalent(symbol: symbol) == .return, held.rawValue & modifiers == 0 else { return false }
        // While an input method composes text, Return ends the composition.
        if let editor, let event = keys?.event, editor.passToInputMethod(event) { return true }
        committed()
        return true
    }

    /// Handles the Return key of a text field.
    func committed() { submit(.text) }

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
        let least: CGFloat = view?.isField == true ? 0 : 40
        return CGSize(
            width: max(least, proposal.width ?? TextEditorElement.ideal.width),
            height: max(least, proposal.height ?? TextEditorElement.ideal.height))
    }
}
