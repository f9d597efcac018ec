import Foundation
import MediaCore
import MediaEngine

/// The instructions of a video composition as values, which any thread can use.
struct InstructionPlan: Sendable {
    private struct Part: Sendable {
        let start: MediaTime
        let background: CGColor
        let layers: [AVVideoCompositionLayerInstruction.Content]
    }
    /// The instructions in order of their start.
    private let parts: [Part]
    /// The tracks of the composition to which the layers belong; nil for the tracks of another asset.
    private let shown: ShownTracks?

    /// The distance from the start of a frame at which tracks, instructions and ramps are looked up. Times are rounded,
    /// and no frame is shorter.
    static let sliver: MediaTime = 500_000

    /// Copies the current values of `instructions`.
    init(_ instructions: [any AVVideoCompositionInstructionProtocol]) {
        let known = instructions.compactMap { $0 as? AVVideoCompositionInstruction }
        parts = known.compactMap { instruction -> Part? in
            let content = instruction.content.withLock { $0 }
            guard let start = MediaTime(content.timeRange.start) else { return nil }
            return Part(
                start: start, background: content.backgroundColor?.copy(alpha: 1) ?? .black,
                layers: content.layers.map { layer in layer.content.withLock { $0 } })
        }.sorted { $0.start < $1.start }
        shown = parts.flatMap(\.layers).lazy.compactMap { $0.track.flatMap { ShownTracks(of: $0) } }.first
    }

    /// Returns the composed image of the frame of `request`.
    func image(of request: AVAsynchronousCIImageFilteringRequest) -> CIImage {
        let source = request.sourceImage
        guard let time = MediaTime(request.compositionTime) else { return source }
        let lookup = time + InstructionPlan.sliver
        guard let part = parts.last(where: { $0.start <= lookup }) ?? parts.first else { return source }
        let whole = CGRect(origin: .zero, size: request.renderSize)
        let background = CIImage(color: CIColor(cgColor: part.background)).cropped(to: whole)
        guard let layer = layer(of: part, at: lookup) else { return background }
        let opacity = layer.opacity(at: time)
        guard opacity > 0 else { return background }
        // Core Image's origin is at the lower left, that of transforms and crop rectangles at the upper left.
        let stored = request.orientation.storedTransform(source.extent.size)
        let visible = layer.crop(at: time)?.applying(stored.inverted())
        let transform = stored.concatenating(layer.transform(at: time))
            .concatenating(.flip(request.renderSize.height))
        if opacity == 1, transform.isIdentity, visible == nil, source.extent == whole, !request.hasAlpha {
            return source
        }
        var image = visible.map { source.cropped(to: $0) } ?? source
        image = image.transformed(by: transform)
        if opacity < 1 {
            image = image.applyingFilter(
                "CIColorMatrix", parameters: ["inputAVector": CIVector(x: 0, y: 0, z: 0, w: CGFloat(opacity))])
        }
        return image.composited(over: background).cropped(to: whole)
    }

    /// Returns the layer of the track that is shown at `time`.
    private func layer(of part: Part, at time: MediaTime) -> AVVideoCompositionLayerInstruction.Content? {
        guard let shown else { return part.layers.first }
        guard let id = shown.trackID(at: time) else { return nil }
        return part.layers.first { $0.trackID == id }
    }
}

extension PictureOrientation {
    /// Returns the transform from an upright frame of `size`, with the origin at the lower left, to the stored frame,
    /// with the origin at the upper left.
    fileprivate func storedTransform(_ size: CGSize) -> CGAffineTransform {
        let upright =
            isSideways
            ? transform(width: size.height, height: size.width) : transform(width: size.width, height: size.height)
        return CGAffineTransform.flip(size.height).concatenating(upright.inverted())
    }
}

extension CGAffineTransform {
    /// Returns the transform between an origin at the upper left and one at the lower left.
    fileprivate static func flip(_ height: CGFloat) -> CGAffineTransform {
        CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: height)
    }
}
