import Zoetrope

/// A view with an identity of its own, as layouts of controls get them.
public struct IdentifableView: View, Identifiable {
    public let id: String
    private let content: () -> any View

    /// - Parameters:
    ///   - id: one that no other view in its place has.
    ///   - content: made anew each time it is shown.
    public init(id: String, content: @escaping () -> any View) {
        self.id = id
        self.content = content
    }

    public var body: some View { AnyView(content()) }
}
