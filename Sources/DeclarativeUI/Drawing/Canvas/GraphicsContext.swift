import Foundation
import GTK
import MediaCore
@_spi(Graph) import ViewGraph

/// What a `Canvas` is drawn with. SwiftUI's type.
///
/// A value: a copy has a transform, clips and an opacity of its own, and draws into the same canvas. Lengths are
/// points. Main thread, and only while the canvas is drawn: what is drawn later is nowhere. (Filters, tiled images and
/// the backdrop are left out.)
public struct GraphicsContext {
    /// 0…1, of all that is drawn from now on; clamped.
    public var opacity = 1.0
    /// How what is drawn from now on is mixed with what the canvas shows already.
    public var blendMode = BlendMode.normal
    /// Of the context's space into the canvas'.
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

    /// How what is drawn is mixed with what the canvas shows already.
    public struct BlendMode: Hashable, Sendable {
        let rawValue: Int32
        private init(_ rawValue: Int32) { self.rawValue = rawValue }
        // Cairo's operators by their numbers.
        /// What is drawn over what is there (`normal`); the product of both, which darkens; the product of their
        /// inverses, which brightens; or one of the last two, by what is there.
        public static let normal = BlendMode(2), multiply = BlendMode(14), screen = BlendMode(15),
            overlay = BlendMode(16)
        /// The darker or the lighter of both, channel by channel; or what is there made lighter or darker by what is
        /// drawn.
        public static let darken = BlendMode(17), lighten = BlendMode(18), colorDodge = BlendMode(19),
            colorBurn = BlendMode(20)
        /// `multiply` or `screen` by what is drawn, hard or soft; or the difference of both, plain or with less
        /// contrast.
        public static let hardLight = BlendMode(21), softLight = BlendMode(22), difference = BlendMode(23),
            exclusion = BlendMode(24)
        /// Hue, saturation, hue and saturation, or lightness of what is drawn, the rest of what is there.
        public static let hue = BlendMode(25), saturation = BlendMode(26), color = BlendMode(27),
            luminosity = BlendMode(28)
        /// Takes away what is there; takes its place; or draws only where something is, only where nothing is, or over
        /// what is there only.
        public static let clear = BlendMode(0), copy = BlendMode(1), sourceIn = BlendMode(3), sourceOut = BlendMode(4),
            sourceAtop = BlendMode(5)
        /// Draws behind what is there; or keeps of that only what lies under the drawing, only what does not, or the
        /// drawing behind it.
        public static let destinationOver = BlendMode(7), destinationIn = BlendMode(8), destinationOut = BlendMode(9),
            destinationAtop = BlendMode(10)
        /// Keeps each where the other is not; or adds both up.
        public static let xor = BlendMode(11), plusLighter = BlendMode(12)
    }

    /// How a path clips.
    public struct ClipOptions: OptionSet, Sendable {
        /// One bit an option; 1 is `inverse`.
        public let rawValue: UInt32
        /// Makes a set of raw bits; bits other than 1 mean nothing.
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// What lies outside of the path stays.
        public static let inverse = ClipOptions(rawValue: 1)
    }

    // MARK: transforms and clips

    /// What is drawn from now on is `x` times as wide and `y` times as high, about the context's origin.
    public mutating func scaleBy(x: CGFloat, y: CGFloat) {
        concatenate(CGAffineTransform(scaleX: x, y: y))
    }
    /// What is drawn from now on lies `x` and `y` points away.
    public mutating func translateBy(x: CGFloat, y: CGFloat) {
        concatenate(CGAffineTransform(translationX: x, y: y))
    }
    /// Clockwise.
    public mutating func rotate(by angle: Angle) { concatenate(CGAffineTransform(rotationAngle: angle.radians)) }
    /// First `matrix`, then what was there.
    public mutating func concatenate(_ matrix: CGAffineTransform) { transform = matrix.concatenating(transform) }

    /// From now on only what lies in `path` is drawn.
    public mutating func clip(to path: Path, style: FillStyle = FillStyle(), options: ClipOptions = ClipOptions()) {
        clips.append(
            Clip(path: path, isEOFilled: style.isEOFilled, isInverse: options.contains(.inverse), transform: transform))
    }
    /// Around all that may still be drawn, in the context's space.
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

    /// Fills the inside of a path, as `style` says what that is.
    public func fill(_ path: Path, with shading: Shading, style: FillStyle = FillStyle()) {
        MainThread.run(self) { me in me.target.fill(me, path, shading, style.isEOFilled) }
    }
    /// Draws a line along a path, with width, ends and dashes as `style` says.
    public func stroke(_ path: Path, with shading: Shading, style: StrokeStyle) {
        MainThread.run(self) { me in me.target.stroke(me, path, shading, style) }
    }
    /// Draws a solid line along a path.
    /// - Parameter lineWidth: points; not more than 0 draws nothing.
    public func stroke(_ path: Path, with shading: Shading, lineWidth: CGFloat = 1) {
        stroke(path, with: shading, style: StrokeStyle(lineWidth: lineWidth))
    }

    /// What `content` draws, as a whole: this context's opacity and blend mode hold for all of it at once.
    public func drawLayer(content: (inout GraphicsContext) throws -> Void) rethrows {
        let isDrawn = MainThread.run(target) { $0.beginLayer() }
        defer { if isDrawn { MainThread.run(self) { $0.target.endLayer($0) } } }
        var inner = self
        inner.opacity = 1
        inner.blendMode = .normal
        try content(&inner)
    }

    // MARK: texts, images and symbols

    /// Makes a text ready to be measured and drawn, in the canvas' environment.
    public func resolve(_ text: Text) -> ResolvedText { ResolvedText(text: text, environment: environment) }
    /// - Parameter rect: what does not fit is cut off with an ellipsis.
    public func draw(_ text: ResolvedText, in rect: CGRect) {
        MainThread.run((self, text)) { me, text in
            let element = text.element(rect)
            me.target.draw(
                me, element, CGRect(origin: rect.origin, size: element.sizeThatFits(ProposedViewSize(rect.size))))
        }
    }
    /// Draws a text in its own size, `anchor` of it at `point`.
    public func draw(_ text: ResolvedText, at point: CGPoint, anchor: UnitPoint = .center) {
        let size = text.measure(in: CGSize(width: CGFloat.infinity, height: .infinity))
        draw(text, in: GraphicsContext.rect(size, point, anchor))
    }
    /// Draws a text in `rect`; what does not fit is cut off with an ellipsis.
    public func draw(_ text: Text, in rect: CGRect) { draw(resolve(text), in: rect) }
    /// Draws a text in its own size, `anchor` of it at `point`.
    public func draw(_ text: Text, at point: CGPoint, anchor: UnitPoint = .center) {
        draw(resolve(text), at: point, anchor: anchor)
    }

    /// Makes an image ready to be measured and drawn, in the canvas' environment.
    public func resolve(_ image: Image) -> ResolvedImage {
        let target = target
        return MainActor.assumeIsolated { ResolvedImage(element: target.element(image)) }
    }
    /// Fills `rect`, whatever the image's shape.
    public func draw(_ image: ResolvedImage, in rect: CGRect, style: FillStyle = FillStyle()) {
        MainThread.run(self) { me in me.target.draw(me, image.element, rect) }
    }
    /// Draws an image in its own size, `anchor` of it at `point`.
    public func draw(_ image: ResolvedImage, at point: CGPoint, anchor: UnitPoint = .center) {
        draw(image, in: GraphicsContext.rect(image.size, point, anchor))
    }
    /// Draws an image so that it fills `rect`, whatever its shape.
    public func draw(_ image: Image, in rect: CGRect, style: FillStyle = FillStyle()) {
        draw(resolve(image), in: rect, style: style)
    }
    /// Draws an image in its own size, `anchor` of it at `point`.
    public func draw(_ image: Image, at point: CGPoint, anchor: UnitPoint = .center) {
        draw(resolve(image), at: point, anchor: anchor)
    }

    /// One of the canvas' symbols by its `tag`, or by its element's identity in a `ForEach`; nil when there is none.
    public func resolveSymbol<ID: Hashable>(id: ID) -> ResolvedSymbol? {
        MainThread.run((target, AnyHashable(id))) { target, key in
            target.symbol(key).map { ResolvedSymbol(element: $0) }
        }
    }
    /// Draws a symbol so that it fills `rect`.
    public func draw(_ symbol: ResolvedSymbol, in rect: CGRect) {
        MainThread.run(self) { me in me.target.draw(me, symbol.element, rect) }
    }
    /// Draws a symbol in its own size, `anchor` of it at `point`.
    public func draw(_ symbol: ResolvedSymbol, at point: CGPoint, anchor: UnitPoint = .center) {
        draw(symbol, in: GraphicsContext.rect(symbol.size, point, anchor))
    }

    private static func rect(_ size: CGSize, _ point: CGPoint, _ anchor: UnitPoint) -> CGRect {
        CGRect(
            x: point.x - size.width * anchor.proper.x, y: point.y - size.height * anchor.proper.y, width: size.width,
            height: size.height)
    }

    /// A text as it is drawn.
    public struct ResolvedText {
        let text: Text
        let environment: EnvironmentValues
        /// What its letters are filled with, where the text itself names no colour.
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
        /// What it takes of `size`.
        public func measure(in size: CGSize) -> CGSize {
            return MainThread.run(self) { me in
                me.element(CGRect(origin: .zero, size: size)).sizeThatFits(GraphicsContext.proposal(size))
            }
        }
        /// Where the first line's letters stand, points from the top, when the text is laid out in `size`.
        public func firstBaseline(in size: CGSize) -> CGFloat {
            baseline(VerticalAlignment.firstTextBaseline.key, size)
        }
        /// Where the last line's letters stand, points from the top, when the text is laid out in `size`.
        public func lastBaseline(in size: CGSize) -> CGFloat { baseline(VerticalAlignment.lastTextBaseline.key, size) }
        private func baseline(_ key: AlignmentKey, _ size: CGSize) -> CGFloat {
            return MainThread.run(self) { me in
                me.element(CGRect(origin: .zero, size: size)).explicitGuide(key, size) ?? size.height
            }
        }
    }

    /// Endless is as much as it likes.
    static func proposal(_ size: CGSize) -> ProposedViewSize {
        ProposedViewSize(
            width: size.width.isFinite ? size.width : nil, height: size.height.isFinite ? size.height : nil)
    }

    /// An image as it is drawn.
    public struct ResolvedImage: Sendable {
        let element: ImageElement
        /// Its own, points.
        public var size: CGSize { MainActor.assumeIsolated { element.sizeThatFits(.unspecified) } }
        /// Where a text beside it stands, from its top; its bottom for a picture.
        public var baseline: CGFloat {
            MainActor.assumeIsolated {
                element.explicitGuide(VerticalAlignment.firstTextBaseline.key, element.sizeThatFits(.unspecified))
                    ?? element.sizeThatFits(.unspecified).height
            }
        }
    }

    /// One of the canvas' symbols.
    public struct ResolvedSymbol: Sendable {
        let element: Element
        /// Its own, points.
        public var size: CGSize { MainActor.assumeIsolated { element.sizeThatFits(.unspecified) } }
    }
}
