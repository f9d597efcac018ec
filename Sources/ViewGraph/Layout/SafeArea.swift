/// The regions at a window's edges that content may have to avoid. Mirrors SwiftUI's type.
public struct SafeAreaRegions: OptionSet, Sendable {
    /// The bits of the set: 1 is `container`, 2 is `keyboard`.
    public let rawValue: UInt
    /// Creates a set from raw bits. No region has an effect on Linux.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The region of the window. It is always empty here.
    public static let container = SafeAreaRegions(rawValue: 1)
    /// The region of an on-screen keyboard. It is always empty here.
    public static let keyboard = SafeAreaRegions(rawValue: 2)
    /// The set of all regions.
    public static let all = SafeAreaRegions(rawValue: .max)
}

extension View {
    /// Returns this view unchanged, because GTK windows have no unsafe areas and content already reaches every edge.
    public func ignoresSafeArea(_ regions: SafeAreaRegions = .all, edges: Edge.Set = .all) -> some View { self }
    /// Returns this view unchanged. The older name of `ignoresSafeArea`.
    public func edgesIgnoringSafeArea(_ edges: Edge.Set) -> some View { self }
}
