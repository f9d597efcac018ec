import DeclarativeUI
import Foundation

/// How the text looks that is shown instead of a video that cannot be played; groups `EColor` and `EFontSize`.
public struct ErrorGroup: SettingsConvertible {
    private let settings: [Setting]
    /// Of `EColor` and `EFontSize`, each at most once.
    public init(@SettingsBuilder _ settings: () -> [Setting]) { self.settings = settings() }
    public func asSettings() -> [Setting] { settings }
}

/// The error text's colour. Default: red.
public struct EColor: SettingsConvertible {
    private let color: Color
    /// How the text looks; written in an `ErrorGroup` or beside it.
    public init(_ color: Color = .red) { self.color = color }
    public func asSettings() -> [Setting] { [.errorColor(color)] }
}

/// The error text's size, points. Default: 17.
public struct EFontSize: SettingsConvertible {
    private let size: CGFloat
    /// - Parameter size: points.
    public init(_ size: CGFloat = 17) { self.size = size }
    public func asSettings() -> [Setting] { [.errorFontSize(size)] }
}

/// Shows no text for a video that cannot be played; the error is still told.
public struct ErrorWidgetOff: SettingsConvertible {
    /// No text is shown.
    public init() {}
    public func asSettings() -> [Setting] { [.errorWidgetOff] }
}
