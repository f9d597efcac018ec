import Foundation
@_spi(Graph) import ViewGraph

/// A page of a tab view, with what stands for it in the bar. SwiftUI's view.
public struct Tab<Value, Content: View, Label: View>: View {
    let tag: AnyHashable?
    let content: Content
    let label: Label
    public var body: some View { content }
}

extension Tab where Label == DeclarativeUI.Label<Text, Image> {
    /// A page with a symbol and a title that is looked up in the app's translations.
    /// - Parameter value: Names the page in the tab view's selection.
    public init(
        _ titleKey: LocalizedStringKey, systemImage: String, value: Value, @ViewBuilder content: () -> Content
    ) where Value: Hashable {
        (tag, self.content) = (Tag.plain(value), content())
        label = DeclarativeUI.Label(titleKey, systemImage: systemImage)
    }
    /// A page with a symbol and a title that is shown as it is.
    /// - Parameter value: Names the page in the tab view's selection.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, systemImage: String, value: Value, @ViewBuilder content: () -> Content
    ) where Value: Hashable {
        (tag, self.content) = (Tag.plain(value), content())
        label = DeclarativeUI.Label(title, systemImage: systemImage)
    }
    /// A page with a symbol and a title that is looked up in the app's translations.
    public init(_ titleKey: LocalizedStringKey, systemImage: String, @ViewBuilder content: () -> Content)
    where Value == Never {
        (tag, self.content) = (nil, content())
        label = DeclarativeUI.Label(titleKey, systemImage: systemImage)
    }
    /// A page with a symbol and a title that is shown as it is.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, systemImage: String, @ViewBuilder content: () -> Content
    ) where Value == Never {
        (tag, self.content) = (nil, content())
        label = DeclarativeUI.Label(title, systemImage: systemImage)
    }
}
extension Tab {
    /// A page with any label. - Parameter value: Names the page in the tab view's selection.
    public init(value: Value, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label)
    where Value: Hashable {
        (tag, self.content, self.label) = (Tag.plain(value), content(), label())
    }
    /// A page with any label.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) where Value == Never {
        (tag, self.content, self.label) = (nil, content(), label())
    }
}

extension Tab: PagesOfParts {
    var pageParts: [(id: AnyHashable, view: any View)] {
        let page = content.tabItem { label }
        guard let tag else { return [("tab", page)] }
        return [("tab", page.elementModifier(TraitModifier(value: Tag(value: tag))))]
    }
}
