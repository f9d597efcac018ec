import Filters
import Foundation
import MediaCore
import MediaEngine

/// Composes pictures where no time passes: for snapshots and exported files. The same stages, colours and overlays as a
/// window's; what fails there and is left out is an error here.
///
/// Not Sendable: belongs to the thread that composes, with the settings it was given.
package final class OfflineComposer {
    private let settings: PictureSettings
    private let overlays: [any PictureOverlay]
    private let painter = PicturePainter()
    private var renderer: PictureRenderer?
    private var plan: (size: CGSize, hasAlpha: Bool, frame: FramePlan, colors: FoldedColors?)?
    private var isTimed: Bool

    package init(settings: PictureSettings, overlays: [any PictureOverlay] = []) {
        self.settings = settings
        self.overlays = overlays
        isTimed = settings.dependsOnTime
    }

    /// - Parameters:
    ///   - itemTime: of what lies over the picture, and of filters that move; media time stands for host time.
    ///   - size: of the result, pixels; nil: the picture's own, upright, with square pixels. A picture of another
    ///     shape is fitted into it, with bars.
    ///   - scale: pixels a point, for what is measured in points.
    /// - Returns: BGR0; of a picture with alpha premultiplied BGRA.
    /// - Throws: what a filter or a closure says; `.unknown` when the picture cannot be converted.
    package func compose(
        _ frame: VideoFrame, at itemTime: CMTime, size: (width: Int, height: Int)? = nil, scale: Double = 1
    ) throws -> VideoFrame {
        let natural = frame.presentationSize
        let (width, height) =
            size ?? (
                max(1, Int(saturating: natural.width.rounded())), max(1, Int(saturating: natural.height.rounded()))
            )
        let (stages, colors) = try stages(
            for: natural, at: itemTime.seconds.isFinite ? itemTime.seconds : 0, hasAlpha: frame.hasAlpha)
        var picture = frame
        if colors == nil, !stages.isEmpty {
            let outcome = FrameComposer.run(stages, on: frame, with: &renderer)
            if let problem = outcome.problem { throw settings.located(problem) }
            if let drawn = outcome.frame { picture = drawn }
        }
        let placement = VideoPlacement(fitting: picture.presentationSize, into: width, height: height)
        let geometry = OverlayGeometry(
            width: width, height: height, pictureX: placement.x, pictureY: placement.y,
            pictureWidth: placement.width, pictureHeight: placement.height, scale: scale)
        // Nobody watches: what moves by itself moves by the item's time.
        let hostTime = HostTime(nanoseconds: itemTime.nanoseconds ?? 0)
        let contents = overlays.map { $0.content(at: itemTime, hostTime: hostTime, in: geometry) }
        let area = PicturePainter.Area(x: 0, y: 0, width: width, height: height)
        return try VideoFrame.bgra(
            width: width, height: height, presentationTime: frame.presentationTime, duration: frame.duration,
            alpha: picture.hasAlpha ? .premultiplied : .none
        ) { pixels, stride in
            guard let target = pixels.baseAddress,
                painter.paint(
                    picture, placement: placement, colors: colors, overlays: contents, area: area, into: target,
                    stride: stride)
            else {
                throw AVError(.unknown, at: "", reason: "the frame can't be converted")
            }
        }
    }

    private func stages(for size: CGSize, at seconds: Double, hasAlpha: Bool) throws -> (
        [FramePlan.Stage], FoldedColors?
    ) {
        if let plan, plan.size == size, plan.hasAlpha == hasAlpha, !isTimed { return (plan.frame.stages, plan.colors) }
        let fresh = settings.plan(for: size, time: seconds)
        if let problem = fresh.problems.first { throw settings.located(problem) }
        let colors =
            isTimed || hasAlpha && !fresh.leavesAlpha
            ? nil
            : try fresh.onlyRecipe.flatMap { image in
                try ColorFold.fold(image) { () throws(AVError) in try FrameComposer.ready(&renderer) }
            }
        plan = (size, hasAlpha, fresh, colors)
        return (fresh.stages, colors)
    }
}
