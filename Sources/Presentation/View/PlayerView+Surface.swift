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
        let sequence = isNew ? composition?.sourceSequence(of: pulled.sequence) ?? pulled.sequence : nil
        let isOnSurface: Bool
        switch presentOnSurface(pulled.frame, state, overlays, sequence) {
        case .shown: isOnSurface = true
        case .later: return
        case .refused:
            isOnSurface = false
            var same = state
            if let drawn { (same.x, same.y) = (drawn.x, drawn.y) }
            guard isNew || same != drawn else { return }
            paintable?.object.invalidateContents()
        }
        drawn = state
        if let sequence {
            shown = pulled.sequence
            presentedCount += 1
            let presented = PresentedFrame(sequence: sequence, at: .now())
            // The display has not asked since the frame before.
            if unreported != nil { report(to: source) }
            if isOnSurface, surface?.tellsWhenSeen == true { awaited.append(presented) } else { unreported = presented }
            onPresent?(presented.time)
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

    /// What of the widget the surface takes, device pixels; a part of GTK's own surface takes whole points.
    func area(_ state: DrawnState, _ overlays: [OverlayContent]) -> PicturePainter.Area {
        let scale = picture.scaleFactor
        let area = PicturePainter.area(
            state.placement, overlays, width: Int(picture.width) * scale,
            height: Int(picture.height) * scale
        )
        guard surface?.isApart == false else { return area }
        return area.moved(state.x, state.y).whole(scale).moved(-state.x, -state.y)
    }

    /// Nothing of the surface can be seen where it is to lie. What lies elsewhere so far says nothing about that: in a
    /// window that has become smaller it may be outside.
    func isObscured(_ state: DrawnState, _ overlays: [OverlayContent]) -> Bool {
        guard let surface, surface.isObscured else { return false }
        return surface.lies(area(state, overlays).moved(state.x, state.y))
    }

    /// The compositor has not asked for another frame yet, and the surface lies where it is to lie: `surfaceIsReady` is
    /// called when it has.
    var isSurfaceBusy: Bool {
        guard !isDrawnByGTK, leaving == nil, let drawn, let surface, surface.isMapped, !surface.isApart,
            surface.isObscured
        else { return false }
        return (drawn.x, drawn.y) == devicePosition(picture.scaleFactor) && drawn.placement == placement(frame)
    }

    /// - Parameter sequence: the source's number of a new frame.
    /// - Returns: what became of it on the video's own surface.
    func presentOnSurface(
        _ frame: VideoFrame, _ state: DrawnState, _ overlays: [OverlayContent], _ sequence: UInt64?
    ) -> SurfaceAnswer {
        let p = state.placement
        // Not while GL draws; when it turned out to be none, as if it had never been chosen.
        guard !isDrawnByGTK, !triesGL, p.width > 0, let surface = ownSurface() else {
            hideSurface()
            return .refused
        }
        let area = area(state, overlays)
        let cover = state.cover
        let size = pixels(state, area, frame, surface)
        if leaving == nil, let drawn, drawn.with(cover) == state, size == pixels(drawn, area, frame, surface),
            surface.alter({ pixels, stride in
                coverBlend.change(to: cover, in: CoverBlend.Target(area: area, pixels: pixels, stride: stride)).map {
                    PicturePainter.Area(x: $0.x - area.x, y: $0.y - area.y, width: $0.width, height: $0.height)
                }
            })
        {
            return .shown
        }
        surface.place(area.moved(state.x, state.y), scale: picture.scaleFactor, pixels: size)
        let colors = composition?.colors
        let answer = surface.show(sequence) { pixels, stride in
            // What lies over the frame is drawn in the display's pixels; without it, the compositor scales.
            let (placement, part) =
                size.width == area.width && size.height == area.height
                ? (p, area) : (p.filling(size), PicturePainter.Area(x: 0, y: 0, width: size.width, height: size.height))
            guard
                painter.paint(
                    frame, placement: placement, colors: colors, overlays: overlays, area: part, into: pixels,
                    stride: stride)
            else { return false }
            coverBlend.lay(cover, over: CoverBlend.Target(area: area, pixels: pixels, stride: stride))
            return true
        }
        switch answer {
        case .shown: leaving = nil
        case .later: break
        case .refused:
            // Out of memory, or a surface the server took away: GTK draws from here on.
            surface.close()
            self.surface = nil
            drawBelow()
        }
        return answer
    }

    /// How many pixels of the surface are painted: the display's, where something is drawn over the frame.
    private func pixels(
        _ state: DrawnState, _ area: PicturePainter.Area, _ frame: VideoFrame, _ surface: any VideoSurface
    ) -> SurfacePixels {
        guard state.overlays.isEmpty, state.cover.tiles.isEmpty else {
            return SurfacePixels(width: area.width, height: area.height)
        }
        return surface.pixels(of: area, video: frame.presentationSize, scale: picture.scaleFactor)
    }

    func ownSurface() -> (any VideoSurface)? {
        if let surface { return surface }
        guard triesSurface else { return nil }
        guard let parent = picture.native?.surface, let display = parent.display else { return nil }
        triesSurface = false
        switch display.windowing {
        case .x11:
            // Ours is another connection: the window that GDK has made must be there before a child of it is.
            display.sync()
            let x11 = X11VideoSurface(displayName: display.name, parent: parent.x11Window)
            x11?.onExpose = { [weak self] in
                self?.drawn = nil
                self?.wake()
            }
            x11?.onRefused = { [weak self] in
                guard let self else { return }
                surface?.close()
                surface = nil
                drawBelow()
                redraw()
            }
            surface = x11
        case .wayland:
            surface = WaylandVideoSurface(
                parent,
                SurfaceEvents(
                    changed: { [weak self] in
                        self?.drawn = nil
                        self?.wake()
                    },
                    ready: { [weak self] in self?.surfaceIsReady() },
                    placed: { [weak self] in self?.picture.queueDraw() },
                    seen: { [weak self] in self?.frameWasSeen($0, at: $1) }))
        case .other: break
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
            // Where there is none to be had, GTK draws pictures in which it is blended.
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
