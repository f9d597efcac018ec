import DeclarativeUI
import Foundation
import Testing

@Suite("View code in Swift 5 mode") @MainActor
struct OlderCodeTests {
    @Test("a non-isolated model changes its state and provides bindings, views and gestures")
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

    @Test("a model reads the device, windows and images, and keeps stored values")
    func platform() {
        let model = OlderModel()
        let none = Data("no picture".utf8)
        #expect(!model.isWide && model.windows == 0)
        model.toggleFullScreen()
        #expect(
            model.icon != nil && model.picture(none) == nil && model.decoded(none) == nil
                && model.size(of: none) == .zero)
        _ = (model.dot(), model.ring(.green))
        defer { OlderDefaults.store?.removePersistentDomain(forName: OlderDefaults.name) }
        #expect(model.plays() == 1)
        #expect(model.plays() == 2)
        let preferences = OlderPreferences()
        #expect(preferences.plays == 2 && preferences.isMuted)
    }
}
