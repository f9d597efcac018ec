import Zoetrope

/// A view with an identity of its own, as layouts of controls get them.
public struct IdentifableView: View, Identifiable {
    public let id: String
    private let content: () -> any View

    public init(id: String, content: @escaping () -> any View) {
        self.id = id
        self.content = content
    }

    public var body: some View { AnyView(content()) }
}
