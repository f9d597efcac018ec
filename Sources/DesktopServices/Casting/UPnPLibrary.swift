import CGUPnP

/// The functions of GUPnP, loaded once per process when renderers are first searched for.
enum UPnPLibrary {
    /// The functions, or nil if the library is not installed. Without it no renderers are found.
    @MainActor static let calls: UnsafePointer<zu_calls>? = {
        let calls = UnsafeMutableRawPointer.allocate(
            byteCount: MemoryLayout<zu_calls>.size, alignment: MemoryLayout<zu_calls>.alignment)
        calls.initializeMemory(as: UInt8.self, repeating: 0, count: MemoryLayout<zu_calls>.size)
        // Never deallocated, because the library is never unloaded.
        let table = calls.assumingMemoryBound(to: zu_calls.self)
        return zu_load(table) != 0 ? UnsafePointer(table) : nil
    }()
}
