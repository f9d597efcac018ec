import CEGL
import MediaCore

/// Textures that are drawn into; one that nobody holds any more goes back for the next picture of its size.
///
/// Calls that make or free textures need its context to be current; a loan may end at any moment.
package final class TexturePool {
    package struct Key: Hashable {
        /// Pixels.
        package var width: Int, height: Int
        /// Half floats instead of bytes.
        package var isHalf: Bool

        package init(width: Int, height: Int, isHalf: Bool = false) {
            self.width = width
            self.height = height
            self.isHalf = isHalf
        }
    }
    private var idle: [(key: Key, texture: GLuint, lastUsed: Int)] = []
    /// How many wait for a picture of their size.
    var idleCount: Int { idle.count }
    private var frame = 0
    private var isClosed = false

    package init() {}

    package func take(_ key: Key) -> PooledTexture {
        if let index = idle.lastIndex(where: { $0.key == key }) {
            return PooledTexture(idle.remove(at: index).texture, key, pool: self)
        }
        let texture = zc_glGenTexture()
        zc_glAllocate(texture, key.isHalf ? 1 : 0, Int32(key.width), Int32(key.height))
        return PooledTexture(texture, key, pool: self)
    }

    fileprivate func giveBack(_ texture: GLuint, _ key: Key) {
        // After `close` its context is gone, and the texture with it.
        if !isClosed { idle.append((key, texture, frame)) }
    }

    /// At the end of a frame: what this and the last frame did not use is freed.
    package func trim() {
        free { $0.lastUsed < frame - 1 }
        frame += 1
    }

    /// Where only pictures of one size are drawn from now on: what is idle of any other is freed at once.
    package func keepOnly(_ key: Key) { free { $0.key != key } }

    /// What is still on loan is forgotten when it comes back.
    package func close() {
        free { _ in true }
        isClosed = true
    }

    private func free(where isOver: ((key: Key, texture: GLuint, lastUsed: Int)) -> Bool) {
        idle.removeAll { entry in
            guard isOver(entry) else { return false }
            zc_glDeleteTexture(entry.texture)
            return true
        }
    }
}

/// A texture on loan from a pool, until the last reference goes.
package final class PooledTexture {
    package let name: GLuint
    private let key: TexturePool.Key
    private let pool: TexturePool

    fileprivate init(_ name: GLuint, _ key: TexturePool.Key, pool: TexturePool) {
        self.name = name
        self.key = key
        self.pool = pool
    }
    deinit { pool.giveBack(name, key) }
}
