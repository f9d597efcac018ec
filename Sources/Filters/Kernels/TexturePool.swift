import CEGL

/// A pool of textures to draw into. A texture returns to the pool after its last use, for the next image of the same
/// size.
///
/// Calls that create or free textures need a current context. A `PooledTexture` can be released at any time.
package final class TexturePool {
    package struct Key: Hashable {
        /// The size in pixels.
        package var width: Int, height: Int
        /// Whether components are half floats instead of bytes.
        package var isHalf: Bool

        package init(width: Int, height: Int, isHalf: Bool = false) {
            self.width = width
            self.height = height
            self.isHalf = isHalf
        }
    }
    private var idle: [(key: Key, texture: GLuint, lastUsed: Int)] = []
    /// The number of textures that wait for an image of their size.
    var idleCount: Int { idle.count }
    private var frame = 0
    private var isClosed = false
    /// Frees a texture that returns after the pool was closed.
    private var freeLate: ((GLuint) -> Void)?

    package init() {}

    package func acquire(_ key: Key) -> PooledTexture {
        if let index = idle.lastIndex(where: { $0.key == key }) {
            return PooledTexture(idle.remove(at: index).texture, key, pool: self)
        }
        let texture = zc_glGenTexture()
        zc_glAllocate(texture, key.isHalf ? 1 : 0, Int32(key.width), Int32(key.height))
        return PooledTexture(texture, key, pool: self)
    }

    fileprivate func recycle(_ texture: GLuint, _ key: Key) {
        if isClosed { freeLate?(texture) } else { idle.append((key, texture, frame)) }
    }

    /// Ends a frame. Frees the textures that neither this frame nor the previous one used.
    package func trim() {
        free { $0.lastUsed < frame - 1 }
        frame += 1
    }

    /// Frees all idle textures of another size at once. For a caller that draws only images of one size from now on.
    package func keepOnly(_ key: Key) { free { $0.key != key } }

    /// Frees all idle textures and closes the pool.
    ///
    /// - Parameter freeLate: Frees a texture that is still in use when it returns. Nil if the context ends before, and
    ///   with it all textures.
    package func close(freeLate: ((GLuint) -> Void)? = nil) {
        free { _ in true }
        isClosed = true
        self.freeLate = freeLate
    }

    private func free(where isOver: ((key: Key, texture: GLuint, lastUsed: Int)) -> Bool) {
        idle.removeAll { entry in
            guard isOver(entry) else { return false }
            zc_glDeleteTexture(entry.texture)
            return true
        }
    }
}

/// A texture from a pool. It returns to the pool when its last reference is released.
package final class PooledTexture {
    package let name: GLuint
    private let key: TexturePool.Key
    private let pool: TexturePool

    fileprivate init(_ name: GLuint, _ key: TexturePool.Key, pool: TexturePool) {
        self.name = name
        self.key = key
        self.pool = pool
    }
    deinit { pool.recycle(name, key) }
}
