import Testing

@testable import Composition

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

    @Test("a texture goes back with its last reference, and serves the next picture of its size only")
    func reuse() throws {
        var first: PooledTexture? = pool.take(small)
        let name = first?.name
        let second = pool.take(small)
        defer { withExtendedLifetime(second) {} }
        #expect(second.name != name && pool.idleCount == 0)
        first = nil
        #expect(pool.idleCount == 1 && pool.take(large).name != name)
        #expect(pool.take(TexturePool.Key(width: 4, height: 4, isHalf: true)).name != name)
        #expect(pool.take(small).name == name)
        pool.close()
    }

    @Test("what two frames did not use is freed; where only one size is drawn, others are freed at once")
    func freeing() throws {
        _ = pool.take(small)
        pool.trim()
        pool.trim()
        #expect(pool.idleCount == 1)
        pool.trim()
        #expect(pool.idleCount == 0)
        _ = (pool.take(small), pool.take(large))
        #expect(pool.idleCount == 2)
        pool.keepOnly(large)
        #expect(pool.idleCount == 1)
        pool.close()
    }

    @Test("what comes back after the pool was closed is forgotten with its context")
    func late() {
        var kept: PooledTexture? = pool.take(small)
        #expect(kept != nil)
        pool.close()
        kept = nil
        #expect(pool.idleCount == 0)
    }
}
