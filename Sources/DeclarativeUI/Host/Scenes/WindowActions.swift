import Foundation

/// Opens a window of one of the app's scenes. SwiftUI's type. A scene that the app does not have is told in the log.
@MainActor @preconcurrency
public struct OpenWindowAction {
    nonisolated init() {}
    /// Of a `WindowGroup` another window; of a `Window` its only one, or that comes to the front.
    public func callAsFunction(id: String) { AppScenes.open(id: id, value: nil) }
    /// The window for `value` of the first `WindowGroup(for:)` of its type, or, if there is one already, that comes to
    /// the front.
    public func callAsFunction<D: Codable & Hashable>(value: D) { AppScenes.open(id: nil, value: AnyHashable(value)) }
    /// The window for `value` of the scene with `id`, or, if there is one already, that comes to the front.
    public func callAsFunction<D: Codable & Hashable>(id: String, value: D) {
        AppScenes.open(id: id, value: AnyHashable(value))
    }
}

/// Closes windows. SwiftUI's type.
@MainActor @preconcurrency
public struct DismissWindowAction {
    let close: (@MainActor () -> Void)?
    nonisolated init(_ close: (@MainActor () -> Void)? = nil) { self.close = close }
    /// The window in which this was read; nothing outside of one.
    public func callAsFunction() { close?() }
    /// All windows of the scene.
    public func callAsFunction(id: String) { AppScenes.dismiss(id: id, value: nil) }
    /// The window for `value`.
    public func callAsFunction<D: Codable & Hashable>(value: D) {
        AppScenes.dismiss(id: nil, value: AnyHashable(value))
    }
    /// The window for `value` of the scene with `id`.
    public func callAsFunction<D: Codable & Hashable>(id: String, value: D) {
        AppScenes.dismiss(id: id, value: AnyHashable(value))
    }
}

private struct OpenWindowKey: EnvironmentKey { static let defaultValue = OpenWindowAction() }
private struct DismissWindowKey: EnvironmentKey { static let defaultValue = DismissWindowAction() }
private struct WindowSettingsKey: EnvironmentKey { static let defaultValue = WindowSettings() }

extension EnvironmentValues {
    /// Opens windows of the app's scenes.
    public var openWindow: OpenWindowAction {
        get { self[OpenWindowKey.self] }
        set { self[OpenWindowKey.self] = newValue }
    }
    /// Closes windows of the app's scenes.
    public var dismissWindow: DismissWindowAction {
        get { self[DismissWindowKey.self] }
        set { self[DismissWindowKey.self] = newValue }
    }
    /// Desktops have many windows.
    public var supportsMultipleWindows: Bool { true }
    var windowSettings: WindowSettings {
        get { self[WindowSettingsKey.self] }
        set { self[WindowSettingsKey.self] = newValue }
    }
}
