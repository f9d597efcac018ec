import CGTK
import Filters
import Foundation
import GTK
import MediaCore
import MediaEngine
import Overlays

/// A GTK widget that shows the video of a player.
///
/// In a GTK app:
/// ```swift
/// guard let view = PlayerView() else { return nil }
/// view.player = AVPlayer(url: film)
/// view.videoGravity = .resizeAspectFill
/// gtk_box_append(box, view.widget.pointer(to: GtkWidget.self))
/// ```
/// **Display-driven.** At each tick of GTK's frame clock, the view requests the frame that is due when that tick
/// becomes visible. It draws only new frames. The clock stops while nothing moves. The video's own surface shows frames
/// without that clock, each at its time. A view that is hidden, minimized or without a size neither ticks nor draws.
/// (GDK stops the clock of a minimized window, or the compositor requests no frames.)
///
/// **Presentation.** With the CPU renderer, frames go to the video's own surface (`X11VideoSurface`,
/// `WaylandVideoSurface`), and the content above the video is blended in (`cover`). GTK draws frames with alpha, and
/// frames with content above them that cannot be blended, as a cairo image. With the GL renderer, GTK draws a texture.
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
    /// Called for every frame that is put on the screen, with its host time.
    package var onPresent: ((HostTime) -> Void)?
    /// The player whose video is shown. If nil, the view shows only its background.
    public var player: AVPlayer? {
        didSet {
            if player !== oldValue {
                overlays.forgetPlayer()
                notice.follow(player)
            }
            source = player?.videoFrameSource
        }
    }
    /// The content of the app above the video, which is blended into the frames.
    package var cover = VideoCover() {
        didSet {
            // Waits for the next frame or the next display refresh, so that one frame is sent instead of two.
            if cover != oldValue { startTicking() }
        }
    }

    /// Creates a view. Returns nil if GTK has no display.
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
        overlays.onChange = { [weak self] in self?.startTicking() }
        feed.onItemFrame = { [weak self] in self?.startTicking() }
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
    /// The widget, for GTK code of an app. Its parent and this view own it.
    public var widget: GTKWidget { canvas.widget }
    /// The size in points.
    package var size: CGSize { canvas.picture.size }
    /// All existing views, the oldest first.
    package static var all: [PlayerView] { VideoMark.all }
    /// Whether views blend the content above them into their frames.
    package static var takeCovers: Bool { !OpenGLDrawing.isUsed }
    /// The number of frames drawn so far.
    package var presentedCount: Int { video.count }

    /// The way in which a frame fills the widget. The default is `.resizeAspect`.
    public var videoGravity: AVLayerVideoGravity {
        get { canvas.gravity }
        set {
            canvas.gravity = newValue
            redraw()
        }
    }
    /// The name of the video for assistive technologies. Empty by default.
    public var accessibilityLabel: String {
        get { canvas.label }
        set { canvas.label = newValue }
    }
    /// The filters and overlays of the video. Nil shows the player's frames unchanged, or as the video compositions of
    /// the items change them.
    ///
    /// Views that show the same player one after the other may share a composition.
    public var composition: PictureComposition? {
        get { feed.chosen }
        set {
            guard newValue !== feed.chosen else { return }
            newValue?.displayTakesColors = !painter.triesGL
            feed.compose(with: newValue) { [weak self] in self?.startTicking() }
            redraw()
        }
    }
    package var source: (any VideoFrameSource)? {
        get { feed.source }
        set {
            let isOther = newValue !== feed.source
            feed.follow(newValue) { [weak self] in self?.frameDidChange() }
            if isOther {
                video.forgetSequence()
                surface.forgetFrames()
            }
            if newValue == nil {
                // Remove the frame from the screen, and keep no frame for a later source.
                video.frame = nil
                hideSurface()
                redraw()
            }
            startTicking()
        }
    }
    /// Whether the selected subtitles of the player's item are drawn over the video. The default is true.
    ///
    /// Subtitles of `composition`, for example from a file of the app, replace them.
    public var showsSubtitles: Bool {
        get { overlays.showsSubtitles }
        set {
            guard newValue != overlays.showsSubtitles else { return }
            overlays.showsSubtitles = newValue
            redraw()
        }
    }
    /// The height of a bar at the bottom of the view, in points. Subtitles and texts move above it. The default is 0.
    package var coveredBottom: Double {
        get { overlays.coveredBottom }
        set {
            guard newValue != overlays.coveredBottom else { return }
            overlays.coveredBottom = newValue
            redraw()
        }
    }
    /// Whether the background is black: beside the frame, behind transparent pixels, and before the first frame.
    ///
    /// If false, content behind the view is visible there. The default is true.
    public var isBackgroundBlack: Bool {
        get { painter.isBackgroundBlack }
        set {
            guard newValue != painter.isBackgroundBlack else { return }
            painter.isBackgroundBlack = newValue
            redraw()
        }
    }
    /// Whether the view shows which tracks of the item cannot be decoded while the others play. The default is true.
    package var showsTrackFailures: Bool {
        get { notice.isEnabled }
        set { notice.isEnabled = newValue }
    }
    private func noticeChanged(_ text: String?) {
        if text != nil { hideSurface() }
        canvas.picture.setAccessibleDescription(text ?? "")
        redraw()
    }
    /// The condition for hiding a pointer that rests over a playing video. The default is full screen.
    package var hidesPointer: PointerRest.Place {
        get { pointer.place }
        set { pointer.place = newValue }
    }
}

// MARK: drawing by GTK or on a surface

extension PlayerView {
    /// Whether the view's own surface shows the frames now.
    package var isOnSurface: Bool { surface.isMapped && !isDrawnByGTK }
    /// Whether GTK draws the frames because the view may not use its own surface.
    package var isDrawnByGTK: Bool { !reasons.isEmpty || notice.text != nil }

    /// Whether content of the app is above the video. If true, GTK draws the video, so that it stays below the content.
    ///
    /// ```swift
    /// let label = GTKWidget(gtk_label_new("Live"))
    /// gtk_overlay_set_child(overlay, view.widget.pointer(to: GtkWidget.self))
    /// gtk_overlay_add_overlay(overlay, label.pointer(to: GtkWidget.self))
    /// view.isCovered = true
    /// ```
    public var isCovered: Bool {
        get { reasons.contains(.covered) }
        set {
            guard reasons.set(.covered, newValue) else { return }
            if newValue { hideSurface() }
            redraw()
            // The first frame may have waited for this change and must not wait for another display refresh.
            if !newValue, video.isWaitingForFirst { frameDidChange() }
        }
    }
    /// Whether the content above the video cannot be blended into its frames. If true, GTK draws everything.
    package var isCoverUnfit: Bool {
        get { reasons.contains(.coverUnfit) }
        set {
            guard reasons.set(.coverUnfit, newValue) else { return }
            if newValue { hideSurface() }
            redraw()
        }
    }
    /// Whether parts of the frame, or of the bars beside it, may be transparent. If true, GTK blends it over the
    /// content below.
    package internal(set) var isBlended: Bool {
        get { reasons.contains(.blended) }
        set { set(.blended, newValue) }
    }
    /// Whether the window's edge must cut off the video. If true, GTK draws it.
    package internal(set) var isBeyondWindow: Bool {
        get { reasons.contains(.beyondWindow) }
        set { set(.beyondWindow, newValue) }
    }
    private func set(_ reason: GTKReasons, _ isOn: Bool) {
        guard reasons.set(reason, isOn) else { return }
        hideSurface()
        // The content that GTK has drawn for the previous state is no longer valid.
        redraw()
    }
}

// MARK: display refreshes

extension PlayerView {
    /// Frees everything that belongs to the window, which is being destroyed. Another window gets new objects.
    private func unrealized() {
        surface.close()
        painter.close()
        video.forgetState()
    }

    private func mapped() {
        ticks.follow(canvas.picture) { [weak self] in self?.framePassed() }
        pointer.follow(widget) { [weak self] in self?.source?.isMoving == true }
        startTicking()
    }

    /// Updates the video's own surface after GTK has drawn a frame.
    ///
    /// GTK does not notify a widget that it no longer has any space or has moved. Without this check, the surface would
    /// stay at its old position.
    private func framePassed() {
        // A view that has left its window may have returned.
        guard surface.isMapped || isBeyondWindow else { return }
        let isVisible = canvas.isVisible
        if surface.isMapped { surface.framePassed(isVisible: isVisible) { canvas.picture.display?.sync() } }
        guard isVisible else { return video.forgetState() }
        guard !ticks.isRefreshing, let drawn = video.state else { return }
        if canvas.isBeyondWindow != isBeyondWindow || surface.isMapped && hasMoved(since: drawn) { startTicking() }
    }

    private func hasMoved(since drawn: DrawnVideo.State) -> Bool {
        (drawn.x, drawn.y) != canvas.devicePosition()
            || drawn.placement != canvas.placement(video.frame?.presentationSize)
    }

    private func unmapped() {
        MovingVideoMonitor.shared.viewDidHide(self)
        ticks.unfollow()
        pointer.leave()
        stopTicking()
        surface.hideNow()
        // On Wayland, GTK may create another surface when the window is shown again.
        if surface.isPart { surface.close() }
        video.forgetState()
    }

    /// Starts ticking, because the next request may return another frame.
    func startTicking() {
        guard canvas.picture.isMapped else { return }
        let wasRunning = ticks.isRunning
        ticks.start(widget) { [weak self] time in self?.handleDisplayRefresh(time) ?? .never }
        if !wasRunning { pointer.wait() }
    }

    /// Starts ticking, because the player has another frame.
    ///
    /// The user may be waiting for this frame, as after opening an item or after a seek. The video's own surface
    /// therefore shows the frame at once, without waiting for the next display refresh.
    func frameDidChange() {
        guard !ticks.isRefreshing || video.isWaitingForFirst else { return }
        startTicking()
        presentNow(onlyNew: true)
    }

    /// Shows the frame that is due now, because the surface can accept a frame again. The next display refresh may be
    /// too late for this frame.
    func surfaceIsReady() {
        if !ticks.isRunning { startTicking() }
        presentNow(onlyNew: false)
    }

    /// Shows the frame that is due, without a frame of GTK.
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

    /// Returns the current frame of the source, or nil if there is none yet.
    func currentFrame() -> VideoFrame? { feed.pull(at: .now())?.frame }

    private func stopTicking() {
        feed.report(isLast: true)
        ticks.stop()
    }

    /// Shows the frame for a display refresh, or a frame that is due. Returns when to call this again.
    private func handleDisplayRefresh(_ call: DisplayTicks.Time) -> DisplayTicks.Next {
        guard let source, canvas.isVisible else {
            surface.hideNow()
            video.forgetState()
            return .never
        }
        // The surface reports when it is visible again.
        if !isDrawnByGTK, surface.isHidden {
            feed.report(isLast: true)
            return .never
        }
        // Do not request a frame now: it would be treated as displayed, but the surface could not show it. The frame is
        // requested when the surface is ready. GDK's clock continues when a minimized window is shown again.
        if isSurfaceBusy || canvas.isMinimized { return .refresh }
        let due = time(of: call)
        let interval = canvas.picture.refreshInterval
        let former = video.sequence
        let answer = feed.tick(at: due, refreshInterval: interval)
        let plays = answer.isMoving
        let isMoving = plays || composition?.isAnimating(at: due) == true
        // The artwork of an audio file does not keep the screen awake.
        if plays, let player, player.preventsDisplaySleepDuringVideoPlayback,
            (player.currentItem?.presentationSize.width ?? 0) > 0
        {
            MovingVideoMonitor.shared.recordRefresh(of: self)
        }
        if let pulled = answer.pulled {
            take(pulled.frame)
            present(pulled, source, due: due, time: player?.currentTime(in: answer))
        } else if let frame = video.frame, answer.isChanging {
            // The last frame stays until the first frame of the next item arrives, so that there is no black in
            // between.
            present(PulledFrame(frame: frame, sequence: video.sequence), source, due: due)
        } else if video.frame != nil {
            video.frame = nil
            video.forgetSequence()
            hideSurface()
            redraw()
        }
        guard isMoving else {
            feed.report(isLast: true)
            return .never
        }
        guard let next = answer.nextDue, let interval, showsWithoutGTK else { return .refresh }
        let awaited = FrameWait(due: due, interval: interval).next(
            next, isNew: video.sequence != former, now: .now() + surface.delay)
        return .due(at: awaited - surface.delay, visible: awaited)
    }

    /// Returns the time when the frame of a call becomes visible.
    private func time(of call: DisplayTicks.Time) -> HostTime {
        let delay = surface.delay
        switch call {
        case .due(let visible): return max(visible, .now() + delay)
        // GTK's prediction applies only to frames that GTK draws.
        case .refresh where delay > 0 || isOnSurface: return .now() + delay
        case .refresh(let clock):
            // The time as the windowing system predicts it.
            if let timings = gdk_frame_clock_get_current_timings(clock) {
                let predicted = gdk_frame_timings_get_predicted_presentation_time(timings)
                if predicted > 0 { return HostTime(microseconds: Int64(predicted)) }
            }
            return HostTime(microseconds: Int64(gdk_frame_clock_get_frame_time(clock)))
        }
    }

    /// Whether frames reach the screen without GTK, and nothing else changes with the display's refreshes.
    private var showsWithoutGTK: Bool { isOnSurface && feed.composition == nil }

    /// Lets the CPU draw, because OpenGL has turned out to be unavailable. Views around this one also draw again, so
    /// that content over the video is blended into the frames.
    func openGLDidFail() {
        painter.close()
        canvas.stopOffloading()
        composition?.displayTakesColors = true
        redraw()
    }

    func redraw() {
        video.forgetState()
        canvas.invalidateContents()
        startTicking()
    }
}
