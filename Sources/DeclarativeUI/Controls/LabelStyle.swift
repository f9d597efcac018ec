/// What a style makes a label of.
@MainActor @preconcurrency
public struct LabelStyleConfiguration {
    /// The label's words.
    public struct Title: View {
        let view: AnyView
        public var body: AnyView { view }
    }
    /// The label's picture. Assistive technology is told of it only where the style is `.iconOnly`: beside words it
    /// says nothing.
    public struct Icon: View {
        let view: AnyView
        public var body: some View { view.accessibilityHidden(true) }
    }
    /// The label's words, to be placed in what the style makes.
    public let title: Title
    /// The label's picture, to be placed in what the style makes.
    public let icon: Icon
    /// The title, where it is a plain text.
    let words: Text?
}

/// How labels look. SwiftUI's protocol.
@MainActor @preconcurrency
public protocol LabelStyle {
    /// The type of the view that the style makes.
    associatedtype Body: View
    /// What the style is given: the label's title and picture.
    typealias Configuration = LabelStyleConfiguration
    /// Makes what the label looks like.
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
}

/// Picture and title, beside each other.
public struct DefaultLabelStyle: LabelStyle {
    /// Makes the style; `.automatic` is shorter.
    nonisolated public init() {}
    /// Lays the picture and the title out as `TitleAndIconLabelStyle` does.
    public func makeBody(configuration: Configuration) -> some View {
        TitleAndIconLabelStyle().makeBody(configuration: configuration)
    }
}
/// Picture and title beside each other, 6 points between, on the title's first line.
public struct TitleAndIconLabelStyle: LabelStyle {
    /// Makes the style; `.titleAndIcon` is shorter.
    nonisolated public init() {}
    /// Lays the picture and the title out in a row.
    public func makeBody(configuration: Configuration) -> some View {
        HStack(alignment: .firstTextBaseline, spacing: Space.snug) {
            configuration.icon
            configuration.title
        }
    }
}
/// Only the picture is seen; assistive technology is told the title.
public struct IconOnlyLabelStyle: LabelStyle {
    /// Makes the style; `.iconOnly` is shorter.
    nonisolated public init() {}
    /// Takes the picture alone; where the title is a plain text, it is the picture's name to assistive technology.
    public func makeBody(configuration: Configuration) -> some View {
        // One that stands alone says the words.
        if let words = configuration.words {
            configuration.icon.view.accessibilityLabel(words)
        } else {
            configuration.icon.view
        }
    }
}
/// Only the title is seen.
public struct TitleOnlyLabelStyle: LabelStyle {
    /// Makes the style; `.titleOnly` is shorter.
    nonisolated public init() {}
    /// Takes the title alone.
    public func makeBody(configuration: Configuration) -> some View { configuration.title }
}
extension LabelStyle where Self == DefaultLabelStyle {
    /// Picture and title, beside each other.
    public static var automatic: DefaultLabelStyle { DefaultLabelStyle() }
}
extension LabelStyle where Self == TitleAndIconLabelStyle {
    /// Picture and title, beside each other; the same as `automatic`.
    public static var titleAndIcon: TitleAndIconLabelStyle { TitleAndIconLabelStyle() }
}
extension LabelStyle where Self == IconOnlyLabelStyle {
    /// Only the picture is seen; assistive technology is told the title.
    public static var iconOnly: IconOnlyLabelStyle { IconOnlyLabelStyle() }
}
extension LabelStyle where Self == TitleOnlyLabelStyle {
    /// Only the title is seen.
    public static var titleOnly: TitleOnlyLabelStyle { TitleOnlyLabelStyle() }
}

/// A style of any type.
struct AnyLabelStyle: Equatable, Sendable {
    let make: @MainActor (LabelStyleConfiguration) -> AnyView
    /// Of a style without fields, which is the same wherever it is named.
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
    /// The look of the labels below.
    public func labelStyle<S: LabelStyle>(_ style: S) -> some View {
        let any = AnyLabelStyle(style)
        return fiberModifier(EnvironmentWriter(identity: any.identity.map { AnyHashable($0) }) { $0.labelStyle = any })
    }
}
