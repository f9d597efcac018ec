import DeclarativeUI
import Foundation
import Testing

@Suite("View code in Swift 5 mode") @MainActor
struct OlderCodeTests {
    @Test("a model without isolation changes its state, hands out bindings and makes views and gestures")
    func model() {
        let model = OlderModel()
        var changes = 0
        model.onChange = { changes += 1 }
        model.increment()
        #expect(model.count == 1 && changes == 1)
        model.double()
        model.binding.wrappedValue += 3
        #expect(model.count == 5)
        model.animate()
        #expect(model.isOn)
        model.recognise()
        #expect(model.drag != nil)
        _ = olderFree(model)
        #expect(model.count == 6)
        _ = OlderView(service: OlderTextService(text: "x")).body
    }
}
