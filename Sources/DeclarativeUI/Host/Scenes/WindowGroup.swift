import Foundation

/// Windows that show the same views, each with state of its own. SwiftUI's scene.
///
/// The first scene of an app opens a window when the app starts; further ones open by `openWindow`: each time another
/// one, with `for:` one for each value, which comes to the front when it is there already. A value lives as long as its
/// window.
public struct WindowGroup<Content: View>: Scene {
    private let title: WindowTitle?
    private let id: String?
    private let valueType: Any.Type?
    private let content: @MainActor (WindowValue?) -> Content
    /// What is said of this group itself; for what is around it see `Scene.defaultSize`.
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

    /// Windows titled by the process's name.
    public init(@ViewBuilder content: () -> Content) { self.init(nil, nil, content()) }
    /// Windows titled by the process's name, which `openWindow(id:)` opens.
    public init(id: String, @ViewBuilder content: () -> Content) { self.init(nil, id, content()) }
    /// Windows with a title that is looked up in the app's translations.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(WindowTitle(titleKey), nil, content())
    }
    /// Windows that `openWindow(id:)` opens, with a title that is looked up in the app's translations.
    public init(_ titleKey: LocalizedStringKey, id: String, @ViewBuilder content: () -> Content) {
        self.init(WindowTitle(titleKey), id, content())
    }
    /// Windows titled by the words of a text.
    public init(_ title: Text, @ViewBuilder content: () -> Content) { self.init(WindowTitle(title), nil, content()) }
    /// Windows that `openWindow(id:)` opens, titled by the words of a text.
    public init(_ title: Text, id: String, @ViewBuilder content: () -> Content) {
        self.init(WindowTitle(title), id, content())
    }
    /// Windows with a title that is shown as it is.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
        self.init(WindowTitle(title), nil, content())
    }
    /// Windows that `openWindow(id:)` opens, with a title that is shown as it is.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, id: String, @ViewBuilder content: () -> Content) {
        self.init(WindowTitle(title), id, content())
    }

    public var body: Never { preconditionFailure("only the graph evaluates scenes") }
    public static func _view(_ scene: Self) -> AnyView {
        let windows = SceneWindows(
            title: scene.title?.words ?? ProcessInfo.processInfo.processName, id: scene.id, valueType: scene.valueType,
            isSingle: false
        ) {
            AnyView(scene.content($0))
        }
        guard let size = scene.size else { return AnyView(windows) }
        return AnyView(windows.transformEnvironment(\.windowSettings) { $0.size = size })
    }

    /// The size a window opens with, points, at most the screen's. Default: what its content likes best, at most
    /// 1280×720; where the content takes whatever it gets, 960×540 or what it likes best if that is more. A frame with
    /// an ideal width or height around the content says otherwise.
    public func defaultSize(width: CGFloat, height: CGFloat) -> WindowGroup {
        with(self) { $0.size = CGSize(width: width, height: height) }
    }
    /// The size a window opens with, points, at most the screen's.
    public func defaultSize(_ size: CGSize) -> WindowGroup { with(self) { $0.size = size } }
}

/// The views of a window that was opened for a value.
public struct PresentedWindowContent<Data: Decodable & Encodable & Hashable, Content: View>: View {
    let content: Content
    public var body: some View { content }
}

extension WindowGroup {
    /// One window for each value of `type` that `openWindow(value:)` is called with; its binding is nil in a window
    /// that opens without one.
    public init<D: Codable & Hashable, C: View>(for type: D.Type, @ViewBuilder content: @escaping (Binding<D?>) -> C)
    where Content == PresentedWindowContent<D, C> {
        self.init(nil, nil, D.self) { PresentedWindowContent(content: content(WindowValue.binding($0))) }
    }
    /// One window for each value of `type` that `openWindow(id:value:)` is called with.
    public init<D: Codable & Hashable, C: View>(
        id: String, for type: D.Type, @ViewBuilder content: @escaping (Binding<D?>) -> C
    )
    where Content == PresentedWindowContent<D, C> {
        self.init(nil, id, D.self) { PresentedWindowContent(content: content(WindowValue.binding($0))) }
    }
    /// One window for each value of `type`, with a title that is looked up in the app's translations.
    public init<D: Codable & Hashable, C: View>(
        _ titleKey: LocalizedStringKey, for type: D.Type, @ViewBuilder content: @escaping (Binding<D?>) -> C
    )
    where Content == PresentedWindowContent<D, C> {
        self.init(WindowTitle(titleKey), nil, D.self) {
            PresentedWindowContent(content: content(WindowValue.binding($0)))
        }
    }
    /// One window for each value of `type` that `openWindow(id:value:)` is called with, and a title that is looked up
    /// in the app's translations.
    public init<D: Codable & Hashable, C: View>(
        _ titleKey: LocalizedStringKey, id: String, for type: D.Type, @ViewBuilder content: @escaping (Binding<D?>) -> C
    )
    where Content == PresentedWindowContent<D, C> {
        self.init(WindowTitle(titleKey), id, D.self) {
            PresentedWindowContent(content: content(WindowValue.binding($0)))
        }
    }
    /// One window for each value of `type` that `openWindow(id:value:)` is called with, and a title that is shown as it
    /// is.
    @_disfavoredOverload
    public init<S: StringProtocol, D: Codable & Hashable, C: View>(
        _ title: S, id: String, for type: D.Type, @ViewBuilder content: @escaping (Binding<D?>) -> C
    )
    where Content == PresentedWindowContent<D, C> {
        self.init(WindowTitle(title), id, D.self) { PresentedWindowContent(content: content(WindowValue.binding($0))) }
    }
    /// - Parameter defaultValue: of a window that opens without one.
    public init<D: Codable & Hashable, C: View>(
        for type: D.Type, @ViewBuilder content: @escaping (Binding<D>) -> C, defaultValue: @escaping () -> D
    )
    where Content == PresentedWindowContent<D, C> {
        self.init(nil, nil, D.self) { PresentedWindowContent(content: content(WindowValue.binding($0, defaultValue))) }
    }
    /// One window for each value of `type`, of which one that opens without a value has `defaultValue`'s.
    public init<D: Codable & Hashable, C: View>(
        id: String, for type: D.Type, @ViewBuilder content: @escaping (Binding<D>) -> C, defaultValue: @escaping () -> D
    )
    where Content == PresentedWindowContent<D, C> {
        self.init(nil, id, D.self) { PresentedWindowContent(content: content(WindowValue.binding($0, defaultValue))) }
    }
}

/// One window, which `openWindow(id:)` opens, or brings to the front when it is open. SwiftUI's scene.
public struct Window<Content: View>: Scene {
    private let title: WindowTitle
    private let id: String
    private let content: Content
    /// A window with a title that is looked up in the app's translations.
    public init(_ titleKey: LocalizedStringKey, id: String, @ViewBuilder content: () -> Content) {
        title = WindowTitle(titleKey)
        self.id = id
        self.content = content()
    }
    /// A window titled by the words of a text.
    public init(_ title: Text, id: String, @ViewBuilder content: () -> Content) {
        self.title = WindowTitle(title)
        self.id = id
        self.content = content()
    }
    /// A window with a title that is shown as it is.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, id: String, @ViewBuilder content: () -> Content) {
        self.title = WindowTitle(title)
        self.id = id
        self.content = content()
    }
    public var body: Never { preconditionFailure("only the graph evaluates scenes") }
    public static func _view(_ scene: Self) -> AnyView {
        AnyView(
            SceneWindows(title: scene.title.words, id: scene.id, valueType: nil, isSingle: true) { _ in
                AnyView(scene.content)
            })
    }
}

/// A window's title before its views say another one.
struct WindowTitle {
    let words: String
    init(_ key: LocalizedStringKey) { words = key.resolved(nil, nil) }
    init<S: StringProtocol>(_ words: S) { self.words = String(words) }
    @MainActor init(_ text: Text) { words = text.string }
}
