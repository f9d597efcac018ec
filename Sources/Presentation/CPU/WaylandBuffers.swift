import CWayland
import Filters
import Overlays

/// The buffers of one surface, in memory that the compositor reads.
@MainActor
final class WaylandBuffers {
    final class Buffer {
        let proxy: OpaquePointer
        let memory: UnsafeMutableRawPointer
        let bytes: Int
        /// Whether the compositor still reads the buffer.
        var isBusy = false
        /// The parts in which the buffer differs from the displayed frame. If nil, it may differ everywhere.
        var stale: [PicturePainter.Area]?

        init(_ proxy: OpaquePointer, _ memory: UnsafeMutableRawPointer, _ bytes: Int) {
            (self.proxy, self.memory, self.bytes) = (proxy, memory, bytes)
        }
        func free() { zt_wayland_free_buffer(proxy, memory, bytes) }
    }

    /// The maximum number of buffers: one is displayed, one waits for display, and one is painted.
    private static let maximumCount = 3

    private let connection: WaylandConnection
    private(set) var pixels = SurfacePixels(width: 0, height: 0)
    private var buffers: [Buffer] = []
    /// The buffers of earlier sizes, which are freed when the compositor no longer reads them.
    private var retired: [Buffer] = []

    init(_ connection: WaylandConnection) { self.connection = connection }

    var stride: Int { pixels.width * 4 }
    var whole: PicturePainter.Area {
        PicturePainter.Area(x: 0, y: 0, width: pixels.width, height: pixels.height)
    }

    func resize(_ pixels: SurfacePixels) {
        guard pixels != self.pixels else { return }
        self.pixels = pixels
        for buffer in buffers where !buffer.isBusy { buffer.free() }
        retired += buffers.filter(\.isBusy)
        buffers = []
    }

    /// Whether there are no buffers, busy or not.
    var isEmpty: Bool { buffers.isEmpty }

    /// Returns a buffer for painting, or nil if none is available now.
    /// - Parameter owner: The surface that is notified when the compositor releases the buffer.
    func take(for owner: WaylandVideoSurface) -> Buffer? {
        if let idle = buffers.first(where: { !$0.isBusy }) { return idle }
        guard buffers.count < WaylandBuffers.maximumCount else { return nil }
        var memory: UnsafeMutableRawPointer?
        var bytes = 0
        var globals = connection.globals
        guard
            let proxy = zt_wayland_buffer(
                &globals, Int32(clamping: pixels.width), Int32(clamping: pixels.height), FrameScaler.slack,
                Unmanaged.passUnretained(owner).toOpaque(), &memory, &bytes)
        else { return nil }
        guard let memory else { return nil }
        let fresh = Buffer(proxy, memory, bytes)
        buffers.append(fresh)
        return fresh
    }

    func released(_ proxy: OpaquePointer?) {
        if let buffer = buffers.first(where: { $0.proxy == proxy }) {
            buffer.isBusy = false
        } else if let index = retired.firstIndex(where: { $0.proxy == proxy }) {
            retired.remove(at: index).free()
        }
    }

    /// Records that `buffer` contains the displayed frame.
    /// - Parameters:
    ///   - buffer: The buffer.
    ///   - parts: The parts that differ from the previous frame. If nil, the frame may differ everywhere.
    func shows(_ buffer: Buffer, changed parts: [PicturePainter.Area]?) {
        for other in buffers where other !== buffer {
            guard let parts, let stale = other.stale, stale.count < 16 else {
                other.stale = nil
                continue
            }
            other.stale = stale + parts
        }
        buffer.stale = []
    }

    /// Copies the parts of the frame in `shown` that differ from `buffer` to `buffer`.
    func copy(_ shown: Buffer, to buffer: Buffer) {
        guard shown !== buffer else { return }
        for part in buffer.stale ?? [whole] {
            let begin = part.y * stride + part.x * 4
            for row in 0..<part.height {
                let at = begin + row * stride
                (buffer.memory + at).copyMemory(from: shown.memory + at, byteCount: part.width * 4)
            }
        }
        buffer.stale = []
    }

    func close() {
        for buffer in buffers + retired { buffer.free() }
        buffers = []
        retired = []
    }
}
