import Foundation

/// The properties of an image that a renderer draws. Modeled on UIKit's type.
@MainActor @preconcurrency
public final class UIGraphicsImageRendererFormat {
    /// The number of pixels per point. A value that is not greater than 0 or not finite means that of the screen.
    public var scale: CGFloat
    /// Whether the image is black at first, not transparent. The default is false.
    public var opaque = false
    /// Creates a format with the scale of the screen.
    public init() { scale = UIScreen.main.scale }
    /// Returns a format with the scale of the screen.
    public static func `default`() -> UIGraphicsImageRendererFormat { UIGraphicsImageRendererFormat() }
    /// Returns a format with the scale of the screen.
    public static func preferred() -> UIGraphicsImageRendererFormat { UIGraphicsImageRendererFormat() }
}

/// The drawing of an image. Modeled on UIKit's type.
@MainActor @preconcurrency
public final class UIGraphicsImageRendererContext {
    /// The context that draws. It is also the current graphics context.
    public let cgContext: CGContext
    /// The format of the image.
    public let format: UIGraphicsImageRendererFormat
    private let size: CGSize, scale: CGFloat

    init(_ cgContext: CGContext, _ format: UIGraphicsImageRendererFormat, size: CGSize, scale: CGFloat) {
        self.cgContext = cgContext
        self.format = format
        self.size = size
        self.scale = scale
    }
    /// A copy of the image, as it is drawn so far.
    public var currentImage: UIImage { cgContext.image(size: size, scale: scale) ?? .unreadable(size) }
    /// Fills a rectangle with the color of fills, in the normal blend mode.
    public func fill(_ rect: CGRect) { fill(rect, blendMode: .normal) }
    /// Fills a rectangle with the color of fills.
    /// - Parameters:
    ///   - rect: The rectangle in points.
    ///   - blendMode: The way in which the fill is combined with the pixels below.
    public func fill(_ rect: CGRect, blendMode: CGBlendMode) {
        cgContext.drawing(blendMode: blendMode) { _, _ in cgContext.fill(rect) }
    }
    /// Draws a line, 1 point wide, along the inner edge of a rectangle with the color of lines, in the normal blend
    /// mode.
    public func stroke(_ rect: CGRect) { stroke(rect, blendMode: .normal) }
    /// Draws a line, 1 point wide, along the inner edge of a rectangle with the color of lines.
    /// - Parameters:
    ///   - rect: The rectangle in points.
    ///   - blendMode: The way in which the line is combined with the pixels below.
    public func stroke(_ rect: CGRect, blendMode: CGBlendMode) {
        cgContext.drawing(blendMode: blendMode) { _, _ in
            cgContext.stroke(rect.insetBy(dx: 0.5, dy: 0.5), width: 1)
        }
    }
    /// Limits drawing to a rectangle, in addition to earlier limits.
    public func clip(to rect: CGRect) { cgContext.clip(to: rect) }
}

/// A renderer that draws images with closures. Modeled on UIKit's type.
///
/// ```swift
/// let knob = UIGraphicsImageRenderer(size: CGSize(width: 20, height: 20)).image { context in
///     UIColor.white.setFill()
///     context.cgContext.fillEllipse(in: CGRect(x: 0, y: 0, width: 20, height: 20))
/// }
/// slider.setThumbImage(knob, for: .normal)
/// ```
/// Inside the closure, `UIColor.setFill()`, `UIBezierPath.fill()`, `UIImage.draw(in:)` and similar methods draw into
/// the image. Texts, layers, gradients and shadows can't be drawn. An image has at most 16,384 pixels in each
/// direction.
@MainActor @preconcurrency
public final class UIGraphicsImageRenderer {
    /// A closure that draws. Runs at once, on the main actor.
    public typealias DrawingActions = @MainActor (UIGraphicsImageRendererContext) -> Void
    /// The format of the images.
    public let format: UIGraphicsImageRendererFormat
    private let bounds: CGRect

    /// Creates a renderer for images with the scale of the screen.
    /// - Parameter size: The size of the images, in points.
    public convenience init(size: CGSize) { self.init(size: size, format: .default()) }
    /// Creates a renderer.
    /// - Parameters:
    ///   - size: The size of the images, in points.
    ///   - format: The scale and the opacity.
    public convenience init(size: CGSize, format: UIGraphicsImageRendererFormat) {
        self.init(bounds: CGRect(origin: .zero, size: size), format: format)
    }
    /// Creates a renderer for images with the scale of the screen.
    /// - Parameter bounds: The part of the drawing that the images show, in points.
    public convenience init(bounds: CGRect) { self.init(bounds: bounds, format: .default()) }
    /// Creates a renderer.
    /// - Parameters:
    ///   - bounds: The part of the drawing that the images show, in points.
    ///   - format: The scale and the opacity.
    public init(bounds: CGRect, format: UIGraphicsImageRendererFormat) {
        self.bounds = bounds
        self.format = format
    }

    /// Returns an image that a closure draws.
    ///
    /// If the image would be empty or too large, the closure is not called, and the result can't be displayed.
    public func image(actions: DrawingActions) -> UIImage { drawn(actions) ?? .unreadable(bounds.size) }
    /// Returns a PNG file of an image that a closure draws, or no bytes if the image would be empty or too large.
    public func pngData(actions: DrawingActions) -> Data { drawn(actions)?.pngData() ?? Data() }
    /// Returns a JPEG file of an image that a closure draws, or no bytes if the image would be empty or too large.
    /// - Parameters:
    ///   - compressionQuality: The quality from 0 (small file) to 1 (best quality), clamped.
    ///   - actions: The closure. Parts that stay transparent become white.
    public func jpegData(withCompressionQuality compressionQuality: CGFloat, actions: DrawingActions) -> Data {
        drawn(actions)?.jpegData(compressionQuality: compressionQuality) ?? Data()
    }

    private func drawn(_ actions: DrawingActions) -> UIImage? {
        guard let (context, scale) = GraphicsStack.context(bounds, scale: format.scale, isOpaque: format.opaque) else {
            return nil
        }
        // The closure may leave contexts of its own behind.
        let count = GraphicsStack.entries.count
        UIGraphicsPushContext(context)
        actions(UIGraphicsImageRendererContext(context, format, size: bounds.size, scale: scale))
        GraphicsStack.entries.removeLast(max(0, GraphicsStack.entries.count - count))
        return context.image(size: bounds.size, scale: scale)
    }
}

extension UIImage {
    /// The owner of an image without pixels.
    private final class NoPixels: Sendable {}
    /// Returns an image without pixels, for which views show a placeholder.
    static func unreadable(_ size: CGSize) -> UIImage {
        UIImage(.pixels(ImagePixels(of: NoPixels(), scale: 1, orientation: .up) { nil }), size, 1)
    }
}
