import Presentation

/// Says, in the middle of what it is offered, why there is nothing to show, and what can be done. SwiftUI's view.
public struct ContentUnavailableView<Label: View, Description: View, Actions: View>: View {
    let label: Label
    let description: Description
    let actions: Actions

    /// A view of a label, words that explain, and buttons that help, one below the other.
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
    /// A view of a symbol, a title that is looked up in the app's translations, and words that explain; nil is none.
    public init(_ title: LocalizedStringKey, systemImage name: String, description: Text? = nil) {
        self.init {
            DeclarativeUI.Label(title, systemImage: name)
        } description: {
            description
        }
    }
    /// A view of a symbol, a title that is shown as it is, and words that explain; nil is none.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, systemImage name: String, description: Text? = nil)
    {
        self.init {
            DeclarativeUI.Label(title, systemImage: name)
        } description: {
            description
        }
    }
    /// A view of an image of the app's, a title that is looked up in its translations, and words that explain; nil is
    /// none.
    public init(_ title: LocalizedStringKey, image name: String, description: Text? = nil) {
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
    /// A search that found nothing.
    public static var search:
        ContentUnavailableView<
            SearchUnavailableContent.Label, SearchUnavailableContent.Description, SearchUnavailableContent.Actions
        >
    { found(nil) }
    /// - Parameter text: what was searched for.
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

/// The parts of `ContentUnavailableView.search`.
public struct SearchUnavailableContent {
    /// A magnifying glass over "No Results", with what was searched for where that is known.
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
    /// Empty: a search offers no buttons.
    public struct Actions: View {
        public var body: some View { EmptyView() }
    }
}

/// A large picture over a title.
struct UnavailableLabelStyle: LabelStyle {
    func makeBody(configuration: Configuration) -> some View {
        VStack(spacing: Space.wide) {
            configuration.icon.font(.system(size: IconSize.hero)).foregroundStyle(.secondary)
            configuration.title.font(.title2).fontWeight(.bold).multilineTextAlignment(.center)
        }
    }
}
