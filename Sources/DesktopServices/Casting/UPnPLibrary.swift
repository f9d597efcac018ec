import CGUPnP

/// gupnp's functions, loaded once a process, when renderers are first looked for.
enum UPnPLibrary {
    /// Nil where it is not on this machine: then there are no renderers.
    @MainActor static let calls: UnsafePointer<zu_calls>? = {
        let calls = UnsafeMutableRawPointer.allocate(
            byteCount: MemoryLayout<zu_calls>.size, alignment: MemoryLayout<zu_calls>.alignment)
        calls.initializeMemory(as: UInt8.self, repeating: 0, count: MemoryLayout<zu_calls>.size)
        // Kept for good: addresses of functions that are never unloaded.
        let table = calls.assumingMemoryBound(to: zu_calls.self)
        return zu_load(table) != 0 ? UnsafePointer(table) : nil
    }()
}
