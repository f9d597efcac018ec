/// A page of a tab view, read from the tab view's content without creating the views of the page.
struct TabPage {
    /// The path to the page through the content of the tab view.
    let id: [AnyHashable]
    var tag: AnyHashable?
    let label: AnyView?
    let content: AnyView
}

/// The label that `tabItem` sets for a page.
struct TabItemLabel { let view: AnyView }

/// A view that consists of several pages.
@MainActor
protocol PageCollection {
    var pageParts: [(id: AnyHashable, view: any View)] { get }
}

/// A modified view, with its content and its modifier.
@MainActor
protocol ModifiedPage {
    var inner: any View { get }
    var pageModifier: Any? { get }
}

@MainActor
enum PageList {
    static func pages(_ view: any View, _ id: [AnyHashable] = []) -> [TabPage] {
        if let several = view as? any PageCollection {
            return several.pageParts.flatMap { part in
                var found = pages(part.view, id + [part.id])
                // The id of an element in a `ForEach` identifies the element's first page, unless that page has a tag.
                if let element = part.id.base as? ElementID, let first = found.first, first.tag == nil {
                    found[0].tag = element.id
                }
                return found
            }
        }
        var tag: AnyHashable?
        var label: AnyView?
        var current: any View = view
        while let modified = current as? any ModifiedPage {
            tag = tag ?? (modified.pageModifier as? TraitModifier<Tag>)?.value.plain
            label = label ?? (modified.pageModifier as? TraitModifier<TabItemLabel>)?.value.view
            current = modified.inner
        }
        return [TabPage(id: id, tag: tag, label: label, content: AnyView(view))]
    }

    /// An id that comes from an element of a collection.
    struct ElementID: Hashable { let id: AnyHashable }
}

extension TupleView: PageCollection {
    var pageParts: [(id: AnyHashable, view: any View)] {
        var all: [(id: AnyHashable, view: any View)] = []
        for part in repeat each content { all.append((AnyHashable(all.count), part)) }
        return all
    }
}
extension ForEach: PageCollection where Content: View {
    var pageParts: [(id: AnyHashable, view: any View)] {
        data.map { (AnyHashable(PageList.ElementID(id: Tag.plain(id($0)))), content($0)) }
    }
}
extension Group: PageCollection {
    var pageParts: [(id: AnyHashable, view: any View)] { [("group", content)] }
}
extension EmptyView: PageCollection {
    var pageParts: [(id: AnyHashable, view: any View)] { [] }
}
extension Optional: PageCollection where Wrapped: View {
    var pageParts: [(id: AnyHashable, view: any View)] { map { [("some", $0)] } ?? [] }
}
extension _ConditionalContent: PageCollection {
    var pageParts: [(id: AnyHashable, view: any View)] {
        switch storage {
        case .first(let view): [("first", view)]
        case .second(let view): [("second", view)]
        }
    }
}
extension ElementModified: ModifiedPage {
    var inner: any View { content }
    var pageModifier: Any? { modifier }
}
extension FiberModified: ModifiedPage {
    var inner: any View { content }
    var pageModifier: Any? { nil }
}

extension View {
    /// Sets the label of this page in the tab view's bar: a text, an image or a `Label`.
    ///
    /// The bar shows the first image and the first text in any other view. In the platform style `phone`, symbols have
    /// their filled form unless `symbolVariant(.none)` is set inside `label`.
    public func tabItem<V: View>(@ViewBuilder _ label: () -> V) -> some View {
        elementModifier(TraitModifier(value: TabItemLabel(view: AnyView(label()))))
    }
}
