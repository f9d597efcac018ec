import Foundation

/// Windows that show the same views, each with its own state. Same API as in SwiftUI.
///
/// A window for each video, which `openWindow(value: url)` opens:
/// ```swift
/// WindowGroup(for: URL.self) { $url in
///     if let url { ExtVideoPlayer(fileName: url.path) }
/// }
/// .defaultSize(width: 960, height: 540)
/// ```
/// An app's first scene opens a window when the app starts. `openWindow` opens more windows, a new one each time. With
/// `for:` there is one window per value; if it is already open, it moves to the front. A value lives as long as its
/// window.
public struct WindowGroup<Content: View>: Scene {
    private let title: WindowTitle?
    private let id: String?
    private let valueType: Any.Type?
    private let content: @MainActor (WindowValue?) -> Content
    /// The size set on this group itself. `Scene.defaultSize` sets the size of scenes in general.
    private var size: CGSize?

    private init(
        _ title: WindowTitle?, _ id: String?, _ valueType: Any.Type? = nil,
        _ content: @escaping @MainActor (WindowValue?) -> Content
    ) {
        self.title = title
        self.id = id
        self.valueType = valueType
        self.content = content
    }
    private init(_ title: WindowTitle?, _ id: String?, _ content: Content) { self.init(title, id) { _ in content } }

    /// Creates windows with the process's name as title.
    public init(@ViewBuilder content: () -> Content) { self.init(nil, nil, content()) }
    /// Creates windows with the process's name as title. `openWindow(id:)` opens them.
    public init(id: String, @ViewBuilder content: () -> Content) { self.init(nil, id, content()) }
    /// Creates windows with a title from the app's translations.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(WindowTitle(titleKey), nil, content())
    }
    /// Creates windows with a title from the app's translations. `openWindow(id:)` opens them.
    public init(_ titleKey: LocalizedStringKey, id: String, @ViewBuilder content: () -> Content) {
        self.init(WindowTitle(titleKey), id, content())
    }
    /// Creates windows with the characters of a `Text` as title.
    public init(_ title: Text, @ViewBuilder content: () -> Content) { self.init(WindowTitle(title), nil, content()) }
    /// Creates windows with the characters of a `Text` as title. `openWindow(id:)` opens them.
    public init(_ title: Text, id: String, @ViewBuilder content: () -> Content) {
        self.init(WindowTitle(title), id, content())
    }
    /// Creates windows with a title that is shown unchanged.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
        self.init(WindowTitle(title), nil, content())
    }
    /// Creates windows with a title that is shown unchanged. `openWindow(id:)` opens them.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, id: String, @ViewBuilder content: () -> Content) {
        self.init(WindowTitle(title), id, content())
    }

    public var body: Never { preconditionFailure("only the graph evaluates scenes") }
    public static func _view(_ scene: Self) -> AnyView {
        let windows = SceneWindows(
            title: scene.title?.string ?? ProcessInfo.processInfo.processName, id: scene.id, valueType: scene.valueType,
            isSingle: false
        ) {
            AnyView(scene.content($0))
        }
        guard let size = scene.size else { return AnyView(windows) }
        return AnyView(windows.transformEnvironment(\.windowSettings) { $0.size = size })
    }

    /// Sets the size in points with which windows open, at most the size of the screen.
    ///
    /// By default, a window has its content's preferred size, at most 1280 × 720. If the content takes any size, the
    /// window has 960 × 540, or the preferred size if that is larger. A frame around the content with an ideal width or
    /// height overrides this. In the platform style `phone`, the window has the size of a phone's screen
    /// instead; see `PlatformStyle`.
    public func defaultSize(width: CGFloat, height: CGFloat) -> WindowGroup {
        with(self) { $0.size = CGSize(width: width, height: height) }
    }
    /// Sets the size in points with which windows open, at most the size of the screen.
    public func defaultSize(_ size: CGSize) -> WindowGroup { with(self) { $0.size = size } }
}

/// The views of a window that was opened for a value.
public struct PresentedWindowContent<Data: Decodable & Encodable & Hashable, Content: View>: View {
    let content: Content
    public var body: some View { content }
}

extension WindowGroup {
    private init<D: Codable & Hashable, C: View>(
        _ title: WindowTitle?, _ id: String?, _ content: @escaping (Binding<D?>) -> C
    )
    where Content == PresentedWindowContent<D, C> {
        self.init(title, id, D.self) { PresentedWindowContent(content: content(WindowValue.binding($0))) }
    }
    private init<D: Codable & Hashable, C: View>(
        _ title: WindowTitle?, _ id: String?, _ content: @escaping (Binding<D>) -> C, _ defaultValue: @escaping () -> D
    )
    where Content == PresentedWindowContent<D, C> {
        self.init(title, id, D.self) { PresentedWindowContent(content: content(WindowValue.binding($0, defaultValue))) }
    }

    /// Creates one window for each value of `type`. `openWindow(value:)` opens them.
    /// - Parameter content: Creates the views. Its binding is nil in a window that was opened without a value.
    public init<D: Codable & Hashable, C: View>(for type: D.Type, @ViewBuilder content: @escaping (Binding<D?>) -> C)
    where Content == PresentedWindowContent<D, C> {
        self.init(nil, nil, content)
    }
    /// Creates one window for each value of `type`. `openWindow(id:value:)` opens them.
    public init<D: Codable & Hashable, C: View>(
        id: String, for type: D.Type, @ViewBuilder content: @escaping (Binding<D?>) -> C
    )
    where Content == PresentedWindowContent<D, C> {
        self.init(nil, id, content)
    }
    /// Creates one window for each value of `type`, with a title from the app's translations.
    public init<D: Codable & Hashable, C: View>(
        _ titleKey: LocalizedStringKey, for type: D.Type, @ViewBuilder content: @escaping (Binding<D?>) -> C
    )
    where Content == PresentedWindowContent<D, C> {
        self.init(WindowTitle(titleKey), nil, content)
    }
    /// Creates one window for each value of `type`, with a title from the app's translations. `openWindow(id:value:)`
    /// opens them.
    public init<D: Codable & Hashable, C: View>(
        _ titleKey: LocalizedStringKey, id: String, for type: D.Type, @ViewBuilder content: @escaping (Binding<D?>) -> C
    )
    where Content == PresentedWindowContent<D, C> {
        self.init(WindowTitle(titleKey), id, content)
    }
    /// Creates one window for each value of `type`, with a title that is shown unchanged. `openWindow(id:value:)` opens
    /// them.
    @_disfavoredOverload
    public init<S: StringProtocol, D: Codable & Hashable, C: View>(
        _ title: S, id: String, for type: D.Type, @ViewBuilder content: @escaping (Binding<D?>) -> C
    )
    where Content == PresentedWindowContent<D, C> {
        self.init(WindowTitle(title), id, content)
    }
    /// Creates one window for each value of `type`, with a default value.
    /// - Parameter defaultValue: Returns the value of a window that was opened without one.
    public init<D: Codable & Hashable, C: View>(
        for type: D.Type, @ViewBuilder content: @escaping (Binding<D>) -> C, defaultValue: @escaping () -> D
    )
    where Content == PresentedWindowContent<D, C> {
        self.init(nil, nil, content, defaultValue)
    }
    /// Creates one window for each value of `type`, with a default value. `openWindow(id:value:)` opens them.
    /// - Parameter defaultValue: Returns the value of a window that was opened without one.
    public init<D: Codable & Hashable, C: View>(
        id: String, for type: D.Type, @ViewBuilder content: @escaping (Binding<D>) -> C, defaultValue: @escaping () -> D
    )
    where Content == PresentedWindowContent<D, C> {
        self.init(nil, id, content, defaultValue)
    }
    /// Creates one window for each value of `type`, with a title that is shown unchanged.
    @_disfavoredOverload
    public init<S: StringProtocol, D: Codable & Hashable, C: View>(
        _ title: S, for type: D.Type, @ViewBuilder content: @escaping (Binding<D?>) -> C
    )
    where Content == PresentedWindowContent<D, C> {
        self.init(WindowTitle(title), nil, content)
    }
    /// Creates one window for each value of `type`, with the characters of a `Text` as title.
    public init<D: Codable & Hashable, C: View>(
        _ title: Text, for type: D.Type, @ViewBuilder content: @escaping (Binding<D?>) -> C
    )
    where Content == PresentedWindowContent<D, C> {
        self.init(WindowTitle(title), nil, content)
    }
    /// Creates one window for each value of `type`, with the characters of a `Text` as title. `openWindow(id:value:)`
    /// opens them.
    public init<D: Codable & Hashable, C: View>(
        _ title: Text, id: String, for type: D.Type, @ViewBuilder content: @escaping (Binding<D?>) -> C
    )
    where Content == PresentedWindowContent<D, C> {
        self.init(WindowTitle(title), id, content)
    }
    /// Creates one window for each value of `type`, with a title from the app's translations and a default value.
    /// - Parameter defaultValue: Returns the value of a window that was opened without one.
    public init<D: Codable & Hashable, C: View>(
        _ titleKey: LocalizedStringKey, for type: D.Type, @ViewBuilder content: @escaping (Binding<D>) -> C,
        defaultValue: @escaping () -> D
    )
    where Content == PresentedWindowContent<D, C> {
        self.init(WindowTitle(titleKey), nil, content, defaultValue)
    }
    /// Creates one window for each value of `type`, with a title from the app's translations and a default value.
    /// `openWindow(id:value:)` opens them.
    /// - Parameter defaultValue: Returns the value of a window that was opened without one.
    public init<D: Codable & Hashable, C: View>(
        _ titleKey: LocalizedStringKey, id: String, for type: D.Type, @ViewBuilder content: @escaping (Binding<D>) -> C,
        defaultValue: @escaping () -> D
    )
    where Content == PresentedWindowContent<D, C> {
        self.init(WindowTitle(titleKey), id, content, defaultValue)
    }
    /// Creates one window for each value of `type`, with a title that is shown unchanged and a default value.
    /// - Parameter defaultValue: Returns the value of a window that was opened without one.
    @_disfavoredOverload
    public init<S: StringProtocol, D: Codable & Hashable, C: View>(
        _ title: S, for type: D.Type, @ViewBuilder content: @escaping (Binding<D>) -> C,
        defaultValue: @escaping () -> D
    )
    where Content == PresentedWindowContent<D, C> {
        self.init(WindowTitle(title), nil, content, defaultValue)
    }
    /// Creates one window for each value of `type`, with a title that is shown unchanged and a default value.
    /// `openWindow(id:value:)` opens them.
    /// - Parameter defaultValue: Returns the value of a window that was opened without one.
    @_disfavoredOverload
    public init<S: StringProtocol, D: Codable & Hashable, C: View>(
        _ title: S, id: String, for type: D.Type, @ViewBuilder content: @escaping (Binding<D>) -> C,
        defaultValue: @escaping () -> D
    )
    where Content == PresentedWindowContent<D, C> {
        self.init(WindowTitle(title), id, content, defaultValue)
    }
    /// Creates one window for each value of `type`, with the characters of a `Text` as title and a default value.
    /// - Parameter defaultValue: Returns the value of a window that was opened without one.
    public init<D: Codable & Hashable, C: View>(
        _ title: Text, for type: D.Type, @ViewBuilder content: @escaping (Binding<D>) -> C,
        defaultValue: @escaping () -> D
    )
    where Content == PresentedWindowContent<D, C> {
        self.init(WindowTitle(title), nil, content, defaultValue)
    }
    /// Creates one window for each value of `type`, with the characters of a `Text` as title and a default value.
    /// `openWindow(id:value:)` opens them.
    /// - Parameter defaultValue: Returns the value of a window that was opened without one.
    public init<D: Codable & Hashable, C: View>(
        _ title: Text, id: String, for type: D.Type, @ViewBuilder content: @escaping (Binding<D>) -> C,
        defaultValue: @escaping () -> D
    )
    where Content == PresentedWindowContent<D, C> {
        self.init(WindowTitle(title), id, content, defaultValue)
    }
}

/// A single window. `openWindow(id:)` opens it, or moves it to the front if it is open. Same API as in SwiftUI.
///
/// ```swift
/// @main struct PlayerApp: App {
///     var body: some Scene {
///         WindowGroup { ExtVideoPlayer(fileName: "film.mp4") }
///         Window("Downloads", id: "downloads") { DownloadsView() }
///     }
/// }
/// ```
public struct Window<Content: View>: Scene {
    private let title: WindowTitle
    private let id: String
    private let content: Content
    /// Creates a window with a title from the app's translations.
    public init(_ titleKey: LocalizedStringKey, id: String, @ViewBuilder content: () -> Content) {
        title = WindowTitle(titleKey)
        self.id = id
        self.content = content()
    }
    /// Creates a window with the characters of a `Text` as title.
    public init(_ title: Text, id: String, @ViewBuilder content: () -> Content) {
        self.title = WindowTitle(title)
        self.id = id
        self.content = content()
    }
    /// Creates a window with a title that is shown unchanged.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, id: String, @ViewBuilder content: () -> Content) {
        self.title = WindowTitle(title)
        self.id = id
        self.content = content()
    }
    public var body: Never { preconditionFailure("only the graph evaluates scenes") }
    public static func _view(_ scene: Self) -> AnyView {
        AnyView(
            SceneWindows(title: scene.title.string, id: scene.id, valueType: nil, isSingle: true) { _ in
                AnyView(scene.content)
            })
    }
}

/// The title of a window until its views set another one.
struct WindowTitle {
    let string: String
    init(_ key: LocalizedStringKey) { string = key.resolved(nil, nil) }
    init<S: StringProtocol>(_ string: S) { self.string = String(string) }
    @MainActor init(_ text: Text) { string = text.string }
}
