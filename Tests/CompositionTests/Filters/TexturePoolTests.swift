import CEGL
import Testing

@testable import Filters

@Suite("The pool of textures")
struct TexturePoolTests {
    private let gl: OffscreenGL
    private let pool = TexturePool()
    private let small = TexturePool.Key(width: 4, height: 4)
    private let large = TexturePool.Key(width: 8, height: 4)
    init() throws {
        gl = try OffscreenGL()
        try gl.makeCurrent()
    }

    @Test("a released texture is reused only for images of its size")
    func reuse() throws {
        var first: PooledTexture? = pool.acquire(small)
        let name = first?.name
        let second = pool.acquire(small)
        defer { withExtendedLifetime(second) {} }
        #expect(second.name != name && pool.idleCount == 0)
        first = nil
        #expect(pool.idleCount == 1 && pool.acquire(large).name != name)
        #expect(pool.acquire(TexturePool.Key(width: 4, height: 4, isHalf: true)).name != name)
        #expect(pool.acquire(small).name == name)
        pool.close()
    }

    @Test("unused textures are freed after two frames, other sizes on request")
    func freeing() throws {
        _ = pool.acquire(small)
        pool.trim()
        pool.trim()
        #expect(pool.idleCount == 1)
        pool.trim()
        #expect(pool.idleCount == 0)
        _ = (pool.acquire(small), pool.acquire(large))
        #expect(pool.idleCount == 2)
        pool.keepOnly(large)
        #expect(pool.idleCount == 1)
        pool.close()
    }

    @Test("textures returned after the pool closes are freed")
    func late() {
        var kept: PooledTexture? = pool.acquire(small)
        let name = kept?.name
        var freed: [UInt32] = []
        pool.close { freed.append($0) }
        kept = nil
        #expect(pool.idleCount == 0 && freed.count == 1 && freed.first == name)
    }

    @Test("a context that ends makes the previous one current again")
    func nesting() throws {
        let outer = zc_eglCurrent()
        #expect(outer != nil)
        do {
            let inner = try OffscreenGL()
            #expect(zc_eglCurrent() != outer)
            withExtendedLifetime(inner) {}
        }
        #expect(zc_eglCurrent() == outer)
    }
}
