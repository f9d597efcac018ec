@_spi(Graph) import ViewGraph

extension View {
    /// Adds items at both ends of the bar. This is an older form of `toolbar(content:)`.
    public func navigationBarItems<L: View, T: View>(leading: L, trailing: T) -> some View {
        toolbar {
            ToolbarItem(placement: .navigationBarLeading) { leading }
            ToolbarItem(placement: .navigationBarTrailing) { trailing }
        }
    }
    /// Adds an item at the leading end of the bar. This is an older form of `toolbar(content:)`.
    public func navigationBarItems<L: View>(leading: L) -> some View {
        toolbar { ToolbarItem(placement: .navigationBarLeading) { leading } }
    }
    /// Adds an item at the trailing end of the bar. This is an older form of `toolbar(content:)`.
    public func navigationBarItems<T: View>(trailing: T) -> some View {
        toolbar { ToolbarItem(placement: .navigationBarTrailing) { trailing } }
    }
    /// Has no effect: on Linux, a bar has the same layout for every purpose.
    public func toolbarRole(_ role: ToolbarRole) -> some View { self }
}

/// A purpose of a page's bar. Matches SwiftUI's `ToolbarRole`.
public struct ToolbarRole: Hashable, Sendable {
    private let name: String
    /// The default role, and the roles for browsing pages, for editing a document and for a navigation stack.
    public static let automatic = ToolbarRole(name: "automatic"), browser = ToolbarRole(name: "browser"),
        editor = ToolbarRole(name: "editor"), navigationStack = ToolbarRole(name: "navigationStack")
}
