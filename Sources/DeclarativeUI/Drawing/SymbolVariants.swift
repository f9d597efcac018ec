@_spi(Graph) import ViewGraph

/// The form in which a symbol is shown. Same API as in SwiftUI.
public struct SymbolVariants: Hashable, Sendable {
    private var shape: String?
    private var isFilled = false, isSlashed = false
    /// The form in the symbol's own name.
    public static let none = SymbolVariants()
    /// A form inside a circle, a square, or a rectangle.
    public static let circle = SymbolVariants(shape: "circle"), square = SymbolVariants(shape: "square"),
        rectangle = SymbolVariants(shape: "rectangle")
    /// The filled form.
    public static let fill = SymbolVariants(isFilled: true)
    /// The form with a slash through it.
    public static let slash = SymbolVariants(isSlashed: true)
    private init(shape: String? = nil, isFilled: Bool = false, isSlashed: Bool = false) {
        (self.shape, self.isFilled, self.isSlashed) = (shape, isFilled, isSlashed)
    }
    /// The same form inside a circle.
    public var circle: SymbolVariants { with(self) { $0.shape = "circle" } }
    /// The same form inside a square.
    public var square: SymbolVariants { with(self) { $0.shape = "square" } }
    /// The same form inside a rectangle.
    public var rectangle: SymbolVariants { with(self) { $0.shape = "rectangle" } }
    /// The same form, filled.
    public var fill: SymbolVariants { with(self) { $0.isFilled = true } }
    /// The same form with a slash through it.
    public var slash: SymbolVariants { with(self) { $0.isSlashed = true } }
    /// Returns whether this form includes all parts of `other`.
    public func contains(_ other: SymbolVariants) -> Bool {
        (other.shape == nil || other.shape == shape) && (!other.isFilled || isFilled)
            && (!other.isSlashed || isSlashed)
    }
    func joined(_ other: SymbolVariants) -> SymbolVariants {
        SymbolVariants(
            shape: other.shape ?? shape, isFilled: isFilled || other.isFilled, isSlashed: isSlashed || other.isSlashed)
    }

    /// Returns the name of `symbol` in this form. Leaves out the parts for which no symbol exists.
    @MainActor func name(_ symbol: String) -> String {
        @MainActor func adding(_ part: String?, to name: String) -> String {
            guard let part, !name.split(separator: ".").contains(Substring(part)) else { return name }
            // “heart.fill” in a circle is “heart.circle.fill”.
            if part != "fill", name.hasSuffix(".fill") {
                let inner = "\(name.dropLast(5)).\(part).fill"
                return SymbolNames.isKnown(inner) ? inner : name
            }
            let longer = "\(name).\(part)"
            return SymbolNames.isKnown(longer) ? longer : name
        }
        let shaped = adding(isSlashed ? "slash" : nil, to: adding(shape, to: symbol))
        return adding(isFilled ? "fill" : nil, to: shaped)
    }
}

/// The number and the source of a symbol's colors. Same API as in SwiftUI; on Linux, every mode draws the same.
public struct SymbolRenderingMode: Hashable, Sendable {
    private let name: String
    /// The foreground style for the whole symbol.
    public static let monochrome = SymbolRenderingMode(name: "monochrome")
    /// The foreground style for the whole symbol, because symbols on Linux have one layer.
    public static let hierarchical = SymbolRenderingMode(name: "hierarchical")
    /// The foreground style for the whole symbol, because symbols on Linux have one layer.
    public static let palette = SymbolRenderingMode(name: "palette")
    /// The foreground style for the whole symbol, because symbols on Linux have no colors of their own.
    public static let multicolor = SymbolRenderingMode(name: "multicolor")
}

private struct VariantsKey: EnvironmentKey { static let defaultValue = SymbolVariants.none }
private struct RenderingKey: EnvironmentKey { static let defaultValue: SymbolRenderingMode? = nil }
extension EnvironmentValues {
    /// The form in which symbols inside the view are shown.
    public var symbolVariants: SymbolVariants {
        get { self[VariantsKey.self] }
        set { self[VariantsKey.self] = newValue }
    }
    /// The rendering mode of symbols inside the view. Has no effect: symbols always have the foreground style.
    public var symbolRenderingMode: SymbolRenderingMode? {
        get { self[RenderingKey.self] }
        set { self[RenderingKey.self] = newValue }
    }
}

extension View {
    /// Shows the symbols inside this view in a form such as `.fill` or `.circle`.
    ///
    /// If several modifiers apply to a symbol, their forms are combined. `.none` discards the forms of the modifiers
    /// around it.
    public func symbolVariant(_ variant: SymbolVariants) -> some View {
        transformEnvironment(\.symbolVariants) { $0 = variant == .none ? .none : $0.joined(variant) }
    }
    /// Sets the rendering mode of the symbols inside this view.
    ///
    /// On Linux, every mode draws the same: a symbol has one layer, which has the foreground style.
    public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> some View { setting(\.symbolRenderingMode, mode) }
}
extension Image {
    /// Returns the same image. The rendering mode has no effect; see `View.symbolRenderingMode(_:)`.
    public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> Image { self }
}
