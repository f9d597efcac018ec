import Filters
import Foundation
import GTK
import MediaCore
import MediaEngine
import Overlays

// The path of a frame to the screen: to the video's own surface, or to GTK.
extension PlayerView {
    /// Shows a frame, unless the view already looks the same.
    /// - Parameters:
    ///   - pulled: The frame.
    ///   - source: The source of the frame.
    ///   - due: The time when the frame will be visible.
    ///   - time: The position of the player. Nil reads it from the player.
    func present(_ pulled: PulledFrame, _ source: any VideoFrameSource, due: HostTime, time: CMTime? = nil) {
        isBeyondWindow = canvas.isBeyondWindow
        let (x, y) = canvas.devicePosition()
        let placement = canvas.placement(pulled.frame.presentationSize)
        let contents = contents(over: pulled.frame, placement, due, time: time)
        isBlended = painter.isBlended(pulled.frame, contents, placement, in: canvas.space)
        let state = DrawnVideo.State(
            sequence: pulled.sequence, x: x, y: y, placement: placement,
            appearanceVersion: feed.composition?.appearanceVersion ?? 0, overlays: contents.map(\.version), cover: cover
        )
        if placement.width > 0, video.state?.placement != placement {
            source.isShown(width: placement.width, height: placement.height)
        }
        // A frame on an obscured surface would be invisible. It is drawn when the server reports that the surface is
        // visible.
        guard state != video.state, isDrawnByGTK || !surface.isObscured(state, contents, in: canvas.space) else {
            return
        }
        let isNew = video.isNew(pulled.sequence)
        let sequence = isNew ? feed.composition?.sourceSequence(of: pulled.sequence) ?? pulled.sequence : nil
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
            feed.presented(presented, isSeenLater: isOnSurface && surface.reportsPresentationTime)
            onPresent?(presented.time)
        }
    }

    /// Returns the overlays above `frame` at `due`.
    func contents(over frame: VideoFrame, _ p: VideoPlacement, _ due: HostTime, time: CMTime? = nil) -> [OverlayContent]
    {
        let all = overlays.all(composition, player)
        guard !all.isEmpty, p.width > 0 else { return [] }
        let geometry = overlays.geometry(
            p, in: canvas.space, madeFor: composition?.viewSize.map { Double($0.width) })
        // The position of the player, not of the frame, because subtitles also change while a frame is displayed for
        // long.
        let time = time ?? player?.currentTime() ?? frame.presentationTime
        return all.map { $0.content(at: time, hostTime: due, in: geometry) }
    }

    /// Whether the surface is at its final position and the compositor has not requested another frame yet.
    /// `surfaceIsReady` is called when it does.
    var isSurfaceBusy: Bool {
        guard !isDrawnByGTK, let drawn = video.state, surface.isBusy else { return false }
        return (drawn.x, drawn.y) == canvas.devicePosition()
            && drawn.placement == canvas.placement(video.frame?.presentationSize)
    }

    /// Shows a frame on the video's own surface.
    /// - Parameter sequence: The source's number of a new frame. Nil for a frame that was shown before.
    /// - Returns: The result.
    private func presentOnSurface(
        _ frame: VideoFrame, _ state: DrawnVideo.State, _ contents: [OverlayContent], _ sequence: UInt64?
    ) -> PresentationResult {
        // Do not use the surface while OpenGL draws. If OpenGL turns out to be unavailable, the surface is used as if
        // OpenGL had not been chosen.
        guard !isDrawnByGTK, !painter.triesGL, state.placement.width > 0 else {
            hideSurface()
            return .refused
        }
        return surface.show(
            ViewSurface.Picture(frame: frame, state: state, overlays: contents, colors: feed.composition?.colors),
            over: video.state, in: canvas.space, sequence: sequence
        ) { makeSurface() }
    }

    private func makeSurface() -> ViewSurface.Attempt {
        guard let parent = canvas.picture.native?.surface, let display = parent.display else { return .tooEarly }
        switch display.windowing {
        case .x11:
            // The surface uses another connection. The server must have GDK's window before a child of it is created.
            display.sync()
            guard let x11 = X11VideoSurface(displayName: display.name, parent: parent.x11Window) else {
                return .impossible
            }
            x11.onExpose = { [weak self] in
                self?.video.forgetState()
                self?.startTicking()
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
                    self?.startTicking()
                },
                ready: { [weak self] in self?.surfaceIsReady() },
                placed: { [weak self] in self?.canvas.picture.queueDraw() },
                seen: { [weak self] in self?.feed.wasSeen($0, at: $1) })
            return WaylandVideoSurface(parent, events).map { .made($0) } ?? .impossible
        case .other: return .impossible
        }
    }

    // MARK: content that GTK draws below

    /// The part of the widget that certainly shows video with `cover` blended in, in points. Nil if there is none.
    ///
    /// Content that GTK would draw in this part is hidden by the video or already blended into it.
    package var opaquePart: CGRect? {
        guard !isDrawnByGTK, !painter.triesGL, let frame = video.frame else { return nil }
        let p = canvas.placement(frame.presentationSize)
        let scale = Double(canvas.picture.scaleFactor)
        if surface.isThere {
            guard surface.isStaying, video.state?.placement == p else { return nil }
        } else {
            // If no surface can be made, GTK draws frames into which the cover is blended.
            guard !surface.isUntried, !frame.hasAlpha, p.width > 0 else { return nil }
        }
        return CGRect(
            x: Double(p.x) / scale, y: Double(p.y) / scale, width: Double(p.width) / scale,
            height: Double(p.height) / scale)
    }

    /// Hides the surface once GTK has drawn the content below.
    func hideSurface() { surface.hide(isVisible: canvas.isVisible) }
}
