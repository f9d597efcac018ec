import Foundation
import GLibSupport
import MediaCore

/// What a `Canvas` is drawn with. SwiftUI's type.
///
/// A value: a copy has a transform, clips and an opacity of its own, and draws into the same canvas. Lengths are
/// points. Main thread, and only while the canvas is drawn: what is drawn later is nowhere. (Filters, tiled images and
/// the backdrop are left out.)
public struct GraphicsContext {
    /// 0…1, of all that is drawn from now on; clamped.
    public var opacity = 1.0
    public var blendMode = BlendMode.normal
    /// Of the context's space into the canvas'.
    public var transform = CGAffineTransform.identity
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
        public static let normal = BlendMode(2), multiply = BlendMode(14), screen = BlendMode(15),
            overlay = BlendMode(16)
        public static let darken = BlendMode(17), lighten = BlendMode(18), colorDodge = BlendMode(19),
            colorBurn = BlendMode(20)
        public static let hardLight = BlendMode(21), softLight = BlendMode(22), difference = BlendMode(23),
            exclusion = BlendMode(24)
        public static let hue = BlendMode(25), saturation = BlendMode(26), color = BlendMode(27),
            luminosity = BlendMode(28)
        public static let clear = BlendMode(0), copy = BlendMode(1), sourceIn = BlendMode(3), sourceOut = BlendMode(4),
            sourceAtop = BlendMode(5)
        public static let destinationOver = BlendMode(7), destinationIn = BlendMode(8), destinationOut = BlendMode(9),
            destinationAtop = BlendMode(10)
        public static let xor = BlendMode(11), plusLighter = BlendMode(12)
    }

    public struct ClipOptions: OptionSet, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// What lies outside of the path stays.
        public static let inverse = ClipOptions(rawValue: 1)
    }

    // MARK: transforms and clips

    public mutating func scaleBy(x: CGFloat, y: CGFloat) {
        concatenate(CGAffineTransform(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0))
    }
    public mutating func translateBy(x: CGFloat, y: CGFloat) {
        concatenate(CGAffineTransform(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y))
    }
    /// Clockwise.
    public mutating func rotate(by angle: Angle) {
        let c = CGFloat(cos(angle.radians))
        let s = CGFloat(sin(angle.radians))
        concatenate(CGAffineTransform(a: c, b: s, c: -s, d: c, tx: 0, ty: 0))
    }
    /// First `matrix`, then what was there.
    public mutating func concatenate(_ matrix: CGAffineTransform) { transform = transform.concatenated(before: matrix) }

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
            all = all.intersection(clip.transform.boundingBox(of: clip.path.boundingRect))
        }
        return all.isNull ? .zero : back.boundingBox(of: all)
    }

    // MARK: drawing

    public func fill(_ path: Path, with shading: Shading, style: FillStyle = FillStyle()) {
        MainThread.run(self) { me in me.target.fill(me, path, shading, style.isEOFilled) }
    }
    public func stroke(_ path: Path, with shading: Shading, style: StrokeStyle) {
        MainThread.run(self) { me in me.target.stroke(me, path, shading, style) }
    }
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

    public func resolve(_ text: Text) -> ResolvedText { ResolvedText(text: text, environment: environment) }
    /// - Parameter rect: what does not fit is cut off with an ellipsis.
    public func draw(_ text: ResolvedText, in rect: CGRect) {
        MainThread.run((self, text)) { me, text in
            let element = text.element(rect)
            me.target.draw(
                me, element, CGRect(origin: rect.origin, size: element.sizeThatFits(ProposedViewSize(rect.size))))
        }
    }
    public func draw(_ text: ResolvedText, at point: CGPoint, anchor: UnitPoint = .center) {
        let size = text.measure(in: CGSize(width: CGFloat.infinity, height: .infinity))
        draw(text, in: GraphicsContext.rect(size, point, anchor))
    }
    public func draw(_ text: Text, in rect: CGRect) { draw(resolve(text), in: rect) }
    public func draw(_ text: Text, at point: CGPoint, anchor: UnitPoint = .center) {
        draw(resolve(text), at: point, anchor: anchor)
    }

    public func resolve(_ image: Image) -> ResolvedImage {
        let target = target
        return MainActor.assumeIsolated { ResolvedImage(element: target.element(image)) }
    }
    /// Fills `rect`, whatever the image's shape.
    public func draw(_ image: ResolvedImage, in rect: CGRect, style: FillStyle = FillStyle()) {
        MainThread.run(self) { me in me.target.draw(me, image.element, rect) }
    }
    public func draw(_ image: ResolvedImage, at point: CGPoint, anchor: UnitPoint = .center) {
        draw(image, in: GraphicsContext.rect(image.size, point, anchor))
    }
    public func draw(_ image: Image, in rect: CGRect, style: FillStyle = FillStyle()) {
        draw(resolve(image), in: rect, style: style)
    }
    public func draw(_ image: Image, at point: CGPoint, anchor: UnitPoint = .center) {
        draw(resolve(image), at: point, anchor: anchor)
    }

    /// One of the canvas' symbols by its `tag`, or by its element's identity in a `ForEach`; nil when there is none.
    public func resolveSymbol<ID: Hashable>(id: ID) -> ResolvedSymbol? {
        MainThread.run((target, AnyHashable(id))) { target, key in
            target.symbol(key).map { ResolvedSymbol(element: $0) }
        }
    }
    public func draw(_ symbol: ResolvedSymbol, in rect: CGRect) {
        MainThread.run(self) { me in me.target.draw(me, symbol.element, rect) }
    }
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
        public func firstBaseline(in size: CGSize) -> CGFloat {
            baseline(VerticalAlignment.firstTextBaseline.key, size)
        }
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
