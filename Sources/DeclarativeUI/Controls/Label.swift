/// A symbol and a title beside it. SwiftUI's view.
public struct Label<Title: View, Icon: View>: View {
    let title: Title
    let icon: Icon
    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
        self.title = title()
        self.icon = icon()
    }
    @Environment(\.labelStyle) private var style
    public var body: some View {
        HStack(alignment: .firstTextBaseline, spacing: 6) {
            // The picture beside words says nothing; one that stands alone says the words.
            if style == .iconOnly {
                if let words = title as? Text { icon.accessibilityLabel(words) } else { icon }
            } else if style != .titleOnly {
                icon.accessibilityHidden(true)
            }
            if style != .iconOnly { title }
        }
    }
}

extension Label where Title == Text, Icon == Image {
    public init(_ titleKey: LocalizedStringKey, systemImage name: String) {
        self.init { Text(titleKey) } icon: { Image(systemName: name) }
    }
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, systemImage name: String) {
        self.init { Text(title) } icon: { Image(systemName: name) }
    }
    public init(_ titleKey: LocalizedStringKey, image name: String) {
        self.init { Text(titleKey) } icon: { Image(name) }
    }
}

/// What of a label is shown.
public struct LabelStyleKind: Hashable, Sendable {
    let name: String
    public static let automatic = LabelStyleKind(name: "automatic"), titleAndIcon = LabelStyleKind(name: "titleAndIcon")
    public static let iconOnly = LabelStyleKind(name: "iconOnly"), titleOnly = LabelStyleKind(name: "titleOnly")
}

private struct LabelStyleKey: EnvironmentKey { static let defaultValue = LabelStyleKind.automatic }
extension EnvironmentValues {
    var labelStyle: LabelStyleKind { get { self[LabelStyleKey.self] } set { self[LabelStyleKey.self] = newValue } }
}
extension View {
    public func labelStyle(_ style: LabelStyleKind) -> some View { setting(\.labelStyle, style) }
}
