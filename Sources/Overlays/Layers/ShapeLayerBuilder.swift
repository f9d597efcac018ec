import Foundation

/// Makes a vector layer to the measure of the video.
public protocol ShapeLayerBuilderProtocol: Identifiable {
    /// Tells builders apart: two with the same id are the same layer.
    var id: UUID { get }

    /// - Parameter geometry: the video's place in its window and its own space, points; neither is ever empty.
    @MainActor @preconcurrency func build(with geometry: (frame: CGRect, bounds: CGRect)) -> CAShapeLayer
}
