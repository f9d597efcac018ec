import Foundation

extension GraphicsContext {
    /// The color, gradient or style of a fill or stroke. Same API as in SwiftUI.
    public struct Shading: Sendable {
        private enum Kind: Sendable {
            case style(_ResolvedStyle)
            /// The points of gradients are in the context's space.
            case linear(Gradient, CGPoint, CGPoint)
            case radial(Gradient, CGPoint, CGFloat, CGFloat)
            case conic(Gradient, CGPoint, Angle)
        }
        private let kind: Kind

        /// The environment's foreground style.
        public static var foreground: Shading { Shading(kind: .style(.foreground(0))) }
        /// Returns a shading of one color.
        public static func color(_ color: Color) -> Shading { Shading(kind: .style(.color(color))) }
        /// Returns a shading of one color, given by components.
        /// - Parameters:
        ///   - colorSpace: The space of the components.
        ///   - red: The red component, clamped to 0…1.
        ///   - green: The green component, clamped to 0…1.
        ///   - blue: The blue component, clamped to 0…1.
        ///   - opacity: The opacity, clamped to 0…1.
        public static func color(
            _ colorSpace: Color.RGBColorSpace = .sRGB, red: Double, green: Double, blue: Double, opacity: Double = 1
        ) -> Shading {
            color(Color(colorSpace, red: red, green: green, blue: blue, opacity: opacity))
        }
        /// Returns a shading of one gray.
        /// - Parameters:
        ///   - colorSpace: The space of `white`.
        ///   - white: The brightness, clamped to 0…1.
        ///   - opacity: The opacity, clamped to 0…1.
        public static func color(_ colorSpace: Color.RGBColorSpace = .sRGB, white: Double, opacity: Double = 1)
            -> Shading
        {
            color(Color(colorSpace, white: white, opacity: opacity))
        }
        /// Returns a shading of a style. Its unit points refer to the bounds of what is drawn.
        public static func style(_ style: any ShapeStyle) -> Shading { Shading(kind: .style(style._style)) }
        /// Returns a gradient along a line.
        /// - Parameters:
        ///   - startPoint: The start, in points of the context's space.
        ///   - endPoint: The end, in points of the context's space.
        public static func linearGradient(_ gradient: Gradient, startPoint: CGPoint, endPoint: CGPoint) -> Shading {
            Shading(kind: .linear(gradient, startPoint, endPoint))
        }
        /// Returns a gradient in circles around a point of the context's space.
        /// - Parameters:
        ///   - startRadius: The radius of the first color in points.
        ///   - endRadius: The radius of the last color in points.
        public static func radialGradient(
            _ gradient: Gradient, center: CGPoint, startRadius: CGFloat, endRadius: CGFloat
        ) -> Shading {
            Shading(kind: .radial(gradient, center, startRadius, endRadius))
        }
        /// Returns a gradient that runs clockwise around `center` and begins at `angle`.
        public static func conicGradient(_ gradient: Gradient, center: CGPoint, angle: Angle = Angle()) -> Shading {
            Shading(kind: .conic(gradient, center, angle))
        }

        /// Returns the shading as a style whose unit points refer to `rect`.
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

        /// Returns the rectangle to which unit points refer when a path with `bounds` is drawn.
        func unitRect(_ bounds: CGRect) -> CGRect {
            if case .style = kind { return bounds }
            // The bounds of a straight line may have no width or height to divide by.
            return bounds.insetBy(dx: -1, dy: -1)
        }
    }
}
