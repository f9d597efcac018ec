import CGTK
import Filters
import Foundation
import GTK
import MediaCore
import MediaEngine
import Overlays

/// A GTK widget that shows a player.
///
/// **Display-driven.** Each tick of GTK's frame clock asks the player for the picture due at the time
/// that tick will be seen, and draws only if it is another one. While nothing moves there are no ticks;
/// hidden, minimised (GDK stops the clock then, or the surface's compositor wants no frames) or of no size it neither
/// ticks nor draws.
///
/// **The last metre.** With the CPU renderer pictures go to a surface of the video's own (`X11VideoSurface`,
/// `WaylandVideoSurface`), what lies over them blended in (`cover`); else, where pictures have alpha, and where what
/// covers them cannot be blended so, through GTK, as a cairo image or a GL texture.
///
/// Main actor.
@MainActor @preconcurrency
public final class PlayerView {
    let canvas: VideoCanvas
    let painter: SnapshotPainter
    let surface: ViewSurface
    let feed = VideoFeed()
    let overlays = ViewOverlays()
    let notice = TrackNotice()
    var video = DrawnVideo()
    private var reasons: GTKReasons = []
    private(set) var mark: UInt = 0
    private let ticks = DisplayTicks()
    private let pointer = PointerRest()
    private let signals = Signals()
    /// Called for every picture put on the screen, with its host time.
    package var onPresent: ((HostTime) -> Void)?
    /// Shows `player`'s pictures; nil shows black.
    public var player: AVPlayer? {
        didSet {
            if player !== oldValue {
                overlays.forgetPlayer()
                notice.follow(player)
            }
            source = player?.videoFrameSource
        }
    }
    /// What of the app's lies over the video and is blended into its pictures.
    package var cover = VideoCover() {
        didSet {
            // With the next picture, or without one at the display's next turn: one picture goes out, not two.
            if cover != oldValue { wake() }
        }
    }

    /// - Returns: nil when GTK has no display.
    public init?() {
        guard GTKStart.ensure() else { return nil }
        let (canvas, frames) = (VideoCanvas(), PicturePainter())
        self.canvas = canvas
        painter = SnapshotPainter(canvas, frames)
        surface = ViewSurface(frames) {
            canvas.picture.queueDraw()
            canvas.picture.parent?.queueDraw()
        }
        mark = VideoMark.add(self)
        canvas.show(self)
        overlays.onChange = { [weak self] in self?.wake() }
        notice.onChange = { [weak self] in self?.noticeChanged($0) }
        signals.on(canvas.picture, "map") { [weak self] in self?.mapped() }
        signals.on(canvas.picture, "unmap") { [weak self] in self?.unmapped() }
        signals.on(canvas.picture, "unrealize") { [weak self] in self?.unrealized() }
    }

    isolated deinit {
        feed.close()
        stopTicking()
        pointer.leave()
        VideoMark.remove(mark)
        unrealized()
        signals.disconnect()
    }
}

// MARK: settings

extension PlayerView {
    /// The widget, for GTK code of one's own. Owned by its parent as usual, and by this view.
    public var widget: GTKWidget { canvas.widget }
    /// Points.
    package var size: CGSize { canvas.picture.size }
    /// All there are, the oldest first.
    package static var all: [PlayerView] { VideoMark.all }
    /// Views blend what lies over them into their pictures.
    package static var takeCovers: Bool { Renderer.chosen == .cpu }
    /// Pictures drawn so far.
    package var presentedCount: Int { video.count }

    /// Default `.resizeAspect`.
    public var videoGravity: AVLayerVideoGravity {
        get { canvas.gravity }
        set {
            canvas.gravity = newValue
            redraw()
        }
    }
    /// What assistive technology calls the video; default: nothing.
    public var accessibilityLabel: String {
        get { canvas.label }
        set { canvas.label = newValue }
    }
    /// What is done to the pictures, and what lies over them; nil: nothing. It may be shared by views that show the
    /// same player one after the other.
    public var composition: PictureComposition? {
        get { feed.composition }
        set {
            guard newValue !== feed.composition else { return }
            newValue?.displayTakesColors = !painter.triesGL
            feed.compose(with: newValue) { [weak self] in self?.wake() }
            redraw()
        }
    }
    package var source: (any VideoFrameSource)? {
        get { feed.source }
        set {
            feed.follow(newValue) { [weak self] in self?.woken() }
            video.forgetSequence()
            surface.forgetFrames()
            if newValue == nil {
                // Black from now on, and nothing is kept for what may come.
                video.frame = nil
                hideSurface()
                redraw()
            }
            wake()
        }
    }
    /// Whether the subtitles that are chosen in the player's item are drawn over its pictures.
    ///
    /// Subtitles of `composition`, which may come from a file of the app's, take their place. Default: true.
    public var showsSubtitles: Bool {
        get { overlays.showsSubtitles }
        set {
            guard newValue != overlays.showsSubtitles else { return }
            overlays.showsSubtitles = newValue
            redraw()
        }
    }
    /// The height of a bar over the view's lower end, points: subtitles and texts move above it. Default: 0.
    package var coveredBottom: Double {
        get { overlays.coveredBottom }
        set {
            guard newValue != overlays.coveredBottom else { return }
            overlays.coveredBottom = newValue
            redraw()
        }
    }
    /// Beside the picture, where it is transparent, and before the first one: black; else clear, and what lies behind
    /// the view is seen. Default: black.
    public var isBackgroundBlack: Bool {
        get { painter.isBackgroundBlack }
        set {
            guard newValue != painter.isBackgroundBlack else { return }
            painter.isBackgroundBlack = newValue
            redraw()
        }
    }
    /// Whether the view shows which tracks of the item cannot be decoded while the rest plays. Default: true.
    package var showsTrackFailures: Bool {
        get { notice.isEnabled }
        set { notice.isEnabled = newValue }
    }
    private func noticeChanged(_ text: String?) {
        if text != nil { hideSurface() }
        canvas.picture.setAccessibleDescription(text ?? "")
        redraw()
    }
    /// Where the pointer is taken away when it rests over a video that plays; default: where that fills the screen.
    package var hidesPointer: PointerRest.Place {
        get { pointer.place }
        set { pointer.place = newValue }
    }
}

// MARK: who draws

extension PlayerView {
    /// Whether frames are shown by a surface of the view's own now.
    package var isOnSurface: Bool { surface.isMapped && !isDrawnByGTK }
    /// No surface of its own: GTK draws the pictures.
    package var isDrawnByGTK: Bool { !reasons.isEmpty || notice.text != nil }

    /// Something of the app's lies over the video: it is drawn through GTK, so that it stays below.
    public var isCovered: Bool {
        get { reasons.contains(.covered) }
        set {
            guard reasons.set(.covered, newValue) else { return }
            if newValue { hideSurface() }
            redraw()
            // The first picture may have waited to be told this: not for another turn of the display.
            if !newValue, video.isWaitingForFirst { woken() }
        }
    }
    /// What lies over the video cannot be blended into its pictures: GTK draws all.
    package var isCoverUnfit: Bool {
        get { reasons.contains(.coverUnfit) }
        set {
            guard reasons.set(.coverUnfit, newValue) else { return }
            if newValue { hideSurface() }
            redraw()
        }
    }
    /// Parts of what is shown may be transparent: GTK blends it over what lies below.
    package internal(set) var isBlended: Bool {
        get { reasons.contains(.blended) }
        set {
            guard reasons.set(.blended, newValue) else { return }
            hideSurface()
            // What GTK has drawn of the other kind goes.
            redraw()
        }
    }
}

// MARK: ticking

extension PlayerView {
    /// The window goes, and with it what was made for it: in the next one all is made anew.
    private func unrealized() {
        surface.close()
        painter.close()
        video.forgetState()
    }

    private func mapped() {
        ticks.follow(canvas.picture) { [weak self] in self?.framePassed() }
        pointer.follow(widget) { [weak self] in self?.source?.isMoving == true }
        wake()
    }

    /// GTK has laid out its widgets and tells a widget neither that it has no room any more nor that it lies elsewhere:
    /// what is ours on the screen would stay behind.
    private func framePassed() {
        guard surface.isMapped else { return }
        let isVisible = canvas.isVisible
        surface.framePassed(isVisible: isVisible) { canvas.picture.display?.sync() }
        guard isVisible else { return video.forgetState() }
        guard !ticks.isRunning, let drawn = video.state else { return }
        if (drawn.x, drawn.y) != canvas.devicePosition()
            || drawn.placement != canvas.placement(video.frame?.presentationSize)
        {
            wake()
        }
    }

    private func unmapped() {
        ticks.unfollow()
        pointer.leave()
        stopTicking()
        surface.hideNow()
        // On Wayland GTK's own may be another one when it is shown again.
        if surface.isPart { surface.close() }
        video.forgetState()
    }

    /// The answer of the next pull may be another one.
    func wake() {
        guard canvas.picture.isMapped, !ticks.isRunning else { return }
        ticks.start(widget) { [weak self] clock in self?.ticked(clock) ?? false }
        pointer.wait()
    }

    /// The player has something else to show. Somebody waits for it (the first picture, a seek's), and the video's own
    /// surface needs no frame of GTK's to show it: not even the next one is waited for.
    func woken() {
        guard !ticks.isRunning || video.isWaitingForFirst else { return }
        wake()
        presentNow(onlyNew: true)
    }

    /// The surface could not take a frame, and can now: the display's next turn may be too late for it.
    func surfaceIsReady() {
        wake()
        presentNow(onlyNew: false)
    }

    /// Shows what is due, without a frame of GTK's.
    private func presentNow(onlyNew: Bool) {
        let due = HostTime.now() + surface.delay
        guard ticks.isRunning, canvas.isVisible, !isDrawnByGTK, !painter.triesGL, let source,
            let pulled = feed.pull(at: due), !onlyNew || video.isNew(pulled.sequence)
        else { return }
        take(pulled.frame)
        present(pulled, source, due: due)
    }

    private func take(_ frame: VideoFrame) {
        if video.frame?.presentationSize != frame.presentationSize { canvas.invalidateSize() }
        video.frame = frame
    }

    /// The frame that the source has now; nil: none yet.
    func currentFrame() -> VideoFrame? { feed.pull(at: .now())?.frame }

    private func stopTicking() {
        feed.report(isLast: true)
        ticks.stop()
    }

    /// One turn of the display. Returns whether to be called again.
    private func ticked(_ clock: OpaquePointer?) -> Bool {
        guard let source, canvas.isVisible else {
            surface.hideNow()
            video.forgetState()
            return false
        }
        // The surface tells when it is seen again.
        if !isDrawnByGTK, surface.isHidden {
            feed.report(isLast: true)
            return false
        }
        // A frame that is asked for counts as shown, and this one would not be: it is asked for when it can be.
        if isSurfaceBusy { return true }
        // When this tick's picture will be seen, as far as the windowing system knows.
        var due = HostTime(microseconds: Int64(gdk_frame_clock_get_frame_time(clock)))
        if let timings = gdk_frame_clock_get_current_timings(clock) {
            let predicted = gdk_frame_timings_get_predicted_presentation_time(timings)
            if predicted > 0 { due = HostTime(microseconds: Int64(predicted)) }
        }
        // GTK has sent nothing that it could predict this from.
        let delay = surface.delay
        if delay > 0 { due = .now() + delay }
        let answer = feed.tick(at: due)
        let plays = answer.isMoving
        let isMoving = plays || composition?.isAnimating(at: due) == true
        // Sound alone shows its cover, for which nobody has to stay awake.
        if plays, let player, player.preventsDisplaySleepDuringVideoPlayback,
            (player.currentItem?.presentationSize.width ?? 0) > 0
        {
            PictureWatch.shared.showed()
        }
        if let pulled = answer.pulled {
            take(pulled.frame)
            present(pulled, source, due: due, time: player?.currentTime(in: answer))
        } else if let frame = video.frame, answer.isChanging {
            // What is shown stays until its successor's first picture is there: no black in between.
            present(PulledFrame(frame: frame, sequence: video.sequence), source, due: due)
        } else if video.frame != nil {
            video.frame = nil
            video.forgetSequence()
            hideSurface()
            redraw()
        }
        if isMoving { return true }
        feed.report(isLast: true)
        return false
    }

    func redraw() {
        video.forgetState()
        canvas.invalidateContents()
        wake()
    }
}
