import CWayland
import Filters
import Foundation
import GTK
import MediaCore
import Overlays

/// The video's own surface on Wayland: a subsurface over GTK's, in memory that the compositor reads.
///
/// As on X11, libswscale writes into that memory, nothing else touches it, and what GTK draws over the video is blended
/// into its frames (`VideoCover`). The compositor asks for each frame: while the window is hidden none is painted. A
/// new place counts from GTK's next frame on, together with the first frame for it. Main thread only.
@MainActor
final class WaylandVideoSurface: VideoSurface {
    private let connection: WaylandConnection
    /// `wl_surface` of GTK's.
    private let parent: OpaquePointer
    private let surface: OpaquePointer
    private let place: OpaquePointer
    private let viewport: OpaquePointer?
    private var preferred: OpaquePointer?
    private let buffers: WaylandBuffers
    private let frames: SeenFrames
    private let events: SurfaceEvents
    private var position = Position()
    private(set) var isMapped = false
    private var shown: WaylandBuffers.Buffer?
    /// `wl_callback`: the compositor has not asked for another frame yet.
    private var next: OpaquePointer?
    private var state = State()

    private struct Position: Equatable {
        var area = PicturePainter.Area(x: 0, y: 0, width: 0, height: 0)
        var scale = 1
    }
    private struct State {
        /// A frame could not be taken.
        var owesFrame = false
        /// GTK's next frame carries the new place.
        var isPlacing = false
        /// Pixels a point on the outputs, where the compositor tells that; it need not be a whole number.
        var ratio: Double?
        var isClosed = false
        /// When the last frame was shown.
        var sent = HostTime.zero
    }

    /// Nil when the compositor cannot.
    init?(_ gtk: GDKSurface, _ events: SurfaceEvents) {
        guard let display = gtk.display, let connection = WaylandConnection.of(display), let parent = gtk.waylandSurface
        else { return nil }
        var globals = connection.globals
        var place: OpaquePointer?
        guard let surface = zt_wayland_surface(&globals, parent, &place), let place else { return nil }
        (self.connection, self.parent, self.surface, self.place) = (connection, OpaquePointer(parent), surface, place)
        self.events = events
        buffers = WaylandBuffers(connection)
        frames = SeenFrames(connection)
        viewport = zt_wayland_viewport(&globals, surface)
        wl_subsurface_set_desync(place)
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
        wl_subsurface_destroy(place)
        wl_surface_destroy(surface)
        // After the surface: what it shows stays whole until it is gone.
        buffers.close()
        flush()
    }

    isolated deinit { close() }

    private func flush() { _ = wl_display_flush(connection.display) }

    // MARK: place

    var isApart: Bool { false }

    func lies(_ area: PicturePainter.Area) -> Bool { area == position.area }

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
        // Compositors end the connection of whoever shows parts of points.
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
        // All of it counts from the next frame of this surface on, but the place, which is GTK's surface's.
        wl_surface_set_buffer_scale(surface, isScaled ? 1 : Int32(clamping: scale))
        if let viewport {
            zt_wayland_set_destination(viewport, isScaled ? size.width : -1, isScaled ? size.height : -1)
        }
        var globals = connection.globals
        zt_wayland_set_opaque(&globals, surface, size.width, size.height)
        guard isOther else { return }
        position = new
        wl_subsurface_set_position(place, Int32(clamping: area.x / scale), Int32(clamping: area.y / scale))
        // The old frame in the new place would be seen for a moment, or the new one in the old.
        if isMapped { wl_subsurface_set_sync(place) }
        state.isPlacing = true
    }

    func framePassed() {
        guard state.isPlacing, !state.isClosed else { return }
        state.isPlacing = false
        wl_surface_commit(parent)
        wl_subsurface_set_desync(place)
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
        state.owesFrame = false
        wl_subsurface_set_desync(place)
        wl_surface_attach(surface, nil, 0, 0)
        wl_surface_commit(surface)
        // sway 1.7 draws what was below only when told to, and GTK may have had nothing new to send there.
        wl_surface_damage(
            parent, Int32(clamping: position.area.x / position.scale),
            Int32(clamping: position.area.y / position.scale),
            Int32(clamping: position.area.width / position.scale),
            Int32(clamping: position.area.height / position.scale))
        wl_surface_commit(parent)
        flush()
    }

    // MARK: frames

    /// The compositor has not asked for another frame yet: so it is with a hidden window, and for part of each refresh.
    var isObscured: Bool {
        guard next != nil else { return false }
        state.owesFrame = true
        return true
    }

    /// A window that can be seen is asked at each display refresh.
    var isHidden: Bool {
        guard next != nil, HostTime.now() - state.sent > 1_000_000_000 else { return false }
        state.owesFrame = true
        return true
    }
    var delay: Int64 { isMapped ? frames.delay : 0 }
    var tellsWhenSeen: Bool { connection.tellsWhenSeen == true }
    func forgetFrames() { frames.forget() }

    func show(_ sequence: UInt64?, _ paint: (UnsafeMutableRawPointer, Int) -> Bool) -> SurfaceAnswer {
        guard position.area.width > 0, !state.isClosed else { return .refused }
        guard let buffer = buffers.take(for: self) else {
            guard !buffers.isEmpty else { return .refused }
            state.owesFrame = true
            return .later
        }
        guard paint(buffer.memory, buffers.stride) else { return .refused }
        buffers.shows(buffer, changed: nil)
        if let sequence { frames.ask(sequence, of: surface, for: self) }
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
        state.owesFrame = false
        state.sent = .now()
        // The first frame is seen once GTK has drawn too.
        if state.isPlacing { events.placed() }
    }

    // MARK: the compositor's events

    func wantsNext() {
        next = nil
        pay()
    }

    func released(_ buffer: OpaquePointer?) {
        buffers.released(buffer)
        pay()
    }

    func seen(_ feedback: OpaquePointer?, _ time: HostTime?) {
        if let sequence = frames.told(feedback, time) { events.seen(sequence, time) }
    }

    private func pay() {
        guard state.owesFrame, next == nil else { return }
        state.owesFrame = false
        events.ready()
    }
}
