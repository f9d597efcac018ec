import Zoetrope

/// A view with an identity. Layouts of controls receive such views.
public struct IdentifableView: View, Identifiable {
    public let id: String
    private let content: () -> any View

    /// Creates a view with an identity.
    /// - Parameters:
    ///   - id: An identifier that no other view in the slot has.
    ///   - content: Returns the view. It is called each time the view is evaluated.
    public init(id: String, content: @escaping () -> any View) {
        self.id = id
        self.content = content
    }

    public var body: some View { AnyView(content()) }
}
