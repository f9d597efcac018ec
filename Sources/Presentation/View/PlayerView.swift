import CGTK
import CX11
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
    /// The widget, for GTK code of one's own. Owned by its parent as usual, and by this view.
    public var widget: GTKWidget { offload?.object.widget ?? picture.widget }
    var picture: GTKPicture { reference.object }
    private let reference: GTKReference<GTKPicture>
    /// Around the picture with the GL renderer: a compositor may show its textures without GTK drawing them.
    private let offload: GTKReference<GTKGraphicsOffload>?

    /// Default `.resizeAspect`.
    public var videoGravity: AVLayerVideoGravity = .resizeAspect { didSet { redraw() } }
    /// Something of the app's lies over the video: it is drawn through GTK, so that it stays below.
    public var isCovered = false {
        didSet {
            guard isCovered != oldValue else { return }
            if isCovered { hideSurface() }
            redraw()
            // The first picture may have waited to be told this: not for another turn of the display.
            if !isCovered, shown == 0 { woken() }
        }
    }
    /// What of the app's lies over the video and is blended into its pictures.
    package var cover = VideoCover() {
        didSet {
            // With the next picture, or without one at the display's next turn: one picture goes out, not two.
            if cover != oldValue { wake() }
        }
    }
    /// What lies over the video cannot be blended into its pictures: GTK draws all.
    package var isCoverUnfit = false {
        didSet {
            guard isCoverUnfit != oldValue else { return }
            if isCoverUnfit { hideSurface() }
            redraw()
        }
    }
    /// Views blend what lies over them into their pictures.
    package static var takeCovers: Bool { Renderer.chosen == .cpu }
    /// Points.
    package var size: CGSize { picture.size }
    /// All there are, the oldest first.
    package static var all: [PlayerView] { VideoMark.all }
    let coverBlend = CoverBlend()
    /// The surface is about to go.
    var leaving: Leaving?
    enum Leaving {
        /// GTK is asked to draw what the surface hides.
        case asked
        /// In its next frame it does.
        case drawing
    }
    private(set) var mark: UInt = 0
    /// Shows `player`'s pictures; nil shows black.
    public var player: AVPlayer? {
        didSet {
            if player !== oldValue {
                subtitles = nil
                notice = nil
                followFailures()
            }
            source = player?.videoFrameSource
        }
    }
    /// Parts of what is shown may be transparent: GTK blends it over what lies below.
    package internal(set) var isBlended = false {
        didSet {
            guard isBlended != oldValue else { return }
            hideSurface()
            // What GTK has drawn of the other kind goes.
            redraw()
        }
    }
    /// Whether frames are shown by a surface of the view's own now.
    package var isOnSurface: Bool { surface?.isMapped == true && !isDrawnByGTK }
    /// No surface of its own: GTK draws the pictures.
    package var isDrawnByGTK: Bool { isCovered || isCoverUnfit || isBlended || notice != nil }

    /// Whether the view shows which tracks of the item cannot be decoded while the rest plays. Default: true.
    package var showsTrackFailures = true { didSet { if showsTrackFailures != oldValue { followFailures() } } }
    private var failures: TrackFailures?
    private func followFailures() {
        failures = player.flatMap { player in
            showsTrackFailures ? TrackFailures(player) { [weak self] in self?.notice = $0 } : nil
        }
        if failures == nil { notice = nil }
    }
    /// The text that the view shows over its video.
    private(set) var notice: String? {
        didSet {
            guard notice != oldValue else { return }
            if notice != nil { hideSurface() }
            picture.setAccessibleDescription(notice ?? "")
            redraw()
        }
    }
    /// The height of a bar over the view's lower end, points: subtitles and texts move above it. Default: 0.
    package var coveredBottom = 0.0 { didSet { if coveredBottom != oldValue { redraw() } } }

    /// What is done to the pictures, and what lies over them; nil: nothing. It may be shared by views that show the
    /// same player one after the other.
    public var composition: PictureComposition? {
        didSet {
            guard composition !== oldValue else { return }
            if let oldValue, let composedToken { oldValue.removeWakeHandler(composedToken) }
            composition?.displayTakesColors = !triesGL
            composedToken = composition?.addWakeHandler { [weak self] in self?.wake() }
            redraw()
        }
    }
    private var composedToken: Int?
    /// Whether the subtitles that are chosen in the player's item are drawn over its pictures.
    ///
    /// Subtitles of `composition`, which may come from a file of the app's, take their place. Default: true.
    public var showsSubtitles = true { didSet { if showsSubtitles != oldValue { redraw() } } }
    private var subtitles: ItemSubtitleOverlay?
    /// What is drawn over the pictures, the last on top.
    ///
    /// An item's tracks are not read for their subtitles before a picture is drawn: until then it may turn out that
    /// somebody else draws them.
    func overlays() -> [any PictureOverlay] {
        let composed = composition?.overlays ?? []
        guard showsSubtitles, let player, !composed.contains(where: { $0 is SubtitleOverlay }) else {
            subtitles = nil
            return composed
        }
        let shown = subtitles ?? ItemSubtitleOverlay(player) { [weak self] in self?.wake() }
        subtitles = shown
        return [shown.overlay] + composed
    }
    /// Beside the picture, where it is transparent, and before the first one: black; else clear, and what lies behind
    /// the view is seen. Default: black.
    public var isBackgroundBlack = true { didSet { if isBackgroundBlack != oldValue { redraw() } } }
    /// Called for every picture put on the screen, with its host time.
    package var onPresent: ((HostTime) -> Void)?
    /// Pictures drawn so far.
    package internal(set) var presentedCount = 0

    package var source: (any VideoFrameSource)? {
        didSet {
            report(to: oldValue, isLast: true)
            if let oldValue, let wakeToken { oldValue.removeWakeHandler(wakeToken) }
            wakeToken = source?.addWakeHandler { [weak self] in
                DispatchQueue.main.async { MainActor.assumeIsolated { self?.woken() } }
            }
            shown = 0
            surface?.forgetFrames()
            if source == nil {
                // Black from now on, and nothing is kept for what may come.
                frame = nil
                hideSurface()
                redraw()
            }
            wake()
        }
    }

    /// Where the pointer is taken away when it rests over a video that plays; default: where that fills the screen.
    package var hidesPointer: PointerRest.Place {
        get { pointer.place }
        set { pointer.place = newValue }
    }

    private var wakeToken: Int?
    private var tick: TickCallback?
    private let pointer = PointerRest()
    private let frames = Signals()
    private let signals = Signals()
    var shown: UInt64 = 0
    /// A displayed frame that the source has not counted yet. It is reported with the next refresh, or when refreshes end.
    var unreported: PresentedFrame?
    /// On their way to the screen: the windowing system will tell when they are there.
    var awaited: [PresentedFrame] = []
    var frame: VideoFrame?
    var drawn: DrawnState?
    var surface: (any VideoSurface)?
    var triesSurface = true
    let painter = PicturePainter()
    var gl: GLPresenter?
    var triesGL = Renderer.chosen == .gl

    struct DrawnState: Equatable {
        var sequence: UInt64
        var x: Int, y: Int
        var placement: VideoPlacement
        /// Of the composition's colours, and of what lies over the picture.
        var look: UInt64
        var overlays: [UInt64]
        var cover: VideoCover
    }

    /// - Returns: nil when GTK has no display.
    public init?() {
        guard GTKStart.ensure() else { return nil }
        reference = GTKReference(GTKPicture())
        offload =
            Renderer.chosen == .gl ? GTKGraphicsOffload(around: reference.object).map { GTKReference($0) } : nil
        mark = VideoMark.add(self)
        widget.setExpands(horizontally: true)
        widget.setExpands(vertically: true)
        paintable = ContentPaintable.make(for: self)
        picture.setPaintable(paintable?.object)
        signals.on(picture, "map") { [weak self] in self?.mapped() }
        signals.on(picture, "unmap") { [weak self] in self?.unmapped() }
        signals.on(picture, "unrealize") { [weak self] in self?.unrealized() }
    }

    /// What assistive technology calls the video; default: nothing.
    public var accessibilityLabel = "" { didSet { picture.setAccessibleLabel(accessibilityLabel) } }

    var paintable: GTKReference<GDKPaintable>?

    isolated deinit {
        if let source, let wakeToken { source.removeWakeHandler(wakeToken) }
        if let composition, let composedToken { composition.removeWakeHandler(composedToken) }
        stopTicking()
        pointer.leave()
        VideoMark.remove(mark)
        unrealized()
        signals.disconnect()
    }

    // MARK: ticking

    var isVisible: Bool { picture.isMapped && picture.width > 0 && picture.height > 0 }

    /// The window goes, and with it what was made for it: in the next one all is made anew.
    private func unrealized() {
        closeSurface()
        gl?.close()
        gl = nil
        drawn = nil
    }

    private func closeSurface() {
        surface?.close()
        surface = nil
        triesSurface = true
        leaving = nil
    }

    private func mapped() {
        if let clock = picture.frameClock {
            frames.on(clock, "after-paint") { [weak self] in self?.framePassed() }
        }
        pointer.follow(widget) { [weak self] in self?.source?.isMoving == true }
        wake()
    }

    /// GTK has laid out its widgets and tells a widget neither that it has no room any more nor that it lies elsewhere:
    /// what is ours on the screen would stay behind.
    private func framePassed() {
        guard let surface, surface.isMapped else { return }
        surface.framePassed()
        guard isVisible else {
            hideNow()
            drawn = nil
            return
        }
        if leaving == .drawing {
            // The server must have had GTK's drawing before it hears of this.
            if surface.isApart { picture.display?.sync() }
            hideNow()
        }
        guard tick == nil, let drawn else { return }
        let (x, y) = devicePosition(picture.scaleFactor)
        if drawn.x != x || drawn.y != y || drawn.placement != placement(frame) { wake() }
    }

    private func unmapped() {
        frames.disconnect()
        pointer.leave()
        stopTicking()
        hideNow()
        // On Wayland GTK's own may be another one when it is shown again.
        if surface?.isApart == false { closeSurface() }
        drawn = nil
    }

    /// The answer of the next pull may be another one.
    func wake() {
        guard picture.isMapped, tick == nil else { return }
        tick = TickCallback(widget) { [weak self] clock in self?.ticked(clock) ?? false }
        pointer.wait()
    }

    /// The player has something else to show. Somebody waits for it (the first picture, a seek's), and the video's own
    /// surface needs no frame of GTK's to show it: not even the next one is waited for.
    func woken() {
        guard tick == nil || shown == 0 else { return }
        wake()
        presentNow { [shown] in $0.sequence != shown }
    }

    /// The surface could not take a frame, and can now: the display's next turn may be too late for it.
    func surfaceIsReady() {
        wake()
        presentNow { _ in true }
    }

    /// Shows what is due, without a frame of GTK's.
    private func presentNow(if isWanted: (PulledFrame) -> Bool) {
        let due = HostTime.now() + (surface?.delay ?? 0)
        guard tick != nil, isVisible, !isDrawnByGTK, !triesGL, let source, let pulled = pull(source, due),
            isWanted(pulled)
        else { return }
        if frame?.presentationSize != pulled.frame.presentationSize {
            paintable?.object.invalidateSize()
        }
        frame = pulled.frame
        present(pulled, source, due: due)
    }

    private func pull(_ source: any VideoFrameSource, _ due: HostTime) -> PulledFrame? {
        composition.map { $0.pull(from: source, at: due) } ?? source.pull(forHostTime: due)
    }

    /// The frame that the source has now; nil: none yet.
    func currentFrame() -> VideoFrame? { source.flatMap { pull($0, .now()) }?.frame }

    private func stopTicking() {
        report(to: source, isLast: true)
        tick?.cancel()
        tick = nil
    }

    /// - Parameter isLast: nobody will ask for another frame soon: what is on its way to the screen counts as seen.
    func report(to source: (any VideoFrameSource)?, isLast: Bool = false) {
        if let unreported { source?.didPresent(sequence: unreported.sequence, atHostTime: unreported.time) }
        unreported = nil
        guard isLast else { return }
        for frame in awaited { source?.didPresent(sequence: frame.sequence, atHostTime: frame.time) }
        awaited.removeAll(keepingCapacity: true)
    }

    /// - Parameter time: nil: it never was.
    func frameWasSeen(_ sequence: UInt64, at time: HostTime?) {
        guard let index = awaited.firstIndex(where: { $0.sequence == sequence }) else { return }
        awaited.remove(at: index)
        guard let time else { return }
        report(to: source)
        unreported = PresentedFrame(sequence: sequence, at: time)
    }

    /// What is to be seen at `due`: one question for the frame, whether others follow, and the position.
    private func ask(_ source: any VideoFrameSource, _ due: HostTime) -> DisplayTick {
        guard let composition else {
            defer { unreported = nil }
            return source.tick(forHostTime: due, presented: unreported)
        }
        report(to: source)
        // Asked first: a change that ends in between has its picture at the next turn.
        let (isMoving, isChanging) = (source.isMoving, source.isChanging)
        return DisplayTick(
            isMoving: isMoving, isChanging: isChanging, pulled: composition.pull(from: source, at: due))
    }

    /// One turn of the display. Returns whether to be called again.
    private func ticked(_ clock: OpaquePointer?) -> Bool {
        guard let source, isVisible else {
            hideNow()
            drawn = nil
            tick = nil
            return false
        }
        // The surface tells when it is seen again.
        if !isDrawnByGTK, surface?.isHidden == true {
            report(to: source, isLast: true)
            tick = nil
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
        if let delay = surface?.delay, delay > 0 { due = .now() + delay }
        let answer = ask(source, due)
        let plays = answer.isMoving
        let isMoving = plays || composition?.isAnimating(at: due) == true
        // Sound alone shows its cover, for which nobody has to stay awake.
        if plays, let player, player.preventsDisplaySleepDuringVideoPlayback,
            (player.currentItem?.presentationSize.width ?? 0) > 0
        {
            PictureWatch.shared.showed()
        }
        if let pulled = answer.pulled {
            if frame?.presentationSize != pulled.frame.presentationSize {
                paintable?.object.invalidateSize()
            }
            frame = pulled.frame
            present(pulled, source, due: due, time: player?.currentTime(in: answer))
        } else if let frame, answer.isChanging {
            // What is shown stays until its successor's first picture is there: no black in between.
            present(PulledFrame(frame: frame, sequence: shown), source, due: due)
        } else if frame != nil {
            frame = nil
            shown = 0
            hideSurface()
            redraw()
        }
        if isMoving { return true }
        report(to: source, isLast: true)
        tick = nil
        return false
    }

    func redraw() {
        drawn = nil
        paintable?.object.invalidateContents()
        wake()
    }
}
