@_spi(Graph) import ViewGraph

/// A list of the values of the pages above a navigation stack's first page. Matches SwiftUI's `NavigationPath`.
///
/// ```swift
/// @State private var path = NavigationPath()
///
/// var body: some View {
///     NavigationStack(path: $path) {
///         Button("Newest video") { path.append(newest) }
///             .navigationDestination(for: URL.self) { url in ExtVideoPlayer(fileName: url.path) }
///     }
/// }
/// ```
/// The values can have different types.
public struct NavigationPath: Equatable {
    var values: [AnyHashable]
    /// Creates an empty path, which shows only the stack's first page.
    public init() { values = [] }
    /// Creates a path of `elements`, from the lowest page to the page on top.
    public init<S: Sequence>(_ elements: S) where S.Element: Hashable { values = elements.map { AnyHashable($0) } }
    /// The number of pages above the first one.
    public var count: Int { values.count }
    /// Whether only the stack's first page is shown.
    public var isEmpty: Bool { values.isEmpty }
    /// Pushes the page of `value` on top of the others.
    public mutating func append<V: Hashable>(_ value: V) { values.append(AnyHashable(value)) }
    /// Removes the topmost pages.
    ///
    /// - Parameter k: The number of pages, clamped to the range from 0 to `count`.
    public mutating func removeLast(_ k: Int = 1) { values.removeLast(min(values.count, max(0, k))) }
}
