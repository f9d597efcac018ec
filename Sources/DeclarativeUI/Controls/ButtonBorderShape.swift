@_spi(Graph) import ViewGraph

/// The outline of buttons that have a background. Matches SwiftUI's `ButtonBorderShape`.
public struct ButtonBorderShape: Hashable, Sendable {
    enum Kind: Hashable { case automatic, capsule, roundedRectangle, circle }
    let kind: Kind
    /// The outline of GTK's theme.
    public static let automatic = ButtonBorderShape(kind: .automatic)
    /// An outline with half circles at both ends.
    public static let capsule = ButtonBorderShape(kind: .capsule)
    /// An outline with rounded corners.
    public static let roundedRectangle = ButtonBorderShape(kind: .roundedRectangle)
    /// A circle, as wide as high, for a button with a symbol.
    public static let circle = ButtonBorderShape(kind: .circle)

    static let classes = ["zt-capsule", "zt-rounded"]
    /// The style class of GTK's widget, or nil for none.
    var styleClass: String? {
        switch kind {
        case .automatic: nil
        case .capsule, .circle: "zt-capsule"
        case .roundedRectangle: "zt-rounded"
        }
    }
}

private struct ButtonBorderShapeKey: EnvironmentKey { static let defaultValue = ButtonBorderShape.automatic }
extension EnvironmentValues {
    var buttonBorderShape: ButtonBorderShape {
        get { self[ButtonBorderShapeKey.self] }
        set { self[ButtonBorderShapeKey.self] = newValue }
    }
}

extension View {
    /// Sets the outline of those buttons in this view whose background GTK draws.
    ///
    /// These are bordered and prominent buttons, and borderless ones under the pointer.
    public func buttonBorderShape(_ shape: ButtonBorderShape) -> some View {
        environment(\.buttonBorderShape, shape)
    }
}
