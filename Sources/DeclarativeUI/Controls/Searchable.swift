import Foundation
import Presentation

/// A position for a search field. Has no effect: the field is always above the content. Matches SwiftUI's
/// `SearchFieldPlacement`.
public struct SearchFieldPlacement: Hashable, Sendable {
    let name: String
    /// The default position and the position in the toolbar. Both mean above the content.
    public static let automatic = SearchFieldPlacement(name: "automatic"),
        toolbar = SearchFieldPlacement(name: "toolbar")
    /// The position in the sidebar, which also means above the content.
    public static let sidebar = SearchFieldPlacement(name: "sidebar")
    /// The position below the navigation bar, which also means above the content.
    public static let navigationBarDrawer = SearchFieldPlacement(name: "drawer")
    /// Returns the position below the navigation bar, which also means above the content.
    /// - Parameter displayMode: Has no effect, because the field is always visible.
    public static func navigationBarDrawer(displayMode: NavigationBarDrawerDisplayMode) -> SearchFieldPlacement {
        navigationBarDrawer
    }
    /// The condition for a search field below the navigation bar to be visible. Matches SwiftUI's type.
    public struct NavigationBarDrawerDisplayMode: Hashable, Sendable {
        private let name: String
        /// The default mode and the mode for a field that does not scroll away. Both mean that the field is visible.
        public static let automatic = NavigationBarDrawerDisplayMode(name: "automatic"),
            always = NavigationBarDrawerDisplayMode(name: "always")
    }
}

extension View {
    /// Adds a search field (`GtkSearchEntry`) above this view. Escape empties the field, and Return calls the actions
    /// of `onSubmit(of: .search)`.
    ///
    /// ```swift
    /// @State private var query = ""
    ///
    /// var body: some View {
    ///     NavigationStack {
    ///         List(titles.filter { query.isEmpty || $0.contains(query) }, id: \.self) { Text($0) }
    ///             .searchable(text: $query, prompt: Text("Titles"))
    ///     }
    /// }
    /// ```
    /// - Parameters:
    ///   - text: The text in the field.
    ///   - placement: Has no effect.
    ///   - prompt: The prompt in the empty field. Nil is “Search” in the user's language.
    public func searchable(text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: Text? = nil)
        -> some View
    {
        Searched(text: text, prompt: prompt?.string ?? PlayerWords.localized("Search"), content: self)
    }
    /// Adds a search field above this view, with a localized prompt.
    public func searchable(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey
    ) -> some View {
        Searched(text: text, prompt: prompt.resolved(nil, nil), content: self)
    }
    /// Adds a search field above this view, with a prompt that is not localized.
    @_disfavoredOverload
    public func searchable<S: StringProtocol>(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: S
    ) -> some View {
        Searched(text: text, prompt: String(prompt), content: self)
    }
}

struct Searched<Content: View>: View {
    let text: Binding<String>
    let prompt: String
    let content: Content
    var body: some View {
        VStack(spacing: Space.regular) {
            LabeledControl(
                label: Text(verbatim: prompt), place: .hidden,
                control: NativeEntry(
                    kind: .search, text: text.wrappedValue, binding: text, prompt: prompt, onCommit: nil))
            content
        }
    }
}
