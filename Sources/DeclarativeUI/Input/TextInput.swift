import CGTK
import Foundation
@_spi(Graph) import ViewGraph

/// What a field is for: which keys an on-screen keyboard shows. UIKit's type.
public enum UIKeyboardType: Int, Sendable {
    /// Any text.
    case `default`
    /// Letters of ASCII; digits and signs; a URL.
    case asciiCapable, numbersAndPunctuation, URL
    /// Digits; a telephone number; a name and a telephone number.
    case numberPad, phonePad, namePhonePad
    /// An address of e-mail; a number with a point; a message; a search; digits of ASCII.
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
}

/// Which letters an on-screen keyboard makes large. SwiftUI's type.
public struct TextInputAutocapitalization: Hashable, Sendable {
    let hint: UInt32
    /// None.
    public static let never = TextInputAutocapitalization(hint: GTK_INPUT_HINT_LOWERCASE.rawValue)
    /// The first of each word; the first of each sentence; all.
    public static let words = TextInputAutocapitalization(hint: GTK_INPUT_HINT_UPPERCASE_WORDS.rawValue),
        sentences = TextInputAutocapitalization(hint: GTK_INPUT_HINT_UPPERCASE_SENTENCES.rawValue),
        characters = TextInputAutocapitalization(hint: GTK_INPUT_HINT_UPPERCASE_CHARS.rawValue)
}

/// What a field holds. UIKit's type: of no effect on a desktop, which fills in no fields.
public struct UITextContentType: RawRepresentable, Hashable, Sendable {
    /// UIKit's name.
    public let rawValue: String
    /// Makes a kind of a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A user's name; a password; a new password; a code that is used once.
    public static let username = UITextContentType(rawValue: "username"),
        password = UITextContentType(rawValue: "password"),
        newPassword = UITextContentType(rawValue: "new-password"),
        oneTimeCode = UITextContentType(rawValue: "one-time-code")
    /// An address of e-mail; a URL; a name.
    public static let emailAddress = UITextContentType(rawValue: "email"), URL = UITextContentType(rawValue: "url"),
        name = UITextContentType(rawValue: "name")
}

/// What the key says that ends a field. SwiftUI's type; of no effect on a keyboard of a desktop, whose key is Return.
public struct SubmitLabel: Hashable, Sendable {
    private let name: String
    /// Done; go; join; return.
    public static let done = SubmitLabel(name: "done"), go = SubmitLabel(name: "go"), join = SubmitLabel(name: "join"),
        `return` = SubmitLabel(name: "return")
    /// Route; search; send; next; continue.
    public static let route = SubmitLabel(name: "route"), search = SubmitLabel(name: "search"),
        send = SubmitLabel(name: "send"), next = SubmitLabel(name: "next"),
        `continue` = SubmitLabel(name: "continue")
}

/// What input methods and on-screen keyboards are told of a field.
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
}
private struct TextInputKey: EnvironmentKey { static let defaultValue = TextInput() }
extension EnvironmentValues {
    var textInput: TextInput {
        get { self[TextInputKey.self] }
        set { self[TextInputKey.self] = newValue }
    }
    /// Whether on-screen keyboards correct what is typed in the fields below; true if not said.
    public var autocorrectionDisabled: Bool {
        get { textInput.isCorrected == false }
        set { textInput.isCorrected = !newValue }
    }
}

extension View {
    /// Which keys an on-screen keyboard shows for the fields below.
    public func keyboardType(_ type: UIKeyboardType) -> some View { setting(\.textInput.keyboard, type) }
    /// Which letters an on-screen keyboard makes large in the fields below; nil leaves it to the keyboard.
    public func textInputAutocapitalization(_ autocapitalization: TextInputAutocapitalization?) -> some View {
        setting(\.textInput.capitals, autocapitalization)
    }
    /// Whether on-screen keyboards and input methods leave what is typed in the fields below as it is.
    public func autocorrectionDisabled(_ disable: Bool = true) -> some View {
        setting(\.autocorrectionDisabled, disable)
    }
    /// The older name of `autocorrectionDisabled`.
    public func disableAutocorrection(_ disable: Bool?) -> some View {
        setting(\.textInput.isCorrected, disable.map { !$0 })
    }
    /// What the fields below hold: of no effect on a desktop, which fills in no fields.
    public func textContentType(_ textContentType: UITextContentType?) -> some View { self }
    /// What the key says that ends the fields below: of no effect on a desktop, whose key is Return.
    public func submitLabel(_ submitLabel: SubmitLabel) -> some View { self }
}
