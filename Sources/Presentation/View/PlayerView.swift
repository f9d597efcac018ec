import CGTK
import CX11
import Composition
import Foundation
import MediaEngine
import MediaCore

/// A GTK widget that shows a player.
///
/// **Display-driven.** Each tick of GTK's frame clock asks the player for the picture due at the time
/// that tick will be seen, and draws only if it is another one. While nothing moves there are no ticks;
/// hidden, minimised (GDK stops the clock then) or of no size it neither ticks nor draws.
///
/// **The last metre.** On X11 with the CPU renderer, and while nothing covers it, pictures go to a
/// surface of the video's own (`X11VideoSurface`); else, and where pictures have alpha, through GTK, as a cairo image or a
/// GL texture.
///
/// Main actor.
@MainActor @preconcurrency
public final class PlayerView {
    /// The `GtkWidget`, for GTK code of one's own. Owned by its parent as usual, and by this view.
    public let widget: OpaquePointer
    let picture: UnsafeMutablePointer<GtkWidget>

    /// Default `.resizeAspect`.
    public var videoGravity: AVLayerVideoGravity = .resizeAspect { didSet { redraw() } }
    /// Something of the app's lies over the video: it is drawn through GTK, so that it stays below.
    public var isCovered = false {
        didSet {
            guard isCovered != oldValue else { return }
            if isCovered { surface?.hide() }
            redraw()
        }
    }
    /// Shows `player`'s pictures; nil shows black.
    public var player: AVPlayer? {
        didSet { source = player?.videoFrameSource }
    }
    /// Parts of what is shown may be transparent: GTK blends it over what lies below.
    package private(set) var isBlended = false {
        didSet {
            guard isBlended != oldValue else { return }
            surface?.hide()
            // What GTK has drawn of the other kind goes.
            redraw()
            onBlend?()
        }
    }
    /// `isBlended` is another one.
    package var onBlend: (() -> Void)?
    /// No surface of its own: GTK draws the pictures.
    var isDrawnByGTK: Bool { isCovered || isBlended }

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
    /// Beside the picture, where it is transparent, and before the first one: black; else clear, and what lies behind the view is
    /// seen. Default: black.
    public var isBackgroundBlack = true { didSet { if isBackgroundBlack != oldValue { redraw() } } }
    /// Called for every picture put on the screen, with its host time (CLOCK_MONOTONIC nanoseconds).
    package var onPresent: ((Int64) -> Void)?
    /// Pictures drawn so far.
    package private(set) var presentedCount = 0

    package var source: (any VideoFrameSource)? {
        didSet {
            if let oldValue, let wakeToken { oldValue.removeWakeHandler(wakeToken) }
            wakeToken = source?.addWakeHandler { [weak self] in
                DispatchQueue.main.async { MainActor.assumeIsolated { self?.woken() } }
            }
            shown = 0
            if source == nil {
                // Black from now on, and nothing is kept for what may come.
                frame = nil
                surface?.hide()
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
    private var tick: guint = 0
    private let pointer = PointerRest()
    private let frames = Signals()
    var shown: UInt64 = 0
    var frame: VideoFrame?
    var drawn: DrawnState?
    var surface: X11VideoSurface?
    private var triesSurface = true
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
    }

    /// - Returns: nil when GTK has no display.
    public init?() {
        guard GTKStart.ensure(), let raw = gtk_picture_new() else { return nil }
        picture = raw
        widget = OpaquePointer(raw)
        g_object_ref_sink(raw)
        gtk_picture_set_can_shrink(OpaquePointer(raw), 1)
        gtk_picture_set_content_fit(OpaquePointer(raw), GTK_CONTENT_FIT_FILL)
        gtk_widget_set_hexpand(raw, 1)
        gtk_widget_set_vexpand(raw, 1)
        if let paintable = PlayerPaintable.make(for: self) {
            gtk_picture_set_paintable(OpaquePointer(raw), paintable)
            self.paintable = paintable
        }
        connect("map") { _, me in
            nonisolated(unsafe) let me = me
            MainActor.assumeIsolated { PlayerView.from(me)?.mapped() }
        }
        connect("unmap") { _, me in
            nonisolated(unsafe) let me = me
            MainActor.assumeIsolated { PlayerView.from(me)?.unmapped() }
        }
        connect("unrealize") { _, me in
            nonisolated(unsafe) let me = me
            MainActor.assumeIsolated { PlayerView.from(me)?.unrealized() }
        }
    }

    /// What assistive technology calls the video; default: nothing.
    public var accessibilityLabel = "" { didSet { zt_gtk_set_accessible_label(picture, accessibilityLabel) } }

    private var paintable: OpaquePointer?

    isolated deinit {
        if let source, let wakeToken { source.removeWakeHandler(wakeToken) }
        if let composition, let composedToken { composition.removeWakeHandler(composedToken) }
        stopTicking()
        pointer.leave()
        unrealized()
        g_signal_handlers_disconnect_matched(picture, G_SIGNAL_MATCH_DATA, 0, 0, nil, nil, Unmanaged.passUnretained(self).toOpaque())
        if let paintable { g_object_unref(UnsafeMutableRawPointer(paintable)) }
        g_object_unref(picture)
    }

    private static func from(_ raw: UnsafeMutableRawPointer?) -> PlayerView? {
        raw.map { Unmanaged<PlayerView>.fromOpaque($0).takeUnretainedValue() }
    }

    private func connect(_ signal: String, _ handler: @escaping @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void) {
        g_signal_connect_data(picture, signal, unsafeBitCast(handler, to: GCallback.self), Unmanaged.passUnretained(self).toOpaque(), nil, GConnectFlags(0))
    }

    // MARK: ticking

    private var isVisible: Bool {
        gtk_widget_get_mapped(picture) != 0 && gtk_widget_get_width(picture) > 0 && gtk_widget_get_height(picture) > 0
    }

    /// The window goes, and with it what was made for it: in the next one all is made anew.
    private func unrealized() {
        surface?.close()
        surface = nil
        triesSurface = true
        gl?.close()
        gl = nil
        drawn = nil
    }

    private func mapped() {
        if let clock = gtk_widget_get_frame_clock(picture) {
            frames.on(UnsafeMutableRawPointer(clock), "after-paint") { [weak self] in self?.framePassed() }
        }
        pointer.follow(picture) { [weak self] in self?.source?.isMoving == true }
        wake()
    }

    /// GTK has laid out its widgets and tells a widget neither that it has no room any more nor that it lies elsewhere:
    /// what is ours on the screen would stay behind.
    private func framePassed() {
        guard let surface, surface.isMapped else { return }
        guard isVisible else {
            surface.hide()
            drawn = nil
            return
        }
        guard tick == 0, let drawn else { return }
        let (x, y) = devicePosition(Int(gtk_widget_get_scale_factor(picture)))
        if drawn.x != x || drawn.y != y || drawn.placement != placement(frame) { wake() }
    }

    private func unmapped() {
        frames.disconnect()
        pointer.leave()
        stopTicking()
        surface?.hide()
        drawn = nil
    }

    /// The answer of the next pull may be another one.
    func wake() {
        guard gtk_widget_get_mapped(picture) != 0, tick == 0 else { return }
        tick = gtk_widget_add_tick_callback(picture, { _, clock, me in
            nonisolated(unsafe) let me = me, clock = clock
            return MainActor.assumeIsolated { PlayerView.from(me)?.ticked(clock) ?? 0 }
        }, Unmanaged.passUnretained(self).toOpaque(), nil)
        pointer.wait()
    }

    /// The player has something else to show. Somebody waits for it (the first picture, a seek's), and the video's own
    /// surface needs no frame of GTK's to show it: not even the next one is waited for.
    func woken() {
        guard tick == 0 || shown == 0 else { return }
        wake()
        guard tick != 0, isVisible, !isDrawnByGTK, !triesGL, let source, let pulled = pull(source, HostClock.now()),
              pulled.sequence != shown else { return }
        if frame?.presentationSize != pulled.frame.presentationSize { paintable.map { gdk_paintable_invalidate_size($0) } }
        frame = pulled.frame
        present(pulled, source, due: HostClock.now())
    }

    private func pull(_ source: any VideoFrameSource, _ due: Int64) -> PulledFrame? {
        composition.map { $0.pull(from: source, at: due) } ?? source.pull(forHostTime: due)
    }

    private func stopTicking() {
        if tick != 0 { gtk_widget_remove_tick_callback(picture, tick) }
        tick = 0
    }

    /// One turn of the display. Returns whether to be called again.
    private func ticked(_ clock: OpaquePointer?) -> gboolean {
        guard let source, isVisible else {
            surface?.hide()
            drawn = nil
            tick = 0
            return 0
        }
        // When this tick's picture will be seen, as far as the windowing system knows.
        var due = Int64(gdk_frame_clock_get_frame_time(clock)) * 1000
        if let timings = gdk_frame_clock_get_current_timings(clock) {
            let predicted = gdk_frame_timings_get_predicted_presentation_time(timings)
            if predicted > 0 { due = Int64(predicted) * 1000 }
        }
        let isMoving = source.isMoving || composition?.isAnimating(at: due) == true
        // Asked first: a change that ends in between has its picture at the next turn.
        let isChanging = source.isChanging
        if let pulled = pull(source, due) {
            if frame?.presentationSize != pulled.frame.presentationSize { paintable.map { gdk_paintable_invalidate_size($0) } }
            frame = pulled.frame
            present(pulled, source, due: due)
        } else if let frame, isChanging {
            // What is shown stays until its successor's first picture is there: no black in between.
            present(PulledFrame(frame: frame, sequence: shown), source, due: due)
        } else if frame != nil {
            frame = nil
            shown = 0
            surface?.hide()
            redraw()
        }
        if isMoving { return 1 }
        tick = 0
        return 0
    }

    func redraw() {
        drawn = nil
        if let paintable { gdk_paintable_invalidate_contents(paintable) }
        wake()
    }

    // MARK: presenting

    private func present(_ pulled: PulledFrame, _ source: any VideoFrameSource, due: Int64) {
        isBlended = pulled.frame.hasAlpha
        let scale = Int(gtk_widget_get_scale_factor(picture))
        let (x, y) = devicePosition(scale)
        let placement = placement(pulled.frame)
        let overlays = overlays(of: pulled.frame, placement, due)
        let state = DrawnState(sequence: pulled.sequence, x: x, y: y, placement: placement,
            look: composition?.look ?? 0, overlays: overlays.map(\.version))
        // Nobody would see it; it is drawn when the server says that it shows again.
        if placement.width > 0, drawn?.placement != placement { source.isShown(width: placement.width, height: placement.height) }
        guard state != drawn, isDrawnByGTK || !isObscured(state, overlays) else { return }
        let isNew = pulled.sequence != shown
        if !presentOnSurface(pulled.frame, state, overlays) {
            var same = state
            if let drawn { (same.x, same.y) = (drawn.x, drawn.y) }
            guard isNew || same != drawn else { return }
            if let paintable { gdk_paintable_invalidate_contents(paintable) }
        }
        drawn = state
        if isNew {
            shown = pulled.sequence
            presentedCount += 1
            let host = HostClock.now()
            source.didPresent(sequence: composition?.sourceSequence(of: pulled.sequence) ?? pulled.sequence, atHostTime: host)
            onPresent?(host)
        }
    }

    /// What lies over `frame` at `due`.
    func overlays(of frame: VideoFrame, _ p: VideoPlacement, _ due: Int64) -> [OverlayContent] {
        guard let composition, !composition.overlays.isEmpty, p.width > 0 else { return [] }
        let factor = Int(gtk_widget_get_scale_factor(picture)), width = Int(gtk_widget_get_width(picture))
        let wide = composition.viewSize.map { Double($0.width) } ?? 0
        let geometry = OverlayGeometry(width: width * factor, height: Int(gtk_widget_get_height(picture)) * factor,
            pictureX: p.x, pictureY: p.y, pictureWidth: p.width, pictureHeight: p.height,
            scale: Double(factor) * (wide > 0 ? Double(width) / wide : 1))
        // The player's time rather than the picture's: over a picture that stands long, subtitles come and go.
        let time = player?.currentTime() ?? frame.presentationTime
        return composition.overlays.map { $0.content(at: time, hostTime: due, in: geometry) }
    }

    /// Where `frame` goes in the widget, device pixels.
    func placement(_ frame: VideoFrame?) -> VideoPlacement {
        let scale = Int(gtk_widget_get_scale_factor(picture))
        return VideoPlacement(picture: frame?.presentationSize ?? .zero,
            width: Int(gtk_widget_get_width(picture)) * scale, height: Int(gtk_widget_get_height(picture)) * scale, gravity: videoGravity)
    }

    /// Where the widget lies in its window's surface, device pixels.
    private func devicePosition(_ scale: Int) -> (Int, Int) {
        guard let native = gtk_widget_get_native(picture) else { return (0, 0) }
        var x = 0.0, y = 0.0, left = 0.0, top = 0.0
        gtk_native_get_surface_transform(native, &left, &top)
        guard gtk_widget_translate_coordinates(picture, UnsafeMutablePointer<GtkWidget>(native), 0, 0, &x, &y) != 0 else { return (0, 0) }
        return (Int(((x + left) * Double(scale)).rounded()), Int(((y + top) * Double(scale)).rounded()))
    }

    /// What of the widget the surface takes, device pixels.
    private func area(_ p: VideoPlacement, _ overlays: [OverlayContent]) -> PicturePainter.Area {
        let scale = Int(gtk_widget_get_scale_factor(picture))
        return PicturePainter.area(p, overlays, width: Int(gtk_widget_get_width(picture)) * scale, height: Int(gtk_widget_get_height(picture)) * scale)
    }

    /// Nothing of the surface can be seen where it is to lie. What lies elsewhere so far says nothing about that: in a window
    /// that has become smaller it may be outside.
    private func isObscured(_ state: DrawnState, _ overlays: [OverlayContent]) -> Bool {
        guard let surface, surface.isObscured else { return false }
        let area = area(state.placement, overlays)
        return surface.lies(x: state.x + area.x, y: state.y + area.y, width: area.width, height: area.height)
    }

    /// True when the video's own surface showed it.
    private func presentOnSurface(_ frame: VideoFrame, _ state: DrawnState, _ overlays: [OverlayContent]) -> Bool {
        let p = state.placement
        // Not while GL draws; when it turned out to be none, as if it had never been chosen.
        guard !isDrawnByGTK, !triesGL, p.width > 0, let surface = ownSurface() else {
            surface?.hide()
            return false
        }
        let area = area(p, overlays)
        surface.place(x: state.x + area.x, y: state.y + area.y, width: area.width, height: area.height)
        let colors = composition?.colors
        if surface.show({ painter.paint(frame, placement: p, colors: colors, overlays: overlays, area: area, into: $0, stride: $1) }) { return true }
        // Out of memory, or a surface the server took away: GTK draws from here on.
        surface.close()
        self.surface = nil
        return false
    }

    private func ownSurface() -> X11VideoSurface? {
        if let surface { return surface }
        guard triesSurface else { return nil }
        guard let native = gtk_widget_get_native(picture), let parent = gtk_native_get_surface(native),
              let display = gdk_surface_get_display(parent) else { return nil }
        triesSurface = false
        guard g_type_check_instance_is_a(UnsafeMutableRawPointer(display).assumingMemoryBound(to: GTypeInstance.self), gdk_x11_display_get_type()) != 0 else { return nil }
        // Ours is another connection: the window that GDK has made must be there before a child of it is.
        gdk_display_sync(display)
        surface = X11VideoSurface(displayName: gdk_display_get_name(display).map { String(cString: $0) }, parent: UInt(gdk_x11_surface_get_xid(parent)))
        surface?.onExpose = { [weak self] in
            self?.drawn = nil
            self?.wake()
        }
        surface?.onRefused = { [weak self] in
            guard let self else { return }
            surface?.close()
            surface = nil
            redraw()
        }
        return surface
    }
}
