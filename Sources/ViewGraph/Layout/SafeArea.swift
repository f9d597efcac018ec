/// What keeps content from a window's edges. SwiftUI's type.
public struct SafeAreaRegions: OptionSet, Sendable {
    /// One bit a region: 1 is `container`, 2 `keyboard`.
    public let rawValue: UInt
    /// Makes a set of raw bits; of no effect here, as of all regions.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The window's own; there is none here.
    public static let container = SafeAreaRegions(rawValue: 1)
    /// That of a keyboard on the screen; there is none here.
    public static let keyboard = SafeAreaRegions(rawValue: 2)
    /// All regions.
    public static let all = SafeAreaRegions(rawValue: .max)
}

extension View {
    /// GTK windows have no unsafe areas: content reaches every edge already, and this view stays as it is.
    public func ignoresSafeArea(_ regions: SafeAreaRegions = .all, edges: Edge.Set = .all) -> some View { self }
    /// The older name of `ignoresSafeArea`.
    public func edgesIgnoringSafeArea(_ edges: Edge.Set) -> some View { self }
}
