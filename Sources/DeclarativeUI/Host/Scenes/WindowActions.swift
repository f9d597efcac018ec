/// An action that opens a window of one of the app's scenes. Same API as in SwiftUI. If no scene has the id or accepts
/// the value, an error is logged and no window opens.
///
/// ```swift
/// @Environment(\.openWindow) private var openWindow
///
/// var body: some View {
///     Button("Downloads") { openWindow(id: "downloads") }
/// }
/// ```
@MainActor @preconcurrency
public struct OpenWindowAction {
    nonisolated init() {}
    /// Opens another window of a `WindowGroup`, or the only window of a `Window`. If the window of a `Window` is
    /// already open, moves that window to the front.
    public func callAsFunction(id: String) { AppScenes.open(id: id, value: nil) }
    /// Opens the window for `value` of the first `WindowGroup(for:)` of its type. If it is already open, moves it to
    /// the front.
    public func callAsFunction<D: Codable & Hashable>(value: D) { AppScenes.open(id: nil, value: AnyHashable(value)) }
    /// Opens the window for `value` of the scene `id`. If it is already open, moves it to the front.
    public func callAsFunction<D: Codable & Hashable>(id: String, value: D) {
        AppScenes.open(id: id, value: AnyHashable(value))
    }
}

/// An action that closes windows. Same API as in SwiftUI. If no scene has the id or accepts the value, an error is
/// logged. If the scene has no such window, nothing happens.
@MainActor @preconcurrency
public struct DismissWindowAction {
    let close: (@MainActor () -> Void)?
    nonisolated init(_ close: (@MainActor () -> Void)? = nil) { self.close = close }
    /// Closes the window in whose views the action was read. In a sheet, this is the window below the sheet. Has no
    /// effect outside of a window.
    public func callAsFunction() { close?() }
    /// Closes all windows of the scene `id`.
    public func callAsFunction(id: String) { AppScenes.dismiss(id: id, value: nil) }
    /// Closes the window for `value` of the first `WindowGroup(for:)` of its type.
    public func callAsFunction<D: Codable & Hashable>(value: D) {
        AppScenes.dismiss(id: nil, value: AnyHashable(value))
    }
    /// Closes the window for `value` of the scene `id`.
    public func callAsFunction<D: Codable & Hashable>(id: String, value: D) {
        AppScenes.dismiss(id: id, value: AnyHashable(value))
    }
}

private struct OpenWindowKey: EnvironmentKey { static let defaultValue = OpenWindowAction() }
private struct DismissWindowKey: EnvironmentKey { static let defaultValue = DismissWindowAction() }
private struct WindowSettingsKey: EnvironmentKey { static let defaultValue = WindowSettings() }

extension EnvironmentValues {
    /// The action that opens windows of the app's scenes.
    public var openWindow: OpenWindowAction {
        get { self[OpenWindowKey.self] }
        set { self[OpenWindowKey.self] = newValue }
    }
    /// The action that closes windows of the app's scenes.
    public var dismissWindow: DismissWindowAction {
        get { self[DismissWindowKey.self] }
        set { self[DismissWindowKey.self] = newValue }
    }
    /// Whether the app can have several windows. Always true on a desktop.
    public var supportsMultipleWindows: Bool { true }
    var windowSettings: WindowSettings {
        get { self[WindowSettingsKey.self] }
        set { self[WindowSettingsKey.self] = newValue }
    }
}
