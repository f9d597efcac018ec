import Foundation
@_spi(Graph) import ViewGraph

/// Which form of a symbol is shown. SwiftUI's type.
public struct SymbolVariants: Hashable, Sendable {
    private var shape: String?
    private var isFilled = false, isSlashed = false
    /// The form that the symbol's name says.
    public static let none = SymbolVariants()
    /// In a circle; in a square; in a rectangle.
    public static let circle = SymbolVariants(shape: "circle"), square = SymbolVariants(shape: "square"),
        rectangle = SymbolVariants(shape: "rectangle")
    /// Filled.
    public static let fill = SymbolVariants(isFilled: true)
    /// Struck through.
    public static let slash = SymbolVariants(isSlashed: true)
    private init(shape: String? = nil, isFilled: Bool = false, isSlashed: Bool = false) {
        (self.shape, self.isFilled, self.isSlashed) = (shape, isFilled, isSlashed)
    }
    /// The same form, in a circle.
    public var circle: SymbolVariants { with(self) { $0.shape = "circle" } }
    /// The same form, in a square.
    public var square: SymbolVariants { with(self) { $0.shape = "square" } }
    /// The same form, in a rectangle.
    public var rectangle: SymbolVariants { with(self) { $0.shape = "rectangle" } }
    /// The same form, filled.
    public var fill: SymbolVariants { with(self) { $0.isFilled = true } }
    /// The same form, struck through.
    public var slash: SymbolVariants { with(self) { $0.isSlashed = true } }
    /// Whether all of the other form is said here too.
    public func contains(_ other: SymbolVariants) -> Bool {
        (other.shape == nil || other.shape == shape) && (!other.isFilled || isFilled)
            && (!other.isSlashed || isSlashed)
    }
    func joined(_ other: SymbolVariants) -> SymbolVariants {
        SymbolVariants(
            shape: other.shape ?? shape, isFilled: isFilled || other.isFilled, isSlashed: isSlashed || other.isSlashed)
    }

    /// The name of the symbol's form; where there is none, as much of it as there is.
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

/// In which colours symbols are drawn. SwiftUI's type.
public struct SymbolRenderingMode: Hashable, Sendable {
    private let name: String
    /// In the foreground's style.
    public static let monochrome = SymbolRenderingMode(name: "monochrome")
    /// In the foreground's style: symbols have one layer here.
    public static let hierarchical = SymbolRenderingMode(name: "hierarchical")
    /// In the foreground's style: symbols have one layer here.
    public static let palette = SymbolRenderingMode(name: "palette")
    /// In the foreground's style: symbols have no colours of their own here.
    public static let multicolor = SymbolRenderingMode(name: "multicolor")
}

private struct VariantsKey: EnvironmentKey { static let defaultValue = SymbolVariants.none }
private struct RenderingKey: EnvironmentKey { static let defaultValue: SymbolRenderingMode? = nil }
extension EnvironmentValues {
    /// Which form of the symbols below is shown.
    public var symbolVariants: SymbolVariants {
        get { self[VariantsKey.self] }
        set { self[VariantsKey.self] = newValue }
    }
    /// In which colours the symbols below are drawn: here in the foreground's style, whatever is said.
    public var symbolRenderingMode: SymbolRenderingMode? {
        get { self[RenderingKey.self] }
        set { self[RenderingKey.self] = newValue }
    }
}

extension View {
    /// Shows a form of the symbols below: `.fill`, `.circle` … Forms that are said further in add to it.
    public func symbolVariant(_ variant: SymbolVariants) -> some View {
        transformEnvironment(\.symbolVariants) { $0 = variant == .none ? .none : $0.joined(variant) }
    }
    /// In which colours the symbols below are drawn. They have one layer here, which has the foreground's style, so that
    /// every mode draws the same.
    public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> some View { setting(\.symbolRenderingMode, mode) }
}
extension Image {
    /// In which colours the symbol is drawn; see `View.symbolRenderingMode(_:)`.
    public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> Image { self }
}
