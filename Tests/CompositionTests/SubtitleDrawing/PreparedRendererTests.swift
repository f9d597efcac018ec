import Testing

@testable import Overlays

@Suite("Renderer that is made ahead", .timeLimit(.minutes(1)))
struct PreparedRendererTests {
    @Test("a renderer that was not started is nil")
    func none() {
        let prepared = PreparedRenderer()
        #expect(prepared.take() == nil)
        prepared.begin()
        #expect(prepared.take() == nil, "the first take() has created a renderer")
    }

    @Test("the renderer is handed over once")
    func once() async {
        let prepared = PreparedRenderer()
        prepared.begin()
        prepared.begin()
        let taken = [prepared.take() != nil, prepared.take() != nil]
        #expect(!taken[1])
    }
}
