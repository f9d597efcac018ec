/// One page of a tab view, told from the view's value before anything of it is made.
struct TabPage {
    /// Its way through the content.
    let id: [AnyHashable]
    let tag: AnyHashable?
    let label: AnyView?
    let content: AnyView
}

/// What a page's `tabItem` shows.
struct TabItemLabel { let view: AnyView }

/// A view that is several pages, by its parts.
@MainActor
protocol PagesOfParts {
    var pageParts: [(id: AnyHashable, view: any View)] { get }
}

/// A view that says something of the one in it.
@MainActor
protocol PageWithModifier {
    var inner: any View { get }
    var said: Any? { get }
}

@MainActor
enum PageList {
    static func pages(_ view: any View, _ id: [AnyHashable] = []) -> [TabPage] {
        if let several = view as? any PagesOfParts { return several.pageParts.flatMap { pages($0.view, id + [$0.id]) } }
        var tag: AnyHashable?
        var label: AnyView?
        var current: any View = view
        while let modified = current as? any PageWithModifier {
            tag = tag ?? (modified.said as? TraitModifier<Tag>)?.value.plain
            label = label ?? (modified.said as? TraitModifier<TabItemLabel>)?.value.view
            current = modified.inner
        }
        // The id of a ForEach's element names its page, unless that has a tag.
        return [
            TabPage(
                id: id, tag: tag ?? (view is any PagesOfParts ? nil : id.last?.base as? ElementID).map(\.id),
                label: label, content: AnyView(view))
        ]
    }

    /// Marks an id that comes from a collection.
    struct ElementID: Hashable { let id: AnyHashable }
}

extension TupleView: PagesOfParts {
    var pageParts: [(id: AnyHashable, view: any View)] {
        var all: [(id: AnyHashable, view: any View)] = []
        for part in repeat each content { all.append((AnyHashable(all.count), part)) }
        return all
    }
}
extension ForEach: PagesOfParts where Content: View {
    var pageParts: [(id: AnyHashable, view: any View)] {
        data.map { (AnyHashable(PageList.ElementID(id: Tag.plain(id($0)))), content($0)) }
    }
}
extension Group: PagesOfParts {
    var pageParts: [(id: AnyHashable, view: any View)] { [("group", content)] }
}
extension EmptyView: PagesOfParts {
    var pageParts: [(id: AnyHashable, view: any View)] { [] }
}
extension Optional: PagesOfParts where Wrapped: View {
    var pageParts: [(id: AnyHashable, view: any View)] { map { [("some", $0)] } ?? [] }
}
extension _ConditionalContent: PagesOfParts {
    var pageParts: [(id: AnyHashable, view: any View)] {
        switch storage {
        case .first(let view): [("first", view)]
        case .second(let view): [("second", view)]
        }
    }
}
extension ElementModified: PageWithModifier {
    var inner: any View { content }
    var said: Any? { modifier }
}
extension FiberModified: PageWithModifier {
    var inner: any View { content }
    var said: Any? { nil }
}

extension View {
    /// What stands for this page in the tab view's bar: a text, an image or a label.
    public func tabItem<V: View>(@ViewBuilder _ label: () -> V) -> some View {
        elementModifier(TraitModifier(value: TabItemLabel(view: AnyView(label()))))
    }
}
