import GTK
import Foundation
import Presentation
@_spi(Graph) import ViewGraph

struct NativeEntry: _PrimitiveView {
    let kind: EntryElement.Kind
    let text: String
    let binding: Binding<String>
    let prompt: String
    let onCommit: (@MainActor () -> Void)?
    /// When a field that is not secure shows a button that empties it.
    var clearButton = UITextField.ViewMode.never
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        LeafFiber(view, inputs, EntryElement(view.kind)) { element, view, fiber in element.set(view, fiber.environment)
        }
    }
}

/// An element with a `GtkEntry`, a `GtkPasswordEntry` or a `GtkSearchEntry`.
final class EntryElement: ControlElement {
    enum Kind: Hashable { case text, secure, search }
    private let kind: Kind
    private var view: NativeEntry?
    private var submit = SubmitActions()
    private var isPlain = false
    private var input = TextInput()
    private var alignment = TextAlignment.leading
    private(set) var text = ""
    /// The font and the color of the text, in CSS. Empty for those of the theme.
    private(set) var declarations = ""
    private var textClass = EditedTextClass()
    private var isReportingEdit = false
    private var hasClearButton = false

    init(_ kind: Kind) {
        self.kind = kind
        super.init()
    }

    func set(_ view: NativeEntry, _ environment: EnvironmentValues) {
        self.view = view
        text = view.text
        submit = environment.submitActions
        alignment = environment.multilineTextAlignment
        input = environment.textInput
        if isPlain != environment.textFieldIsPlain {
            isPlain = environment.textFieldIsPlain
            setNeedsLayout()
        }
        // A search field is a part of a bar, with the look of the theme.
        let declarations = kind == .search ? "" : environment.editedText(on: isPlain ? nil : ControlTheme.frameColor)
        if declarations != self.declarations {
            self.declarations = declarations
            setNeedsLayout()
        }
        follow(environment)
        update()
    }

    override func makeWidget() -> GTKWidget? {
        let newEntry: GTKEntry =
            switch kind {
            case .text: .text()
            case .secure: .password()
            case .search: .search()
            }
        // GTK's minimum width must not exceed the minimum that this element reports.
        newEntry.setWidth(inCharacters: 2)
        connect(newEntry, "changed") { [weak self] in self?.edited() }
        connect(newEntry, "activate") { [weak self] in self?.committed() }
        if kind == .search { connect(newEntry, "stop-search") { [weak self] in self?.type("") } }
        if kind == .text {
            connect(newEntry, "icon-press") { [weak self] in self?.type("") }
            connect(newEntry, "state-flags-changed") { [weak self] in self?.updateClearButton() }
        }
        return newEntry.widget
    }

    override func willRemove(_ widget: GTKWidget) {
        super.willRemove(widget)
        textClass.release()
        hasClearButton = false
    }

    /// Returns whether a field with text shows the button that empties it.
    func showsClearButton(isEditing: Bool) -> Bool {
        guard kind == .text, isEnabled, !text.isEmpty else { return false }
        return switch view?.clearButton ?? .never {
        case .never: false
        case .whileEditing: isEditing
        case .unlessEditing: !isEditing
        case .always: true
        }
    }
    private func updateClearButton() {
        guard let widget, let entry else { return }
        let isShown = showsClearButton(isEditing: widget.hasFocusInside)
        guard isShown != hasClearButton else { return }
        hasClearButton = isShown
        entry.setTrailingIcon(isShown ? "edit-clear-symbolic" : nil, tooltip: PlayerWords.localized("Clear Text"))
    }

    private var entry: GTKEntry? { widget?.as(GTKEntry.self) }

    override func configure(_ widget: GTKWidget) {
        super.configure(widget)
        widget.setClass("zt-plain", isPlain)
        textClass.use(declarations, on: widget)
        guard let entry else { return }
        entry.setPlaceholder(view?.prompt)
        if kind == .secure {
            entry.setInput(input.keyboard.securePurpose, hints: input.secureHints)
        } else {
            entry.setInput(input.keyboard.purpose, hints: input.hints)
        }
        entry.setTextAlignment(alignment == .leading ? 0 : alignment == .center ? 0.5 : 1)
        show(entry)
        updateClearButton()
    }

    /// Sets the widget's text, and keeps the cursor as close to its position as possible.
    ///
    /// While the widget reports an edit, the text is set after the report has ended, because newer versions of GTK do
    /// not allow another edit during the report.
    private func show(_ entry: GTKEntry) {
        guard entry.text != text else { return }
        guard !isReportingEdit else {
            return OnMain.later { [weak self] in
                if let self, let entry = self.entry { show(entry) }
            }
        }
        silently {
            let position = entry.position
            entry.text = text
            entry.position = min(position, Int32(clamping: text.unicodeScalars.count))
        }
    }

    private func edited() {
        isReportingEdit = true
        defer { isReportingEdit = false }
        if let entry { type(entry.text) }
    }

    /// Handles the text that the user has entered. The binding decides which text remains.
    func type(_ newText: String) {
        guard let view, isEnabled else { return }
        if newText != text {
            text = newText
            view.binding.wrappedValue = newText
            text = view.binding.wrappedValue
        }
        if let entry { show(entry) }
        updateClearButton()
    }

    /// Handles the Return key.
    func committed() {
        view?.onCommit?()
        submit(kind == .search ? .search : .text)
    }

    /// The width without a proposal, and the minimum width, in points.
    private static let ideal: CGFloat = 160, least: CGFloat = 40
    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        CGSize(
            width: max(EntryElement.least, proposal.width ?? EntryElement.ideal),
            height: height(isPlain ? 20 : ControlExtent.regular))
    }
}
