import Filters
import Foundation
import MediaCore
import MediaEngine
import Overlays

/// A view's surface of its own, if the windowing system has one: when it is made, shows a frame, and is hidden.
///
/// It is hidden only after GTK has drawn what lies below it: the frame itself, where GTK draws it from now on, and what
/// lies over it. Otherwise neither would be on the screen for a moment. Main actor.
@MainActor
final class ViewSurface {
    /// What became of the attempt to make a surface.
    enum Attempt {
        case made(any VideoSurface)
        /// The windowing system has none for videos.
        case impossible
        /// The view is in no window yet.
        case tooEarly
    }

    /// A frame, and all that lies over it.
    struct Picture {
        let frame: VideoFrame
        let state: DrawnVideo.State
        let overlays: [OverlayContent]
        let colors: FoldedColors?
    }

    private enum Leaving {
        /// GTK is asked to draw what the surface hides.
        case asked
        /// In its next frame it does.
        case drawing
    }

    private let painter: PicturePainter
    private let blend = CoverBlend()
    /// Asks GTK to draw the view and what lies below it.
    private let drawBelow: @MainActor () -> Void
    private var surface: (any VideoSurface)?
    private var leaving: Leaving?
    /// Whether a surface may still be had.
    private(set) var isUntried = true

    init(_ painter: PicturePainter, drawBelow: @escaping @MainActor () -> Void) {
        (self.painter, self.drawBelow) = (painter, drawBelow)
    }

    // MARK: what it is like

    var isThere: Bool { surface != nil }
    var isMapped: Bool { surface?.isMapped == true }
    /// Whether it is on the screen, and stays there.
    var isStaying: Bool { isMapped && leaving == nil }
    /// Whether it is a part of GTK's own surface.
    var isPart: Bool { surface?.isApart == false }
    var isHidden: Bool { surface?.isHidden == true }
    var tellsWhenSeen: Bool { surface?.tellsWhenSeen == true }
    /// From `show` to the moment that a frame is seen, nanoseconds; 0: unknown.
    var delay: Int64 { surface?.delay ?? 0 }
    /// The compositor has not asked for another frame yet.
    var isBusy: Bool {
        guard leaving == nil, let surface else { return false }
        return surface.isMapped && !surface.isApart && surface.isObscured
    }

    /// Nothing of the surface can be seen where it is to lie. What lies elsewhere so far says nothing about that: in a
    /// window that has become smaller it may be outside.
    func isObscured(_ state: DrawnVideo.State, _ overlays: [OverlayContent], in space: CanvasSpace) -> Bool {
        guard let surface, surface.isObscured else { return false }
        return surface.lies(area(state, overlays, in: space).moved(state.x, state.y))
    }

    /// What of the view the surface takes, device pixels; a part of GTK's own surface takes whole points.
    private func area(
        _ state: DrawnVideo.State, _ overlays: [OverlayContent], in space: CanvasSpace
    ) -> PicturePainter.Area {
        let area = PicturePainter.area(state.placement, overlays, width: space.width, height: space.height)
        guard isPart else { return area }
        return area.moved(state.x, state.y).whole(space.scale).moved(-state.x, -state.y)
    }

    // MARK: showing

    /// - Parameters:
    ///   - drawn: what the view looks like so far.
    ///   - sequence: the source's number of a new frame.
    ///   - make: makes a surface, where there is none yet and one may be had.
    /// - Returns: what became of the frame.
    func show(
        _ picture: Picture, over drawn: DrawnVideo.State?, in space: CanvasSpace, sequence: UInt64?,
        make: () -> Attempt
    ) -> SurfaceAnswer {
        let state = picture.state
        guard let surface = ready(make) else { return .refused }
        let area = area(state, picture.overlays, in: space)
        let cover = state.cover
        let size = pixels(state, area, picture.frame, surface, space)
        if leaving == nil, let drawn, drawn.with(cover) == state,
            size == pixels(drawn, area, picture.frame, surface, space),
            surface.alter({ pixels, stride in
                blend.change(to: cover, in: CoverBlend.Target(area: area, pixels: pixels, stride: stride)).map {
                    PicturePainter.Area(x: $0.x - area.x, y: $0.y - area.y, width: $0.width, height: $0.height)
                }
            })
        {
            return .shown
        }
        surface.place(area.moved(state.x, state.y), scale: space.scale, pixels: size)
        let answer = surface.show(sequence) { pixels, stride in
            // What lies over the frame is drawn in the display's pixels; without it, the compositor scales.
            let (placement, part) =
                size.width == area.width && size.height == area.height
                ? (state.placement, area)
                : (
                    state.placement.filling(size),
                    PicturePainter.Area(x: 0, y: 0, width: size.width, height: size.height)
                )
            guard
                painter.paint(
                    picture.frame, placement: placement, colors: picture.colors, overlays: picture.overlays, area: part,
                    into: pixels, stride: stride)
            else { return false }
            blend.lay(cover, over: CoverBlend.Target(area: area, pixels: pixels, stride: stride))
            return true
        }
        switch answer {
        case .shown: leaving = nil
        case .later: break
        // Out of memory, or a surface the server took away: GTK draws from here on.
        case .refused: giveUp()
        }
        return answer
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

    /// How many pixels of the surface are painted: the display's, where something is drawn over the frame.
    private func pixels(
        _ state: DrawnVideo.State, _ area: PicturePainter.Area, _ frame: VideoFrame, _ surface: any VideoSurface,
        _ space: CanvasSpace
    ) -> SurfacePixels {
        guard state.overlays.isEmpty, state.cover.tiles.isEmpty else {
            return SurfacePixels(width: area.width, height: area.height)
        }
        return surface.pixels(of: area, video: frame.presentationSize, scale: space.scale)
    }

    // MARK: leaving

    /// Hides the surface once GTK has drawn what is below; at once in a view that is not visible.
    func hide(isVisible: Bool) {
        guard isStaying else { return }
        guard isVisible else { return hideNow() }
        leaving = .asked
        askBelow()
    }

    func hideNow() {
        leaving = nil
        surface?.hide()
        blend.forget()
    }

    /// GTK has drawn a frame of the window, and has sent it.
    /// - Parameter sync: waits until the windowing system has got what GTK has sent.
    func framePassed(isVisible: Bool, sync: () -> Void) {
        guard let surface else { return }
        surface.framePassed()
        guard isVisible else { return hideNow() }
        guard leaving == .drawing else { return }
        // The server must have had GTK's drawing before it hears of this.
        if surface.isApart { sync() }
        hideNow()
    }

    /// The surface does not work: GTK draws from here on.
    func giveUp() {
        surface?.close()
        surface = nil
        askBelow()
    }

    /// Another window may have another one.
    func close() {
        surface?.close()
        surface = nil
        isUntried = true
        leaving = nil
    }

    /// Frames shown so far are another source's.
    func forgetFrames() { surface?.forgetFrames() }

    private func askBelow() {
        // Not now: GTK may be drawing.
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

    /// The same and what more of it makes multiples of `unit`.
    func whole(_ unit: Int) -> Self {
        guard unit > 1 else { return self }
        func down(_ value: Int) -> Int { (value >= 0 ? value : value - unit + 1) / unit * unit }
        let (left, top) = (down(x), down(y))
        let (right, bottom) = (-down(-(x + width)), -down(-(y + height)))
        return Self(x: left, y: top, width: right - left, height: bottom - top)
    }
}

extension VideoPlacement {
    /// The same part of the frame, in all of `size`.
    func filling(_ size: SurfacePixels) -> Self {
        var copy = self
        (copy.x, copy.y, copy.width, copy.height) = (0, 0, size.width, size.height)
        return copy
    }
}
