@_spi(Graph) import ViewGraph

/// The first image and the first text of a tab item, which are all that a tab bar shows of it.
///
/// Changes of the environment around these parts stay, for example `symbolVariant(.none)`, and so do accessibility
/// labels. Other modifiers have no effect, because the bar determines size and position. The search also looks into the
/// bodies of an app's views that have no state and read no environment. If only one part is found, the first of the
/// app's other views is shown in place of the missing part.
@MainActor
struct TabItemParts {
    /// The parts, or nil if the item has none.
    private(set) var image: AnyView?, text: AnyView?
    /// The first view whose body only the graph can evaluate. It may contain a part.
    private var other: AnyView?
    private let showImage: @MainActor (Image) -> AnyView
    private let showText: @MainActor (Text) -> AnyView

    /// Finds the parts.
    /// - Parameters:
    ///   - image: Returns the view for the found image.
    ///   - text: Returns the view for the found text, which has no attributes of its own.
    init(
        of item: any View, image: @escaping @MainActor (Image) -> AnyView, text: @escaping @MainActor (Text) -> AnyView
    ) {
        showImage = image
        showText = text
        search(item) { $0 }
        if self.image == nil, self.text != nil {
            self.image = other
        } else if self.image != nil, self.text == nil {
            self.text = other
        }
    }

    private mutating func search(_ view: any View, _ around: (AnyView) -> AnyView) {
        guard image == nil || text == nil else { return }
        if let found = view as? Image {
            if image == nil { image = around(showImage(found.inOwnSize)) }
        } else if let found = view as? Text {
            if text == nil { text = around(showText(found.withoutAttributes)) }
        } else if let several = view as? any PageCollection {
            for part in several.pageParts { search(part.view, around) }
        } else if let container = view as? any TabItemContainer {
            for part in container.tabItemParts { search(part, around) }
        } else if let modified = view as? any EnvironmentChange {
            search(modified.unchanged) { around(modified.changing($0)) }
        } else if let described = view as? any DescribedView {
            let (hadImage, hadText) = (image != nil, text != nil)
            search(described.undescribed, around)
            // Around both parts, one label is enough.
            if !hadText, let found = text {
                text = described.describing(found)
            } else if !hadImage, let found = image {
                image = described.describing(found)
            }
        } else if let modified = view as? any ModifiedPage {
            search(modified.inner, around)
        } else {
            searchBody(of: view, around)
        }
    }
    private mutating func searchBody<V: View>(of view: V, _ around: (AnyView) -> AnyView) {
        guard V.Body.self != Never.self else { return }
        if Mirror(reflecting: view).children.contains(where: { $0.value is any DynamicProperty }) {
            other = other ?? around(AnyView(view))
        } else {
            search(view.body, around)
        }
    }
}

/// A view that contains the parts of a tab item.
@MainActor
private protocol TabItemContainer {
    var tabItemParts: [any View] { get }
}
extension AnyView: TabItemContainer {
    fileprivate var tabItemParts: [any View] { [erased] }
}
extension VStack: TabItemContainer {
    fileprivate var tabItemParts: [any View] { [content] }
}
extension HStack: TabItemContainer {
    fileprivate var tabItemParts: [any View] { [content] }
}
extension ZStack: TabItemContainer {
    fileprivate var tabItemParts: [any View] { [content] }
}
extension Label: TabItemContainer {
    fileprivate var tabItemParts: [any View] { [icon, title] }
}
extension ModifiedContent: TabItemContainer where Content: View, Modifier: ViewModifier {
    fileprivate var tabItemParts: [any View] { [content] }
}

/// A view that changes the environment of another view.
@MainActor
private protocol EnvironmentChange {
    var unchanged: any View { get }
    func changing(_ view: AnyView) -> AnyView
}
extension FiberModified: EnvironmentChange where Modifier == EnvironmentWriter {
    fileprivate var unchanged: any View { content }
    fileprivate func changing(_ view: AnyView) -> AnyView { AnyView(view.fiberModifier(modifier)) }
}

/// A view with accessibility texts.
@MainActor
private protocol DescribedView {
    var undescribed: any View { get }
    func describing(_ view: AnyView) -> AnyView
}
extension ElementModified: DescribedView where Modifier == AccessibilityModifier {
    fileprivate var undescribed: any View { content }
    fileprivate func describing(_ view: AnyView) -> AnyView { AnyView(view.elementModifier(modifier)) }
}

extension Image {
    /// The image in its own size, also after `resizable()`.
    fileprivate var inOwnSize: Image {
        with(self) {
            $0.isResizable = false
            $0.isTiled = false
        }
    }
}
extension Text {
    /// The characters without fonts, colors and other attributes.
    fileprivate var withoutAttributes: Text {
        with(self) { $0.runs = $0.runs.map { Run(text: $0.text, time: $0.time) } }
    }
}
