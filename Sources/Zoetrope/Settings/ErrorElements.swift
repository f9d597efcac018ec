import DeclarativeUI
import Foundation

/// How the text looks that is shown instead of a video that cannot be played; groups `EColor` and `EFontSize`.
public struct ErrorGroup: SettingsConvertible {
    private let settings: [Setting]
    /// - Parameter settings: `EColor`, `EFontSize`; any other setting counts as if it stood outside.
    public init(@SettingsBuilder _ settings: () -> [Setting]) { self.settings = settings() }
    /// Those it groups.
    public func asSettings() -> [Setting] { settings }
}

/// The error text's colour. Default: red, which is the symbol's alone: the words are white then, on a dark ground.
public struct EColor: SettingsConvertible {
    private let color: Color
    /// - Parameter color: the text's.
    public init(_ color: Color = .red) { self.color = color }
    /// `Setting.errorColor`.
    public func asSettings() -> [Setting] { [.errorColor(color)] }
}

/// The error text's size, points. Default: 17.
public struct EFontSize: SettingsConvertible {
    private let size: CGFloat
    /// - Parameter size: points.
    public init(_ size: CGFloat = 17) { self.size = size }
    /// `Setting.errorFontSize`.
    public func asSettings() -> [Setting] { [.errorFontSize(size)] }
}

/// Shows no text for a video that cannot be played; the error is still told.
public struct ErrorWidgetOff: SettingsConvertible {
    /// Turns the text off.
    public init() {}
    /// `Setting.errorWidgetOff`.
    public func asSettings() -> [Setting] { [.errorWidgetOff] }
}
