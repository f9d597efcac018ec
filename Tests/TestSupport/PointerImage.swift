import Foundation

extension PrivateDisplay {
    public struct NoPointer: Error {}

    /// Returns whether the pointer is visible: whether its image on the X server has a pixel that is not transparent.
    public func isPointerVisible() throws -> Bool {
        // XFixes 2, which GTK needs as well, is loaded at run time, so that building the tests needs no header of it.
        typealias Open = @convention(c) (UnsafePointer<CChar>) -> OpaquePointer?
        typealias Close = @convention(c) (OpaquePointer) -> Int32
        typealias Query =
            @convention(c) (OpaquePointer, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>) -> Int32
        typealias Get = @convention(c) (OpaquePointer) -> UnsafeMutableRawPointer?
        guard let xlib = dlopen("libX11.so.6", RTLD_NOW), let fixes = dlopen("libXfixes.so.3", RTLD_NOW),
            let open = dlsym(xlib, "XOpenDisplay"), let close = dlsym(xlib, "XCloseDisplay"),
            let free = dlsym(xlib, "XFree"),
            let query = dlsym(fixes, "XFixesQueryExtension"), let get = dlsym(fixes, "XFixesGetCursorImage"),
            let display = unsafeBitCast(open, to: Open.self)(name)
        else { throw NoPointer() }
        defer { _ = unsafeBitCast(close, to: Close.self)(display) }
        var event: Int32 = 0
        var error: Int32 = 0
        guard unsafeBitCast(query, to: Query.self)(display, &event, &error) != 0,
            let raw = unsafeBitCast(get, to: Get.self)(display)
        else { throw NoPointer() }
        defer { _ = unsafeBitCast(free, to: (@convention(c) (UnsafeMutableRawPointer) -> Int32).self)(raw) }
        let image = raw.assumingMemoryBound(to: CursorImage.self)
        let count = Int(image.pointee.width) * Int(image.pointee.height)
        // Each pixel is ARGB in the lower half of a C `long`.
        return (0..<count).contains { (image.pointee.pixels?[$0] ?? 0) & 0xff00_0000 != 0 }
    }

    /// The layout of `XFixesCursorImage`.
    private struct CursorImage {
        var x: Int16, y: Int16
        var width: UInt16, height: UInt16
        var xhot: UInt16, yhot: UInt16
        var serial: UInt
        var pixels: UnsafeMutablePointer<UInt>?
        var atom: UInt
        var name: UnsafePointer<CChar>?
    }
}
