import Foundation
@_spi(Graph) import ViewGraph

/// A scrolling text of several lines that users can read or edit. Modeled on UIKit's view.
@MainActor @preconcurrency
open class UITextView: UIView {
    fileprivate struct Look {
        var text = ""
        var font = Font.body
        var color = Color(UIColor.label)
        var alignment = NSTextAlignment.natural
        var isEditable = true
        var isSelectable = true
    }
    private let look = ControlValues(Look())
    /// The delegate, which is notified of edits by the user.
    open weak var delegate: (any UITextViewDelegate)?

    /// Creates an empty text view.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        show(AnyView(TextViewContent(view: self, look: look)))
    }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    /// The text. Setting it does not notify the delegate.
    open var text: String! {
        get { look.current.text }
        set { if newValue ?? "" != look.current.text { look.current.text = newValue ?? "" } }
    }
    /// The font, or nil for the font of body text.
    open var font: UIFont? { didSet { look.current.font = font?.font ?? .body } }
    /// The color of the text, or nil for `UIColor.label`.
    open var textColor: UIColor? { didSet { look.current.color = Color(textColor ?? .label) } }
    /// The alignment of lines. Has no effect on editable text, which uses natural alignment.
    open var textAlignment = NSTextAlignment.natural { didSet { look.current.alignment = textAlignment } }
    /// Whether users can edit the text.
    open var isEditable: Bool {
        get { look.current.isEditable }
        set { look.current.isEditable = newValue }
    }
    /// Whether a double click copies text that is not editable to the clipboard. Users can't select a part of it.
    open var isSelectable: Bool {
        get { look.current.isSelectable }
        set { look.current.isSelectable = newValue }
    }

    final func edited(_ new: String) {
        guard new != text else { return }
        text = new
        delegate?.textViewDidChange(self)
    }
    fileprivate func edits(_ isEditing: Bool) {
        if isEditing { delegate?.textViewDidBeginEditing(self) } else { delegate?.textViewDidEndEditing(self) }
    }
}

/// A delegate that is notified of edits by the user. Modeled on UIKit's protocol.
@MainActor @preconcurrency
public protocol UITextViewDelegate: AnyObject {
    /// Called after the user has changed the text.
    func textViewDidChange(_ textView: UITextView)
    /// Called after the text view has gained the keyboard focus.
    func textViewDidBeginEditing(_ textView: UITextView)
    /// Called after the text view has lost the keyboard focus.
    func textViewDidEndEditing(_ textView: UITextView)
}
extension UITextViewDelegate {
    public func textViewDidChange(_ textView: UITextView) {}
    public func textViewDidBeginEditing(_ textView: UITextView) {}
    public func textViewDidEndEditing(_ textView: UITextView) {}
}

private struct TextViewContent: View {
    weak var view: UITextView?
    let look: ControlValues<UITextView.Look>
    @FocusState private var isFocused: Bool
    @Environment(\.layoutDirection) private var direction
    var body: some View {
        let shown = look.shown
        if shown.isEditable {
            TextEditor(text: Binding(get: { shown.text }, set: { [weak view] in view?.edited($0) }))
                .font(shown.font).foregroundStyle(shown.color)
                .focused($isFocused)
                .onChange(of: isFocused) { [weak view] in view?.edits(isFocused) }
        } else {
            ScrollView {
                styledText(shown).frame(
                    maxWidth: .infinity,
                    alignment: Alignment(horizontal: shown.alignment.position(in: direction), vertical: .top))
            }
        }
    }
    @ViewBuilder private func styledText(_ shown: UITextView.Look) -> some View {
        let text = Text(verbatim: shown.text).font(shown.font).foregroundStyle(shown.color)
            .multilineTextAlignment(shown.alignment.lines(of: shown.text))
        if shown.isSelectable { text.textSelection(.enabled) } else { text.textSelection(.disabled) }
    }
}
