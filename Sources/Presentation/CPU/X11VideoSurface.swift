import CGTK
import CX11
import Filters
import Foundation
import Overlays

/// The video's own surface on X11: a child window of GTK's window, filled by `XShmPutImage`.
///
/// Without a GPU, the transfer to the screen determines the cost of playback. GTK would copy a frame into a texture,
/// blend it and send it over the socket. With this surface, `FrameScaler` writes directly into memory that the X server
/// reads.
///
/// The surface is above everything that GTK draws. Content that GTK draws over the video is blended into the frames
/// (`VideoCover`). Input passes through to GTK, because the input shape is empty.
@MainActor
final class X11VideoSurface: VideoSurface {
    private let connection: X11Connection
    private var display: OpaquePointer { connection.display }
    private let window: Window
    private let colormap: Colormap
    private let gc: GC?
    private var buffers: [Buffer] = []
    /// The buffer with the displayed frame.
    private var shown: Buffer?
    private var frame = PicturePainter.Area(x: 0, y: 0, width: 0, height: 0)
    private(set) var isMapped = false
    /// Called when the frame must be shown again, because the window was covered or not yet mapped.
    var onExpose: (() -> Void)?
    /// Whether the server has refused a request for this window, so that its content is unreliable.
    var isRefused = false
    /// Called after the server has refused a request (`isRefused`). GTK must draw from then on.
    var onRefused: (() -> Void)?

    private final class Buffer {
        var image: UnsafeMutablePointer<XImage>?
        var segment = XShmSegmentInfo()
        var isShared = false
        /// Whether the server still reads the buffer.
        var isBusy = false
    }

    /// Creates a surface. Returns nil if there is no X server, or if the screen's default depth is neither 24 nor 32
    /// bits.
    /// - Parameters:
    ///   - displayName: The name of GTK's display, which may differ from `DISPLAY`.
    ///   - parent: GTK's window.
    init?(displayName: String?, parent: UInt) {
        guard let connection = X11Connection.to(displayName) else { return nil }
        self.connection = connection
        let display = connection.display
        var attributes = XSetWindowAttributes()
        attributes.border_pixel = 0
        colormap = XCreateColormap(display, parent, connection.visual, 0)
        attributes.colormap = colormap
        // Without a background, the server does not clear the window between frames.
        let mask = UInt((1 << 3) | (1 << 13))  // CWBorderPixel | CWColormap
        window = XCreateWindow(
            display, parent, 0, 0, 1, 1, 0, connection.depth, 1, connection.visual, mask, &attributes)
        var empty = XRectangle()
        XShapeCombineRectangles(display, window, 2, 0, 0, &empty, 0, 0, 0)  // ShapeInput, ShapeSet
        gc = XCreateGC(display, window, 0, nil)
        XSelectInput(display, window, 1 << 15 | 1 << 16)  // ExposureMask | VisibilityChangeMask
        XFlush(display)
        connection.add(self, window)
    }

    func close() {
        freeBuffers()
        if let gc { XFreeGC(display, gc) }
        XDestroyWindow(display, window)
        XFreeColormap(display, colormap)
        XFlush(display)
        connection.remove(window)
    }

    /// Whether another window covers the whole surface. Never true under a compositor.
    var isObscured: Bool {
        // Xlib may have queued events while reading others, and the socket does not become readable for those.
        connection.takeEvents()
        notifyView()
        return isFullyObscured
    }
    private var isFullyObscured = false

    var usesOwnConnection: Bool { true }

    func isPlaced(at area: PicturePainter.Area) -> Bool { area == frame }

    /// Places the surface, in device pixels relative to GTK's window.
    func place(_ area: PicturePainter.Area, scale: Int, pixels: SurfacePixels) {
        guard area.width > 0, area.height > 0 else { return hide() }
        if area.width != frame.width || area.height != frame.height { freeBuffers() }
        if !isPlaced(at: area) {
            XMoveResizeWindow(
                display, window, Int32(area.x), Int32(area.y), UInt32(area.width), UInt32(area.height))
            frame = area
        }
    }

    func hide() {
        guard isMapped else { return }
        isMapped = false
        XUnmapWindow(display, window)
        // The server reports visibility only for mapped windows, so the last report is no longer valid.
        XSync(display, 0)
        connection.takeEvents()
        isFullyObscured = false
    }

    func show(_ sequence: UInt64?, _ paint: (UnsafeMutableRawPointer, Int) -> Bool) -> PresentationResult {
        guard frame.width > 0, let buffer = freeBuffer(), let image = buffer.image, let data = image.pointee.data else {
            return .refused
        }
        guard paint(UnsafeMutableRawPointer(data), Int(image.pointee.bytes_per_line)) else { return .refused }
        // The window is mapped first, because drawing into an unmapped window is lost.
        let isNew = !isMapped
        if isNew {
            isMapped = true
            XMapRaised(display, window)
        }
        shown = buffer
        put(buffer, PicturePainter.Area(x: 0, y: 0, width: frame.width, height: frame.height), isLast: true)
        // GTK's next frame, on another connection, no longer contains the video. The server must have received this
        // video frame by then.
        if isNew { XSync(display, 0) } else { XFlush(display) }
        // The exposed parts have been drawn with this frame.
        isExposed = false
        return .shown
    }

    func alter(_ change: (UnsafeMutableRawPointer, Int) -> [PicturePainter.Area]) -> Bool {
        guard isMapped, let buffer = shown, let image = buffer.image, let data = image.pointee.data else {
            return false
        }
        connection.takeEvents()
        // The server may still be reading the frame and must not show half of the change.
        if buffer.isBusy {
            XSync(display, 0)
            connection.takeEvents()
            buffer.isBusy = false
        }
        let parts = change(UnsafeMutableRawPointer(data), Int(image.pointee.bytes_per_line))
        for (index, part) in parts.enumerated() { put(buffer, part, isLast: index == parts.count - 1) }
        if !parts.isEmpty { XFlush(display) }
        return true
    }

    /// Sends a part of a buffer to the server.
    /// - Parameter isLast: Whether this is the last part that is sent of the buffer now.
    private func put(_ buffer: Buffer, _ part: PicturePainter.Area, isLast: Bool) {
        let (x, y, width, height) = (Int32(part.x), Int32(part.y), UInt32(part.width), UInt32(part.height))
        if buffer.isShared {
            buffer.isBusy = true
            XShmPutImage(display, window, gc, buffer.image, x, y, x, y, width, height, isLast ? 1 : 0)
        } else {
            XPutImage(display, window, gc, buffer.image, x, y, x, y, width, height)
        }
    }

    // MARK: buffers

    /// Returns a buffer that the server has released. Waits for one only if all buffers are in use.
    private func freeBuffer() -> Buffer? {
        connection.takeEvents()
        if let idle = buffers.first(where: { !$0.isBusy }) { return idle }
        // One buffer is usually enough, because the server copies it long before the next frame is due.
        if buffers.count < 2, let fresh = makeBuffer() {
            buffers.append(fresh)
            return fresh
        }
        XSync(display, 0)
        connection.takeEvents()
        // After the round trip, the server has drawn everything it was sent.
        for buffer in buffers { buffer.isBusy = false }
        return buffers.first
    }

    // MARK: events

    private(set) var isExposed = false

    func take(_ event: XEvent) {
        switch event.type {
        case 12: isExposed = true  // Expose
        case 15:  // VisibilityNotify
            let wasFullyObscured = isFullyObscured
            isFullyObscured = event.xvisibility.state == 2  // VisibilityFullyObscured
            if wasFullyObscured, !isFullyObscured { isExposed = true }
        case connection.completionEvent:
            let segment = withUnsafeBytes(of: event) { $0.load(as: XShmCompletionEvent.self).shmseg }
            for buffer in buffers where buffer.isShared && buffer.segment.shmseg == segment { buffer.isBusy = false }
        default: break
        }
    }

    /// Whether there is an event to report.
    var hasPendingEvents: Bool { isExposed || isRefused && onRefused != nil }

    func notifyView() {
        if isRefused, let handler = onRefused {
            onRefused = nil
            return handler()
        }
        guard isExposed else { return }
        isExposed = false
        onExpose?()
    }

    private func makeBuffer() -> Buffer? {
        let buffer = Buffer()
        let visual = connection.visual
        let depth = UInt32(connection.depth)
        if connection.canShare,
            let image = XShmCreateImage(
                display, visual, depth, 2, nil, &buffer.segment, UInt32(frame.width), UInt32(frame.height))
        {
            let bytes = Int(image.pointee.bytes_per_line) * Int(image.pointee.height) + FrameScaler.slack
            let id = shmget(key_t(0), bytes, 0o1600)
            // The segment is marked for removal at the end in every case. It is freed when both sides have detached,
            // even if this process crashes.
            defer { if id >= 0 { shmctl(id, 0, nil) } }  // IPC_RMID
            if id >= 0, let memory = shmat(id, nil, 0), Int(bitPattern: memory) != -1 {
                buffer.segment.shmid = id
                buffer.segment.shmaddr = memory.assumingMemoryBound(to: CChar.self)
                buffer.segment.readOnly = 0
                image.pointee.data = buffer.segment.shmaddr
                // Errors of earlier requests must not count for this one.
                XSync(display, 0)
                let failures = X11Errors.count
                XShmAttach(display, &buffer.segment)
                XSync(display, 0)
                if X11Errors.count == failures {
                    buffer.image = image
                    buffer.isShared = true
                    return buffer
                }
                shmdt(memory)
            }
            image.pointee.data = nil
            zt_x11_destroy_image(image)
        }
        let stride = frame.width * 4
        guard let memory = malloc(stride * frame.height + FrameScaler.slack) else { return nil }
        guard
            let image = XCreateImage(
                display, visual, depth, 2, 0, memory.assumingMemoryBound(to: CChar.self),
                UInt32(frame.width), UInt32(frame.height), 32, Int32(stride))
        else {
            free(memory)
            return nil
        }
        buffer.image = image
        return buffer
    }

    private func freeBuffers() {
        guard !buffers.isEmpty else { return }
        shown = nil
        XSync(display, 0)
        for buffer in buffers {
            if buffer.isShared {
                XShmDetach(display, &buffer.segment)
                buffer.image?.pointee.data = nil
                if let memory = buffer.segment.shmaddr { shmdt(memory) }
            }
            // XDestroyImage also frees the memory of an image that is not shared with the server.
            if let image = buffer.image { zt_x11_destroy_image(image) }
        }
        buffers = []
    }
}
