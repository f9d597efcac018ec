import Testing

@testable import MediaEngine

@Suite("Interrupt token")
struct InterruptTokenTests {
    private final class Source: Sendable {
        func wake() {}
    }

    @Test("the closure of a released source is removed at the next wake")
    func releasedSource() {
        let token = InterruptToken()
        weak var captured: Source?
        var source: Source? = Source()
        if let source {
            let content = Source()
            captured = content
            token.addWaker(source) { [weak source, content] in
                content.wake()
                return source?.wake()
            }
        }
        token.wake()
        #expect(captured != nil)
        source = nil
        token.wake()
        #expect(captured == nil)
    }
}
