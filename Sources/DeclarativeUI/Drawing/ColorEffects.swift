import CGTK
import Foundation
import GTK
@_spi(Graph) import ViewGraph

/// A modifier that changes the colors of everything its content draws.
struct ColorEffect: ElementModifier {
    enum Kind: Hashable { case saturation, brightness, contrast, hueRotation, inversion, multiplication }
    let kind: Kind
    /// The parameters of the effect: one number, or red, green, blue and opacity of a factor.
    let numbers: @MainActor (EnvironmentValues) -> [Double]
    func makeElement() -> ColorEffectElement { ColorEffectElement(kind) }
    func update(_ element: ColorEffectElement, _ fiber: _Fiber) {
        element.set(kind, numbers(fiber.environment), fiber.graph)
    }
}

final class ColorEffectElement: WrapperElement, DrawnElement {
    private var kind: ColorEffect.Kind
    private var numbers = Animated(AnimatableNumbers([]))

    init(_ kind: ColorEffect.Kind) { self.kind = kind }

    func set(_ kind: ColorEffect.Kind, _ next: [Double], _ graph: ViewGraph) {
        let next = next.map { $0.isFinite ? min(1000, max(-1000, $0)) : 0 }
        if numbers.target.values.count != next.count || kind != self.kind {
            numbers = Animated(AnimatableNumbers(next))
        } else if next != numbers.target.values {
            let animation = graph.transaction.effective
            numbers.set(AnimatableNumbers(next), animation, now: graph.now())
            if animation != nil { host?.animate() }
        }
        self.kind = kind
        setNeedsDisplay()
    }

    override func isAnimatingItself(_ now: Double) -> Bool { numbers.isRunning(now) }

    func draw(_ context: DrawContext, _ size: CGSize) {
        let change = ColorChange(kind, numbers.value(context.now).values)
        guard !change.isNone else { return drawChildren(context) }
        context.snapshot.pushColorMatrix(change.rows, change.offset)
        context.throughEffect { drawChildren(context) }
        context.snapshot.pop()
    }
}

/// A change of colors: a matrix for red, green, blue and opacity, and an offset to add. Colors are not premultiplied.
struct ColorChange: Equatable {
    /// The matrix. Each row belongs to an old component and contains that component's shares in the new components.
    var rows: [Float] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    var offset: [Float] = [0, 0, 0, 0]
    var isNone: Bool { self == ColorChange() }

    private init() {}

    init(_ kind: ColorEffect.Kind, _ numbers: [Double]) {
        guard let amount = numbers.first else { return }
        // The luminance of red, green and blue.
        let luma = [0.2126, 0.7152, 0.0722]
        switch kind {
        case .saturation:
            set { from, to in luma[from] * (1 - amount) + (from == to ? amount : 0) }
        case .brightness:
            offset = [Float(amount), Float(amount), Float(amount), 0]
        case .contrast:
            set { from, to in from == to ? amount : 0 }
            let middle = Float(0.5 - amount / 2)
            offset = [middle, middle, middle, 0]
        case .hueRotation:
            let (cosine, sine) = (cos(amount), sin(amount))
            // The matrix rotates the hue and keeps the brightness.
            let rotation: [[Double]] = [
                [-luma[0], 0.143, luma[0] - 1], [-luma[1], 0.140, luma[1]], [1 - luma[2], -0.283, luma[2]],
            ]
            set { from, to in luma[from] + cosine * ((from == to ? 1 : 0) - luma[from]) + sine * rotation[from][to] }
        case .inversion:
            set { from, to in from == to ? 1 - 2 * amount : 0 }
            offset = [Float(amount), Float(amount), Float(amount), 0]
        case .multiplication:
            guard numbers.count == 4 else { return }
            for index in 0..<4 { rows[index * 5] = Float(numbers[index]) }
        }
    }

    private mutating func set(_ share: (_ from: Int, _ to: Int) -> Double) {
        for from in 0..<3 { for to in 0..<3 { rows[from * 4 + to] = Float(share(from, to)) } }
    }
}

extension View {
    private func colors(_ kind: ColorEffect.Kind, _ amount: Double) -> some View {
        elementModifier(ColorEffect(kind: kind) { _ in [amount] })
    }
    /// Changes the saturation of this view.
    /// - Parameter amount: 0 is gray, 1 changes nothing, more increases the saturation.
    public func saturation(_ amount: Double) -> some View { colors(.saturation, amount) }
    /// Reduces the colors of this view to gray.
    /// - Parameter amount: The amount, clamped to 0…1. 0 changes nothing, 1 is gray.
    public func grayscale(_ amount: Double) -> some View { colors(.saturation, 1 - Color.clamped(amount)) }
    /// Changes the brightness of this view.
    /// - Parameter amount: −1 is black, 0 changes nothing, 1 is white.
    public func brightness(_ amount: Double) -> some View { colors(.brightness, amount) }
    /// Changes the contrast of this view.
    /// - Parameter amount: 0 is gray, 1 changes nothing. A value below 0 also inverts.
    public func contrast(_ amount: Double) -> some View { colors(.contrast, amount) }
    /// Rotates the hue of all colors by an angle.
    public func hueRotation(_ angle: Angle) -> some View { colors(.hueRotation, angle.radians) }
    /// Inverts the colors of this view.
    public func colorInvert() -> some View { colors(.inversion, 1) }
    /// Multiplies the colors of this view by `color`. White changes nothing.
    public func colorMultiply(_ color: Color) -> some View {
        elementModifier(
            ColorEffect(kind: .multiplication) { environment in
                let factor = color.resolved(dark: environment.colorScheme == .dark, accent: environment.tintColor)
                return [factor.red, factor.green, factor.blue, factor.opacity]
            })
    }
    /// Returns the view unchanged. On Linux, every effect already draws its view as one layer.
    public func compositingGroup() -> some View { self }
    /// Returns the view unchanged. GTK's renderer already keeps the drawing.
    /// - Parameters:
    ///   - opaque: Has no effect; it is for Metal.
    ///   - colorMode: Has no effect; it is for Metal.
    public func drawingGroup(opaque: Bool = false, colorMode: ColorRenderingMode = .nonLinear) -> some View { self }
    /// Returns the view unchanged. On Linux, each view's frame is already animated separately.
    public func geometryGroup() -> some View { self }
    /// Draws a line along the inner edge of this view's bounds.
    /// - Parameter width: The width in points.
    public func border<S: ShapeStyle>(_ content: S, width: CGFloat = 1) -> some View {
        overlay(Rectangle().strokeBorder(content, lineWidth: width).allowsHitTesting(false))
    }
}
