import CGTK
import CX11
import Filters
import Foundation
import Overlays

/// The video's own surface on X11: a child window of GTK's, filled by `XShmPutImage`.
///
/// The last metre decides what a player costs without a GPU. Drawn through GTK a picture is copied into
/// a texture, blended and sent over the socket; here libswscale writes into memory that the X server
/// reads, and nothing else touches it. It lies over all that GTK draws: what of that lies over the video is blended
/// into its pictures (`VideoCover`). Input falls through to GTK
/// (an empty input shape). Main thread only.
@MainActor
final class X11VideoSurface: VideoSurface {
    private let connection: X11Connection
    private var display: OpaquePointer { connection.display }
    private let window: Window
    private let colormap: Colormap
    private let gc: GC?
    private var buffers: [Buffer] = []
    /// What is shown.
    private var shown: Buffer?
    private var frame = PicturePainter.Area(x: 0, y: 0, width: 0, height: 0)
    private(set) var isMapped = false
    /// The server forgot what was shown (it was covered, or not there yet): show it again.
    var onExpose: (() -> Void)?
    /// The server refused something about this window: nothing that is shown here can be relied on.
    var isRefused = false
    /// `isRefused`: GTK must draw from here on.
    var onRefused: (() -> Void)?

    private final class Buffer {
        var image: UnsafeMutablePointer<XImage>?
        var segment = XShmSegmentInfo()
        var isShared = false
        /// The server still reads it.
        var isBusy = false
        /// Memory of our own when the server cannot share.
        var plain: UnsafeMutableRawPointer?
    }

    /// Nil when the server refuses: no X11, no true-colour visual of 24 bits.
    /// - Parameter displayName: GTK's own, which need not be what `DISPLAY` says.
    init?(displayName: String?, parent: UInt) {
        guard let connection = X11Connection.to(displayName) else { return nil }
        self.connection = connection
        let display = connection.display
        var attributes = XSetWindowAttributes()
        attributes.border_pixel = 0
        colormap = XCreateColormap(display, parent, connection.visual, 0)
        attributes.colormap = colormap
        // Without a background the server does not clear it between our pictures.
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

    /// Nothing of it can be seen: another window lies over all of it. (Under a compositor never.)
    var isObscured: Bool {
        // What Xlib has read on the way of something else waits in its queue, and the socket is silent about it.
        connection.takeEvents()
        tellNews()
        return isUnseen
    }
    private var isUnseen = false

    var isApart: Bool { true }

    func lies(_ area: PicturePainter.Area) -> Bool { area == frame }

    /// Places the surface, device pixels relative to GTK's window.
    func place(_ area: PicturePainter.Area, scale: Int, pixels: SurfacePixels) {
        guard area.width > 0, area.height > 0 else { return hide() }
        if area.width != frame.width || area.height != frame.height { freeBuffers() }
        if !lies(area) {
            XMoveResizeWindow(
                display, window, Int32(area.x), Int32(area.y), UInt32(area.width), UInt32(area.height))
            frame = area
        }
    }

    func hide() {
        guard isMapped else { return }
        isMapped = false
        XUnmapWindow(display, window)
        // The server tells of those that are mapped only; what it said of this one before no longer holds.
        XSync(display, 0)
        connection.takeEvents()
        isUnseen = false
    }

    func show(_ sequence: UInt64?, _ paint: (UnsafeMutableRawPointer, Int) -> Bool) -> SurfaceAnswer {
        guard frame.width > 0, let buffer = freeBuffer(), let image = buffer.image, let data = image.pointee.data else {
            return .refused
        }
        guard paint(UnsafeMutableRawPointer(data), Int(image.pointee.bytes_per_line)) else { return .refused }
        // Mapped first: what is drawn into an unmapped window is lost.
        let isNew = !isMapped
        if isNew {
            isMapped = true
            XMapRaised(display, window)
        }
        shown = buffer
        put(buffer, PicturePainter.Area(x: 0, y: 0, width: frame.width, height: frame.height), isLast: true)
        // GTK's next frame, which comes by another connection, leaves the picture out: the server must have it by then.
        if isNew { XSync(display, 0) } else { XFlush(display) }
        // What was exposed before has been drawn with it.
        isExposed = false
        return .shown
    }

    func alter(_ change: (UnsafeMutableRawPointer, Int) -> [PicturePainter.Area]) -> Bool {
        guard isMapped, let buffer = shown, let image = buffer.image, let data = image.pointee.data else {
            return false
        }
        connection.takeEvents()
        // The server may be about to read the picture as it was: that must not show half of the change.
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

    /// - Parameter isLast: of those that are sent of it now.
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

    /// A buffer the server has done with; waits for one only if it has all of them.
    private func freeBuffer() -> Buffer? {
        connection.takeEvents()
        if let idle = buffers.first(where: { !$0.isBusy }) { return idle }
        // One is mostly enough: the server copies it long before the next picture is due.
        if buffers.count < 2, let fresh = makeBuffer() {
            buffers.append(fresh)
            return fresh
        }
        XSync(display, 0)
        connection.takeEvents()
        // After a round trip the server has drawn everything it was sent.
        for buffer in buffers { buffer.isBusy = false }
        return buffers.first
    }

    // MARK: events

    private(set) var isExposed = false

    func take(_ event: XEvent) {
        switch event.type {
        case 12: isExposed = true  // Expose
        case 15:  // VisibilityNotify
            let wasUnseen = isUnseen
            isUnseen = event.xvisibility.state == 2  // VisibilityFullyObscured
            if wasUnseen, !isUnseen { isExposed = true }
        case connection.completionEvent:
            let segment = withUnsafeBytes(of: event) { $0.load(as: XShmCompletionEvent.self).shmseg }
            for buffer in buffers where buffer.isShared && buffer.segment.shmseg == segment { buffer.isBusy = false }
        default: break
        }
    }

    /// There is something to tell.
    var hasNews: Bool { isExposed || isRefused && onRefused != nil }

    func tellNews() {
        if isRefused, let told = onRefused {
            onRefused = nil
            return told()
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
            if id >= 0, let memory = shmat(id, nil, 0), Int(bitPattern: memory) != -1 {
                buffer.segment.shmid = id
                buffer.segment.shmaddr = memory.assumingMemoryBound(to: CChar.self)
                buffer.segment.readOnly = 0
                image.pointee.data = buffer.segment.shmaddr
                // What others did wrong before is none of this one's.
                XSync(display, 0)
                let failures = X11Errors.count
                XShmAttach(display, &buffer.segment)
                XSync(display, 0)
                // Marked now, freed when both sides have let go, however this process ends.
                shmctl(id, 0, nil)  // IPC_RMID
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
        buffer.plain = memory
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
            // XDestroyImage frees the plain memory with the image.
            if let image = buffer.image { zt_x11_destroy_image(image) }
        }
        buffers = []
    }
}
