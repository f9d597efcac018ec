import Foundation
@_spi(Graph) import ViewGraph

/// A color, gradient or other style that fills or strokes a shape. Same API as in SwiftUI.
public protocol ShapeStyle: Sendable {
    /// The style before the environment applies. Not for apps.
    var _style: _ResolvedStyle { get }
}

/// A style before the environment applies. Not for apps.
public indirect enum _ResolvedStyle: Hashable, Sendable {
    /// A color. The variant for the appearance is chosen where it is drawn.
    case color(Color)
    /// A gradient and its geometry.
    case gradient(Gradient, GradientGeometry)
    /// A gray that replaces the blurred background.
    case material(Material)
    /// The environment's foreground at a level: 0 unchanged, 1 secondary, 2 tertiary, 3 quaternary.
    case foreground(Int)
    /// The environment's tint.
    case tint
    /// The window's background.
    case background
    /// A style with its opacity multiplied by 0…1.
    case opacity(_ResolvedStyle, Double)

    /// The geometry of a gradient. Unit points refer to the bounds of what is drawn.
    public enum GradientGeometry: Hashable, Sendable {
        /// A line from one point to another.
        case linear(UnitPoint, UnitPoint)
        /// Circles around a point, from one radius to another in points.
        case radial(UnitPoint, CGFloat, CGFloat)
        /// A clockwise arc around a point, from one angle to another.
        case angular(UnitPoint, Angle, Angle)
    }
}

extension Color: ShapeStyle {
    public var _style: _ResolvedStyle { .color(self) }
    /// A slight gradient of this color.
    public var gradient: LinearGradient {
        LinearGradient(colors: [opacity(0.85), self], startPoint: .top, endPoint: .bottom)
    }
}

extension Color: View {
    /// The type of the body: a color has none.
    public typealias Body = Never
    public var body: Never { preconditionFailure("Color has no body; only the graph evaluates views") }
    public static func _makeFiber(_ view: Color, _ inputs: _FiberInputs) -> _ViewFiber<Color> {
        LeafFiber(view, inputs, ShapeElement()) { element, view, fiber in
            element.set(Rectangle(), AnyShapeStyle(view).resolved(fiber.environment), .fill(FillStyle()), fiber)
        }
    }
}

/// A type-erased style.
public struct AnyShapeStyle: ShapeStyle, Hashable {
    public let _style: _ResolvedStyle
    /// Creates a type-erased style.
    public init(_ style: any ShapeStyle) { _style = style._style }

    func resolved(_ environment: EnvironmentValues) -> Paint { Paint(_style, environment) }
}

/// The environment's foreground style. Same API as in SwiftUI.
public struct ForegroundStyle: ShapeStyle {
    /// Creates the style. `.foreground` is shorter.
    public init() {}
    public var _style: _ResolvedStyle { .foreground(0) }
}
/// The environment's foreground style at one of four levels. Same API as in SwiftUI.
public struct HierarchicalShapeStyle: ShapeStyle {
    let level: Int
    public var _style: _ResolvedStyle { .foreground(level) }
    /// The foreground, unchanged.
    public static let primary = HierarchicalShapeStyle(level: 0)
    /// The foreground at 0.55 of its opacity.
    public static let secondary = HierarchicalShapeStyle(level: 1)
    /// The foreground at 0.35 of its opacity.
    public static let tertiary = HierarchicalShapeStyle(level: 2)
    /// The foreground at 0.2 of its opacity.
    public static let quaternary = HierarchicalShapeStyle(level: 3)

    /// Returns the factor of the foreground's opacity at a level.
    static func opacity(_ level: Int) -> Double { [1, 0.55, 0.35, 0.2][min(3, max(0, level))] }
}
/// The environment's tint. Same API as in SwiftUI.
public struct TintShapeStyle: ShapeStyle {
    /// Creates the style. `.tint` is shorter.
    public init() {}
    public var _style: _ResolvedStyle { .tint }
}
/// The window's background in Adwaita's color. Same API as in SwiftUI.
public struct BackgroundStyle: ShapeStyle {
    /// Creates the style. `.background` is shorter.
    public init() {}
    public var _style: _ResolvedStyle { .background }
}

extension ShapeStyle where Self == ForegroundStyle {
    /// The environment's foreground style.
    public static var foreground: ForegroundStyle { ForegroundStyle() }
}
extension ShapeStyle where Self == TintShapeStyle {
    /// The environment's tint.
    public static var tint: TintShapeStyle { TintShapeStyle() }
}
extension ShapeStyle where Self == BackgroundStyle {
    /// The window's background.
    public static var background: BackgroundStyle { BackgroundStyle() }
}
extension ShapeStyle where Self == HierarchicalShapeStyle {
    /// The foreground, unchanged.
    public static var primary: HierarchicalShapeStyle { .primary }
    /// The foreground at 0.55 of its opacity.
    public static var secondary: HierarchicalShapeStyle { .secondary }
    /// The foreground at 0.35 of its opacity.
    public static var tertiary: HierarchicalShapeStyle { .tertiary }
    /// The foreground at 0.2 of its opacity.
    public static var quaternary: HierarchicalShapeStyle { .quaternary }
}
extension ShapeStyle {
    /// Returns the style with its opacity multiplied by `opacity`, clamped to 0…1.
    public func opacity(_ opacity: Double) -> some ShapeStyle {
        FadedStyle(_style: .opacity(_style, Color.clamped(opacity)))
    }
}
struct FadedStyle: ShapeStyle { let _style: _ResolvedStyle }

/// The colors of a gradient and their locations, 0…1.
public struct Gradient: Hashable, Sendable {
    /// A color at a location of a gradient.
    public struct Stop: Hashable, Sendable {
        /// The color at the location.
        public var color: Color
        /// The location, from 0 at the gradient's start to 1 at its end.
        public var location: CGFloat
        /// Creates a stop of a color at a location, 0…1.
        public init(color: Color, location: CGFloat) {
            self.color = color
            self.location = location
        }
    }
    /// The stops in the order of their locations.
    public var stops: [Stop]
    /// Creates a gradient of colors at given locations.
    public init(stops: [Stop]) { self.stops = stops }
    /// Creates a gradient of evenly spaced colors.
    public init(colors: [Color]) {
        stops = colors.enumerated().map {
            Stop(color: $1, location: colors.count > 1 ? CGFloat($0) / CGFloat(colors.count - 1) : 0)
        }
    }
}

/// A gradient along a line. As a view, it takes all the space it is offered.
///
/// A gradient that makes text over a video readable:
/// ```swift
/// ExtVideoPlayer(fileName: "film.mp4")
///     .overlay(alignment: .bottom) {
///         LinearGradient(colors: [.clear, .black.opacity(0.6)], startPoint: .top, endPoint: .bottom)
///             .frame(height: 80)
///     }
/// ```
public struct LinearGradient: ShapeStyle, View {
    let gradient: Gradient, start, end: UnitPoint
    /// Creates a gradient along a line between two unit points of the filled area.
    nonisolated public init(gradient: Gradient, startPoint: UnitPoint, endPoint: UnitPoint) {
        self.gradient = gradient
        start = startPoint
        end = endPoint
    }
    /// Creates a gradient of evenly spaced colors along a line between two unit points of the filled area.
    nonisolated public init(colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint) {
        self.init(gradient: Gradient(colors: colors), startPoint: startPoint, endPoint: endPoint)
    }
    /// Creates a gradient of colors at given locations along a line between two unit points of the filled area.
    nonisolated public init(stops: [Gradient.Stop], startPoint: UnitPoint, endPoint: UnitPoint) {
        self.init(gradient: Gradient(stops: stops), startPoint: startPoint, endPoint: endPoint)
    }
    nonisolated public var _style: _ResolvedStyle { .gradient(gradient, .linear(start, end)) }
    public var body: some View { Rectangle().fill(self) }
}

/// A gradient in circles around a point. As a view, it takes all the space it is offered.
public struct RadialGradient: ShapeStyle, View {
    let gradient: Gradient, center: UnitPoint, startRadius, endRadius: CGFloat
    /// Creates a gradient in circles around a point.
    /// - Parameters:
    ///   - startRadius: The radius of the first color in points.
    ///   - endRadius: The radius of the last color in points.
    nonisolated public init(gradient: Gradient, center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
        self.gradient = gradient
        self.center = center
        self.startRadius = startRadius
        self.endRadius = endRadius
    }
    /// Creates a gradient of evenly spaced colors in circles around a point.
    /// - Parameters:
    ///   - startRadius: The radius of the first color in points.
    ///   - endRadius: The radius of the last color in points.
    nonisolated public init(colors: [Color], center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
        self.init(gradient: Gradient(colors: colors), center: center, startRadius: startRadius, endRadius: endRadius)
    }
    nonisolated public var _style: _ResolvedStyle { .gradient(gradient, .radial(center, startRadius, endRadius)) }
    public var body: some View { Rectangle().fill(self) }
}

/// A gradient clockwise around a point. As a view, it takes all the space it is offered.
public struct AngularGradient: ShapeStyle, View {
    let gradient: Gradient, center: UnitPoint, start, end: Angle
    /// Creates a gradient around a point, from `startAngle` to `endAngle`. Angle 0 is to the right.
    nonisolated public init(
        gradient: Gradient, center: UnitPoint, startAngle: Angle = .zero, endAngle: Angle = .degrees(360)
    ) {
        self.gradient = gradient
        self.center = center
        start = startAngle
        end = endAngle
    }
    /// Creates a gradient of evenly spaced colors around a point, from `startAngle` to `endAngle`. Angle 0 is to the
    /// right.
    nonisolated public init(
        colors: [Color], center: UnitPoint, startAngle: Angle = .zero, endAngle: Angle = .degrees(360)
    ) {
        self.init(gradient: Gradient(colors: colors), center: center, startAngle: startAngle, endAngle: endAngle)
    }
    nonisolated public var _style: _ResolvedStyle { .gradient(gradient, .angular(center, start, end)) }
    public var body: some View { Rectangle().fill(self) }
}

/// A translucent gray in place of the blurred background.
///
/// GTK can't blur what other widgets have drawn. The gray differs from the window's background: it is lighter in dark
/// appearance, and darker in light appearance.
public struct Material: ShapeStyle, Hashable {
    let opacity: Double
    public var _style: _ResolvedStyle { .material(self) }
    /// A gray with an opacity of 0.45.
    public static let ultraThin = Material(opacity: 0.45)
    /// A gray with an opacity of 0.6.
    public static let thin = Material(opacity: 0.6)
    /// A gray with an opacity of 0.75.
    public static let regular = Material(opacity: 0.75)
    /// A gray with an opacity of 0.87.
    public static let thick = Material(opacity: 0.87)
    /// A gray with an opacity of 0.95.
    public static let ultraThick = Material(opacity: 0.95)
    /// The background of bars: a gray with an opacity of 0.9.
    public static let bar = Material(opacity: 0.9)
    // `ShapeStyle` has members with these names. `Material` has them too, so that `Material.thinMaterial` compiles.
    /// A gray with an opacity of 0.45.
    public static let ultraThinMaterial = ultraThin
    /// A gray with an opacity of 0.6.
    public static let thinMaterial = thin
    /// A gray with an opacity of 0.75.
    public static let regularMaterial = regular
    /// A gray with an opacity of 0.87.
    public static let thickMaterial = thick
    /// A gray with an opacity of 0.95.
    public static let ultraThickMaterial = ultraThick
}
extension ShapeStyle where Self == Material {
    /// A gray with an opacity of 0.45 in place of the blurred background.
    public static var ultraThinMaterial: Material { Material.ultraThinMaterial }
    /// A gray with an opacity of 0.6 in place of the blurred background.
    public static var thinMaterial: Material { Material.thinMaterial }
    /// A gray with an opacity of 0.75 in place of the blurred background.
    public static var regularMaterial: Material { Material.regularMaterial }
    /// A gray with an opacity of 0.87 in place of the blurred background.
    public static var thickMaterial: Material { Material.thickMaterial }
    /// A gray with an opacity of 0.95 in place of the blurred background.
    public static var ultraThickMaterial: Material { Material.ultraThickMaterial }
    /// The background of bars: a gray with an opacity of 0.9.
    public static var bar: Material { Material.bar }
}

/// A style after the environment has been applied, ready to draw.
enum Paint: Hashable {
    case color(Color.Components)
    case gradient([Stop], _ResolvedStyle.GradientGeometry)

    struct Stop: Hashable {
        var color: Color.Components
        var location: CGFloat
    }

    init(_ style: _ResolvedStyle, _ environment: EnvironmentValues, opacity: Double = 1) {
        self.init(
            style, environment, foreground: environment.foregroundStyle?._style ?? .color(.primary), opacity: opacity)
    }

    /// - Parameter foreground: The style that the levels of the foreground refer to.
    private init(
        _ style: _ResolvedStyle, _ environment: EnvironmentValues, foreground: _ResolvedStyle, opacity: Double
    ) {
        let isDark = environment.colorScheme == .dark
        let color: (Color) -> Color.Components = { color in
            var c = color.resolved(dark: isDark, accent: environment.tintColor)
            c.opacity *= opacity
            return c
        }
        switch style {
        case .color(let c): self = .color(color(c))
        case .gradient(let gradient, let geometry):
            self = .gradient(gradient.stops.map { Stop(color: color($0.color), location: $0.location) }, geometry)
        case .material(let material): self = .color(color(Paint.materialColor.opacity(material.opacity)))
        case .foreground(let level):
            // A foreground style that refers to the foreground itself means the primary color.
            self = Paint(
                foreground, environment, foreground: .color(.primary),
                opacity: opacity * HierarchicalShapeStyle.opacity(level))
        case .tint: self = .color(color(.accentColor))
        case .background: self = .color(color(Paint.windowColor))
        case .opacity(let inner, let factor):
            self = Paint(inner, environment, foreground: foreground, opacity: opacity * factor)
        }
    }

    /// The color of Adwaita's window background.
    static let windowColor = Color(
        kind: .pair(
            light: Color.Components(red: 0.964, green: 0.961, blue: 0.957, opacity: 1),
            dark: Color.Components(red: 0.208, green: 0.208, blue: 0.208, opacity: 1)))

    static let materialColor = Color(
        kind: .pair(
            light: Color.Components(red: 0.86, green: 0.86, blue: 0.86, opacity: 1),
            dark: Color.Components(red: 0.33, green: 0.33, blue: 0.34, opacity: 1)))

    /// The values of the paint, for animations between two paints of the same kind.
    var numbers: [Double] {
        let four: (Color.Components) -> [Double] = { [$0.red, $0.green, $0.blue, $0.opacity] }
        switch self {
        case .color(let c): return four(c)
        case .gradient(let stops, _): return stops.flatMap { four($0.color) + [Double($0.location)] }
        }
    }
    func with(_ numbers: [Double]) -> Paint {
        let four: (Int) -> Color.Components = {
            Color.Components(red: numbers[$0], green: numbers[$0 + 1], blue: numbers[$0 + 2], opacity: numbers[$0 + 3])
        }
        switch self {
        case .color: return numbers.count == 4 ? .color(four(0)) : self
        case .gradient(let stops, let geometry):
            guard numbers.count == stops.count * 5 else { return self }
            return .gradient(stops.indices.map { Stop(color: four($0 * 5), location: numbers[$0 * 5 + 4]) }, geometry)
        }
    }
}
