import CGTK
import GLibLoop

/// Textures in memory that the graphics device shares with other programs (dmabuf).
extension GDKDisplay {
    /// The planes of a frame in shared memory. `fourcc` and `modifier` are DRM's terms.
    package struct SharedMemory {
        package var fourcc: UInt32, modifier: UInt64
        /// The number of planes, at most four.
        package var count: Int
        package var files: (Int32, Int32, Int32, Int32)
        /// The offset and the row stride of each plane, in bytes.
        package var offsets: (UInt32, UInt32, UInt32, UInt32), strides: (UInt32, UInt32, UInt32, UInt32)

        package init(
            fourcc: UInt32, modifier: UInt64, count: Int, files: (Int32, Int32, Int32, Int32),
            offsets: (UInt32, UInt32, UInt32, UInt32), strides: (UInt32, UInt32, UInt32, UInt32)
        ) {
            (self.fourcc, self.modifier, self.count) = (fourcc, modifier, count)
            (self.files, self.offsets, self.strides) = (files, offsets, strides)
        }
    }

    /// Creates a `GdkTexture *`, which the caller owns. Returns nil if GTK or the display does not support the memory.
    ///
    /// - Parameter owner: An object that is kept alive until GTK no longer uses the texture.
    @MainActor package func texture(
        of memory: SharedMemory, width: Int, height: Int, colors: TextureColors, keeping owner: AnyObject
    ) -> OpaquePointer? {
        guard (1...4).contains(memory.count), let width = UInt32(exactly: width), let height = UInt32(exactly: height)
        else { return nil }
        let retained = Unmanaged.passRetained(owner)
        let texture = withUnsafeBytes(of: memory.files) { files in
            withUnsafeBytes(of: memory.offsets) { offsets in
                withUnsafeBytes(of: memory.strides) { strides in
                    zt_gdk_dmabuf_texture(
                        pointer, width, height, memory.fourcc, guint64(memory.modifier), UInt32(memory.count),
                        files.assumingMemoryBound(to: Int32.self).baseAddress,
                        offsets.assumingMemoryBound(to: UInt32.self).baseAddress,
                        strides.assumingMemoryBound(to: UInt32.self).baseAddress, colors.state,
                        { owner in
                            // GTK calls this function on its own thread, the main thread.
                            MainThread.run(owner) { owner in
                                if let owner { Unmanaged<AnyObject>.fromOpaque(owner).release() }
                            }
                        }, retained.toOpaque())
                }
            }
        }
        if texture == nil { retained.release() }
        return texture
    }
}
