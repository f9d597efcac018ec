import Foundation
@_spi(Graph) import ViewGraph

extension View {
    /// The older form of `toolbar`: items at both ends of the bar.
    public func navigationBarItems<L: View, T: View>(leading: L, trailing: T) -> some View {
        toolbar {
            ToolbarItem(placement: .navigationBarLeading) { leading }
            ToolbarItem(placement: .navigationBarTrailing) { trailing }
        }
    }
    /// The older form of `toolbar`: an item at the beginning of the bar.
    public func navigationBarItems<L: View>(leading: L) -> some View {
        toolbar { ToolbarItem(placement: .navigationBarLeading) { leading } }
    }
    /// The older form of `toolbar`: an item at the end of the bar.
    public func navigationBarItems<T: View>(trailing: T) -> some View {
        toolbar { ToolbarItem(placement: .navigationBarTrailing) { trailing } }
    }
    /// What a page's bar is for: of no effect on where things stand in it.
    public func toolbarRole(_ role: ToolbarRole) -> some View { self }
    /// How text becomes other text: at once here. `transition(_:)` and `id(_:)` together fade from one to the other.
    public func contentTransition(_ transition: ContentTransition) -> some View { self }
}

/// What a page's bar is for. SwiftUI's type.
public struct ToolbarRole: Hashable, Sendable {
    private let name: String
    /// As the page has it; to go through pages; to edit a document.
    public static let automatic = ToolbarRole(name: "automatic"), browser = ToolbarRole(name: "browser"),
        editor = ToolbarRole(name: "editor"), navigationStack = ToolbarRole(name: "navigationStack")
}

/// How text and symbols become others. SwiftUI's type.
public struct ContentTransition: Hashable, Sendable {
    private let name: String
    /// At once; by fading; letter by letter.
    public static let identity = ContentTransition(name: "identity"), opacity = ContentTransition(name: "opacity"),
        interpolate = ContentTransition(name: "interpolate")
    /// As figures that roll.
    public static func numericText(countsDown: Bool = false) -> ContentTransition {
        ContentTransition(name: "numericText")
    }
    /// As figures that roll.
    public static func numericText(value: Double) -> ContentTransition { ContentTransition(name: "numericText") }
    /// As one symbol that becomes another.
    public static let symbolEffect = ContentTransition(name: "symbolEffect")
}
