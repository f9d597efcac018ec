import Foundation
import ViewGraph

private struct LineSpacingKey: EnvironmentKey { static let defaultValue: CGFloat = 0 }
private struct LeastScaleKey: EnvironmentKey { static let defaultValue: CGFloat = 1 }
private struct TighteningKey: EnvironmentKey { static let defaultValue = false }
private struct CaseKey: EnvironmentKey { static let defaultValue: Text.Case? = nil }
private struct SelectableKey: EnvironmentKey { static let defaultValue = false }

extension Text {
    /// In which letters words are shown.
    public enum Case: Hashable, Sendable {
        /// All large; all small.
        case uppercase, lowercase
    }
}

extension EnvironmentValues {
    /// Points between the lines of a text.
    public var lineSpacing: CGFloat {
        get { self[LineSpacingKey.self] }
        set { self[LineSpacingKey.self] = newValue.isFinite ? min(1000, max(0, newValue)) : 0 }
    }
    /// How small words may become to fit, 0 to 1; 1 where nothing is said.
    public var minimumScaleFactor: CGFloat {
        get { self[LeastScaleKey.self] }
        set { self[LeastScaleKey.self] = newValue.isFinite ? min(1, max(0.05, newValue)) : 1 }
    }
    /// Whether letters may move together so that words fit.
    public var allowsTightening: Bool {
        get { self[TighteningKey.self] }
        set { self[TighteningKey.self] = newValue }
    }
    /// In which letters words are shown; nil is as they are.
    public var textCase: Text.Case? {
        get { self[CaseKey.self] }
        set { self[CaseKey.self] = newValue }
    }
    var isTextSelectable: Bool {
        get { self[SelectableKey.self] }
        set { self[SelectableKey.self] = newValue }
    }
}

/// Whether users can take the words of texts. SwiftUI's protocol, with the two values below.
public protocol TextSelectability {
    /// Whether users can take them.
    static var allowsSelection: Bool { get }
}
/// Users can take the words of texts.
public struct EnabledTextSelectability: TextSelectability {
    /// True.
    public static let allowsSelection = true
}
/// Users can't take the words of texts.
public struct DisabledTextSelectability: TextSelectability {
    /// False.
    public static let allowsSelection = false
}
extension TextSelectability where Self == EnabledTextSelectability {
    /// A double click on a text copies its words to the clipboard.
    public static var enabled: EnabledTextSelectability { EnabledTextSelectability() }
}
extension TextSelectability where Self == DisabledTextSelectability {
    /// A click on a text does nothing.
    public static var disabled: DisabledTextSelectability { DisabledTextSelectability() }
}

extension View {
    /// Points between the lines of the texts below.
    public func lineSpacing(_ lineSpacing: CGFloat) -> some View { setting(\.lineSpacing, lineSpacing) }
    /// Lets the texts below become smaller before words are left out. - Parameter factor: The least, 0 to 1; clamped.
    public func minimumScaleFactor(_ factor: CGFloat) -> some View { setting(\.minimumScaleFactor, factor) }
    /// Lets the letters of the texts below move together before words are left out.
    public func allowsTightening(_ flag: Bool) -> some View { setting(\.allowsTightening, flag) }
    /// Shows the texts below in large or in small letters; nil as they are.
    public func textCase(_ textCase: Text.Case?) -> some View { setting(\.textCase, textCase) }
    /// Whether a double click on a text below copies its words to the clipboard. Parts of a text can't be chosen.
    public func textSelection<S: TextSelectability>(_ selectability: S) -> some View {
        setting(\.isTextSelectable, S.allowsSelection)
    }
}
