import CEGL
import MediaCore

/// What intermediate pictures are drawn into; one that nobody holds any more goes back for the next of its size.
/// Confined to its context's thread.
final class TexturePool {
    struct Key: Hashable {
        var width: Int, height: Int
        var isHalf: Bool
    }
    private var idle: [(key: Key, texture: GLuint, lastUsed: Int)] = []
    private var frame = 0
    private var isClosed = false

    func take(_ key: Key) -> PooledTexture {
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
    func trim() {
        for entry in idle where entry.lastUsed < frame - 1 { zc_glDeleteTexture(entry.texture) }
        idle.removeAll { $0.lastUsed < frame - 1 }
        frame += 1
    }

    /// With the context current.
    func close() {
        for entry in idle { zc_glDeleteTexture(entry.texture) }
        idle = []
        isClosed = true
    }
}

/// A texture on loan from a pool.
final class PooledTexture {
    let name: GLuint
    private let key: TexturePool.Key
    private let pool: TexturePool

    fileprivate init(_ name: GLuint, _ key: TexturePool.Key, pool: TexturePool) {
        self.name = name
        self.key = key
        self.pool = pool
    }
    deinit { pool.giveBack(name, key) }
}
