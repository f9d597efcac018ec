import Foundation
import MediaCore
import Overlays

// The current graphics context of UIKit: a stack, because drawings can be nested.

@MainActor
enum GraphicsStack {
    struct Entry {
        /// The context, or nil for an image that would be empty or too large.
        let context: CGContext?
        /// The image that the context draws, or nil for a context that the app has pushed.
        var image: (size: CGSize, scale: CGFloat)?
    }
    static var entries: [Entry] = []

    /// Creates a context for an image.
    /// - Parameters:
    ///   - bounds: The visible part of the space, in points.
    ///   - scale: The number of pixels per point. A value that is not greater than 0 or not finite means the screen's.
    ///   - isOpaque: Whether the image is black at first, not transparent.
    /// - Returns: The context and the actual scale, or nil if the image would be empty or too large.
    static func context(_ bounds: CGRect, scale: CGFloat, isOpaque: Bool) -> (context: CGContext, scale: CGFloat)? {
        let scale = scale > 0 && scale.isFinite ? scale : UIScreen.main.scale
        let limit = CGFloat(CairoBitmap.limit)
        let (width, height) = ((bounds.width * scale).rounded(.up), (bounds.height * scale).rounded(.up))
        guard width >= 1, height >= 1, width <= limit, height <= limit, bounds.origin.isFinite,
            let bitmap = CairoBitmap(width: Int(width), height: Int(height))
        else { return nil }
        let context = CGContext(bitmap, scale: scale, origin: bounds.origin)
        if isOpaque { context.fill(bounds.insetBy(dx: -1, dy: -1)) }
        return (context, scale)
    }
}

/// Returns the context into which images, colors and paths draw, or nil outside of drawings.
@MainActor @preconcurrency
public func UIGraphicsGetCurrentContext() -> CGContext? { GraphicsStack.entries.last?.context }

/// Makes a context the current one until `UIGraphicsPopContext()`.
@MainActor @preconcurrency
public func UIGraphicsPushContext(_ context: CGContext) {
    GraphicsStack.entries.append(GraphicsStack.Entry(context: context, image: nil))
}

/// Makes the earlier context the current one again. Has no effect if the current context was not pushed.
@MainActor @preconcurrency
public func UIGraphicsPopContext() {
    if let last = GraphicsStack.entries.last, last.image == nil { GraphicsStack.entries.removeLast() }
}

/// Begins a drawing into a transparent image with one pixel per point. `UIGraphicsImageRenderer` is the newer form.
@MainActor @preconcurrency
public func UIGraphicsBeginImageContext(_ size: CGSize) { UIGraphicsBeginImageContextWithOptions(size, false, 1) }

/// Begins a drawing into an image. `UIGraphicsImageRenderer` is the newer form.
///
/// If the image would be empty or larger than 16,384 pixels in one direction, nothing is drawn until
/// `UIGraphicsEndImageContext()`.
/// - Parameters:
///   - size: The size in points.
///   - opaque: Whether the image is black at first, not transparent.
///   - scale: The number of pixels per point, or 0 for that of the screen.
@MainActor @preconcurrency
public func UIGraphicsBeginImageContextWithOptions(_ size: CGSize, _ opaque: Bool, _ scale: CGFloat) {
    let bounds = CGRect(origin: .zero, size: size)
    let drawing = GraphicsStack.context(bounds, scale: scale, isOpaque: opaque)
    // An entry without a context, so that the end of this drawing does not end the one around it.
    GraphicsStack.entries.append(GraphicsStack.Entry(context: drawing?.context, image: (size, drawing?.scale ?? 1)))
}

/// Returns the image of the drawing that was begun last, as it is now. Returns nil if none was begun, if a pushed
/// context is the current one, or if the image would be empty or too large.
@MainActor @preconcurrency
public func UIGraphicsGetImageFromCurrentImageContext() -> UIImage? {
    GraphicsStack.entries.last.flatMap { entry in
        entry.image.flatMap { entry.context?.image(size: $0.size, scale: $0.scale) }
    }
}

/// Ends the drawing that was begun last. Has no effect if the current context is not that of an image.
@MainActor @preconcurrency
public func UIGraphicsEndImageContext() {
    if GraphicsStack.entries.last?.image != nil { GraphicsStack.entries.removeLast() }
}

extension UIColor {
    /// Makes this color the color of fills and lines in the current graphics context. Has no effect without one.
    @MainActor @preconcurrency public func set() {
        setFill()
        setStroke()
    }
    /// Makes this color the color of fills in the current graphics context. Has no effect without one.
    @MainActor @preconcurrency public func setFill() { UIGraphicsGetCurrentContext()?.setFillColor(cgColor) }
    /// Makes this color the color of lines in the current graphics context. Has no effect without one.
    @MainActor @preconcurrency public func setStroke() { UIGraphicsGetCurrentContext()?.setStrokeColor(cgColor) }
}

extension UIBezierPath {
    private var rule: CGPathFillRule { usesEvenOddFillRule ? .evenOdd : .winding }

    /// Fills the path in the current graphics context with the color of fills. Has no effect without a context.
    @MainActor @preconcurrency public func fill() { UIGraphicsGetCurrentContext()?.fill(cgPath, rule) }
    /// Fills the path in the current graphics context.
    /// - Parameters:
    ///   - blendMode: The way in which the fill is combined with the pixels below.
    ///   - alpha: The opacity, clamped to 0…1.
    @MainActor @preconcurrency public func fill(with blendMode: CGBlendMode, alpha: CGFloat) {
        let (context, path, rule) = (UIGraphicsGetCurrentContext(), cgPath, self.rule)
        context?.drawing(blendMode: blendMode) { _, own in
            context?.setAlpha(own * min(1, max(0, alpha)))
            context?.fill(path, rule)
        }
    }
    /// Draws a line along the path in the current graphics context, with `lineWidth` and the color of lines. Has no
    /// effect without a context.
    @MainActor @preconcurrency public func stroke() { stroke(nil, alpha: 1) }
    /// Draws a line along the path in the current graphics context, with `lineWidth`.
    /// - Parameters:
    ///   - blendMode: The way in which the line is combined with the pixels below.
    ///   - alpha: The opacity, clamped to 0…1.
    @MainActor @preconcurrency public func stroke(with blendMode: CGBlendMode, alpha: CGFloat) {
        stroke(blendMode, alpha: alpha)
    }
    @MainActor private func stroke(_ blendMode: CGBlendMode?, alpha: CGFloat) {
        let (context, path) = (UIGraphicsGetCurrentContext(), cgPath)
        context?.drawing(blendMode: blendMode) { _, own in
            context?.setAlpha(own * min(1, max(0, alpha)))
            context?.setLineWidth(lineWidth)
            context?.beginPath()
            context?.addPath(path)
            context?.strokePath()
        }
    }
    /// Limits drawing in the current graphics context to the path. Has no effect without a context.
    @MainActor @preconcurrency public func addClip() {
        guard let context = UIGraphicsGetCurrentContext() else { return }
        context.beginPath()
        context.addPath(cgPath)
        context.clip(using: rule)
    }
}
