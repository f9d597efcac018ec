import CGTK
import Foundation
@_spi(Graph) import ViewGraph

/// The purpose of a text field, which determines the keys of an on-screen keyboard. Modeled on UIKit's type.
public enum UIKeyboardType: Int, Sendable {
    /// A keyboard for any text.
    case `default`
    /// A keyboard for ASCII letters, for digits and punctuation, or for URLs.
    case asciiCapable, numbersAndPunctuation, URL
    /// A keyboard for digits, for telephone numbers, or for names and telephone numbers.
    case numberPad, phonePad, namePhonePad
    /// A keyboard for email addresses, decimal numbers, messages, searches, or ASCII digits.
    case emailAddress, decimalPad, twitter, webSearch, asciiCapableNumberPad
    /// UIKit's older name of `asciiCapable`.
    public static let alphabet = UIKeyboardType.asciiCapable

    var purpose: GtkInputPurpose {
        switch self {
        case .URL, .webSearch: GTK_INPUT_PURPOSE_URL
        case .numberPad, .asciiCapableNumberPad: GTK_INPUT_PURPOSE_DIGITS
        case .phonePad, .namePhonePad: GTK_INPUT_PURPOSE_PHONE
        case .emailAddress: GTK_INPUT_PURPOSE_EMAIL
        case .decimalPad: GTK_INPUT_PURPOSE_NUMBER
        case .default, .asciiCapable, .numbersAndPunctuation, .twitter: GTK_INPUT_PURPOSE_FREE_FORM
        }
    }
    /// The purpose of a field that hides its text.
    var securePurpose: GtkInputPurpose {
        switch self {
        case .numberPad, .asciiCapableNumberPad, .decimalPad, .phonePad: GTK_INPUT_PURPOSE_PIN
        default: GTK_INPUT_PURPOSE_PASSWORD
        }
    }
}

/// The letters that an on-screen keyboard capitalizes. Modeled on SwiftUI's type.
public struct TextInputAutocapitalization: Hashable, Sendable {
    let hint: UInt32
    /// The setting that capitalizes no letters.
    public static let never = TextInputAutocapitalization(hint: GTK_INPUT_HINT_LOWERCASE.rawValue)
    /// The settings that capitalize the first letter of each word, the first letter of each sentence, and all letters.
    public static let words = TextInputAutocapitalization(hint: GTK_INPUT_HINT_UPPERCASE_WORDS.rawValue),
        sentences = TextInputAutocapitalization(hint: GTK_INPUT_HINT_UPPERCASE_SENTENCES.rawValue),
        characters = TextInputAutocapitalization(hint: GTK_INPUT_HINT_UPPERCASE_CHARS.rawValue)
}

/// The letters that an on-screen keyboard capitalizes. Modeled on UIKit's type.
public enum UITextAutocapitalizationType: Int, Sendable {
    /// No letters, or the first letter of each word.
    case none, words
    /// The first letter of each sentence, or all letters.
    case sentences, allCharacters
}
extension TextInputAutocapitalization {
    /// Creates the setting from UIKit's type. Never returns nil.
    public init?(_ type: UITextAutocapitalizationType) {
        self =
            switch type {
            case .none: .never
            case .words: .words
            case .sentences: .sentences
            case .allCharacters: .characters
            }
    }
}

/// The kind of content of a text field. Modeled on UIKit's type.
///
/// The type has no effect, because Linux desktops do not fill in text fields.
public struct UITextContentType: RawRepresentable, Hashable, Sendable {
    /// UIKit's name of the content type.
    public let rawValue: String
    /// Creates a content type with a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A user name, a password, a new password, or a code that is used once.
    public static let username = UITextContentType(rawValue: "username"),
        password = UITextContentType(rawValue: "password"),
        newPassword = UITextContentType(rawValue: "new-password"),
        oneTimeCode = UITextContentType(rawValue: "one-time-code")
    /// An email address, a URL, or a name.
    public static let emailAddress = UITextContentType(rawValue: "email"), URL = UITextContentType(rawValue: "url"),
        name = UITextContentType(rawValue: "name")
}

/// The label of the key that submits a text field. Modeled on SwiftUI's type.
///
/// The type has no effect, because the key on a desktop keyboard is always Return.
public struct SubmitLabel: Hashable, Sendable {
    private let name: String
    /// The labels “Done”, “Go”, “Join” and “Return”.
    public static let done = SubmitLabel(name: "done"), go = SubmitLabel(name: "go"), join = SubmitLabel(name: "join"),
        `return` = SubmitLabel(name: "return")
    /// The labels “Route”, “Search”, “Send”, “Next” and “Continue”.
    public static let route = SubmitLabel(name: "route"), search = SubmitLabel(name: "search"),
        send = SubmitLabel(name: "send"), next = SubmitLabel(name: "next"),
        `continue` = SubmitLabel(name: "continue")
}

/// The hints that a text field gives to input methods and on-screen keyboards.
struct TextInput: Hashable {
    var keyboard = UIKeyboardType.default
    var capitals: TextInputAutocapitalization?
    var isCorrected: Bool?
    var hints: UInt32 {
        var hints = capitals?.hint ?? 0
        if let isCorrected {
            hints |= isCorrected ? GTK_INPUT_HINT_SPELLCHECK.rawValue : GTK_INPUT_HINT_NO_SPELLCHECK.rawValue
        }
        return hints
    }
    /// The hints of a field that hides its text. Input methods do not store the text.
    var secureHints: UInt32 { hints | GTK_INPUT_HINT_PRIVATE.rawValue }
}
private struct TextInputKey: EnvironmentKey { static let defaultValue = TextInput() }
extension EnvironmentValues {
    var textInput: TextInput {
        get { self[TextInputKey.self] }
        set { self[TextInputKey.self] = newValue }
    }
    /// Whether on-screen keyboards leave text in the fields below uncorrected. False unless set.
    public var autocorrectionDisabled: Bool {
        get { textInput.isCorrected == false }
        set { textInput.isCorrected = !newValue }
    }
}

extension View {
    /// Sets the keys that on-screen keyboards show for the text fields and editors in this view. Of all types, secure
    /// fields use only those with digits.
    public func keyboardType(_ type: UIKeyboardType) -> some View { setting(\.textInput.keyboard, type) }
    /// Sets the letters that on-screen keyboards capitalize in the text fields and editors in this view; nil uses the
    /// keyboard's default.
    public func textInputAutocapitalization(_ autocapitalization: TextInputAutocapitalization?) -> some View {
        setting(\.textInput.capitals, autocapitalization)
    }
    /// Sets the letters that on-screen keyboards capitalize. This is an older form of
    /// `textInputAutocapitalization(_:)`.
    public func autocapitalization(_ style: UITextAutocapitalizationType) -> some View {
        textInputAutocapitalization(TextInputAutocapitalization(style))
    }
    /// Sets whether on-screen keyboards and input methods leave the text in the fields and editors in this view
    /// uncorrected.
    public func autocorrectionDisabled(_ disable: Bool = true) -> some View {
        setting(\.autocorrectionDisabled, disable)
    }
    /// Sets whether text is left uncorrected: the older name of `autocorrectionDisabled(_:)`. Nil uses the keyboard's
    /// default.
    public func disableAutocorrection(_ disable: Bool?) -> some View {
        setting(\.textInput.isCorrected, disable.map { !$0 })
    }
    /// Describes the content of the fields in this view. Has no effect, because Linux desktops do not fill in fields.
    public func textContentType(_ textContentType: UITextContentType?) -> some View { self }
    /// Sets the label of the key that submits the fields in this view. Has no effect: on a desktop, the key is Return.
    public func submitLabel(_ submitLabel: SubmitLabel) -> some View { self }
}
