import Foundation
import GTK

/// The state of the app's windows. Modeled on SwiftUI's type.
///
/// ```swift
/// @Environment(\.scenePhase) private var phase
///
/// var body: some View {
///     VideoPlayer(player: player)
///         .onChange(of: phase) { _, new in if new == .background { player.pause() } }
/// }
/// ```
public enum ScenePhase: Hashable, Comparable, Sendable {
    /// All windows are minimized. Never reported on Wayland, where apps cannot know whether a window is minimized.
    case background
    /// Another app has the keyboard focus.
    case inactive
    /// A window of the app has the keyboard focus.
    case active
}

private struct ScenePhaseKey: EnvironmentKey { static let defaultValue = ScenePhase.active }
extension EnvironmentValues {
    /// The state of the app's windows, which is the same for all of its windows.
    public var scenePhase: ScenePhase {
        get { self[ScenePhaseKey.self] }
        set { self[ScenePhaseKey.self] = newValue }
    }
}

/// The current state of the app's windows, which views and delegates follow.
@MainActor
enum AppActivity {
    /// The current phase. Active until the first window changes it.
    private(set) static var phase = ScenePhase.active
    /// The closure that notifies the views.
    static var onChange: (() -> Void)?
    private static var isWaiting = false

    /// Updates the phase soon after a window got or lost the focus, or was minimized or shown again.
    ///
    /// When the focus moves between two windows of the app, no window has it for a moment. The delay skips that moment.
    static func windowChanged() {
        guard !isWaiting else { return }
        isWaiting = true
        OnMain.later(0.05) {
            isWaiting = false
            let windows = HostWindow.all
            guard !windows.isEmpty else { return }
            set(phase(isActive: windows.contains(where: \.isActive), areMinimized: windows.map(\.isMinimized)))
        }
    }

    static func phase(isActive: Bool, areMinimized: [Bool]) -> ScenePhase {
        isActive ? .active : areMinimized.allSatisfy { $0 } ? .background : .inactive
    }

    static func set(_ new: ScenePhase) {
        guard new != phase else { return }
        let old = phase
        phase = new
        UIApplication.shared.follow(from: old, to: new)
        onChange?()
    }
}

extension HostWindow {
    /// Whether the window is minimized, as far as the desktop reports it.
    var isMinimized: Bool { window.surface?.isMinimized == true }
}

extension Scene {
    /// Calls `action` after an update in which `value` has changed.
    /// - Parameters:
    ///   - value: The value to observe.
    ///   - initial: Whether the action is also called when the app starts.
    ///   - action: The closure to call with the old and the new value.
    public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
    ) -> some Scene {
        ModifiedScene(scene: self) { AnyView($0.onChange(of: value, initial: initial, action)) }
    }
    /// Calls `action` with the new value after an update in which `value` has changed.
    public func onChange<V: Equatable>(of value: V, perform action: @escaping (_ newValue: V) -> Void) -> some Scene {
        ModifiedScene(scene: self) { AnyView($0.onChange(of: value, perform: action)) }
    }
    /// Calls `action` after an update in which `value` has changed.
    /// - Parameters:
    ///   - value: The value to observe.
    ///   - initial: Whether the action is also called when the app starts.
    ///   - action: The closure to call.
    public func onChange(of value: any Equatable, initial: Bool = false, _ action: @escaping () -> Void) -> some Scene {
        ModifiedScene(scene: self) { AnyView($0.onChange(of: value, initial: initial, action)) }
    }
}
