import Foundation
import Observation
import OpenCombine

/// What a window is opened with.
struct WindowSettings: Hashable {
    var size: CGSize?
    var resizability = WindowResizability.automatic
    var isPlain = false
}

/// Which sizes a user can give a window. SwiftUI's type.
public struct WindowResizability: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case automatic, contentSize, contentMinSize }
    let kind: Kind
    /// As `contentMinSize`.
    public static let automatic = WindowResizability(kind: .automatic)
    /// Those its content can have: a window whose content has one size keeps that. (GTK knows no greatest size: content
    /// that has one, and a lesser least one, stands in the middle of what is more.)
    public static let contentSize = WindowResizability(kind: .contentSize)
    /// No less than its content needs.
    public static let contentMinSize = WindowResizability(kind: .contentMinSize)
}

/// What a window looks like around its content. SwiftUI's protocol, with the styles below.
public protocol WindowStyle {}
/// As the desktop has it; the same as `TitleBarWindowStyle`.
public struct DefaultWindowStyle: WindowStyle {
    /// Makes the style; its short name, as `.automatic`, does the same.
    public init() {}
}
/// As the desktop has it.
public struct TitleBarWindowStyle: WindowStyle {
    /// Makes the style; its short name, as `.automatic`, does the same.
    public init() {}
}
/// Without a frame of any kind.
public struct PlainWindowStyle: WindowStyle {
    /// Makes the style; its short name, as `.automatic`, does the same.
    public init() {}
}
extension WindowStyle where Self == DefaultWindowStyle {
    /// As the desktop has it.
    public static var automatic: DefaultWindowStyle { DefaultWindowStyle() }
}
extension WindowStyle where Self == TitleBarWindowStyle {
    /// As the desktop has it; the same as `automatic`.
    public static var titleBar: TitleBarWindowStyle { TitleBarWindowStyle() }
}
extension WindowStyle where Self == PlainWindowStyle {
    /// Without a frame of any kind.
    public static var plain: PlainWindowStyle { PlainWindowStyle() }
}

extension Scene {
    /// The size its windows open with, points, at most the screen's. Default: what the content likes best; see
    /// `WindowGroup`.
    public func defaultSize(width: CGFloat, height: CGFloat) -> some Scene {
        windows { $0.size = CGSize(width: width, height: height) }
    }
    /// The size its windows open with, points, at most the screen's.
    public func defaultSize(_ size: CGSize) -> some Scene { windows { $0.size = size } }
    /// Which sizes a user can give its windows.
    public func windowResizability(_ resizability: WindowResizability) -> some Scene {
        windows { $0.resizability = resizability }
    }
    /// What its windows look like around their content.
    public func windowStyle<S: WindowStyle>(_ style: S) -> some Scene {
        windows { $0.isPlain = style is PlainWindowStyle }
    }

    /// Sets a value of the environment for the views of its windows.
    public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some Scene {
        ModifiedScene(scene: self) { AnyView($0.environment(keyPath, value)) }
    }
    /// Puts an `@Observable` object there for `@Environment(Type.self)`.
    public func environment<T: AnyObject & Observable>(_ object: T?) -> some Scene {
        ModifiedScene(scene: self) { AnyView($0.environment(object)) }
    }
    /// Puts an object there for `@EnvironmentObject` of its type.
    public func environmentObject<T: ObservableObject>(_ object: T) -> some Scene {
        ModifiedScene(scene: self) { AnyView($0.environmentObject(object)) }
    }

    private func windows(_ change: @escaping (inout WindowSettings) -> Void) -> some Scene {
        // What stands nearer to the window has the word.
        ModifiedScene(scene: self) { scene in
            AnyView(
                scene.transformEnvironment(\.windowSettings) { settings in
                    var own = WindowSettings()
                    change(&own)
                    if let size = own.size { settings.size = size }
                    if own.resizability != .automatic { settings.resizability = own.resizability }
                    if own.isPlain { settings.isPlain = true }
                })
        }
    }
}

/// Whether users can do something with a window. SwiftUI's type.
public struct WindowInteractionBehavior: Hashable, Sendable {
    let isAllowed: Bool
    /// They can; the same as `enabled`.
    public static let automatic = WindowInteractionBehavior(isAllowed: true)
    /// They can.
    public static let enabled = WindowInteractionBehavior(isAllowed: true)
    /// They cannot.
    public static let disabled = WindowInteractionBehavior(isAllowed: false)
}

/// What views below want for their window.
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
    /// Whether F11 takes this view's window to full screen; out of it, it always does. Default: it does.
    public func windowFullScreenBehavior(_ behavior: WindowInteractionBehavior) -> some View {
        transformPreference(WindowBehaviorKey.self) { $0.fullScreen = behavior }
    }
    /// Whether users can resize this view's window. Default: they can.
    public func windowResizeBehavior(_ behavior: WindowInteractionBehavior) -> some View {
        transformPreference(WindowBehaviorKey.self) { $0.resize = behavior }
    }
    /// Whether the frame of this view's window has a button that closes it. Default: it has.
    public func windowDismissBehavior(_ behavior: WindowInteractionBehavior) -> some View {
        transformPreference(WindowBehaviorKey.self) { $0.dismiss = behavior }
    }
}
