import Foundation

/// An editor for a line of text: a `GtkEntry`. Matches SwiftUI's `TextField`.
///
/// ```swift
/// @State private var url = ""
///
/// var body: some View {
///     TextField("URL of a video", text: $url)
///         .onSubmit { open(url) }
/// }
/// ```
/// `font(_:)` and `foregroundStyle(_:)` apply to the text. Gradients have no effect. In a frame, black or white
/// replaces a color that is hardly visible. The field takes the proposed width. If the binding rejects or changes the
/// user's text, the field shows the binding's value at once.
public struct TextField<Label: View>: View {
    let label: Label
    let text: Binding<String>
    let prompt: Text?
    let isSecure: Bool
    let onCommit: (@MainActor () -> Void)?
    var axis = Axis.horizontal
    @Environment(\.ownTextFieldStyle) private var ownStyle
    @Environment(\.lineLimit) private var limit
    @Environment(\.clearButtonMode) private var clearButtonMode

    init(
        _ label: Label, _ text: Binding<String>, _ prompt: Text?, isSecure: Bool = false, axis: Axis = .horizontal,
        onCommit: (@MainActor () -> Void)? = nil
    ) {
        self.axis = axis
        self.label = label
        self.text = text
        self.prompt = prompt
        self.isSecure = isSecure
        self.onCommit = onCommit
    }

    /// Creates a field with a custom label, which assistive technology reads.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - prompt: The text that is shown while the field is empty. Nil shows the text of a label that is a `Text`.
    ///   - label: The label.
    public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
        self.init(label(), text, prompt)
    }

    private var promptText: String { prompt?.string ?? (label as? Text)?.string ?? "" }

    public var body: some View {
        if let ownStyle {
            ownStyle.make(
                TextField<_TextFieldStyleLabel>(
                    _TextFieldStyleLabel(view: AnyView(label), promptText: promptText), text,
                    prompt ?? Text(verbatim: promptText),
                    isSecure: isSecure, axis: axis, onCommit: onCommit))
        } else if axis == .vertical, !isSecure {
            LabeledControl(
                label: label, place: .hidden,
                control: GrowingField(text: text, prompt: promptText, lines: limit ?? 5))
        } else {
            // The field shows the label as its prompt. Assistive technology reads both.
            LabeledControl(
                label: label, place: .hidden,
                control: NativeEntry(
                    kind: isSecure ? .secure : .text, text: text.wrappedValue, binding: text, prompt: promptText,
                    onCommit: onCommit, clearButton: clearButtonMode ?? UITextField.appearance().shownClearButton))
        }
    }
}

/// A field that grows with its text up to a number of lines, and then scrolls.
private struct GrowingField: View {
    let text: Binding<String>
    let prompt: String
    let lines: Int
    @Environment(\.textFieldIsPlain) private var isPlain
    private var insets: EdgeInsets { TextEditorElement.textInsets(isPlain: isPlain) }
    var body: some View {
        ZStack(alignment: .topLeading) {
            // This text gives the field its height. The space makes an empty last line count.
            Text(verbatim: text.wrappedValue + " ").lineLimit(lines).opacity(0)
                .padding(insets)
                .frame(maxWidth: .infinity, alignment: .leading).accessibilityHidden(true)
        }
        .overlay { NativeTextEditor(text: text.wrappedValue, binding: text, isField: true) }
        .overlay(alignment: .topLeading) {
            if text.wrappedValue.isEmpty {
                Text(verbatim: prompt).foregroundColor(.secondary).padding(insets)
                    .allowsHitTesting(false)
            }
        }
    }
}

extension TextField where Label == Text {
    /// Creates a field with a localized title.
    ///
    /// - Parameters:
    ///   - titleKey: The title, which is looked up in the app's translations.
    ///   - text: The text.
    ///   - prompt: The text that is shown while the field is empty. Nil shows the title.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text? = nil) {
        self.init(Text(titleKey), text, prompt)
    }
    /// Creates a field with a title that is not localized.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - text: The text.
    ///   - prompt: The text that is shown while the field is empty. Nil shows the title.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, text: Binding<String>, prompt: Text? = nil) {
        self.init(Text(title), text, prompt)
    }
    /// Creates a field with a localized title that can grow with its text.
    ///
    /// - Parameters:
    ///   - titleKey: The title, which is looked up in the app's translations.
    ///   - text: The text.
    ///   - prompt: The text that is shown while the field is empty. Nil shows the title.
    ///   - axis: `.vertical` lets the field grow up to `lineLimit(_:)`, or up to five lines without a limit. Return
    ///     submits the field too; with Shift, Ctrl or Alt, it inserts a line break.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text? = nil, axis: Axis) {
        self.init(Text(titleKey), text, prompt, axis: axis)
    }
    /// Creates a field with a title that is not localized. With the axis `.vertical`, the field grows with its text.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, text: Binding<String>, prompt: Text? = nil, axis: Axis
    ) {
        self.init(Text(title), text, prompt, axis: axis)
    }
    /// Creates a field with a localized title. Return calls `onCommit`.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, onCommit: @escaping @MainActor () -> Void) {
        self.init(Text(titleKey), text, nil, onCommit: onCommit)
    }
    /// Creates a field with a title that is not localized. Return calls `onCommit`.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, text: Binding<String>, onCommit: @escaping @MainActor () -> Void
    ) {
        self.init(Text(title), text, nil, onCommit: onCommit)
    }
}

/// A field for a line of text that is hidden: a `GtkPasswordEntry`. Matches SwiftUI's `SecureField`.
///
/// ```swift
/// Form {
///     TextField("Name", text: $name)
///     SecureField("Password", text: $password)
/// }
/// ```
public struct SecureField<Label: View>: View {
    let field: TextField<Label>
    /// Creates a field that hides its text, with a custom label.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - prompt: The text that is shown while the field is empty. Nil shows the text of a label that is a `Text`.
    ///   - label: The label.
    public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
        field = TextField(label(), text, prompt, isSecure: true)
    }
    fileprivate init(_ label: Label, _ text: Binding<String>, _ onCommit: @escaping @MainActor () -> Void) {
        field = TextField(label, text, nil, isSecure: true, onCommit: onCommit)
    }
    public var body: some View { field }
}

extension SecureField where Label == Text {
    /// Creates a field that hides its text, with a localized title.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text? = nil) {
        self.init(text: text, prompt: prompt) { Text(titleKey) }
    }
    /// Creates a field that hides its text, with a title that is not localized.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, text: Binding<String>, prompt: Text? = nil) {
        self.init(text: text, prompt: prompt) { Text(title) }
    }
    /// Creates a field that hides its text, with a localized title. Return calls `onCommit`. This is an older form.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, onCommit: @escaping @MainActor () -> Void) {
        self.init(Text(titleKey), text, onCommit)
    }
    /// Creates a field that hides its text, with a title that is not localized. Return calls `onCommit`. This is an
    /// older form.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, text: Binding<String>, onCommit: @escaping @MainActor () -> Void
    ) {
        self.init(Text(title), text, onCommit)
    }
}

/// A style of text fields. Matches SwiftUI's `TextFieldStyle`.
///
/// A custom style implements `_body(configuration:)`.
@MainActor @preconcurrency
public protocol TextFieldStyle {
    /// The type of the view that represents the field.
    associatedtype _Body: View
    /// The type of the label in the field that the style receives.
    typealias _Label = _TextFieldStyleLabel
    /// Returns the view that represents the field. `configuration` is the field without a style.
    @ViewBuilder func _body(configuration: TextField<_Label>) -> _Body
}
/// The label of the field that a style receives.
public struct _TextFieldStyleLabel: View {
    let view: AnyView
    let promptText: String
    public var body: AnyView { view }
}
/// A custom text field style with its type erased.
struct OwnTextFieldStyle: Sendable {
    let make: @MainActor (TextField<_TextFieldStyleLabel>) -> AnyView
}
private struct OwnFieldStyleKey: EnvironmentKey { static let defaultValue: OwnTextFieldStyle? = nil }
/// The default text field style, with GTK's frame.
public struct DefaultTextFieldStyle: TextFieldStyle {
    /// Creates the style. The short form is `.automatic`.
    nonisolated public init() {}
    public func _body(configuration: TextField<_Label>) -> some View { configuration }
}
/// A text field style with GTK's frame, the same as the default style.
public struct RoundedBorderTextFieldStyle: TextFieldStyle {
    /// Creates the style. The short form is `.roundedBorder`.
    nonisolated public init() {}
    public func _body(configuration: TextField<_Label>) -> some View { configuration }
}
/// A text field style that shows only the text, without a frame.
public struct PlainTextFieldStyle: TextFieldStyle {
    /// Creates the style. The short form is `.plain`.
    nonisolated public init() {}
    public func _body(configuration: TextField<_Label>) -> some View { configuration }
}
extension TextFieldStyle where Self == DefaultTextFieldStyle {
    /// A style with GTK's frame.
    public static var automatic: DefaultTextFieldStyle { DefaultTextFieldStyle() }
}
extension TextFieldStyle where Self == RoundedBorderTextFieldStyle {
    /// A style with GTK's frame, the same as `automatic`.
    public static var roundedBorder: RoundedBorderTextFieldStyle { RoundedBorderTextFieldStyle() }
}
extension TextFieldStyle where Self == PlainTextFieldStyle {
    /// A style that shows only the text, without a frame.
    public static var plain: PlainTextFieldStyle { PlainTextFieldStyle() }
}

/// The kinds of fields for which `onSubmit(of:_:)` calls an action. Matches SwiftUI's `SubmitTriggers`.
public struct SubmitTriggers: OptionSet, Sendable {
    /// The kinds of fields as bits: 1 is a text field, 2 is a search field.
    public let rawValue: Int
    /// Creates a set from bits. Bits other than 1 and 2 have no effect.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// The text fields and secure fields.
    public static let text = SubmitTriggers(rawValue: 1)
    /// The search field of `searchable`.
    public static let search = SubmitTriggers(rawValue: 2)
}

struct SubmitActions: Sendable {
    var all: [(triggers: SubmitTriggers, action: @MainActor () -> Void)] = []
    @MainActor func callAsFunction(_ trigger: SubmitTriggers) {
        for entry in all where entry.triggers.contains(trigger) { entry.action() }
    }
}

private struct ClearButtonKey: EnvironmentKey { static let defaultValue: UITextField.ViewMode? = nil }
private struct PlainFieldKey: EnvironmentKey { static let defaultValue = false }
private struct SubmitKey: EnvironmentKey { static let defaultValue = SubmitActions() }
extension EnvironmentValues {
    var ownTextFieldStyle: OwnTextFieldStyle? {
        get { self[OwnFieldStyleKey.self] }
        set { self[OwnFieldStyleKey.self] = newValue }
    }
    /// When fields have a button that empties them. Nil means the mode of `UITextField.appearance()`.
    var clearButtonMode: UITextField.ViewMode? {
        get { self[ClearButtonKey.self] }
        set { self[ClearButtonKey.self] = newValue }
    }
    var textFieldIsPlain: Bool {
        get { self[PlainFieldKey.self] }
        set { self[PlainFieldKey.self] = newValue }
    }
    var submitActions: SubmitActions {
        get { self[SubmitKey.self] }
        set { self[SubmitKey.self] = newValue }
    }
}
extension View {
    /// Sets the style of the text fields in this view.
    public func textFieldStyle<S: TextFieldStyle>(_ style: S) -> some View {
        let isBuiltIn =
            style is PlainTextFieldStyle || style is DefaultTextFieldStyle || style is RoundedBorderTextFieldStyle
        let own = OwnTextFieldStyle { field in
            // The view that the style returns contains the field, which must not use the style again.
            AnyView(
                style._body(configuration: field)
                    .fiberModifier(EnvironmentWriter(identity: AnyHashable(0)) { $0.ownTextFieldStyle = nil }))
        }
        return fiberModifier(
            EnvironmentWriter(identity: isBuiltIn ? AnyHashable(style is PlainTextFieldStyle) : nil) {
                $0.textFieldIsPlain = style is PlainTextFieldStyle
                $0.ownTextFieldStyle = isBuiltIn ? nil : own
            })
    }
    /// Adds an action that is called when the user presses Return in a field in this view. Actions of inner views are
    /// called first.
    public func onSubmit(of triggers: SubmitTriggers = .text, _ action: @escaping @MainActor () -> Void) -> some View {
        fiberModifier(EnvironmentWriter(identity: nil) { $0.submitActions.all.insert((triggers, action), at: 0) })
    }
}
