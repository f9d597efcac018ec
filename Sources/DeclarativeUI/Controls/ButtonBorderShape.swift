import GTK
@_spi(Graph) import ViewGraph

/// The outline of buttons that have a ground. SwiftUI's type.
public struct ButtonBorderShape: Hashable, Sendable {
    enum Kind: Hashable { case automatic, capsule, roundedRectangle, circle }
    let kind: Kind
    /// GTK's own.
    public static let automatic = ButtonBorderShape(kind: .automatic)
    /// Half circles at both sides.
    public static let capsule = ButtonBorderShape(kind: .capsule)
    /// Rounded corners.
    public static let roundedRectangle = ButtonBorderShape(kind: .roundedRectangle)
    /// As wide as high; for a button with a symbol.
    public static let circle = ButtonBorderShape(kind: .circle)

    static let classes = ["zt-capsule", "zt-rounded"]
    /// The class of GTK's widget; nil: none.
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
    /// The outline of the buttons below that GTK draws with a ground: bordered, prominent, and borderless ones under
    /// the pointer.
    public func buttonBorderShape(_ shape: ButtonBorderShape) -> some View {
        environment(\.buttonBorderShape, shape)
    }
}
