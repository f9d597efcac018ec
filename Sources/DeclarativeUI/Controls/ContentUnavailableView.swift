import Presentation

/// A message that explains why there is no content and what the user can do. It is in the middle of the available
/// space. Matches SwiftUI's `ContentUnavailableView`.
///
/// ```swift
/// if videos.isEmpty {
///     ContentUnavailableView(
///         "No videos", systemImage: "film", description: Text("Drop a file on this window."))
/// }
/// ```
public struct ContentUnavailableView<Label: View, Description: View, Actions: View>: View {
    let label: Label
    let description: Description
    let actions: Actions

    /// Creates a view with a label, an explanation and buttons below each other.
    public init(
        @ViewBuilder label: () -> Label, @ViewBuilder description: () -> Description = { EmptyView() },
        @ViewBuilder actions: () -> Actions = { EmptyView() }
    ) {
        self.label = label()
        self.description = description()
        self.actions = actions()
    }

    public var body: some View {
        VStack(spacing: Space.wide) {
            label.labelStyle(UnavailableLabelStyle())
            description.font(.callout).foregroundStyle(.secondary).multilineTextAlignment(.center)
            actions.padding(.top, Space.tight)
        }
        .padding()
        .frame(maxWidth: .infinity, maxHeight: .infinity)
    }
}

extension ContentUnavailableView
where Label == DeclarativeUI.Label<Text, Image>, Description == Text?, Actions == EmptyView {
    /// Creates a view with a symbol, a localized title and an explanation. Nil shows no explanation.
    public init(_ title: LocalizedStringKey, systemImage name: String, description: Text? = nil) {
        self.init {
            DeclarativeUI.Label(title, systemImage: name)
        } description: {
            description
        }
    }
    /// Creates a view with a symbol, a title that is not localized, and an explanation. Nil shows no explanation.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, systemImage name: String, description: Text? = nil)
    {
        self.init {
            DeclarativeUI.Label(title, systemImage: name)
        } description: {
            description
        }
    }
    /// Creates a view with an image from the app's resources, a localized title and an explanation. Nil shows no
    /// explanation.
    public init(_ title: LocalizedStringKey, image name: String, description: Text? = nil) {
        self.init {
            DeclarativeUI.Label(title, image: name)
        } description: {
            description
        }
    }
    /// Creates a view with an image from the app's resources, a title that is not localized, and an explanation. Nil
    /// shows no explanation.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, image name: String, description: Text? = nil) {
        self.init {
            DeclarativeUI.Label(title, image: name)
        } description: {
            description
        }
    }
}

extension ContentUnavailableView
where
    Label == SearchUnavailableContent.Label, Description == SearchUnavailableContent.Description,
    Actions == SearchUnavailableContent.Actions
{
    /// A view for a search without results.
    public static var search:
        ContentUnavailableView<
            SearchUnavailableContent.Label, SearchUnavailableContent.Description, SearchUnavailableContent.Actions
        >
    { found(nil) }
    /// Returns a view for a search without results.
    ///
    /// - Parameter text: The text that was searched for. With an empty text, the view is the same as `search`.
    public static func search(text: String) -> ContentUnavailableView<
        SearchUnavailableContent.Label, SearchUnavailableContent.Description, SearchUnavailableContent.Actions
    > { found(text) }
    private static func found(_ text: String?) -> Self {
        Self {
            SearchUnavailableContent.Label(text: text)
        } description: {
            SearchUnavailableContent.Description()
        } actions: {
            SearchUnavailableContent.Actions()
        }
    }
}

/// A namespace for the parts of `ContentUnavailableView.search`.
public struct SearchUnavailableContent {
    /// A magnifying glass above “No Results” and, if known, the text that was searched for.
    public struct Label: View {
        let text: String?
        private var title: String {
            if let text, !text.isEmpty { return PlayerWords.localized("No Results for “%@”", text) }
            return PlayerWords.localized("No Results")
        }
        public var body: some View {
            DeclarativeUI.Label {
                Text(verbatim: title)
            } icon: {
                Image(systemName: "magnifyingglass")
            }
        }
    }
    /// A hint to check the spelling, in the user's language.
    public struct Description: View {
        public var body: some View {
            Text(verbatim: PlayerWords.localized("Check the spelling or try a new search."))
        }
    }
    /// An empty view, because a search without results offers no buttons.
    public struct Actions: View {
        public var body: some View { EmptyView() }
    }
}

/// A label style that shows a large symbol above a title.
struct UnavailableLabelStyle: LabelStyle {
    func makeBody(configuration: Configuration) -> some View {
        VStack(spacing: Space.wide) {
            configuration.icon.font(.system(size: IconSize.hero)).foregroundStyle(.secondary)
            configuration.title.font(.title2).fontWeight(.bold).multilineTextAlignment(.center)
        }
    }
}
