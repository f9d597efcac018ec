import Foundation
import Presentation

/// Where a search field stands; here always above the content.
public struct SearchFieldPlacement: Hashable, Sendable {
    let name: String
    /// Above the content, whichever of the two is said.
    public static let automatic = SearchFieldPlacement(name: "automatic"),
        toolbar = SearchFieldPlacement(name: "toolbar")
    /// Above the content too, not in a sidebar.
    public static let sidebar = SearchFieldPlacement(name: "sidebar")
}

extension View {
    /// A search field (a GtkSearchEntry) above this view. Escape empties it, Return calls `onSubmit(of: .search)`.
    public func searchable(text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: Text? = nil)
        -> some View
    {
        Searched(text: text, prompt: prompt?.string ?? PlayerWords.localized("Search"), content: self)
    }
    /// A search field above this view, its prompt looked up in the app's translations.
    public func searchable(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey
    ) -> some View {
        Searched(text: text, prompt: prompt.resolved(nil, nil), content: self)
    }
    /// A search field above this view, its prompt shown as it is.
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
