@_spi(Graph) import ViewGraph

/// A view that shows the top page of a stack of pages, below a bar with the title, the back button and the toolbar.
/// Matches SwiftUI's `NavigationStack`.
///
/// ```swift
/// NavigationStack {
///     List(urls, id: \.self) { url in
///         NavigationLink(url.lastPathComponent, value: url)
///     }
///     .navigationTitle("Videos")
///     .navigationDestination(for: URL.self) { url in ExtVideoPlayer(fileName: url.path) }
/// }
/// ```
/// Pages below the one on top keep their state. The user goes back with the bar's button, Escape or Alt+Left, which is
/// Alt+Right in a right-to-left layout. A page goes back with `dismiss`.
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
    /// Creates a stack that keeps its own path. `root` is its first page.
    public init(@ViewBuilder root: () -> Root) { self.init(root(), nil, nil) }
    /// Creates a stack whose path is in the app's state.
    ///
    /// - Parameters:
    ///   - path: The values of the pages above the first one. The stack sets it when the user follows a link or goes
    ///     back.
    ///   - root: The first page.
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
    /// Creates a stack whose path is a collection in the app's state.
    ///
    /// - Parameters:
    ///   - path: The values of the pages above the first one. A link with a value of another type has no effect.
    ///   - root: The first page.
    public init(path: Binding<Data>, @ViewBuilder root: () -> Root) {
        self.init(
            root(), { path.wrappedValue.map { AnyHashable($0) } },
            { values in path.wrappedValue = Data(values.compactMap { $0.base as? Data.Element }) })
    }
}
