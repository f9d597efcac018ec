import Filters
import Foundation
import MediaEngine
import Overlays

/// The video's own surface of a view, if the windowing system has one: creates it, shows frames on it, and hides it.
///
/// The surface is hidden only after GTK has drawn everything that the surface shows: the content of the app and, if GTK
/// draws the video from then on, the frame. Otherwise, this content would be missing on the screen for a moment.
@MainActor
final class ViewSurface {
    /// The result of trying to make a surface.
    enum Attempt {
        case made(any VideoSurface)
        /// The windowing system has no surfaces for video.
        case impossible
        /// The view is not in a window yet.
        case tooEarly
    }

    /// A frame with everything above it.
    struct Picture {
        let frame: VideoFrame
        let state: DrawnVideo.State
        let overlays: [OverlayContent]
        let colors: FoldedColors?
    }

    private enum Leaving {
        /// GTK will be requested to draw the content below the surface.
        case requested
        /// GTK draws that content in its next frame.
        case drawing
    }

    private let painter: PicturePainter
    private let blend = CoverBlend()
    /// Requests that GTK draws the view and the content below it.
    private let drawBelow: @MainActor () -> Void
    private var surface: (any VideoSurface)?
    private var leaving: Leaving?
    /// Whether making a surface has not been tried yet.
    private(set) var isUntried = true

    init(_ painter: PicturePainter, drawBelow: @escaping @MainActor () -> Void) {
        (self.painter, self.drawBelow) = (painter, drawBelow)
    }

    // MARK: state

    var isThere: Bool { surface != nil }
    var isMapped: Bool { surface?.isMapped == true }
    /// Whether the surface is on the screen and not about to be hidden.
    var isStaying: Bool { isMapped && leaving == nil }
    /// Whether the surface is a part of GTK's own surface.
    var isPart: Bool { surface?.usesOwnConnection == false }
    var isHidden: Bool { surface?.isHidden == true }
    var reportsPresentationTime: Bool { surface?.reportsPresentationTime == true }
    /// The time from `show` until a frame is visible, in nanoseconds. 0 if unknown.
    var delay: Int64 { surface?.delay ?? 0 }
    /// Whether the compositor has not requested another frame yet.
    var isBusy: Bool {
        guard leaving == nil, let surface else { return false }
        return surface.isMapped && !surface.usesOwnConnection && surface.isObscured
    }

    /// Returns whether the surface is at its final position and completely covered.
    ///
    /// A covered surface at another position is treated as visible. For example, it may be outside of a window that has
    /// become smaller.
    func isObscured(_ state: DrawnVideo.State, _ overlays: [OverlayContent], in space: CanvasSpace) -> Bool {
        guard let surface, surface.isObscured else { return false }
        return surface.isPlaced(at: area(state, overlays, in: space).moved(state.x, state.y))
    }

    /// Returns the area that the surface takes in the view, in device pixels. A part of GTK's own surface takes whole
    /// points.
    private func area(
        _ state: DrawnVideo.State, _ overlays: [OverlayContent], in space: CanvasSpace
    ) -> PicturePainter.Area {
        let area = PicturePainter.area(state.placement, overlays, width: space.width, height: space.height)
        guard isPart else { return area }
        return area.moved(state.x, state.y).whole(space.scale).moved(-state.x, -state.y)
    }

    // MARK: showing

    /// Shows a frame.
    /// - Parameters:
    ///   - content: The frame, with everything above it.
    ///   - drawn: The state in which the view was last drawn.
    ///   - space: The size of the view.
    ///   - sequence: The source's number of a new frame.
    ///   - make: Makes a surface. Called if there is none and making one has not been tried.
    /// - Returns: The result.
    func show(
        _ content: Picture, over drawn: DrawnVideo.State?, in space: CanvasSpace, sequence: UInt64?,
        make: () -> Attempt
    ) -> PresentationResult {
        let state = content.state
        guard let surface = ready(make) else { return .refused }
        let area = area(state, content.overlays, in: space)
        let cover = state.cover
        let size = pixels(state, area, content.frame, surface, space)
        if leaving == nil, let drawn, drawn.with(cover) == state,
            size == pixels(drawn, area, content.frame, surface, space),
            surface.alter({ pixels, stride in
                blend.change(to: cover, in: CoverBlend.Target(area: area, pixels: pixels, stride: stride)).map {
                    PicturePainter.Area(x: $0.x - area.x, y: $0.y - area.y, width: $0.width, height: $0.height)
                }
            })
        {
            return .shown
        }
        surface.place(area.moved(state.x, state.y), scale: space.scale, pixels: size)
        let result = surface.show(sequence) { pixels, stride in
            // With content above the frame, the surface has the display's pixels. Otherwise the compositor may scale
            // it.
            let (placement, part) =
                size.width == area.width && size.height == area.height
                ? (state.placement, area)
                : (
                    state.placement.filling(size),
                    PicturePainter.Area(x: 0, y: 0, width: size.width, height: size.height)
                )
            guard
                painter.paint(
                    content.frame, placement: placement, colors: content.colors, overlays: content.overlays, area: part,
                    into: pixels, stride: stride)
            else { return false }
            blend.lay(cover, over: CoverBlend.Target(area: area, pixels: pixels, stride: stride))
            return true
        }
        switch result {
        case .shown: leaving = nil
        case .later: break
        // The memory is exhausted, or the server has removed the surface. GTK draws from now on.
        case .refused: giveUp()
        }
        return result
    }

    private func ready(_ make: () -> Attempt) -> (any VideoSurface)? {
        if let surface { return surface }
        guard isUntried else { return nil }
        switch make() {
        case .made(let made): surface = made
        case .impossible: break
        case .tooEarly: return nil
        }
        isUntried = false
        return surface
    }

    /// Returns the number of pixels to paint: those of the display if something is drawn above the frame.
    private func pixels(
        _ state: DrawnVideo.State, _ area: PicturePainter.Area, _ frame: VideoFrame, _ surface: any VideoSurface,
        _ space: CanvasSpace
    ) -> SurfacePixels {
        guard state.overlays.isEmpty, state.cover.tiles.isEmpty else {
            return SurfacePixels(width: area.width, height: area.height)
        }
        return surface.pixels(of: area, video: frame.presentationSize, scale: space.scale)
    }

    // MARK: hiding

    /// Hides the surface once GTK has drawn the content below. Hides it at once if the view is not visible.
    func hide(isVisible: Bool) {
        guard isStaying else { return }
        guard isVisible else { return hideNow() }
        leaving = .requested
        requestDrawingBelow()
    }

    func hideNow() {
        leaving = nil
        surface?.hide()
        blend.forget()
    }

    /// Completes a pending change after GTK has drawn and sent a frame of the window: a new position, or hiding the
    /// surface.
    /// - Parameters:
    ///   - isVisible: Whether the view is visible.
    ///   - sync: Waits until the windowing system has received everything from GTK.
    func framePassed(isVisible: Bool, sync: () -> Void) {
        guard let surface else { return }
        surface.framePassed()
        guard isVisible else { return hideNow() }
        guard leaving == .drawing else { return }
        // The server must receive GTK's drawing before the request to hide the surface.
        if surface.usesOwnConnection { sync() }
        hideNow()
    }

    /// Closes a surface that does not work. GTK draws from then on.
    func giveUp() {
        surface?.close()
        surface = nil
        requestDrawingBelow()
    }

    /// Closes the surface. Another one can be made, for example for another window.
    func close() {
        surface?.close()
        surface = nil
        isUntried = true
        leaving = nil
    }

    /// Cancels reports about frames shown so far, because they belong to another source.
    func forgetFrames() { surface?.forgetFrames() }

    private func requestDrawingBelow() {
        // Delayed, because GTK may be drawing now.
        DispatchQueue.main.async { [weak self] in
            MainActor.assumeIsolated {
                guard let self else { return }
                if self.leaving != nil { self.leaving = .drawing }
                self.drawBelow()
            }
        }
    }
}

extension PicturePainter.Area {
    func moved(_ x: Int, _ y: Int) -> Self { Self(x: self.x + x, y: self.y + y, width: width, height: height) }

    /// Returns the area extended to multiples of `unit`.
    func whole(_ unit: Int) -> Self {
        guard unit > 1 else { return self }
        func down(_ value: Int) -> Int { (value >= 0 ? value : value - unit + 1) / unit * unit }
        let (left, top) = (down(x), down(y))
        let (right, bottom) = (-down(-(x + width)), -down(-(y + height)))
        return Self(x: left, y: top, width: right - left, height: bottom - top)
    }
}

extension VideoPlacement {
    /// Returns a placement that shows the same part of the frame in all of `size`.
    func filling(_ size: SurfacePixels) -> Self {
        var copy = self
        (copy.x, copy.y, copy.width, copy.height) = (0, 0, size.width, size.height)
        return copy
    }
}
