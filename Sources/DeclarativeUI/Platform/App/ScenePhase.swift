import CGTK
import Foundation
import GTK

/// Whether the app's windows are in use. SwiftUI's type.
public enum ScenePhase: Hashable, Comparable, Sendable {
    /// All windows are minimized.
    case background
    /// Another program has the keyboard.
    case inactive
    /// A window of the app has the keyboard.
    case active
}

private struct ScenePhaseKey: EnvironmentKey { static let defaultValue = ScenePhase.active }
extension EnvironmentValues {
    /// Whether the app's windows are in use; the same in all of its windows.
    public var scenePhase: ScenePhase {
        get { self[ScenePhaseKey.self] }
        set { self[ScenePhaseKey.self] = newValue }
    }
}

/// Follows whether the app's windows are in use, for views and delegates.
@MainActor
enum AppActivity {
    /// Active until a window says otherwise: the first one has yet to come.
    private(set) static var phase = ScenePhase.active
    /// The views are to be told.
    static var onChange: (() -> Void)?
    private static var isWaiting = false

    /// A window has got the keyboard, or lost it. Between two windows of the app none has it for a moment.
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
    /// An icon, as far as the desktop tells.
    var isMinimized: Bool {
        guard let state = window.surface?.state else { return false }
        return state.rawValue & GDK_TOPLEVEL_STATE_MINIMIZED.rawValue != 0
    }
}

extension Scene {
    /// Called after an update in which `value` became another one.
    /// - Parameter initial: Also called when the app starts.
    public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
    ) -> some Scene {
        ModifiedScene(scene: self) { AnyView($0.onChange(of: value, initial: initial, action)) }
    }
    /// Called after an update in which `value` became another one.
    public func onChange<V: Equatable>(of value: V, perform action: @escaping (_ newValue: V) -> Void) -> some Scene {
        ModifiedScene(scene: self) { AnyView($0.onChange(of: value, perform: action)) }
    }
    /// Called after an update in which `value` became another one.
    /// - Parameter initial: Also called when the app starts.
    public func onChange(of value: any Equatable, initial: Bool = false, _ action: @escaping () -> Void) -> some Scene {
        ModifiedScene(scene: self) { AnyView($0.onChange(of: value, initial: initial, action)) }
    }
}
