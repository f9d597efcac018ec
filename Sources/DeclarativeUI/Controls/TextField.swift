import Foundation

/// A line of text to edit: a GtkEntry. SwiftUI's view.
///
/// It takes the width that is offered. What the binding refuses or changes is what stands in it, at once. Main actor.
public struct TextField<Label: View>: View {
    let label: Label
    let text: Binding<String>
    let prompt: Text?
    let isSecure: Bool
    let onCommit: (@MainActor () -> Void)?
    var axis = Axis.horizontal
    @Environment(\.ownTextFieldStyle) private var ownStyle
    @Environment(\.lineLimit) private var limit

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

    /// - Parameter prompt: what stands there while there is no text; nil is the label.
    public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
        self.init(label(), text, prompt)
    }

    private var words: String { prompt?.string ?? (label as? Text)?.string ?? "" }

    public var body: some View {
        if let ownStyle {
            ownStyle.make(
                TextField<_TextFieldStyleLabel>(
                    _TextFieldStyleLabel(view: AnyView(label), words: words), text, prompt ?? Text(verbatim: words),
                    isSecure: isSecure, axis: axis, onCommit: onCommit))
        } else if axis == .vertical, !isSecure {
            LabeledControl(
                label: label, place: .hidden,
                control: GrowingField(text: text, prompt: words, lines: limit ?? 5))
        } else {
            // The label is the prompt; both are told to assistive technology.
            LabeledControl(
                label: label, place: .hidden,
                control: NativeEntry(
                    kind: isSecure ? .secure : .text, text: text.wrappedValue, binding: text, prompt: words,
                    onCommit: onCommit))
        }
    }
}

/// A field of several lines, as high as its text, up to a number of lines; then it scrolls.
private struct GrowingField: View {
    let text: Binding<String>
    let prompt: String
    let lines: Int
    var body: some View {
        ZStack(alignment: .topLeading) {
            // As high as the text; an empty last line counts.
            Text(verbatim: text.wrappedValue + " ").lineLimit(lines).opacity(0)
                .padding(TextEditorElement.textInsets)
                .frame(maxWidth: .infinity, alignment: .leading).accessibilityHidden(true)
        }
        .overlay { TextEditor(text: text) }
        .overlay(alignment: .topLeading) {
            if text.wrappedValue.isEmpty {
                Text(verbatim: prompt).foregroundColor(.secondary).padding(TextEditorElement.textInsets)
                    .allowsHitTesting(false)
            }
        }
    }
}

extension TextField where Label == Text {
    /// A field named by a title that is looked up in the app's translations.
    /// - Parameter prompt: stands there while there is no text; nil is the title.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text? = nil) {
        self.init(Text(titleKey), text, prompt)
    }
    /// A field named by a title that is shown as it is.
    /// - Parameter prompt: stands there while there is no text; nil is the title.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, text: Binding<String>, prompt: Text? = nil) {
        self.init(Text(title), text, prompt)
    }
    /// A field that grows with its text, up to five lines or the limit of lines, named by a title that is looked up in
    /// the app's translations.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text? = nil, axis: Axis) {
        self.init(Text(titleKey), text, prompt, axis: axis)
    }
    /// A field that grows with its text, named by a title that is shown as it is.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, text: Binding<String>, prompt: Text? = nil, axis: Axis
    ) {
        self.init(Text(title), text, prompt, axis: axis)
    }
    /// - Parameter onCommit: called when Return is pressed.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, onCommit: @escaping @MainActor () -> Void) {
        self.init(Text(titleKey), text, nil, onCommit: onCommit)
    }
}

/// A line of text that shows none of it: a GtkPasswordEntry. SwiftUI's view.
public struct SecureField<Label: View>: View {
    let field: TextField<Label>
    /// A field that hides its text, named by any label.
    /// - Parameter prompt: stands there while there is no text; nil is the label.
    public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
        field = TextField(label(), text, prompt, isSecure: true)
    }
    public var body: some View { field }
}

extension SecureField where Label == Text {
    /// A field that hides its text, named by a title that is looked up in the app's translations.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text? = nil) {
        self.init(text: text, prompt: prompt) { Text(titleKey) }
    }
    /// A field that hides its text, named by a title that is shown as it is.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, text: Binding<String>, prompt: Text? = nil) {
        self.init(text: text, prompt: prompt) { Text(title) }
    }
}

/// How text fields look. SwiftUI's protocol, with the styles below; a style of one's own implements
/// `_body(configuration:)`.
@MainActor @preconcurrency
public protocol TextFieldStyle {
    /// The type of the view that the style makes.
    associatedtype _Body: View
    /// The label of the field that the style is given.
    typealias _Label = _TextFieldStyleLabel
    /// Makes what the field looks like, of a field without a style.
    @ViewBuilder func _body(configuration: TextField<_Label>) -> _Body
}
/// The label of the field that a style is given.
public struct _TextFieldStyleLabel: View {
    let view: AnyView
    let words: String
    public var body: AnyView { view }
}
/// A style that an app has made.
struct OwnTextFieldStyle: Sendable {
    let make: @MainActor (TextField<_TextFieldStyleLabel>) -> AnyView
}
private struct OwnFieldStyleKey: EnvironmentKey { static let defaultValue: OwnTextFieldStyle? = nil }
/// GTK's frame.
public struct DefaultTextFieldStyle: TextFieldStyle {
    /// Makes the style; its short name, as `.automatic`, does the same.
    nonisolated public init() {}
    public func _body(configuration: TextField<_Label>) -> some View { configuration }
}
/// GTK's frame; the same as the default style.
public struct RoundedBorderTextFieldStyle: TextFieldStyle {
    /// Makes the style; its short name, as `.automatic`, does the same.
    nonisolated public init() {}
    public func _body(configuration: TextField<_Label>) -> some View { configuration }
}
/// The text alone.
public struct PlainTextFieldStyle: TextFieldStyle {
    /// Makes the style; its short name, as `.automatic`, does the same.
    nonisolated public init() {}
    public func _body(configuration: TextField<_Label>) -> some View { configuration }
}
extension TextFieldStyle where Self == DefaultTextFieldStyle {
    /// GTK's frame.
    public static var automatic: DefaultTextFieldStyle { DefaultTextFieldStyle() }
}
extension TextFieldStyle where Self == RoundedBorderTextFieldStyle {
    /// GTK's frame; the same as `automatic`.
    public static var roundedBorder: RoundedBorderTextFieldStyle { RoundedBorderTextFieldStyle() }
}
extension TextFieldStyle where Self == PlainTextFieldStyle {
    /// The text alone.
    public static var plain: PlainTextFieldStyle { PlainTextFieldStyle() }
}

/// Which fields an action of `onSubmit` is for.
public struct SubmitTriggers: OptionSet, Sendable {
    /// One bit a kind of field: 1 is a text field, 2 a search field.
    public let rawValue: Int
    /// Makes a set of raw bits; bits other than 1 and 2 mean nothing.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Text fields and secure fields.
    public static let text = SubmitTriggers(rawValue: 1)
    /// The field of `searchable`.
    public static let search = SubmitTriggers(rawValue: 2)
}

struct SubmitActions: Sendable {
    var all: [(triggers: SubmitTriggers, action: @MainActor () -> Void)] = []
    @MainActor func callAsFunction(_ trigger: SubmitTriggers) {
        for entry in all where entry.triggers.contains(trigger) { entry.action() }
    }
}

private struct PlainFieldKey: EnvironmentKey { static let defaultValue = false }
private struct SubmitKey: EnvironmentKey { static let defaultValue = SubmitActions() }
extension EnvironmentValues {
    var ownTextFieldStyle: OwnTextFieldStyle? {
        get { self[OwnFieldStyleKey.self] }
        set { self[OwnFieldStyleKey.self] = newValue }
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
    /// The look of the text fields below.
    public func textFieldStyle<S: TextFieldStyle>(_ style: S) -> some View {
        let isBuiltIn =
            style is PlainTextFieldStyle || style is DefaultTextFieldStyle || style is RoundedBorderTextFieldStyle
        let own = OwnTextFieldStyle { field in
            // What the style makes has the field in it.
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
    /// Called when Return is pressed in a field below; actions further up are called after those further down.
    public func onSubmit(of triggers: SubmitTriggers = .text, _ action: @escaping @MainActor () -> Void) -> some View {
        fiberModifier(EnvironmentWriter(identity: nil) { $0.submitActions.all.insert((triggers, action), at: 0) })
    }
}
