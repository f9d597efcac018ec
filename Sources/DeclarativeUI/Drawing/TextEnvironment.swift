import Foundation
import ViewGraph

private struct LineSpacingKey: EnvironmentKey { static let defaultValue: CGFloat = 0 }
private struct LeastScaleKey: EnvironmentKey { static let defaultValue: CGFloat = 1 }
private struct TighteningKey: EnvironmentKey { static let defaultValue = false }
private struct CaseKey: EnvironmentKey { static let defaultValue: Text.Case? = nil }
private struct SelectableKey: EnvironmentKey { static let defaultValue = false }

extension Text {
    /// The case in which text is shown.
    public enum Case: Hashable, Sendable {
        /// Uppercase letters, or lowercase letters.
        case uppercase, lowercase
    }
}

extension EnvironmentValues {
    /// The space between the lines of a text in points, clamped to 0…1000.
    public var lineSpacing: CGFloat {
        get { self[LineSpacingKey.self] }
        set { self[LineSpacingKey.self] = newValue.isFinite ? min(1000, max(0, newValue)) : 0 }
    }
    /// The smallest factor by which text shrinks to fit, clamped to 0.05…1. The default is 1.
    public var minimumScaleFactor: CGFloat {
        get { self[LeastScaleKey.self] }
        set { self[LeastScaleKey.self] = newValue.isFinite ? min(1, max(0.05, newValue)) : 1 }
    }
    /// Whether letters may move closer together so that text fits.
    public var allowsTightening: Bool {
        get { self[TighteningKey.self] }
        set { self[TighteningKey.self] = newValue }
    }
    /// The case in which text is shown. Nil leaves the text unchanged.
    public var textCase: Text.Case? {
        get { self[CaseKey.self] }
        set { self[CaseKey.self] = newValue }
    }
    var isTextSelectable: Bool {
        get { self[SelectableKey.self] }
        set { self[SelectableKey.self] = newValue }
    }
}

/// A setting for whether users can copy text. Same API as in SwiftUI, with the two types below.
public protocol TextSelectability {
    /// Whether users can copy text.
    static var allowsSelection: Bool { get }
}
/// The setting that lets users copy text.
public struct EnabledTextSelectability: TextSelectability {
    /// Whether users can copy text: always true.
    public static let allowsSelection = true
}
/// The setting that keeps users from copying text.
public struct DisabledTextSelectability: TextSelectability {
    /// Whether users can copy text: always false.
    public static let allowsSelection = false
}
extension TextSelectability where Self == EnabledTextSelectability {
    /// The setting with which a double click on a text copies it to the clipboard.
    public static var enabled: EnabledTextSelectability { EnabledTextSelectability() }
}
extension TextSelectability where Self == DisabledTextSelectability {
    /// The setting with which a double click on a text copies nothing. Links in the text still work.
    public static var disabled: DisabledTextSelectability { DisabledTextSelectability() }
}

extension View {
    /// Sets the space between the lines of text in this view, in points.
    public func lineSpacing(_ lineSpacing: CGFloat) -> some View { setting(\.lineSpacing, lineSpacing) }
    /// Lets text in this view shrink before it is cut off.
    /// - Parameter factor: The smallest factor, clamped to 0.05…1.
    public func minimumScaleFactor(_ factor: CGFloat) -> some View { setting(\.minimumScaleFactor, factor) }
    /// Sets whether the letters of text in this view may move closer together before the text is cut off.
    public func allowsTightening(_ flag: Bool) -> some View { setting(\.allowsTightening, flag) }
    /// Shows text in this view in uppercase or lowercase letters. Nil leaves it unchanged.
    public func textCase(_ textCase: Text.Case?) -> some View { setting(\.textCase, textCase) }
    /// Sets whether a double click on text in this view copies it to the clipboard. Users can't select a part of a
    /// text.
    public func textSelection<S: TextSelectability>(_ selectability: S) -> some View {
        setting(\.isTextSelectable, S.allowsSelection)
    }
}
