@_spi(Graph) import ViewGraph

/// A page of a tab view with its label in the bar. Matches SwiftUI's `Tab`.
public struct Tab<Value, Content: View, Label: View>: View {
    let tag: AnyHashable?
    let content: Content
    let label: Label
    public var body: some View { content }
}

extension Tab where Label == DeclarativeUI.Label<Text, Image> {
    /// Creates a page with a symbol and a localized title.
    ///
    /// - Parameters:
    ///   - titleKey: The title, which is looked up in the app's translations.
    ///   - systemImage: The name of the symbol.
    ///   - value: The value that identifies the page in the tab view's selection.
    ///   - content: The page.
    public init(
        _ titleKey: LocalizedStringKey, systemImage: String, value: Value, @ViewBuilder content: () -> Content
    ) where Value: Hashable {
        (tag, self.content) = (Tag.plain(value), content())
        label = DeclarativeUI.Label(titleKey, systemImage: systemImage)
    }
    /// Creates a page with a symbol and a title that is not localized.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - systemImage: The name of the symbol.
    ///   - value: The value that identifies the page in the tab view's selection.
    ///   - content: The page.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, systemImage: String, value: Value, @ViewBuilder content: () -> Content
    ) where Value: Hashable {
        (tag, self.content) = (Tag.plain(value), content())
        label = DeclarativeUI.Label(title, systemImage: systemImage)
    }
    /// Creates a page with a symbol and a localized title.
    public init(_ titleKey: LocalizedStringKey, systemImage: String, @ViewBuilder content: () -> Content)
    where Value == Never {
        (tag, self.content) = (nil, content())
        label = DeclarativeUI.Label(titleKey, systemImage: systemImage)
    }
    /// Creates a page with a symbol and a title that is not localized.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, systemImage: String, @ViewBuilder content: () -> Content
    ) where Value == Never {
        (tag, self.content) = (nil, content())
        label = DeclarativeUI.Label(title, systemImage: systemImage)
    }
    /// Creates a page with an image from the app's resources and a localized title.
    ///
    /// - Parameters:
    ///   - titleKey: The title, which is looked up in the app's translations.
    ///   - image: The name of the image.
    ///   - value: The value that identifies the page in the tab view's selection.
    ///   - content: The page.
    public init(_ titleKey: LocalizedStringKey, image: String, value: Value, @ViewBuilder content: () -> Content)
    where Value: Hashable {
        (tag, self.content) = (Tag.plain(value), content())
        label = DeclarativeUI.Label(titleKey, image: image)
    }
    /// Creates a page with an image from the app's resources and a title that is not localized.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - image: The name of the image.
    ///   - value: The value that identifies the page in the tab view's selection.
    ///   - content: The page.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, image: String, value: Value, @ViewBuilder content: () -> Content
    ) where Value: Hashable {
        (tag, self.content) = (Tag.plain(value), content())
        label = DeclarativeUI.Label(title, image: image)
    }
    /// Creates a page with an image from the app's resources and a localized title.
    public init(_ titleKey: LocalizedStringKey, image: String, @ViewBuilder content: () -> Content)
    where Value == Never {
        (tag, self.content) = (nil, content())
        label = DeclarativeUI.Label(titleKey, image: image)
    }
    /// Creates a page with an image from the app's resources and a title that is not localized.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, image: String, @ViewBuilder content: () -> Content
    ) where Value == Never {
        (tag, self.content) = (nil, content())
        label = DeclarativeUI.Label(title, image: image)
    }
}
extension Tab {
    /// Creates a page with a custom label.
    ///
    /// - Parameters:
    ///   - value: The value that identifies the page in the tab view's selection.
    ///   - content: The page.
    ///   - label: The label in the bar.
    public init(value: Value, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label)
    where Value: Hashable {
        (tag, self.content, self.label) = (Tag.plain(value), content(), label())
    }
    /// Creates a page with a custom label.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) where Value == Never {
        (tag, self.content, self.label) = (nil, content(), label())
    }
}

extension Tab: PageCollection {
    var pageParts: [(id: AnyHashable, view: any View)] {
        let page = content.tabItem { label }
        guard let tag else { return [("tab", page)] }
        return [("tab", page.elementModifier(TraitModifier(value: Tag(value: tag))))]
    }
}
