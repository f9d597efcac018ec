import CWayland
import Filters
import Overlays

/// The buffers of one surface, in memory that the compositor reads. Main thread only.
@MainActor
final class WaylandBuffers {
    final class Buffer {
        let proxy: OpaquePointer
        let memory: UnsafeMutableRawPointer
        let bytes: Int
        /// The compositor still reads it.
        var isBusy = false
        /// Where it differs from the frame that is shown; nil: anywhere.
        var stale: [PicturePainter.Area]?

        init(_ proxy: OpaquePointer, _ memory: UnsafeMutableRawPointer, _ bytes: Int) {
            (self.proxy, self.memory, self.bytes) = (proxy, memory, bytes)
        }
        func free() { zt_wayland_free_buffer(proxy, memory, bytes) }
    }

    /// One that is shown, one that waits to be, one to paint into.
    private static let most = 3

    private let connection: WaylandConnection
    private(set) var pixels = SurfacePixels(width: 0, height: 0)
    private var buffers: [Buffer] = []
    /// Of a size that is no longer wanted; freed when the compositor no longer reads them.
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

    /// Whether there are any, busy or not.
    var isEmpty: Bool { buffers.isEmpty }

    /// One that can be painted into; nil: none now.
    /// - Parameter owner: told of the release.
    func take(for owner: WaylandVideoSurface) -> Buffer? {
        if let idle = buffers.first(where: { !$0.isBusy }) { return idle }
        guard buffers.count < WaylandBuffers.most else { return nil }
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

    /// `buffer` holds the frame that is shown from now on; it differs from the one before in `parts`, nil: anywhere.
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

    /// Makes `buffer` what `shown` is.
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
