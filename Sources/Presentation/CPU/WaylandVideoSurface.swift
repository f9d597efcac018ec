import CWayland
import Foundation
import GTK
import MediaCore
import Overlays

/// The video's own surface on Wayland: a subsurface above GTK's surface, in memory that the compositor reads.
///
/// As on X11, `FrameScaler` writes directly into that memory. Content that GTK draws over the video is blended into
/// the frames (`VideoCover`). The compositor requests each frame, so none is painted while the window is hidden. A new
/// position takes effect with GTK's next frame, together with the first frame for that position.
@MainActor
final class WaylandVideoSurface: VideoSurface {
    private let connection: WaylandConnection
    /// The `wl_surface` of GTK's window.
    private let parent: OpaquePointer
    private let surface: OpaquePointer
    private let subsurface: OpaquePointer
    private let viewport: OpaquePointer?
    private var preferred: OpaquePointer?
    private let buffers: WaylandBuffers
    private let frames: PresentationFeedback
    private let events: SurfaceEvents
    private var position = Position()
    private(set) var isMapped = false
    private var shown: WaylandBuffers.Buffer?
    /// The `wl_callback` for the compositor's request of another frame. Nil once the request has arrived.
    private var next: OpaquePointer?
    private var state = State()

    private struct Position: Equatable {
        var area = PicturePainter.Area(x: 0, y: 0, width: 0, height: 0)
        var scale = 1
    }
    private struct State {
        /// Whether a frame is waiting, because the surface could not accept it.
        var hasPendingFrame = false
        /// Whether the new position takes effect with GTK's next frame.
        var isPlacing = false
        /// The number of pixels per point on the outputs, if the compositor reports it. The number may be fractional.
        var ratio: Double?
        var isClosed = false
        /// The time when the last frame was shown.
        var sent = HostTime.zero
    }

    /// Creates a surface above `gtk`, or returns nil if the compositor does not support it.
    init?(_ gtk: GDKSurface, _ events: SurfaceEvents) {
        guard let display = gtk.display, let connection = WaylandConnection.of(display), let parent = gtk.waylandSurface
        else { return nil }
        var globals = connection.globals
        var subsurface: OpaquePointer?
        guard let surface = zt_wayland_surface(&globals, parent, &subsurface), let subsurface else { return nil }
        (self.connection, self.parent) = (connection, OpaquePointer(parent))
        (self.surface, self.subsurface) = (surface, subsurface)
        self.events = events
        buffers = WaylandBuffers(connection)
        frames = PresentationFeedback(connection)
        viewport = zt_wayland_viewport(&globals, surface)
        wl_subsurface_set_desync(subsurface)
        if viewport != nil {
            preferred = zt_wayland_scale(&globals, surface, Unmanaged.passUnretained(self).toOpaque())
        }
    }

    func close() {
        guard !state.isClosed else { return }
        state.isClosed = true
        isMapped = false
        if let next { wl_callback_destroy(next) }
        next = nil
        frames.close()
        if let preferred { zt_wayland_forget_scale(preferred) }
        if let viewport { zt_wayland_forget_viewport(viewport) }
        wl_subsurface_destroy(subsurface)
        wl_surface_destroy(surface)
        // Free the buffers after the surface, so that the displayed frame stays intact until the surface disappears.
        buffers.close()
        flush()
    }

    isolated deinit { close() }

    private func flush() { _ = wl_display_flush(connection.display) }

    // MARK: position

    var usesOwnConnection: Bool { false }

    func isPlaced(at area: PicturePainter.Area) -> Bool { area == position.area }

    func pixels(of size: PicturePainter.Area, video: CGSize, scale: Int) -> SurfacePixels {
        let whole = SurfacePixels(width: size.width, height: size.height)
        guard viewport != nil else { return whole }
        var factor = (state.ratio ?? Double(scale)) / Double(scale)
        if connection.scalesFreely, video.width > 0, video.height > 0 {
            factor = min(
                factor, max(Double(video.width) / Double(size.width), Double(video.height) / Double(size.height)))
        }
        guard factor < 1 else { return whole }
        return SurfacePixels(
            width: max(1, Int((Double(size.width) * factor).rounded())),
            height: max(1, Int((Double(size.height) * factor).rounded())))
    }

    func place(_ area: PicturePainter.Area, scale: Int, pixels: SurfacePixels) {
        guard area.width > 0, area.height > 0, scale > 0 else { return hide() }
        // Compositors close the connection if a size is not a whole number of points.
        guard area.width % scale == 0, area.height % scale == 0 else { return hide() }
        let new = Position(area: area, scale: scale)
        let isOther = new != position
        guard isOther || pixels != buffers.pixels else { return }
        if pixels != buffers.pixels {
            buffers.resize(pixels)
            shown = nil
        }
        let isScaled = pixels.width != area.width || pixels.height != area.height
        let size = (width: Int32(clamping: area.width / scale), height: Int32(clamping: area.height / scale))
        // These values take effect with the next frame of this surface. The position takes effect with a frame of GTK's
        // surface.
        wl_surface_set_buffer_scale(surface, isScaled ? 1 : Int32(clamping: scale))
        if let viewport {
            zt_wayland_set_destination(viewport, isScaled ? size.width : -1, isScaled ? size.height : -1)
        }
        var globals = connection.globals
        zt_wayland_set_opaque(&globals, surface, size.width, size.height)
        guard isOther else { return }
        position = new
        wl_subsurface_set_position(subsurface, Int32(clamping: area.x / scale), Int32(clamping: area.y / scale))
        // Without synchronization, the old frame could be visible at the new position for a moment, or the new frame at
        // the old position.
        if isMapped { wl_subsurface_set_sync(subsurface) }
        state.isPlacing = true
    }

    func framePassed() {
        guard state.isPlacing, !state.isClosed else { return }
        state.isPlacing = false
        wl_surface_commit(parent)
        wl_subsurface_set_desync(subsurface)
        flush()
    }

    func prefers(_ ratio: Double) {
        guard ratio > 0, ratio != state.ratio else { return }
        state.ratio = ratio
        events.changed()
    }

    func hide() {
        guard isMapped else { return }
        isMapped = false
        shown = nil
        if let next { wl_callback_destroy(next) }
        next = nil
        state.hasPendingFrame = false
        wl_subsurface_set_desync(subsurface)
        wl_surface_attach(surface, nil, 0, 0)
        wl_surface_commit(surface)
        // sway 1.7 redraws the area below only if it is marked as damaged, and GTK may have nothing new to draw there.
        wl_surface_damage(
            parent, Int32(clamping: position.area.x / position.scale),
            Int32(clamping: position.area.y / position.scale),
            Int32(clamping: position.area.width / position.scale),
            Int32(clamping: position.area.height / position.scale))
        wl_surface_commit(parent)
        flush()
    }

    // MARK: frames

    /// Whether the compositor has not requested another frame yet. True for a hidden window, and for a part of each
    /// refresh interval.
    var isObscured: Bool {
        guard next != nil else { return false }
        state.hasPendingFrame = true
        return true
    }

    /// Whether the compositor has requested no frame for more than a second. For a visible window, the compositor
    /// requests a frame at each display refresh.
    var isHidden: Bool {
        guard next != nil, HostTime.now() - state.sent > 1_000_000_000 else { return false }
        state.hasPendingFrame = true
        return true
    }
    var delay: Int64 { isMapped ? frames.delay : 0 }
    var reportsPresentationTime: Bool { connection.reportsPresentationTime == true }
    func forgetFrames() { frames.discardAll() }

    func show(_ sequence: UInt64?, _ paint: (UnsafeMutableRawPointer, Int) -> Bool) -> PresentationResult {
        guard position.area.width > 0, !state.isClosed else { return .refused }
        guard let buffer = buffers.take(for: self) else {
            guard !buffers.isEmpty else { return .refused }
            state.hasPendingFrame = true
            return .later
        }
        guard paint(buffer.memory, buffers.stride) else { return .refused }
        buffers.shows(buffer, changed: nil)
        if let sequence { frames.requestFeedback(sequence, of: surface, for: self) }
        send(buffer, [buffers.whole])
        return .shown
    }

    func alter(_ change: (UnsafeMutableRawPointer, Int) -> [PicturePainter.Area]) -> Bool {
        guard isMapped, let shown, let buffer = shown.isBusy ? buffers.take(for: self) : shown else { return false }
        buffers.copy(shown, to: buffer)
        let parts = change(buffer.memory, buffers.stride)
        guard !parts.isEmpty else { return true }
        buffers.shows(buffer, changed: parts)
        send(buffer, parts)
        return true
    }

    private func send(_ buffer: WaylandBuffers.Buffer, _ parts: [PicturePainter.Area]) {
        wl_surface_attach(surface, buffer.proxy, 0, 0)
        for part in parts {
            wl_surface_damage_buffer(
                surface, Int32(clamping: part.x), Int32(clamping: part.y), Int32(clamping: part.width),
                Int32(clamping: part.height))
        }
        if let next { wl_callback_destroy(next) }
        next = zt_wayland_next_frame(surface, Unmanaged.passUnretained(self).toOpaque())
        wl_surface_commit(surface)
        flush()
        buffer.isBusy = true
        (shown, isMapped) = (buffer, true)
        state.hasPendingFrame = false
        state.sent = .now()
        // A frame at a new position becomes visible only after GTK has drawn too.
        if state.isPlacing { events.placed() }
    }

    // MARK: the compositor's events

    func wantsNext() {
        next = nil
        notifyIfReady()
    }

    func released(_ buffer: OpaquePointer?) {
        buffers.released(buffer)
        notifyIfReady()
    }

    func seen(_ feedback: OpaquePointer?, _ time: HostTime?) {
        if let sequence = frames.handleFeedback(feedback, time) { events.seen(sequence, time) }
    }

    private func notifyIfReady() {
        guard state.hasPendingFrame, next == nil else { return }
        state.hasPendingFrame = false
        events.ready()
    }
}
