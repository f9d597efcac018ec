import Foundation
@_spi(Graph) import ViewGraph

/// A text of several lines, to be read or edited; it scrolls. UIKit's view; main actor.
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
    /// Told of what the user does; main actor.
    open weak var delegate: (any UITextViewDelegate)?

    /// Makes a view without text.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        show(AnyView(TextViewContent(view: self, look: look)))
    }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    /// The text. Setting it tells the delegate nothing.
    open var text: String! {
        get { look.current.text }
        set { if newValue ?? "" != look.current.text { look.current.text = newValue ?? "" } }
    }
    /// The font; that of usual text if not set.
    open var font: UIFont? { didSet { look.current.font = font?.font ?? .body } }
    /// The color of the text; `UIColor.label` if not set.
    open var textColor: UIColor? { didSet { look.current.color = Color(textColor ?? .label) } }
    /// Where lines lie; text that is edited begins at the side where lines begin.
    open var textAlignment = NSTextAlignment.natural { didSet { look.current.alignment = textAlignment } }
    /// Whether people may change the text.
    open var isEditable: Bool {
        get { look.current.isEditable }
        set { look.current.isEditable = newValue }
    }
    /// Whether people may select text that they cannot change.
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

/// Told of changes by the user. UIKit's protocol; main actor.
@MainActor @preconcurrency
public protocol UITextViewDelegate: AnyObject {
    /// The user has changed the text.
    func textViewDidChange(_ textView: UITextView)
    /// The keyboard goes to the text view.
    func textViewDidBeginEditing(_ textView: UITextView)
    /// The keyboard goes elsewhere.
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
    var body: some View {
        let shown = look.shown
        if shown.isEditable {
            TextEditor(text: Binding(get: { shown.text }, set: { [weak view] in view?.edited($0) }))
                .font(shown.font).foregroundStyle(shown.color)
                .focused($isFocused)
                .onChange(of: isFocused) { [weak view] in view?.edits(isFocused) }
        } else {
            ScrollView {
                words(shown).frame(
                    maxWidth: .infinity, alignment: Alignment(horizontal: shown.alignment.horizontal, vertical: .top))
            }
        }
    }
    @ViewBuilder private func words(_ shown: UITextView.Look) -> some View {
        let text = Text(verbatim: shown.text).font(shown.font).foregroundStyle(shown.color)
            .multilineTextAlignment(shown.alignment.alignment)
        if shown.isSelectable { text.textSelection(.enabled) } else { text.textSelection(.disabled) }
    }
}
