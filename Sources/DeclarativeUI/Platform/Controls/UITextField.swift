import Foundation
@_spi(Graph) import ViewGraph

/// A field for a line of text: a `GtkEntry`, or a `GtkPasswordEntry` for a hidden text. Modeled on UIKit's control.
///
/// ```swift
/// let field = UITextField()
/// field.placeholder = "URL of a video"
/// field.addAction(UIAction { [weak self, weak field] _ in self?.open(field?.text) }, for: .editingDidEndOnExit)
/// ```
@MainActor @preconcurrency
open class UITextField: UIControl {
    /// The frame of a text field.
    public enum BorderStyle: Int, Sendable {
        /// No frame.
        case none = 0
        /// GTK's frame.
        case line, bezel, roundedRect
    }
    /// The time during which a part of a text field is visible.
    public enum ViewMode: Int, Sendable {
        /// The part is never visible.
        case never
        /// The part is visible while the field has the keyboard focus, or while it does not have the focus.
        case whileEditing, unlessEditing
        /// The part is always visible.
        case always
    }
    fileprivate struct Look {
        var text = ""
        var placeholder = ""
        var font = Font.body
        var color: Color?
        var alignment = NSTextAlignment.natural
        var isSecure = false
        var hasFrame = true
        var isEnabled = true
        var keyboard = UIKeyboardType.default
        var capitals = UITextAutocapitalizationType.sentences
        var isCorrected: Bool?
        /// Whether the field has or requests the keyboard focus.
        var isFocused = false
        var clearButton: ViewMode?
    }
    private let look = ControlValues(Look())
    /// The delegate, which is notified of edits by the user.
    open weak var delegate: (any UITextFieldDelegate)?

    /// Creates an empty field.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        show(AnyView(TextFieldContent(field: self, look: look)))
    }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    /// The text, never nil. Setting it sends no event and does not notify the delegate.
    open var text: String? {
        get { look.current.text }
        set { if newValue ?? "" != look.current.text { look.current.text = newValue ?? "" } }
    }
    /// Whether the text is not empty.
    open var hasText: Bool { !look.current.text.isEmpty }
    /// The text that is shown while the field is empty.
    open var placeholder: String? { didSet { look.current.placeholder = placeholder ?? "" } }
    /// The font, or nil for the font of body text.
    open var font: UIFont? { didSet { look.current.font = font?.font ?? .body } }
    /// The color of the text, or nil for the theme's color.
    open var textColor: UIColor? { didSet { look.current.color = textColor.map { Color($0) } } }
    /// The alignment of the text.
    open var textAlignment = NSTextAlignment.natural { didSet { look.current.alignment = textAlignment } }
    /// The frame of the field. Unlike in UIKit, a field has a frame unless the app sets `.none`.
    open var borderStyle = BorderStyle.roundedRect { didSet { look.current.hasFrame = borderStyle != .none } }
    /// When the field has a button that empties it. A field with a hidden text has no such button. The default is that
    /// of `UITextField.appearance()`.
    open var clearButtonMode: ViewMode {
        get { look.current.clearButton ?? UITextField.appearance().clearButtonMode }
        set { look.current.clearButton = newValue }
    }
    /// Whether the text is hidden, as for a password.
    open var isSecureTextEntry: Bool {
        get { look.current.isSecure }
        set { look.current.isSecure = newValue }
    }
    /// The keys that on-screen keyboards show.
    open var keyboardType: UIKeyboardType {
        get { look.current.keyboard }
        set { look.current.keyboard = newValue }
    }
    /// The letters that on-screen keyboards capitalize.
    open var autocapitalizationType: UITextAutocapitalizationType {
        get { look.current.capitals }
        set { look.current.capitals = newValue }
    }
    /// Whether on-screen keyboards and input methods correct the text.
    open var autocorrectionType = UITextAutocorrectionType.default {
        didSet { look.current.isCorrected = autocorrectionType == .default ? nil : autocorrectionType == .yes }
    }
    /// The kind of content. Stored without effect: Linux desktops do not fill in text fields.
    open var textContentType: UITextContentType?
    /// The label of the key that submits the text. Stored without effect: the key is always Return.
    open var returnKeyType = UIReturnKeyType.default
    /// Whether the field empties when an edit begins.
    open var clearsOnBeginEditing = false
    /// Whether the field has, or requests, the keyboard focus.
    open var isEditing: Bool { look.current.isFocused }
    /// Whether the field has, or requests, the keyboard focus.
    open var isFirstResponder: Bool { isEditing }
    /// Moves the keyboard focus to the field, or requests it until the field is in a window. Returns false for a
    /// disabled field.
    @discardableResult open func becomeFirstResponder() -> Bool {
        guard isEnabled else { return false }
        if !look.current.isFocused { look.current.isFocused = true }
        return true
    }
    /// Removes the keyboard focus from the field. Always returns true.
    @discardableResult open func resignFirstResponder() -> Bool {
        if look.current.isFocused { look.current.isFocused = false }
        return true
    }
    open override var intrinsicContentSize: CGSize {
        CGSize(width: UIView.noIntrinsicMetric, height: ControlExtent.regular)
    }
    open override func sizeThatFits(_ size: CGSize) -> CGSize {
        CGSize(width: size.width, height: ControlExtent.regular)
    }
    override func lookChanged() {
        if isEnabled != look.current.isEnabled { look.current.isEnabled = isEnabled }
    }

    // MARK: input

    final func typed(_ new: String) {
        let old = look.current.text
        guard new != old, delegate?.allows(new, in: self, replacing: old) ?? true else { return }
        look.current.text = new
        delegate?.textFieldDidChangeSelection(self)
        sendActions(for: .editingChanged)
    }
    fileprivate func focusChanged(_ isFocused: Bool) {
        if look.current.isFocused != isFocused { look.current.isFocused = isFocused }
        if isFocused {
            if clearsOnBeginEditing { text = "" }
            delegate?.textFieldDidBeginEditing(self)
            sendActions(for: .editingDidBegin)
        } else {
            delegate?.textFieldDidEndEditing(self)
            sendActions(for: .editingDidEnd)
        }
    }
    fileprivate func submitted() {
        guard delegate?.textFieldShouldReturn(self) ?? true else { return }
        sendActions(for: [.editingDidEndOnExit, .primaryActionTriggered])
    }
}

/// Whether a text is corrected while it is typed. Modeled on UIKit's type.
public enum UITextAutocorrectionType: Int, Sendable {
    /// The choice of the keyboard, not corrected, and corrected.
    case `default` = 0, no, yes
}
/// The label of the key that submits a text. Modeled on UIKit's type. On a desktop keyboard, the key is always Return.
public enum UIReturnKeyType: Int, Sendable {
    /// The labels “Return”, “Go”, “Google”, “Join”, “Next”, “Route” and “Search”.
    case `default` = 0, go, google, join, next, route, search
    /// The labels “Send”, “Yahoo”, “Done”, “Emergency Call” and “Continue”.
    case send, yahoo, done, emergencyCall, `continue`
}

/// A delegate that is notified of edits by the user. Modeled on UIKit's protocol. Each method has a default.
@MainActor @preconcurrency
public protocol UITextFieldDelegate: AnyObject {
    /// Called after the field has gained the keyboard focus.
    func textFieldDidBeginEditing(_ textField: UITextField)
    /// Called after the field has lost the keyboard focus.
    func textFieldDidEndEditing(_ textField: UITextField)
    /// Called after the user has changed the text. Moving the cursor alone is not reported.
    func textFieldDidChangeSelection(_ textField: UITextField)
    /// Returns whether Return sends `editingDidEndOnExit`. Not called in an alert, where Return presses a button.
    func textFieldShouldReturn(_ textField: UITextField) -> Bool
    /// Returns whether the user's edit is allowed. Otherwise the field keeps its text.
    /// - Parameters:
    ///   - textField: The field with the text before the edit.
    ///   - range: The replaced range, in UTF-16 units.
    ///   - string: The new text of the range.
    func textField(
        _ textField: UITextField, shouldChangeCharactersIn range: NSRange, replacementString string: String
    ) -> Bool
}
extension UITextFieldDelegate {
    public func textFieldDidBeginEditing(_ textField: UITextField) {}
    public func textFieldDidEndEditing(_ textField: UITextField) {}
    public func textFieldDidChangeSelection(_ textField: UITextField) {}
    public func textFieldShouldReturn(_ textField: UITextField) -> Bool { true }
    public func textField(
        _ textField: UITextField, shouldChangeCharactersIn range: NSRange, replacementString string: String
    ) -> Bool { true }

    /// Returns whether an edit is allowed. The edit is the part between the common start and the common end.
    fileprivate func allows(_ new: String, in field: UITextField, replacing old: String) -> Bool {
        // Scalars are compared, because two emoji can have the same first UTF-16 unit, which is no text by itself.
        let (oldScalars, newScalars) = (Array(old.unicodeScalars), Array(new.unicodeScalars))
        let start = zip(oldScalars, newScalars).prefix { $0 == $1 }.count
        let most = min(oldScalars.count, newScalars.count) - start
        let end = zip(oldScalars.reversed(), newScalars.reversed()).prefix(most).prefix { $0 == $1 }.count
        func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String { String(String.UnicodeScalarView(scalars)) }
        let replaced = text(oldScalars[start..<(oldScalars.count - end)])
        return textField(
            field,
            shouldChangeCharactersIn: NSRange(
                location: text(oldScalars[..<start]).utf16.count, length: replaced.utf16.count),
            replacementString: text(newScalars[start..<(newScalars.count - end)]))
    }
}

private struct TextFieldContent: View {
    weak var field: UITextField?
    let look: ControlValues<UITextField.Look>
    @FocusState private var isFocused: Bool
    var body: some View {
        let shown = look.shown
        entry(shown)
            .font(shown.font)
            .multilineTextAlignment(shown.alignment.lines(of: shown.text))
            .keyboardType(shown.keyboard)
            .environment(\.clearButtonMode, shown.clearButton)
            .autocapitalization(shown.capitals)
            .disableAutocorrection(shown.isCorrected.map { !$0 })
            .disabled(!shown.isEnabled)
            .focused($isFocused)
            .onSubmit { [weak field] in field?.submitted() }
            .onChange(of: isFocused) { [weak field] in field?.focusChanged(isFocused) }
            .onChange(of: shown.isFocused, initial: true) { if shown.isFocused != isFocused { isFocused.toggle() } }
    }
    @ViewBuilder private func entry(_ shown: UITextField.Look) -> some View {
        if shown.isSecure {
            framed(SecureField(shown.placeholder, text: text), shown)
        } else {
            framed(TextField(shown.placeholder, text: text), shown)
        }
    }
    /// The text of the field. Read at once after an edit, because a delegate may have rejected the edit.
    private var text: Binding<String> {
        Binding(get: { [look] in look.current.text }, set: { [weak field] in field?.typed($0) })
    }
    @ViewBuilder private func framed(_ entry: some View, _ shown: UITextField.Look) -> some View {
        if shown.hasFrame {
            entry.foregroundColor(shown.color)
        } else {
            entry.foregroundColor(shown.color).textFieldStyle(.plain)
        }
    }
}
