/// A symbol beside a title. Matches SwiftUI's `Label`.
///
/// ```swift
/// Label("Downloads", systemImage: "arrow.down.circle")
/// ```
public struct Label<Title: View, Icon: View>: View {
    let title: Title
    let icon: Icon
    /// Creates a label from any two views. The environment's `labelStyle` arranges them.
    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
        self.title = title()
        self.icon = icon()
    }
    @Environment(\.labelStyle) private var style
    public var body: some View {
        style.make(
            LabelStyleConfiguration(
                title: .init(view: AnyView(title)), icon: .init(view: AnyView(icon)), titleText: title as? Text))
    }
}

extension Label where Title == Text, Icon == Image {
    /// Creates a label with a symbol and a localized title.
    ///
    /// - Parameters:
    ///   - titleKey: The title, which is looked up in the app's translations.
    ///   - name: The name of a system symbol.
    public init(_ titleKey: LocalizedStringKey, systemImage name: String) {
        self.init {
            Text(titleKey)
        } icon: {
            Image(systemName: name)
        }
    }
    /// Creates a label with a symbol and a title that is not localized.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - name: The name of a system symbol.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, systemImage name: String) {
        self.init {
            Text(title)
        } icon: {
            Image(systemName: name)
        }
    }
    /// Creates a label with an image from the app's resources and a localized title.
    ///
    /// - Parameters:
    ///   - titleKey: The title, which is looked up in the app's translations.
    ///   - name: The name of the image.
    public init(_ titleKey: LocalizedStringKey, image name: String) {
        self.init {
            Text(titleKey)
        } icon: {
            Image(name)
        }
    }
    /// Creates a label with an image from the app's resources and a title that is not localized.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - name: The name of the image.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, image name: String) {
        self.init {
            Text(title)
        } icon: {
            Image(name)
        }
    }
    /// Creates a label with an image of an asset catalog and a localized title.
    ///
    /// - Parameters:
    ///   - titleKey: The title, which is looked up in the app's translations.
    ///   - resource: The image.
    public init(_ titleKey: LocalizedStringKey, image resource: ImageResource) {
        self.init {
            Text(titleKey)
        } icon: {
            Image(resource)
        }
    }
    /// Creates a label with an image of an asset catalog and a title that is not localized.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - resource: The image.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, image resource: ImageResource) {
        self.init {
            Text(title)
        } icon: {
            Image(resource)
        }
    }
}
