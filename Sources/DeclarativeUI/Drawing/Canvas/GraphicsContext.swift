import Foundation
import GTK
import MediaCore
@_spi(Graph) import ViewGraph

/// The context in which a `Canvas` draws. Same API as in SwiftUI, without filters, tiled images and the backdrop.
///
/// A context is a value. A copy has its own transform, clips and opacity, and draws into the same canvas. All lengths
/// are in points. Use a context only on the main thread: a call on another thread ends the program. Use it only while
/// the canvas draws; later drawing has no effect.
public struct GraphicsContext {
    /// The opacity of everything drawn from now on, clamped to 0…1.
    public var opacity = 1.0
    /// The way in which later drawing is mixed with the existing content of the canvas.
    public var blendMode = BlendMode.normal
    /// The transform from the context's space to the canvas's space.
    public var transform = CGAffineTransform.identity
    /// The environment of the canvas.
    public let environment: EnvironmentValues
    let target: CanvasTarget
    var clips: [Clip] = []

    struct Clip {
        let path: Path
        let isEOFilled, isInverse: Bool
        let transform: CGAffineTransform
    }

    init(target: CanvasTarget, environment: EnvironmentValues) {
        self.target = target
        self.environment = environment
    }

    /// The way in which drawing is mixed with the existing content of the canvas.
    public struct BlendMode: Hashable, Sendable {
        let rawValue: Int32
        private init(_ rawValue: Int32) { self.rawValue = rawValue }
        // The raw values are the numbers of cairo's operators.
        /// The basic modes. `normal` draws over the content; `multiply` darkens; `screen` brightens; `overlay` darkens
        /// or brightens, depending on the content.
        public static let normal = BlendMode(2), multiply = BlendMode(14), screen = BlendMode(15),
            overlay = BlendMode(16)
        /// The modes that darken or brighten. `darken` and `lighten` keep the darker or lighter value of each channel.
        /// `colorDodge` brightens the content by the drawn color, and `colorBurn` darkens it.
        public static let darken = BlendMode(17), lighten = BlendMode(18), colorDodge = BlendMode(19),
            colorBurn = BlendMode(20)
        /// The contrast modes. `hardLight` and `softLight` multiply or screen, depending on the drawn color.
        /// `difference` subtracts, and `exclusion` does so with less contrast.
        public static let hardLight = BlendMode(21), softLight = BlendMode(22), difference = BlendMode(23),
            exclusion = BlendMode(24)
        /// The modes that take some properties from the drawing and the rest from the content: hue, saturation, hue and
        /// saturation, or luminosity.
        public static let hue = BlendMode(25), saturation = BlendMode(26), color = BlendMode(27),
            luminosity = BlendMode(28)
        /// The modes that decide where the drawing is visible. `clear` erases the content; `copy` replaces it.
        /// `sourceIn` draws only where there is content, `sourceOut` only where there is none. `sourceAtop` draws over
        /// content only.
        public static let clear = BlendMode(0), copy = BlendMode(1), sourceIn = BlendMode(3), sourceOut = BlendMode(4),
            sourceAtop = BlendMode(5)
        /// The modes that decide where the content stays visible. `destinationOver` draws behind it. `destinationIn`
        /// keeps it only under the drawing, `destinationOut` only outside. `destinationAtop` keeps it under the
        /// drawing, and draws behind it.
        public static let destinationOver = BlendMode(7), destinationIn = BlendMode(8), destinationOut = BlendMode(9),
            destinationAtop = BlendMode(10)
        /// The modes that treat drawing and content alike. `xor` keeps each where the other is absent; `plusLighter`
        /// adds both.
        public static let xor = BlendMode(11), plusLighter = BlendMode(12)
    }

    /// The options of a clip.
    public struct ClipOptions: OptionSet, Sendable {
        /// The options as bits; bit 0 is `inverse`.
        public let rawValue: UInt32
        /// Creates options from raw bits. Bits other than bit 0 have no effect.
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// The option that keeps the drawing outside of the path, and hides the drawing inside.
        public static let inverse = ClipOptions(rawValue: 1)
    }

    // MARK: transforms and clips

    /// Scales everything drawn from now on by `x` and `y`, about the context's origin.
    public mutating func scaleBy(x: CGFloat, y: CGFloat) {
        concatenate(CGAffineTransform(scaleX: x, y: y))
    }
    /// Moves everything drawn from now on by `x` and `y` points.
    public mutating func translateBy(x: CGFloat, y: CGFloat) {
        concatenate(CGAffineTransform(translationX: x, y: y))
    }
    /// Rotates everything drawn from now on clockwise, about the context's origin.
    public mutating func rotate(by angle: Angle) { concatenate(CGAffineTransform(rotationAngle: angle.radians)) }
    /// Applies `matrix` before the current transform.
    public mutating func concatenate(_ matrix: CGAffineTransform) { transform = matrix.concatenating(transform) }

    /// Limits everything drawn from now on to `path`.
    public mutating func clip(to path: Path, style: FillStyle = FillStyle(), options: ClipOptions = ClipOptions()) {
        clips.append(
            Clip(path: path, isEOFilled: style.isEOFilled, isInverse: options.contains(.inverse), transform: transform))
    }
    /// The bounds of the area that clips leave visible, in the context's space, or `.zero` if nothing is visible.
    /// Inverse clips do not count.
    public var clipBoundingRect: CGRect {
        guard let back = transform.inverse else { return .zero }
        let target = target
        var all = CGRect(origin: .zero, size: MainActor.assumeIsolated { target.size })
        for clip in clips where !clip.isInverse {
            all = all.intersection(clip.path.boundingRect.applying(clip.transform))
        }
        return all.isNull ? .zero : all.applying(back)
    }

    // MARK: drawing

    /// Fills the inside of a path. The rule of `style` decides what is inside.
    public func fill(_ path: Path, with shading: Shading, style: FillStyle = FillStyle()) {
        MainThread.run(self) { me in me.target.fill(me, path, shading, style.isEOFilled) }
    }
    /// Draws a line along a path with the width, ends and dashes of `style`.
    public func stroke(_ path: Path, with shading: Shading, style: StrokeStyle) {
        MainThread.run(self) { me in me.target.stroke(me, path, shading, style) }
    }
    /// Draws a solid line along a path.
    /// - Parameter lineWidth: The width in points. Values of 0 and less draw nothing.
    public func stroke(_ path: Path, with shading: Shading, lineWidth: CGFloat = 1) {
        stroke(path, with: shading, style: StrokeStyle(lineWidth: lineWidth))
    }

    /// Draws the result of `content` as one layer, with this context's opacity and blend mode.
    /// - Throws: The error that `content` throws. Everything that `content` drew before the error stays visible.
    public func drawLayer(content: (inout GraphicsContext) throws -> Void) rethrows {
        let isDrawn = MainThread.run(target) { $0.beginLayer() }
        defer { if isDrawn { MainThread.run(self) { $0.target.endLayer($0) } } }
        var inner = self
        inner.opacity = 1
        inner.blendMode = .normal
        try content(&inner)
    }

    // MARK: text, images and symbols

    /// Returns text that is ready to be measured and drawn, in the canvas's environment.
    public func resolve(_ text: Text) -> ResolvedText { ResolvedText(text: text, environment: environment) }
    /// Draws text in a rectangle.
    /// - Parameter rect: The rectangle in points. Text that does not fit is cut off with an ellipsis.
    public func draw(_ text: ResolvedText, in rect: CGRect) {
        MainThread.run((self, text)) { me, text in
            let element = text.element(rect)
            me.target.draw(
                me, element, CGRect(origin: rect.origin, size: element.sizeThatFits(ProposedViewSize(rect.size))))
        }
    }
    /// Draws text in its own size, with its `anchor` at `point`.
    public func draw(_ text: ResolvedText, at point: CGPoint, anchor: UnitPoint = .center) {
        let size = text.measure(in: CGSize(width: CGFloat.infinity, height: .infinity))
        draw(text, in: GraphicsContext.rect(size, point, anchor))
    }
    /// Draws text in `rect`. Text that does not fit is cut off with an ellipsis.
    public func draw(_ text: Text, in rect: CGRect) { draw(resolve(text), in: rect) }
    /// Draws text in its own size, with its `anchor` at `point`.
    public func draw(_ text: Text, at point: CGPoint, anchor: UnitPoint = .center) {
        draw(resolve(text), at: point, anchor: anchor)
    }

    /// Returns an image that is ready to be measured and drawn, in the canvas's environment.
    public func resolve(_ image: Image) -> ResolvedImage {
        let target = target
        return MainActor.assumeIsolated { ResolvedImage(element: target.element(image)) }
    }
    /// Draws an image that fills `rect` and may be distorted.
    /// - Parameter style: Has no effect.
    public func draw(_ image: ResolvedImage, in rect: CGRect, style: FillStyle = FillStyle()) {
        MainThread.run(self) { me in me.target.draw(me, image.element, rect) }
    }
    /// Draws an image in its own size, with its `anchor` at `point`.
    public func draw(_ image: ResolvedImage, at point: CGPoint, anchor: UnitPoint = .center) {
        draw(image, in: GraphicsContext.rect(image.size, point, anchor))
    }
    /// Draws an image that fills `rect` and may be distorted.
    /// - Parameter style: Has no effect.
    public func draw(_ image: Image, in rect: CGRect, style: FillStyle = FillStyle()) {
        draw(resolve(image), in: rect, style: style)
    }
    /// Draws an image in its own size, with its `anchor` at `point`.
    public func draw(_ image: Image, at point: CGPoint, anchor: UnitPoint = .center) {
        draw(resolve(image), at: point, anchor: anchor)
    }

    /// Returns the canvas's symbol whose `tag` is `id`, or whose identity in a `ForEach` is `id`.
    /// - Returns: The symbol, or nil if there is none.
    public func resolveSymbol<ID: Hashable>(id: ID) -> ResolvedSymbol? {
        MainThread.run((target, AnyHashable(id))) { target, key in
            target.symbol(key).map { ResolvedSymbol(element: $0) }
        }
    }
    /// Draws a symbol that fills `rect`.
    public func draw(_ symbol: ResolvedSymbol, in rect: CGRect) {
        MainThread.run(self) { me in me.target.draw(me, symbol.element, rect) }
    }
    /// Draws a symbol in its own size, with its `anchor` at `point`.
    public func draw(_ symbol: ResolvedSymbol, at point: CGPoint, anchor: UnitPoint = .center) {
        draw(symbol, in: GraphicsContext.rect(symbol.size, point, anchor))
    }

    private static func rect(_ size: CGSize, _ point: CGPoint, _ anchor: UnitPoint) -> CGRect {
        CGRect(
            x: point.x - size.width * anchor.sanitized.x, y: point.y - size.height * anchor.sanitized.y,
            width: size.width,
            height: size.height)
    }

    /// Text that is ready to be drawn.
    public struct ResolvedText {
        let text: Text
        let environment: EnvironmentValues
        /// The shading of letters where the text sets no color itself.
        public var shading = Shading.foreground

        @MainActor func element(_ rect: CGRect) -> TextElement {
            let element = TextElement()
            var environment = environment
            if case .foreground(0) = shading.style(in: rect) {
            } else {
                environment.foregroundStyle = AnyShapeStyle(shading.styled(in: rect))
            }
            element.set(text, environment)
            return element
        }
        /// Returns the size of the text when it is offered `size`. An infinite length sets no limit.
        public func measure(in size: CGSize) -> CGSize {
            return MainThread.run(self) { me in
                me.element(CGRect(origin: .zero, size: size)).sizeThatFits(GraphicsContext.proposal(size))
            }
        }
        /// Returns the distance from the top to the first line's baseline in points, when the text is offered `size`.
        public func firstBaseline(in size: CGSize) -> CGFloat {
            baseline(VerticalAlignment.firstTextBaseline.key, size)
        }
        /// Returns the distance from the top to the last line's baseline in points, when the text is offered `size`.
        public func lastBaseline(in size: CGSize) -> CGFloat { baseline(VerticalAlignment.lastTextBaseline.key, size) }
        private func baseline(_ key: AlignmentKey, _ size: CGSize) -> CGFloat {
            return MainThread.run(self) { me in
                me.element(CGRect(origin: .zero, size: size)).explicitGuide(key, size) ?? size.height
            }
        }
    }

    /// Returns a proposal of `size`. An infinite length becomes unspecified.
    static func proposal(_ size: CGSize) -> ProposedViewSize {
        ProposedViewSize(
            width: size.width.isFinite ? size.width : nil, height: size.height.isFinite ? size.height : nil)
    }

    /// An image that is ready to be drawn.
    public struct ResolvedImage: Sendable {
        let element: ImageElement
        /// The image's own size in points.
        public var size: CGSize { MainActor.assumeIsolated { element.sizeThatFits(.unspecified) } }
        /// The distance from the top to the baseline of text beside the image, in points. For an image that is not a
        /// symbol, its height.
        public var baseline: CGFloat {
            MainActor.assumeIsolated {
                element.explicitGuide(VerticalAlignment.firstTextBaseline.key, element.sizeThatFits(.unspecified))
                    ?? element.sizeThatFits(.unspecified).height
            }
        }
    }

    /// A symbol of the canvas that is ready to be drawn.
    public struct ResolvedSymbol: Sendable {
        let element: Element
        /// The symbol's own size in points.
        public var size: CGSize { MainActor.assumeIsolated { element.sizeThatFits(.unspecified) } }
    }
}
