import GTK
import CX11
import Filters
import Foundation
import MediaCore
import MediaEngine
import Overlays

// A picture's way to the screen: to the video's own surface, or to GTK.
extension PlayerView {
    /// - Parameter time: the player's; nil: to be asked for.
    func present(_ pulled: PulledFrame, _ source: any VideoFrameSource, due: HostTime, time: CMTime? = nil) {
        isBlended = pulled.frame.hasAlpha
        let scale = picture.scaleFactor
        let (x, y) = devicePosition(scale)
        let placement = placement(pulled.frame)
        let overlays = overlays(of: pulled.frame, placement, due, time: time)
        let state = DrawnState(
            sequence: pulled.sequence, x: x, y: y, placement: placement,
            look: composition?.look ?? 0, overlays: overlays.map(\.version), cover: cover)
        // Nobody would see it; it is drawn when the server says that it shows again.
        if placement.width > 0, drawn?.placement != placement {
            source.isShown(width: placement.width, height: placement.height)
        }
        guard state != drawn, isDrawnByGTK || !isObscured(state, overlays) else { return }
        let isNew = pulled.sequence != shown
        if !presentOnSurface(pulled.frame, state, overlays) {
            var same = state
            if let drawn { (same.x, same.y) = (drawn.x, drawn.y) }
            guard isNew || same != drawn else { return }
            paintable?.object.invalidateContents()
        }
        drawn = state
        if isNew {
            shown = pulled.sequence
            presentedCount += 1
            let host = HostTime.now()
            unreported = PresentedFrame(
                sequence: composition?.sourceSequence(of: pulled.sequence) ?? pulled.sequence, at: host)
            onPresent?(host)
        }
    }

    /// What lies over `frame` at `due`.
    func overlays(of frame: VideoFrame, _ p: VideoPlacement, _ due: HostTime, time: CMTime? = nil) -> [OverlayContent] {
        let all = overlays()
        guard !all.isEmpty, p.width > 0 else { return [] }
        let factor = picture.scaleFactor
        let width = Int(picture.width)
        let wide = composition?.viewSize.map { Double($0.width) } ?? 0
        let geometry = OverlayGeometry(
            width: width * factor, height: Int(picture.height) * factor,
            pictureX: p.x, pictureY: p.y, pictureWidth: p.width, pictureHeight: p.height,
            scale: Double(factor) * (wide > 0 ? Double(width) / wide : 1),
            coveredBottom: Int((coveredBottom * Double(factor)).rounded()))
        // The player's time rather than the picture's: over a picture that stands long, subtitles come and go.
        let time = time ?? player?.currentTime() ?? frame.presentationTime
        return all.map { $0.content(at: time, hostTime: due, in: geometry) }
    }

    /// Where `frame` goes in the widget, device pixels.
    func placement(_ frame: VideoFrame?) -> VideoPlacement {
        let scale = picture.scaleFactor
        return VideoPlacement(
            picture: frame?.presentationSize ?? .zero,
            width: Int(picture.width) * scale, height: Int(picture.height) * scale,
            gravity: videoGravity)
    }

    /// Where the widget lies in its window's surface, device pixels.
    func devicePosition(_ scale: Int) -> (Int, Int) {
        guard let native = picture.native else { return (0, 0) }
        let origin = native.surfaceOrigin
        guard let place = picture.convert(.zero, to: native) else { return (0, 0) }
        return (
            Int(((place.x + origin.x) * Double(scale)).rounded()), Int(((place.y + origin.y) * Double(scale)).rounded())
        )
    }

    /// What of the widget the surface takes, device pixels.
    func area(_ p: VideoPlacement, _ overlays: [OverlayContent]) -> PicturePainter.Area {
        let scale = picture.scaleFactor
        return PicturePainter.area(
            p, overlays, width: Int(picture.width) * scale,
            height: Int(picture.height) * scale)
    }

    /// Nothing of the surface can be seen where it is to lie. What lies elsewhere so far says nothing about that: in a
    /// window that has become smaller it may be outside.
    func isObscured(_ state: DrawnState, _ overlays: [OverlayContent]) -> Bool {
        guard let surface, surface.isObscured else { return false }
        let area = area(state.placement, overlays)
        return surface.lies(x: state.x + area.x, y: state.y + area.y, width: area.width, height: area.height)
    }

    /// True when the video's own surface showed it.
    func presentOnSurface(_ frame: VideoFrame, _ state: DrawnState, _ overlays: [OverlayContent]) -> Bool {
        let p = state.placement
        // Not while GL draws; when it turned out to be none, as if it had never been chosen.
        guard !isDrawnByGTK, !triesGL, p.width > 0, let surface = ownSurface() else {
            hideSurface()
            return false
        }
        let area = area(p, overlays)
        let cover = state.cover
        if leaving == nil, let drawn, drawn.with(cover) == state,
            surface.alter({ pixels, stride in
                coverBlend.change(to: cover, in: CoverBlend.Target(area: area, pixels: pixels, stride: stride)).map {
                    PicturePainter.Area(x: $0.x - area.x, y: $0.y - area.y, width: $0.width, height: $0.height)
                }
            })
        {
            return true
        }
        surface.place(x: state.x + area.x, y: state.y + area.y, width: area.width, height: area.height)
        let colors = composition?.colors
        if surface.show({ pixels, stride in
            guard
                painter.paint(
                    frame, placement: p, colors: colors, overlays: overlays, area: area, into: pixels, stride: stride)
            else { return false }
            coverBlend.lay(cover, over: CoverBlend.Target(area: area, pixels: pixels, stride: stride))
            return true
        }) {
            leaving = nil
            return true
        }
        // Out of memory, or a surface the server took away: GTK draws from here on.
        surface.close()
        self.surface = nil
        drawBelow()
        return false
    }

    func ownSurface() -> X11VideoSurface? {
        if let surface { return surface }
        guard triesSurface else { return nil }
        guard let parent = picture.native?.surface, let display = parent.display else { return nil }
        triesSurface = false
        guard display.windowing == .x11 else { return nil }
        // Ours is another connection: the window that GDK has made must be there before a child of it is.
        display.sync()
        surface = X11VideoSurface(
            displayName: display.name, parent: parent.x11Window)
        surface?.onExpose = { [weak self] in
            self?.drawn = nil
            self?.wake()
        }
        surface?.onRefused = { [weak self] in
            guard let self else { return }
            surface?.close()
            surface = nil
            drawBelow()
            redraw()
        }
        return surface
    }

    // MARK: what GTK draws below it

    /// The part of the widget that certainly shows pictures now, with `cover` blended in, points: what else is drawn
    /// there nobody sees, or it would be there twice.
    package var opaquePart: CGRect? {
        guard !isDrawnByGTK, !triesGL, let frame else { return nil }
        let p = placement(frame)
        let scale = Double(picture.scaleFactor)
        if let surface {
            guard surface.isMapped, leaving == nil, drawn?.placement == p else { return nil }
        } else {
            // Where there is none to be had (Wayland), GTK draws pictures in which it is blended.
            guard !triesSurface, !frame.hasAlpha, p.width > 0 else { return nil }
        }
        return CGRect(
            x: Double(p.x) / scale, y: Double(p.y) / scale, width: Double(p.width) / scale,
            height: Double(p.height) / scale)
    }

    /// Hides the surface once GTK has drawn what is below: the picture itself, where GTK draws it from now on, and what
    /// lies over it. Otherwise neither would be on the screen for a moment.
    func hideSurface() {
        guard let surface, surface.isMapped, leaving == nil else { return }
        guard isVisible else { return hideNow() }
        leaving = .asked
        drawBelow()
    }

    func hideNow() {
        leaving = nil
        surface?.hide()
        coverBlend.forget()
    }

    func drawBelow() {
        // Not now: GTK may be drawing.
        DispatchQueue.main.async { [weak self] in
            MainActor.assumeIsolated {
                guard let self else { return }
                if self.leaving != nil { self.leaving = .drawing }
                self.picture.queueDraw()
                self.picture.parent?.queueDraw()
            }
        }
    }
}

extension PlayerView.DrawnState {
    /// The same under another cover.
    func with(_ cover: VideoCover) -> Self {
        var copy = self
        copy.cover = cover
        return copy
    }
}
