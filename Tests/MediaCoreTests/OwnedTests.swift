import Testing

@testable import MediaCore

@Suite("Owners of FFmpeg's objects")
struct OwnedTests {
    /// A kind of object that counts how often it is freed.
    private enum Counted: FFmpegObject {
        typealias Handle = Counter
        static func free(_ handle: Counter) { handle.count += 1 }
    }
    private final class Counter { var count = 0 }

    @Test("the object is freed once, with its owner")
    func freed() {
        let counter = Counter()
        do {
            guard let owner = Owned<Counted>(counter) else { return }
            #expect(owner.raw.count == 0)
        }
        #expect(counter.count == 1)
    }

    @Test("a new owner frees the object of the one before")
    func replaced() {
        let counter = Counter()
        var owner = Owned<Counted>(counter)
        owner = nil
        #expect(counter.count == 1)
        _ = consume owner
    }

    @Test("a released object is not freed")
    func released() {
        let counter = Counter()
        let released = Owned<Counted>(counter)?.release()
        #expect(released === counter)
        #expect(counter.count == 0)
    }

    @Test("an owner without an object owns nothing")
    func none() {
        let owner = Owned<Counted>(nil)
        let isEmpty = owner == nil
        #expect(isEmpty)
    }
}
