import Foundation
import Observation
import OpenCombine

/// The settings with which a window opens.
struct WindowSettings: Hashable {
    var size: CGSize?
    var resizability = WindowResizability.automatic
    var isPlain = false
}

/// The sizes that users can give a window. Same API as in SwiftUI.
public struct WindowResizability: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case automatic, contentSize, contentMinSize }
    let kind: Kind
    /// The same as `contentMinSize`.
    public static let automatic = WindowResizability(kind: .automatic)
    /// The sizes that the content can have. A window whose content has only one size is not resizable.
    ///
    /// GTK has no maximum size of windows. Content with a larger maximum than minimum is centered in a window that
    /// exceeds its maximum.
    public static let contentSize = WindowResizability(kind: .contentSize)
    /// The sizes not smaller than the content's minimum.
    public static let contentMinSize = WindowResizability(kind: .contentMinSize)
}

/// The look of a window around its content. Same API as in SwiftUI, with the styles below.
public protocol WindowStyle {}
/// The desktop's window frame, the same as `TitleBarWindowStyle`.
public struct DefaultWindowStyle: WindowStyle {
    /// Creates the style. `.automatic` is shorter.
    public init() {}
}
/// The desktop's window frame.
public struct TitleBarWindowStyle: WindowStyle {
    /// Creates the style. `.titleBar` is shorter.
    public init() {}
}
/// A window without a frame.
public struct PlainWindowStyle: WindowStyle {
    /// Creates the style. `.plain` is shorter.
    public init() {}
}
extension WindowStyle where Self == DefaultWindowStyle {
    /// The desktop's window frame.
    public static var automatic: DefaultWindowStyle { DefaultWindowStyle() }
}
extension WindowStyle where Self == TitleBarWindowStyle {
    /// The desktop's window frame, the same as `automatic`.
    public static var titleBar: TitleBarWindowStyle { TitleBarWindowStyle() }
}
extension WindowStyle where Self == PlainWindowStyle {
    /// A window without a frame.
    public static var plain: PlainWindowStyle { PlainWindowStyle() }
}

extension Scene {
    /// Sets the size in points with which the scene's windows open, at most the size of the screen.
    ///
    /// By default, a window has its content's preferred size; see `WindowGroup`.
    public func defaultSize(width: CGFloat, height: CGFloat) -> some Scene {
        windows { $0.size = CGSize(width: width, height: height) }
    }
    /// Sets the size in points with which the scene's windows open, at most the size of the screen.
    public func defaultSize(_ size: CGSize) -> some Scene { windows { $0.size = size } }
    /// Sets the sizes that users can give the scene's windows.
    public func windowResizability(_ resizability: WindowResizability) -> some Scene {
        windows { $0.resizability = resizability }
    }
    /// Sets the look of the scene's windows around their content.
    public func windowStyle<S: WindowStyle>(_ style: S) -> some Scene {
        windows { $0.isPlain = style is PlainWindowStyle }
    }

    /// Sets a value of the environment for the views of the scene's windows.
    public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some Scene {
        ModifiedScene(scene: self) { AnyView($0.environment(keyPath, value)) }
    }
    /// Sets an `@Observable` object for `@Environment(Type.self)` in the scene's windows. Nil removes the object.
    public func environment<T: AnyObject & Observable>(_ object: T?) -> some Scene {
        ModifiedScene(scene: self) { AnyView($0.environment(object)) }
    }
    /// Sets an object for `@EnvironmentObject` of its type in the scene's windows.
    public func environmentObject<T: ObservableObject>(_ object: T) -> some Scene {
        ModifiedScene(scene: self) { AnyView($0.environmentObject(object)) }
    }

    private func windows(_ change: @escaping (inout WindowSettings) -> Void) -> some Scene {
        // Of several modifiers, the one that is written first is applied last, and overrides the others.
        ModifiedScene(scene: self) { AnyView($0.transformEnvironment(\.windowSettings, transform: change)) }
    }
}

/// A setting that allows or prevents an action of users on a window. Same API as in SwiftUI.
public struct WindowInteractionBehavior: Hashable, Sendable {
    let isAllowed: Bool
    /// The default behavior, the same as `enabled`.
    public static let automatic = WindowInteractionBehavior(isAllowed: true)
    /// The behavior that allows the action.
    public static let enabled = WindowInteractionBehavior(isAllowed: true)
    /// The behavior that prevents the action.
    public static let disabled = WindowInteractionBehavior(isAllowed: false)
}

/// The behaviors that views set for their window.
struct WindowBehavior: Equatable {
    var fullScreen: WindowInteractionBehavior?
    var resize: WindowInteractionBehavior?
    var dismiss: WindowInteractionBehavior?
}
struct WindowBehaviorKey: PreferenceKey {
    static let defaultValue = WindowBehavior()
    static func reduce(value: inout WindowBehavior, nextValue: () -> WindowBehavior) {
        let next = nextValue()
        value = WindowBehavior(
            fullScreen: value.fullScreen ?? next.fullScreen, resize: value.resize ?? next.resize,
            dismiss: value.dismiss ?? next.dismiss)
    }
}

extension View {
    /// Sets whether users can make this view's window full screen, with F11 for example. Leaving full screen is always
    /// possible, and `NSWindow.toggleFullScreen(_:)` always has an effect. The default is enabled.
    ///
    /// ```swift
    /// ContentView()
    ///     .windowFullScreenBehavior(.disabled)
    ///     .windowResizeBehavior(.disabled)
    /// ```
    public func windowFullScreenBehavior(_ behavior: WindowInteractionBehavior) -> some View {
        transformPreference(WindowBehaviorKey.self) { $0.fullScreen = behavior }
    }
    /// Sets whether users can resize this view's window. The default is enabled.
    public func windowResizeBehavior(_ behavior: WindowInteractionBehavior) -> some View {
        transformPreference(WindowBehaviorKey.self) { $0.resize = behavior }
    }
    /// Sets whether the frame of this view's window has a close button. The default is enabled. The app and the menu
    /// entry Close Window can always close the window.
    public func windowDismissBehavior(_ behavior: WindowInteractionBehavior) -> some View {
        transformPreference(WindowBehaviorKey.self) { $0.dismiss = behavior }
    }
}
