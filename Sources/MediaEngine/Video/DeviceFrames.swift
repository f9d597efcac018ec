import CFFmpeg
import MediaCore
import Synchronization

/// The request to keep decoded frames on the graphics device.
///
/// Without a request, the decoder copies each frame to memory. With one, the frame stays on the device and can be
/// shared with the display. It is copied only when its pixels are needed.
package enum DeviceFrames {
    private static let requested = Atomic<Bool>(false)

    /// Requests frames on the device, for a display that can show them. Thread-safe.
    package static func request() { requested.store(true, ordering: .relaxed) }
    static var areRequested: Bool { requested.load(ordering: .relaxed) }

    /// The number of frames that are held outside of the decoder: waiting, displayed, and in the compositor.
    static let extraCount: Int32 = 8
}

/// The pixels of a frame on a device, copied to memory when they are first needed. Thread-safe.
final class DevicePixels: Sendable {
    /// The address of the owned `AVFrame` in memory; 0 if it has not been copied.
    private let address = Mutex<UInt>(0)

    /// Returns the copy in memory, or the device's frame if it cannot be copied.
    func pixels(of frame: UnsafeMutablePointer<AVFrame>) -> UnsafeMutablePointer<AVFrame> {
        let device = UInt(bitPattern: frame)
        let found = address.withLock { address in
            if address == 0 { address = DevicePixels.copy(device) }
            return address
        }
        return UnsafeMutablePointer(bitPattern: found) ?? frame
    }

    private static func copy(_ address: UInt) -> UInt {
        guard let frame = UnsafeMutablePointer<AVFrame>(bitPattern: address),
            let copy = Owned<AVFrame>(av_frame_alloc()),
            av_hwframe_transfer_data(copy.raw, frame, 0) >= 0, av_frame_copy_props(copy.raw, frame) >= 0
        else { return 0 }
        return UInt(bitPattern: copy.release())
    }

    deinit {
        if let copy = UnsafeMutablePointer<AVFrame>(bitPattern: address.withLock { $0 }) { AVFrame.free(copy) }
    }
}

/// The memory of a frame on a device, shared through file descriptors. They are closed with the last reference.
package final class DeviceMemory: Sendable {
    private let mapped: Owned<AVFrame>
    package let planes: zt_dmabuf

    init?(_ frame: UnsafePointer<AVFrame>) {
        guard let mapped = Owned<AVFrame>(av_frame_alloc()) else { return nil }
        mapped.raw.pointee.format = AV_PIX_FMT_DRM_PRIME.rawValue
        var planes = zt_dmabuf()
        guard av_hwframe_map(mapped.raw, frame, Int32(AV_HWFRAME_MAP_READ)) >= 0,
            zt_frame_dmabuf(mapped.raw, zt_frame_software_format(frame), &planes) != 0
        else { return nil }
        self.mapped = mapped
        self.planes = planes
    }
}
