import DeclarativeUI
import Foundation

/// A group of settings for the text that replaces a video that can't be played.
///
/// ```swift
/// VideoSettings {
///     SourceName("film.mp4")
///     ErrorGroup { EColor(.orange); EFontSize(14) }
/// }
/// ```
public struct ErrorGroup: SettingsConvertible {
    private let settings: [Setting]
    /// Creates a group.
    /// - Parameter settings: `EColor` and `EFontSize`. Any other setting counts as if it were outside the group.
    public init(@SettingsBuilder _ settings: () -> [Setting]) { self.settings = settings() }
    /// Returns the settings of the group.
    public func asSettings() -> [Setting] { settings }
}

/// The color of the error text. Default: red.
///
/// With red, only the symbol has that color; the text is white on a dark background.
public struct EColor: SettingsConvertible {
    private let color: Color
    /// Creates the setting.
    /// - Parameter color: The color of the text.
    public init(_ color: Color = .red) { self.color = color }
    /// Returns `Setting.errorColor`.
    public func asSettings() -> [Setting] { [.errorColor(color)] }
}

/// The size of the error text, in points. Default: 17.
public struct EFontSize: SettingsConvertible {
    private let size: CGFloat
    /// Creates the setting.
    /// - Parameter size: The size in points.
    public init(_ size: CGFloat = 17) { self.size = size }
    /// Returns `Setting.errorFontSize`.
    public func asSettings() -> [Setting] { [.errorFontSize(size)] }
}

/// A setting that hides the error text. The error is still reported.
///
/// The app shows the error itself:
/// ```swift
/// @State private var message: String?
///
/// var body: some View {
///     ExtVideoPlayer { VideoSettings { SourceName("film.mp4"); Events([.errorAny]); ErrorWidgetOff() } }
///         .onPlayerEventChange { events in
///             if case .error(let error)? = events.last { message = error.localizedDescription }
///         }
///         .overlay { if let message { Text(message) } }
/// }
/// ```
public struct ErrorWidgetOff: SettingsConvertible {
    /// Creates the setting.
    public init() {}
    /// Returns `Setting.errorWidgetOff`.
    public func asSettings() -> [Setting] { [.errorWidgetOff] }
}
