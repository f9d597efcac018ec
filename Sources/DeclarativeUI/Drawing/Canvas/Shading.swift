import Foundation

extension GraphicsContext {
    /// What is filled or stroked with. SwiftUI's type.
    public struct Shading: Sendable {
        private enum Kind: Sendable {
            case style(_ResolvedStyle)
            /// Points of the context's space.
            case linear(Gradient, CGPoint, CGPoint)
            case radial(Gradient, CGPoint, CGFloat, CGFloat)
            case conic(Gradient, CGPoint, Angle)
        }
        private let kind: Kind

        /// The environment's foreground.
        public static var foreground: Shading { Shading(kind: .style(.foreground(0))) }
        /// One colour.
        public static func color(_ color: Color) -> Shading { Shading(kind: .style(.color(color))) }
        /// - Parameters: each 0…1, clamped.
        public static func color(
            _ colorSpace: Color.RGBColorSpace = .sRGB, red: Double, green: Double, blue: Double, opacity: Double = 1
        ) -> Shading {
            color(Color(colorSpace, red: red, green: green, blue: blue, opacity: opacity))
        }
        /// A grey.
        /// - Parameters: each 0…1, clamped.
        public static func color(_ colorSpace: Color.RGBColorSpace = .sRGB, white: Double, opacity: Double = 1)
            -> Shading
        {
            color(Color(colorSpace, white: white, opacity: opacity))
        }
        /// A style in the bounds of what is drawn.
        public static func style(_ style: any ShapeStyle) -> Shading { Shading(kind: .style(style._style)) }
        /// - Parameters: points of the context's space, as of all gradients.
        public static func linearGradient(_ gradient: Gradient, startPoint: CGPoint, endPoint: CGPoint) -> Shading {
            Shading(kind: .linear(gradient, startPoint, endPoint))
        }
        /// Colours in circles around a point of the context's space.
        /// - Parameters: radii in points.
        public static func radialGradient(
            _ gradient: Gradient, center: CGPoint, startRadius: CGFloat, endRadius: CGFloat
        ) -> Shading {
            Shading(kind: .radial(gradient, center, startRadius, endRadius))
        }
        /// Clockwise around `center`, from `angle` on.
        public static func conicGradient(_ gradient: Gradient, center: CGPoint, angle: Angle = Angle()) -> Shading {
            Shading(kind: .conic(gradient, center, angle))
        }

        /// The same as a style whose unit points count in `rect`.
        func style(in rect: CGRect) -> _ResolvedStyle {
            let unit: (CGPoint) -> UnitPoint = {
                UnitPoint(
                    x: rect.width > 0 ? ($0.x - rect.minX) / rect.width : 0,
                    y: rect.height > 0 ? ($0.y - rect.minY) / rect.height : 0)
            }
            switch kind {
            case .style(let style): return style
            case .linear(let gradient, let start, let end): return .gradient(gradient, .linear(unit(start), unit(end)))
            case .radial(let gradient, let center, let start, let end):
                return .gradient(gradient, .radial(unit(center), start, end))
            case .conic(let gradient, let center, let angle):
                return .gradient(gradient, .angular(unit(center), angle, angle + .degrees(360)))
            }
        }
        func styled(in rect: CGRect) -> some ShapeStyle { FadedStyle(_style: style(in: rect)) }

        /// The rectangle for unit points when `bounds` are drawn.
        func room(_ bounds: CGRect) -> CGRect {
            if case .style = kind { return bounds }
            // A line has no width to count in.
            return bounds.insetBy(dx: -1, dy: -1)
        }
    }
}
