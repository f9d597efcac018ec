import Filters
import Foundation
import GTK
import MediaCore
import MediaEngine
import Overlays

// A picture's way to the screen: to the video's own surface, or to GTK.
extension PlayerView {
    /// - Parameter time: the player's; nil: to be asked for.
    func present(_ pulled: PulledFrame, _ source: any VideoFrameSource, due: HostTime, time: CMTime? = nil) {
        isBlended = pulled.frame.hasAlpha
        let (x, y) = canvas.devicePosition()
        let placement = canvas.placement(pulled.frame.presentationSize)
        let contents = contents(over: pulled.frame, placement, due, time: time)
        let state = DrawnVideo.State(
            sequence: pulled.sequence, x: x, y: y, placement: placement,
            look: composition?.look ?? 0, overlays: contents.map(\.version), cover: cover)
        if placement.width > 0, video.state?.placement != placement {
            source.isShown(width: placement.width, height: placement.height)
        }
        // Nobody would see an obscured one; it is drawn when the server says that it shows again.
        guard state != video.state, isDrawnByGTK || !surface.isObscured(state, contents, in: canvas.space) else {
            return
        }
        let isNew = video.isNew(pulled.sequence)
        let sequence = isNew ? composition?.sourceSequence(of: pulled.sequence) ?? pulled.sequence : nil
        let isOnSurface: Bool
        switch presentOnSurface(pulled.frame, state, contents, sequence) {
        case .shown: isOnSurface = true
        case .later: return
        case .refused:
            isOnSurface = false
            guard video.changesDrawing(state) else { return }
            canvas.invalidateContents()
        }
        video.drew(state)
        if let sequence {
            let presented = PresentedFrame(sequence: sequence, at: .now())
            feed.presented(presented, isSeenLater: isOnSurface && surface.tellsWhenSeen)
            onPresent?(presented.time)
        }
    }

    /// What lies over `frame` at `due`.
    func contents(over frame: VideoFrame, _ p: VideoPlacement, _ due: HostTime, time: CMTime? = nil) -> [OverlayContent]
    {
        let all = overlays.all(composition, player)
        guard !all.isEmpty, p.width > 0 else { return [] }
        let geometry = overlays.geometry(
            p, in: canvas.space, madeFor: composition?.viewSize.map { Double($0.width) })
        // The player's time rather than the picture's: over a picture that stands long, subtitles come and go.
        let time = time ?? player?.currentTime() ?? frame.presentationTime
        return all.map { $0.content(at: time, hostTime: due, in: geometry) }
    }

    /// The compositor has not asked for another frame yet, and the surface lies where it is to lie: `surfaceIsReady` is
    /// called when it has.
    var isSurfaceBusy: Bool {
        guard !isDrawnByGTK, let drawn = video.state, surface.isBusy else { return false }
        return (drawn.x, drawn.y) == canvas.devicePosition()
            && drawn.placement == canvas.placement(video.frame?.presentationSize)
    }

    /// - Parameter sequence: the source's number of a new frame.
    /// - Returns: what became of it on the video's own surface.
    private func presentOnSurface(
        _ frame: VideoFrame, _ state: DrawnVideo.State, _ contents: [OverlayContent], _ sequence: UInt64?
    ) -> SurfaceAnswer {
        // Not while GL draws; when it turned out to be none, as if it had never been chosen.
        guard !isDrawnByGTK, !painter.triesGL, state.placement.width > 0 else {
            hideSurface()
            return .refused
        }
        return surface.show(
            ViewSurface.Picture(frame: frame, state: state, overlays: contents, colors: composition?.colors),
            over: video.state, in: canvas.space, sequence: sequence
        ) { makeSurface() }
    }

    private func makeSurface() -> ViewSurface.Attempt {
        guard let parent = canvas.picture.native?.surface, let display = parent.display else { return .tooEarly }
        switch display.windowing {
        case .x11:
            // Ours is another connection: the window that GDK has made must be there before a child of it is.
            display.sync()
            guard let x11 = X11VideoSurface(displayName: display.name, parent: parent.x11Window) else {
                return .impossible
            }
            x11.onExpose = { [weak self] in
                self?.video.forgetState()
                self?.wake()
            }
            x11.onRefused = { [weak self] in
                self?.surface.giveUp()
                self?.redraw()
            }
            return .made(x11)
        case .wayland:
            let events = SurfaceEvents(
                changed: { [weak self] in
                    self?.video.forgetState()
                    self?.wake()
                },
                ready: { [weak self] in self?.surfaceIsReady() },
                placed: { [weak self] in self?.canvas.picture.queueDraw() },
                seen: { [weak self] in self?.feed.wasSeen($0, at: $1) })
            return WaylandVideoSurface(parent, events).map { .made($0) } ?? .impossible
        case .other: return .impossible
        }
    }

    // MARK: what GTK draws below it

    /// The part of the widget that certainly shows pictures now, with `cover` blended in, points: what else is drawn
    /// there nobody sees, or it would be there twice.
    package var opaquePart: CGRect? {
        guard !isDrawnByGTK, !painter.triesGL, let frame = video.frame else { return nil }
        let p = canvas.placement(frame.presentationSize)
        let scale = Double(canvas.picture.scaleFactor)
        if surface.isThere {
            guard surface.isStaying, video.state?.placement == p else { return nil }
        } else {
            // Where there is none to be had, GTK draws pictures in which it is blended.
            guard !surface.isUntried, !frame.hasAlpha, p.width > 0 else { return nil }
        }
        return CGRect(
            x: Double(p.x) / scale, y: Double(p.y) / scale, width: Double(p.width) / scale,
            height: Double(p.height) / scale)
    }

    /// Hides the surface once GTK has drawn what is below.
    func hideSurface() { surface.hide(isVisible: canvas.isVisible) }
}
