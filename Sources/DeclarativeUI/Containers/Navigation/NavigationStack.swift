@_spi(Graph) import ViewGraph

/// A first page and pages that were pushed over it, under a bar with title, back button and toolbar. SwiftUI's view.
///
/// The pages below the one on top keep their state. Back: the bar's button, Alt+Left, Escape, or `dismiss` in the page.
public struct NavigationStack<Data, Root: View>: View {
    private let values: (@MainActor () -> [AnyHashable])?
    private let setValues: (@MainActor ([AnyHashable]) -> Void)?
    private let root: Root

    private init(
        _ root: Root, _ values: (@MainActor () -> [AnyHashable])?, _ setValues: (@MainActor ([AnyHashable]) -> Void)?
    ) {
        self.root = root
        self.values = values
        self.setValues = setValues
    }

    public var body: some View { NavigationHost(root: AnyView(root), values: values?(), setValues: setValues) }
}

extension NavigationStack where Data == NavigationPath {
    /// A stack that keeps its path itself; `root` is its first page.
    public init(@ViewBuilder root: () -> Root) { self.init(root(), nil, nil) }
    /// - Parameter path: the values of the pages over the first; changed by links, and by the user going back.
    public init(path: Binding<NavigationPath>, @ViewBuilder root: () -> Root) {
        self.init(
            root(), { path.wrappedValue.values },
            { values in
                var next = NavigationPath()
                next.values = values
                path.wrappedValue = next
            })
    }
}

extension NavigationStack
where Data: MutableCollection & RandomAccessCollection & RangeReplaceableCollection, Data.Element: Hashable {
    /// - Parameter path: the values of the pages over the first. A link with a value of another type is not followed.
    public init(path: Binding<Data>, @ViewBuilder root: () -> Root) {
        self.init(
            root(), { path.wrappedValue.map { AnyHashable($0) } },
            { values in path.wrappedValue = Data(values.compactMap { $0.base as? Data.Element }) })
    }
}

/// The older name: a `NavigationStack` without a path.
public struct NavigationView<Content: View>: View {
    let content: Content
    /// Makes a stack with `content` as its first page.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public var body: some View { NavigationStack { content } }
}
