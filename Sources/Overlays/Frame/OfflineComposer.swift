import Filters
import Foundation
import MediaCore
import MediaEngine

/// A composer that draws single frames without a display, for snapshots and exported files.
///
/// It applies the same filters, colors and overlays as a window. A filter that fails is left out in a window, but
/// throws an error here.
///
/// Not Sendable: a composer and its settings belong to the thread that composes.
package final class OfflineComposer {
    private let settings: PictureSettings
    private let overlays: [any FrameOverlay]
    private let painter = PicturePainter()
    private var renderer: PictureRenderer?
    private let requests = RequestWait(limit: 10)
    private var plan: (size: CGSize, hasAlpha: Bool, frame: FramePlan, colors: FoldedColors?)?
    private var isTimed: Bool
    /// The frame composed last, with its filters applied, and the versions of the overlays drawn over it.
    private var last: (frame: VideoFrame, colors: FoldedColors?, geometry: OverlayGeometry, versions: [UInt64])?

    package init(settings: PictureSettings, overlays: [any FrameOverlay] = []) {
        self.settings = settings
        self.overlays = overlays
        isTimed = settings.dependsOnTime
    }

    /// Draws `frame` with the filters and overlays of this composer.
    ///
    /// - Parameters:
    ///   - itemTime: The item's time for overlays and for filters that depend on the time. Animations use it as host
    ///     time.
    ///   - size: The size of the result, in pixels. Nil is the frame's own size, upright and with square pixels. A
    ///     frame of another aspect ratio is fitted into the size, with bars.
    ///   - scale: The number of pixels per point, for overlays that measure in points.
    /// - Returns: A frame in BGR0, or in premultiplied BGRA if `frame` has alpha.
    /// - Throws: The error of a filter or of an app's closure; `.invalidArgument` if a closure drops the frame;
    ///   `.unknown` if the frame cannot be converted.
    package func compose(
        _ frame: VideoFrame, at itemTime: CMTime, size: (width: Int, height: Int)? = nil, scale: Double = 1
    ) throws -> VideoFrame {
        guard let composed = try composeOrDrop(frame, at: itemTime, size: size, scale: scale) else {
            throw AVError(
                .invalidArgument, at: "", reason: "a filter dropped the frame",
                suggestion: "Choose another frame, or remove the filter")
        }
        return composed
    }

    /// Draws a frame like `compose`, but returns nil if a closure drops the frame.
    package func composeOrDrop(
        _ frame: VideoFrame, at itemTime: CMTime, size: (width: Int, height: Int)? = nil, scale: Double = 1
    ) throws -> VideoFrame? {
        let natural = frame.presentationSize
        let (width, height) =
            size ?? (
                max(1, Int(saturating: natural.width.rounded())), max(1, Int(saturating: natural.height.rounded()))
            )
        let (stages, colors) = try stages(
            for: natural, at: itemTime.seconds.isFinite ? itemTime.seconds : 0, hasAlpha: frame.hasAlpha)
        var composed = frame
        if colors == nil, !stages.isEmpty {
            let outcome = FrameComposer.run(stages, on: frame, with: &renderer, requests)
            if let problem = outcome.problems.first { throw settings.located(problem) }
            guard let drawn = outcome.frame else { return nil }
            composed = drawn
        }
        let placement = VideoPlacement(fitting: composed.presentationSize, into: width, height: height)
        let geometry = OverlayGeometry(
            width: width, height: height, frameX: placement.x, frameY: placement.y,
            frameWidth: placement.width, frameHeight: placement.height, scale: scale)
        let contents = contents(at: itemTime, in: geometry)
        last = (composed, colors, geometry, contents.map(\.version))
        return try draw(
            composed, colors: colors, contents, in: geometry, from: frame.presentationTime, for: frame.duration)
    }

    /// Draws the frame composed last again, with the overlays of another time. Filters do not run again.
    ///
    /// - Returns: Nil if the overlays look the same, or if no frame was composed.
    package func update(at itemTime: CMTime) throws -> VideoFrame? {
        guard let last else { return nil }
        let contents = contents(at: itemTime, in: last.geometry)
        let versions = contents.map(\.version)
        guard versions != last.versions else { return nil }
        self.last?.versions = versions
        return try draw(
            last.frame, colors: last.colors, contents, in: last.geometry, from: itemTime, for: last.frame.duration)
    }

    private func contents(at itemTime: CMTime, in geometry: OverlayGeometry) -> [OverlayContent] {
        // No display shows the frame, so animations use the item's time instead of the host's time.
        let hostTime = HostTime(nanoseconds: itemTime.nanoseconds ?? 0)
        return overlays.map { $0.content(at: itemTime, hostTime: hostTime, in: geometry) }
    }

    private func draw(
        _ frame: VideoFrame, colors: FoldedColors?, _ contents: [OverlayContent], in geometry: OverlayGeometry,
        from time: CMTime, for duration: CMTime
    ) throws -> VideoFrame {
        let placement = VideoPlacement(fitting: frame.presentationSize, into: geometry.width, height: geometry.height)
        let area = PicturePainter.Area(x: 0, y: 0, width: geometry.width, height: geometry.height)
        return try VideoFrame.bgra(
            width: geometry.width, height: geometry.height, presentationTime: time, duration: duration,
            alpha: frame.hasAlpha ? .premultiplied : .none
        ) { pixels, stride in
            guard let target = pixels.baseAddress,
                painter.paint(
                    frame, placement: placement, colors: colors, overlays: contents, area: area, into: target,
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
