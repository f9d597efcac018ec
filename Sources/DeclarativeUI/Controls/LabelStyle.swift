/// The parts of a label that a custom style arranges. Matches SwiftUI's `LabelStyleConfiguration`.
@MainActor @preconcurrency
public struct LabelStyleConfiguration {
    /// The title of a label.
    public struct Title: View {
        let view: AnyView
        public var body: AnyView { view }
    }
    /// The icon of a label. Assistive technology reads it only in the style `.iconOnly`, because the title has the same
    /// meaning.
    public struct Icon: View {
        let view: AnyView
        public var body: some View { view.accessibilityHidden(true) }
    }
    /// The title of the label, which the style includes in its view.
    public let title: Title
    /// The icon of the label, which the style includes in its view.
    public let icon: Icon
    /// The title if it is a plain `Text`, or nil.
    let titleText: Text?
}

/// A custom style of labels. Matches SwiftUI's `LabelStyle`.
@MainActor @preconcurrency
public protocol LabelStyle {
    /// The type of the view that represents the label.
    associatedtype Body: View
    /// The parts of a label: its title and its icon.
    typealias Configuration = LabelStyleConfiguration
    /// Returns the view that represents the label.
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
}

/// The default label style, which shows the icon beside the title.
public struct DefaultLabelStyle: LabelStyle {
    /// Creates the style. The short form is `.automatic`.
    nonisolated public init() {}
    /// Returns the icon and the title as `TitleAndIconLabelStyle` does.
    public func makeBody(configuration: Configuration) -> some View {
        TitleAndIconLabelStyle().makeBody(configuration: configuration)
    }
}
/// A label style that shows the icon beside the title's first line, with 6 points between them.
public struct TitleAndIconLabelStyle: LabelStyle {
    /// Creates the style. The short form is `.titleAndIcon`.
    nonisolated public init() {}
    /// Returns the icon and the title in a row.
    public func makeBody(configuration: Configuration) -> some View {
        HStack(alignment: .firstTextBaseline, spacing: Space.snug) {
            configuration.icon
            configuration.title
        }
    }
}
/// A label style that shows only the icon. Assistive technology reads the title if it is a plain `Text`.
public struct IconOnlyLabelStyle: LabelStyle {
    /// Creates the style. The short form is `.iconOnly`.
    nonisolated public init() {}
    /// Returns the icon. If the title is a plain `Text`, it becomes the icon's accessibility label.
    public func makeBody(configuration: Configuration) -> some View {
        // An icon alone must have a name for assistive technology.
        if let title = configuration.titleText {
            configuration.icon.view.accessibilityLabel(title)
        } else {
            configuration.icon.view
        }
    }
}
/// A label style that shows only the title.
public struct TitleOnlyLabelStyle: LabelStyle {
    /// Creates the style. The short form is `.titleOnly`.
    nonisolated public init() {}
    /// Returns the title.
    public func makeBody(configuration: Configuration) -> some View { configuration.title }
}
extension LabelStyle where Self == DefaultLabelStyle {
    /// A style that shows the icon beside the title.
    public static var automatic: DefaultLabelStyle { DefaultLabelStyle() }
}
extension LabelStyle where Self == TitleAndIconLabelStyle {
    /// A style that shows the icon beside the title, the same as `automatic`.
    public static var titleAndIcon: TitleAndIconLabelStyle { TitleAndIconLabelStyle() }
}
extension LabelStyle where Self == IconOnlyLabelStyle {
    /// A style that shows only the icon. Assistive technology reads the title if it is a plain `Text`.
    public static var iconOnly: IconOnlyLabelStyle { IconOnlyLabelStyle() }
}
extension LabelStyle where Self == TitleOnlyLabelStyle {
    /// A style that shows only the title.
    public static var titleOnly: TitleOnlyLabelStyle { TitleOnlyLabelStyle() }
}

/// A label style with its type erased.
struct AnyLabelStyle: Equatable, Sendable {
    let make: @MainActor (LabelStyleConfiguration) -> AnyView
    /// The type of a style without stored properties, whose values are all equal. Nil for other styles.
    let identity: ObjectIdentifier?

    @MainActor init<S: LabelStyle>(_ style: S) {
        make = { AnyView(style.makeBody(configuration: $0)) }
        identity = MemoryLayout<S>.size == 0 ? ObjectIdentifier(S.self) : nil
    }
    private init() {
        make = { AnyView(DefaultLabelStyle().makeBody(configuration: $0)) }
        identity = ObjectIdentifier(DefaultLabelStyle.self)
    }
    static let automatic = AnyLabelStyle()

    static func == (a: AnyLabelStyle, b: AnyLabelStyle) -> Bool { a.identity != nil && a.identity == b.identity }
}

private struct LabelStyleKey: EnvironmentKey { static let defaultValue = AnyLabelStyle.automatic }
extension EnvironmentValues {
    var labelStyle: AnyLabelStyle {
        get { self[LabelStyleKey.self] }
        set { self[LabelStyleKey.self] = newValue }
    }
}
extension View {
    /// Sets the style of the labels in this view.
    public func labelStyle<S: LabelStyle>(_ style: S) -> some View {
        let any = AnyLabelStyle(style)
        return fiberModifier(EnvironmentWriter(identity: any.identity.map { AnyHashable($0) }) { $0.labelStyle = any })
    }
}
