import Foundation

/// A builder of vector layers in the size of the video.
///
/// ```swift
/// struct Frame: ShapeLayerBuilderProtocol {
///     let id = UUID()
///     func build(with geometry: (frame: CGRect, bounds: CGRect)) -> CAShapeLayer {
///         let layer = CAShapeLayer()
///         layer.path = CGPath(rect: geometry.bounds.insetBy(dx: 20, dy: 20))
///         layer.fillColor = nil
///         layer.strokeColor = .white
///         return layer
///     }
/// }
/// ```
public protocol ShapeLayerBuilderProtocol: Identifiable {
    /// The identity of the layer. Builders with the same id build the same layer.
    var id: UUID { get }

    /// Builds the layer for a video of this size.
    ///
    /// Called once when the video has a size, and again when its bounds change. The new layer replaces the previous
    /// one.
    /// - Parameter geometry: The video's frame in its window, and its bounds in its own coordinates, both in points.
    ///   Neither is ever empty.
    @MainActor @preconcurrency func build(with geometry: (frame: CGRect, bounds: CGRect)) -> CAShapeLayer
}
