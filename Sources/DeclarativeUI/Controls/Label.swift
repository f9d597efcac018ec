/// A symbol and a title beside it. SwiftUI's view.
public struct Label<Title: View, Icon: View>: View {
    let title: Title
    let icon: Icon
    /// A label of any two views; the environment's `labelStyle` arranges them.
    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
        self.title = title()
        self.icon = icon()
    }
    @Environment(\.labelStyle) private var style
    public var body: some View {
        style.make(
            LabelStyleConfiguration(
                title: .init(view: AnyView(title)), icon: .init(view: AnyView(icon)), words: title as? Text))
    }
}

extension Label where Title == Text, Icon == Image {
    /// A symbol beside a title that is looked up in the app's translations.
    /// - Parameter name: of a system symbol.
    public init(_ titleKey: LocalizedStringKey, systemImage name: String) {
        self.init {
            Text(titleKey)
        } icon: {
            Image(systemName: name)
        }
    }
    /// A symbol beside a title that is shown as it is.
    /// - Parameter name: of a system symbol.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, systemImage name: String) {
        self.init {
            Text(title)
        } icon: {
            Image(systemName: name)
        }
    }
    /// An image of the app's beside a title that is looked up in its translations.
    /// - Parameter name: of the image.
    public init(_ titleKey: LocalizedStringKey, image name: String) {
        self.init {
            Text(titleKey)
        } icon: {
            Image(name)
        }
    }
}
