import Foundation
import MediaCore

/// An outline in a rectangle; as a view it is filled with the foreground style. SwiftUI's protocol.
nonisolated public protocol Shape: View, Animatable, Sendable {
    /// The outline in `rect`, points. Called anew for every size and for every frame of an animation: it should depend
    /// on `rect` and the shape's own values only.
    func path(in rect: CGRect) -> Path
}

// Each for itself: an extension takes no `@preconcurrency`.
extension Shape {
    @MainActor @preconcurrency public var body: some View {
        ShapeView(shape: self, style: AnyShapeStyle(.foreground), paint: .fill(FillStyle()))
    }

    /// Fills the shape with `content`; it takes all the room that is offered.
    @MainActor @preconcurrency public func fill(_ content: any ShapeStyle, style: FillStyle = FillStyle()) -> some View
    {
        ShapeView(shape: self, style: AnyShapeStyle(content), paint: .fill(style))
    }
    /// Fills the shape with the foreground style.
    @MainActor @preconcurrency public func fill(style: FillStyle = FillStyle()) -> some View {
        ShapeView(shape: self, style: AnyShapeStyle(.foreground), paint: .fill(style))
    }
    /// A line along the outline, half of it inside. - Parameter lineWidth: points.
    @MainActor @preconcurrency public func stroke(_ content: any ShapeStyle, lineWidth: CGFloat = 1) -> some View {
        ShapeView(shape: self, style: AnyShapeStyle(content), paint: .stroke(StrokeStyle(lineWidth: lineWidth)))
    }
    /// A line along the outline, half of it inside, with dashes and ends as `style` says.
    @MainActor @preconcurrency public func stroke(_ content: any ShapeStyle, style: StrokeStyle) -> some View {
        ShapeView(shape: self, style: AnyShapeStyle(content), paint: .stroke(style))
    }
    /// A line along the outline in the foreground style, half of it inside.
    /// - Parameter lineWidth: points.
    @MainActor @preconcurrency public func stroke(lineWidth: CGFloat = 1) -> some View {
        stroke(ForegroundStyle(), lineWidth: lineWidth)
    }
    /// A line along the outline in the foreground style, as `style` says.
    @MainActor @preconcurrency public func stroke(style: StrokeStyle) -> some View {
        stroke(ForegroundStyle(), style: style)
    }
    /// The part between two fractions of the outline's length, 0…1.
    @MainActor @preconcurrency public func trim(from startFraction: CGFloat = 0, to endFraction: CGFloat = 1)
        -> some Shape
    {
        TrimmedShape(shape: self, from: startFraction, to: endFraction)
    }
    /// The same shape, moved by points.
    @MainActor @preconcurrency public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some Shape {
        TransformedShape(shape: self, kind: .offset(x, y))
    }
    /// The same shape, turned clockwise about `anchor` of its rectangle.
    @MainActor @preconcurrency public func rotation(_ angle: Angle, anchor: UnitPoint = .center) -> some Shape {
        TransformedShape(shape: self, kind: .rotation(angle, anchor))
    }
    /// The same shape, `scale` times as large about `anchor` of its rectangle.
    @MainActor @preconcurrency public func scale(_ scale: CGFloat, anchor: UnitPoint = .center) -> some Shape {
        TransformedShape(shape: self, kind: .scale(scale, anchor))
    }
}

/// A shape that can be made smaller all around.
nonisolated public protocol InsettableShape: Shape {
    /// The type of the smaller shape.
    associatedtype InsetShape: InsettableShape
    /// The shape with its outline moved inwards by `amount` points all around; negative moves it outwards.
    func inset(by amount: CGFloat) -> InsetShape
}

extension InsettableShape {
    /// A line inside the outline. - Parameter lineWidth: points.
    @MainActor @preconcurrency public func strokeBorder(_ content: any ShapeStyle, lineWidth: CGFloat = 1) -> some View
    {
        inset(by: lineWidth / 2).stroke(content, lineWidth: lineWidth)
    }
    /// A line inside the outline, as `style` says.
    @MainActor @preconcurrency public func strokeBorder(_ content: any ShapeStyle, style: StrokeStyle) -> some View {
        inset(by: style.lineWidth / 2).stroke(content, style: style)
    }
}

/// A rectangle that fills what it is offered. SwiftUI's shape.
public struct Rectangle: InsettableShape {
    var amount: CGFloat = 0
    /// Makes the shape.
    public init() {}
    /// The outline of `rect`, made smaller by the inset.
    public func path(in rect: CGRect) -> Path { Path(rect.smaller(by: amount)) }
    /// The same, smaller by `amount` points at each side; never less than nothing.
    public func inset(by amount: CGFloat) -> Rectangle { with(self) { $0.amount += amount } }
    /// Nothing of it is animated but its frame.
    public typealias AnimatableData = EmptyAnimatableData
}

/// A rectangle with round corners that fills what it is offered. SwiftUI's shape.
public struct RoundedRectangle: InsettableShape {
    /// The corners' radii, points; made smaller by one factor where they do not fit.
    public var cornerSize: CGSize
    /// How the corners are rounded: as circles, whichever is said.
    public var style: RoundedCornerStyle
    var amount: CGFloat = 0
    /// Makes the shape with corners that are quarters of an ellipse.
    /// - Parameter cornerSize: radii, points.
    public init(cornerSize: CGSize, style: RoundedCornerStyle = .continuous) {
        self.cornerSize = cornerSize
        self.style = style
    }
    /// - Parameter cornerRadius: points; at most half the shorter side.
    public init(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {
        self.init(cornerSize: CGSize(width: cornerRadius, height: cornerRadius), style: style)
    }
    /// The outline in `rect`, made smaller by the inset, as are the radii.
    public func path(in rect: CGRect) -> Path {
        Path(
            roundedRect: rect.smaller(by: amount),
            cornerSize: CGSize(width: max(0, cornerSize.width - amount), height: max(0, cornerSize.height - amount)),
            style: style)
    }
    /// The same, smaller by `amount` points at each side; never less than nothing.
    public func inset(by amount: CGFloat) -> RoundedRectangle { with(self) { $0.amount += amount } }
    /// The corners' radii, which are animated.
    public var animatableData: AnimatablePair<CGFloat, CGFloat> {
        get { AnimatablePair(cornerSize.width, cornerSize.height) }
        set { cornerSize = CGSize(width: newValue.first, height: newValue.second) }
    }
}

/// A circle in the middle of what it is offered, as large as the shorter side. SwiftUI's shape.
public struct Circle: InsettableShape {
    var amount: CGFloat = 0
    /// Makes the shape.
    public init() {}
    /// The outline of the circle in the middle of `rect`, made smaller by the inset.
    public func path(in rect: CGRect) -> Path {
        let side = min(rect.width, rect.height)
        return Path(
            ellipseIn: CGRect(x: rect.midX - side / 2, y: rect.midY - side / 2, width: side, height: side).smaller(
                by: amount))
    }
    /// The same, smaller by `amount` points all around; never less than nothing.
    public func inset(by amount: CGFloat) -> Circle { with(self) { $0.amount += amount } }
    /// Nothing of it is animated but its frame.
    public typealias AnimatableData = EmptyAnimatableData
}

/// An ellipse that fills what it is offered. SwiftUI's shape.
public struct Ellipse: InsettableShape {
    var amount: CGFloat = 0
    /// Makes the shape.
    public init() {}
    /// The outline of the ellipse in `rect`, made smaller by the inset.
    public func path(in rect: CGRect) -> Path { Path(ellipseIn: rect.smaller(by: amount)) }
    /// The same, smaller by `amount` points all around; never less than nothing.
    public func inset(by amount: CGFloat) -> Ellipse { with(self) { $0.amount += amount } }
    /// Nothing of it is animated but its frame.
    public typealias AnimatableData = EmptyAnimatableData
}

/// A rectangle whose shorter sides are half circles. SwiftUI's shape.
public struct Capsule: InsettableShape {
    var amount: CGFloat = 0
    /// Makes the shape; `style` has no effect.
    public init(style: RoundedCornerStyle = .continuous) {}
    /// The outline in `rect`, made smaller by the inset; the radius is half the shorter side.
    public func path(in rect: CGRect) -> Path {
        let inner = rect.smaller(by: amount)
        return Path(roundedRect: inner, cornerRadius: min(inner.width, inner.height) / 2)
    }
    /// The same, smaller by `amount` points at each side; never less than nothing.
    public func inset(by amount: CGFloat) -> Capsule { with(self) { $0.amount += amount } }
    /// Nothing of it is animated but its frame.
    public typealias AnimatableData = EmptyAnimatableData
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
        case scale(CGFloat, UnitPoint)
    }
    var shape: S
    let kind: Kind
    func path(in rect: CGRect) -> Path {
        let path = shape.path(in: rect)
        switch kind {
        case .offset(let x, let y): return path.offsetBy(dx: x, dy: y)
        case .rotation(let angle, let anchor):
            return path.applying(CGAffineTransform(rotationAngle: angle.radians).around(anchor, rect))
        case .scale(let scale, let anchor):
            return path.applying(CGAffineTransform(scaleX: scale, y: scale).around(anchor, rect))
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
