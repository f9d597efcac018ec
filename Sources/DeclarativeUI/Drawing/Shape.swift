import Foundation
import MediaCore

/// An outline in a rectangle. As a view, a shape is filled with the foreground style. Same API as in SwiftUI.
///
/// ```swift
/// struct PlayMark: Shape {
///     func path(in rect: CGRect) -> Path {
///         Path { path in
///             path.move(to: CGPoint(x: rect.minX, y: rect.minY))
///             path.addLine(to: CGPoint(x: rect.maxX, y: rect.midY))
///             path.addLine(to: CGPoint(x: rect.minX, y: rect.maxY))
///             path.closeSubpath()
///         }
///     }
/// }
/// ```
nonisolated public protocol Shape: View, Animatable, Sendable {
    /// Returns the outline in `rect`, in points.
    ///
    /// Called on the main thread, again for every size and for every frame of an animation. The result should depend
    /// only on `rect` and on the values of the shape.
    func path(in rect: CGRect) -> Path
}

// Each member has its own `@preconcurrency`, because an extension does not accept the attribute.
extension Shape {
    @MainActor @preconcurrency public var body: some View {
        ShapeView(shape: self, style: AnyShapeStyle(.foreground), paint: .fill(FillStyle()))
    }

    /// Fills the shape with `content`. The shape takes all the space that it is offered.
    @MainActor @preconcurrency public func fill(_ content: any ShapeStyle, style: FillStyle = FillStyle()) -> some View
    {
        ShapeView(shape: self, style: AnyShapeStyle(content), paint: .fill(style))
    }
    /// Fills the shape with the foreground style.
    @MainActor @preconcurrency public func fill(style: FillStyle = FillStyle()) -> some View {
        ShapeView(shape: self, style: AnyShapeStyle(.foreground), paint: .fill(style))
    }
    /// Draws a line along the outline, half of it inside.
    /// - Parameter lineWidth: The width in points.
    @MainActor @preconcurrency public func stroke(_ content: any ShapeStyle, lineWidth: CGFloat = 1) -> some View {
        ShapeView(shape: self, style: AnyShapeStyle(content), paint: .stroke(StrokeStyle(lineWidth: lineWidth)))
    }
    /// Draws a line along the outline in the given style, half of it inside.
    @MainActor @preconcurrency public func stroke(_ content: any ShapeStyle, style: StrokeStyle) -> some View {
        ShapeView(shape: self, style: AnyShapeStyle(content), paint: .stroke(style))
    }
    /// Draws a line along the outline in the foreground style, half of it inside.
    /// - Parameter lineWidth: The width in points.
    @MainActor @preconcurrency public func stroke(lineWidth: CGFloat = 1) -> some View {
        stroke(ForegroundStyle(), lineWidth: lineWidth)
    }
    /// Draws a line along the outline in the foreground style, with the width, dashes and ends of `style`.
    @MainActor @preconcurrency public func stroke(style: StrokeStyle) -> some View {
        stroke(ForegroundStyle(), style: style)
    }
    /// Returns the part of the outline between two fractions of its length, clamped to 0…1. The result is empty if
    /// `endFraction` is not greater than `startFraction`.
    ///
    /// ```swift
    /// Circle()
    ///     .trim(from: 0, to: fraction)
    ///     .stroke(Color.accentColor, style: StrokeStyle(lineWidth: 4, lineCap: .round))
    ///     .rotationEffect(.degrees(-90))
    ///     .frame(width: 32, height: 32)
    /// ```
    @MainActor @preconcurrency public func trim(from startFraction: CGFloat = 0, to endFraction: CGFloat = 1)
        -> some Shape
    {
        TrimmedShape(shape: self, from: startFraction, to: endFraction)
    }
    /// Returns the shape moved by `x` and `y` points.
    @MainActor @preconcurrency public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some Shape {
        TransformedShape(shape: self, kind: .offset(x, y))
    }
    /// Returns the shape rotated clockwise about `anchor` of its rectangle.
    @MainActor @preconcurrency public func rotation(_ angle: Angle, anchor: UnitPoint = .center) -> some Shape {
        TransformedShape(shape: self, kind: .rotation(angle, anchor))
    }
    /// Returns the shape scaled about `anchor` of its rectangle.
    @MainActor @preconcurrency public func scale(_ scale: CGFloat, anchor: UnitPoint = .center) -> some Shape {
        TransformedShape(shape: self, kind: .scale(scale, scale, anchor))
    }
    /// Returns the shape scaled about `anchor` of its rectangle, with a factor for each axis.
    @MainActor @preconcurrency public func scale(x: CGFloat = 1, y: CGFloat = 1, anchor: UnitPoint = .center)
        -> some Shape
    {
        TransformedShape(shape: self, kind: .scale(x, y, anchor))
    }
}

/// A shape that can be inset on all sides.
nonisolated public protocol InsettableShape: Shape {
    /// The type of the inset shape.
    associatedtype InsetShape: InsettableShape
    /// Returns the shape with its outline moved inward by `amount` points on all sides. A negative amount moves it
    /// outward.
    func inset(by amount: CGFloat) -> InsetShape
}

extension InsettableShape {
    /// Draws a line inside the outline.
    /// - Parameter lineWidth: The width in points.
    @MainActor @preconcurrency public func strokeBorder(_ content: any ShapeStyle, lineWidth: CGFloat = 1) -> some View
    {
        inset(by: lineWidth / 2).stroke(content, lineWidth: lineWidth)
    }
    /// Draws a line inside the outline, with the width, dashes and ends of `style`.
    @MainActor @preconcurrency public func strokeBorder(_ content: any ShapeStyle, style: StrokeStyle) -> some View {
        inset(by: style.lineWidth / 2).stroke(content, style: style)
    }
}

/// A rectangle that fills the space it is offered. Same API as in SwiftUI.
public struct Rectangle: InsettableShape {
    var amount: CGFloat = 0
    /// Creates a rectangle.
    public init() {}
    /// Returns the outline of `rect`, reduced by the inset.
    public func path(in rect: CGRect) -> Path { Path(rect.smaller(by: amount)) }
    /// Returns the shape inset by `amount` points on each side. The size does not become negative.
    public func inset(by amount: CGFloat) -> Rectangle { with(self) { $0.amount += amount } }
    /// An empty type: only the frame is animated.
    public typealias AnimatableData = EmptyAnimatableData
}

/// A rectangle with rounded corners that fills the space it is offered. Same API as in SwiftUI.
///
/// ```swift
/// ExtVideoPlayer(fileName: "film.mp4")
///     .clipShape(RoundedRectangle(cornerRadius: 12))
///     .overlay { RoundedRectangle(cornerRadius: 12).strokeBorder(.white.opacity(0.3)) }
/// ```
public struct RoundedRectangle: InsettableShape {
    /// The radii of the corners in points. One factor scales both down if they do not fit.
    public var cornerSize: CGSize
    /// The style of the corners. Every style draws arcs of circles.
    public var style: RoundedCornerStyle
    var amount: CGFloat = 0
    /// Creates a rectangle whose corners are quarters of an ellipse.
    /// - Parameter cornerSize: The radii in points.
    public init(cornerSize: CGSize, style: RoundedCornerStyle = .continuous) {
        self.cornerSize = cornerSize
        self.style = style
    }
    /// Creates a rectangle whose corners are quarters of a circle.
    /// - Parameter cornerRadius: The radius in points, limited to half the shorter side.
    public init(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {
        self.init(cornerSize: CGSize(width: cornerRadius, height: cornerRadius), style: style)
    }
    /// Returns the outline in `rect`. The inset reduces the rectangle and the radii.
    public func path(in rect: CGRect) -> Path {
        Path(
            roundedRect: rect.smaller(by: amount),
            cornerSize: CGSize(width: max(0, cornerSize.width - amount), height: max(0, cornerSize.height - amount)),
            style: style)
    }
    /// Returns the shape inset by `amount` points on each side. The size does not become negative.
    public func inset(by amount: CGFloat) -> RoundedRectangle { with(self) { $0.amount += amount } }
    /// The radii of the corners, which are animated.
    public var animatableData: AnimatablePair<CGFloat, CGFloat> {
        get { AnimatablePair(cornerSize.width, cornerSize.height) }
        set { cornerSize = CGSize(width: newValue.first, height: newValue.second) }
    }
}

/// A circle in the center of the space it is offered. Its diameter is the shorter side. Same API as in SwiftUI.
public struct Circle: InsettableShape {
    var amount: CGFloat = 0
    /// Creates a circle.
    public init() {}
    /// Returns the outline of the circle in the center of `rect`, reduced by the inset.
    public func path(in rect: CGRect) -> Path {
        let side = min(rect.width, rect.height)
        return Path(
            ellipseIn: CGRect(x: rect.midX - side / 2, y: rect.midY - side / 2, width: side, height: side).smaller(
                by: amount))
    }
    /// Returns the shape inset by `amount` points. The size does not become negative.
    public func inset(by amount: CGFloat) -> Circle { with(self) { $0.amount += amount } }
    /// An empty type: only the frame is animated.
    public typealias AnimatableData = EmptyAnimatableData
}

/// An ellipse that fills the space it is offered. Same API as in SwiftUI.
public struct Ellipse: InsettableShape {
    var amount: CGFloat = 0
    /// Creates an ellipse.
    public init() {}
    /// Returns the outline of the ellipse in `rect`, reduced by the inset.
    public func path(in rect: CGRect) -> Path { Path(ellipseIn: rect.smaller(by: amount)) }
    /// Returns the shape inset by `amount` points. The size does not become negative.
    public func inset(by amount: CGFloat) -> Ellipse { with(self) { $0.amount += amount } }
    /// An empty type: only the frame is animated.
    public typealias AnimatableData = EmptyAnimatableData
}

/// A rectangle whose shorter sides are half circles. Same API as in SwiftUI.
public struct Capsule: InsettableShape {
    var amount: CGFloat = 0
    /// Creates a capsule.
    /// - Parameter style: Has no effect.
    public init(style: RoundedCornerStyle = .continuous) {}
    /// Returns the outline in `rect`, reduced by the inset. The radius is half the shorter side.
    public func path(in rect: CGRect) -> Path {
        let inner = rect.smaller(by: amount)
        return Path(roundedRect: inner, cornerRadius: min(inner.width, inner.height) / 2)
    }
    /// Returns the shape inset by `amount` points on each side. The size does not become negative.
    public func inset(by amount: CGFloat) -> Capsule { with(self) { $0.amount += amount } }
    /// An empty type: only the frame is animated.
    public typealias AnimatableData = EmptyAnimatableData
}

// The short forms of the shapes, for parameters that are shapes: `.clipShape(.rect(cornerRadius: 12))`.

extension Shape where Self == Rectangle {
    /// A rectangle.
    nonisolated public static var rect: Rectangle { Rectangle() }
}
extension Shape where Self == RoundedRectangle {
    /// Returns a rectangle whose corners are quarters of a circle.
    /// - Parameters:
    ///   - cornerRadius: The radius in points, limited to half the shorter side.
    ///   - style: The style of the corners. Every style draws arcs of circles.
    nonisolated public static func rect(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous)
        -> RoundedRectangle
    {
        RoundedRectangle(cornerRadius: cornerRadius, style: style)
    }
    /// Returns a rectangle whose corners are quarters of an ellipse.
    /// - Parameters:
    ///   - cornerSize: The radii in points.
    ///   - style: The style of the corners. Every style draws arcs of ellipses.
    nonisolated public static func rect(cornerSize: CGSize, style: RoundedCornerStyle = .continuous)
        -> RoundedRectangle
    {
        RoundedRectangle(cornerSize: cornerSize, style: style)
    }
}
extension Shape where Self == Circle {
    /// A circle.
    nonisolated public static var circle: Circle { Circle() }
}
extension Shape where Self == Ellipse {
    /// An ellipse.
    nonisolated public static var ellipse: Ellipse { Ellipse() }
}
extension Shape where Self == Capsule {
    /// A capsule.
    nonisolated public static var capsule: Capsule { Capsule() }
    /// Returns a capsule.
    /// - Parameter style: Has no effect.
    nonisolated public static func capsule(style: RoundedCornerStyle) -> Capsule { Capsule(style: style) }
}

struct TrimmedShape<S: Shape>: Shape {
    var shape: S
    var from, to: CGFloat
    func path(in rect: CGRect) -> Path { shape.path(in: rect).trimmedPath(from: from, to: to) }
    var animatableData: AnimatablePair<S.AnimatableData, AnimatablePair<CGFloat, CGFloat>> {
        get { AnimatablePair(shape.animatableData, AnimatablePair(from, to)) }
        set {
            shape.animatableData = newValue.first
            from = newValue.second.first
            to = newValue.second.second
        }
    }
}

struct TransformedShape<S: Shape>: Shape {
    enum Kind: Sendable {
        case offset(CGFloat, CGFloat)
        case rotation(Angle, UnitPoint)
        case scale(CGFloat, CGFloat, UnitPoint)
    }
    var shape: S
    let kind: Kind
    func path(in rect: CGRect) -> Path {
        let path = shape.path(in: rect)
        switch kind {
        case .offset(let x, let y): return path.offsetBy(dx: x, dy: y)
        case .rotation(let angle, let anchor):
            return path.applying(CGAffineTransform(rotationAngle: angle.radians).around(anchor, rect))
        case .scale(let x, let y, let anchor):
            return path.applying(CGAffineTransform(scaleX: x, y: y).around(anchor, rect))
        }
    }
    var animatableData: S.AnimatableData {
        get { shape.animatableData }
        set { shape.animatableData = newValue }
    }
}

extension CGRect {
    func smaller(by amount: CGFloat) -> CGRect {
        let amount = amount.within(1_000_000)
        let dx = min(amount, width / 2)
        let dy = min(amount, height / 2)
        return CGRect(x: minX + dx, y: minY + dy, width: width - 2 * dx, height: height - 2 * dy)
    }
}
