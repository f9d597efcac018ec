import Foundation
import OpenCombine
import Testing

@testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

@MainActor private final class Settings: ObservableObject {
    @Published var level = 0.25
    @Published var isOn = false
    @Published var name = "a"
    @Published var count = 1
    @Published var choice: String? = nil
}
@MainActor private struct Watching<Content: View>: View {
    @ObservedObject var settings: Settings
    @ViewBuilder let content: @MainActor (ObjectBindings<Settings>) -> Content
    var body: some View { content($settings) }
}

/// Tests that controls show the current value of their binding. `ViewGraphTests` tests bindings between views.
@Suite("Bindings of controls", .serialized) @MainActor
struct BindingTests {
    private func element<E: Element>(_ stage: Stage, _ type: E.Type) throws -> E {
        try #require(stage.elements.first { $0 is E } as? E)
    }

    @Test("a slider follows its observed object")
    func slider() throws {
        let settings = Settings()
        let stage = Stage { Watching(settings: settings) { Slider(value: $0.level) } }
        let slider = try element(stage, SliderElement.self)
        #expect(slider.shown == 0.25)
        settings.level = 0.75
        stage.layOut()
        #expect(slider.shown == 0.75)
        slider.choose(0.5)
        #expect(settings.level == 0.5)
    }

    @Test("the view that creates a slider is evaluated when the value changes")
    func sliderOwner() throws {
        @MainActor final class Clock { var seconds = 0.0 }
        @MainActor struct Playback: View {
            @State var position = 0.0
            let clock: Clock
            let onMade: (Binding<Double>) -> Void
            var body: some View {
                let _ = onMade($position)
                Slider(value: $position)
                Text(verbatim: "\(clock.seconds) s")
            }
        }
        let clock = Clock()
        var position: Binding<Double>?
        let stage = Stage { Playback(clock: clock) { position = $0 } }
        #expect(stage.texts == ["0.0 s"])
        clock.seconds = 0.5
        position?.wrappedValue = 0.5
        stage.layOut()
        #expect(stage.texts == ["0.5 s"])
        #expect(try element(stage, SliderElement.self).shown == 0.5)
    }

    @Test("every toggle style follows its observed object")
    func toggle() throws {
        let settings = Settings()
        let stage = Stage {
            Watching(settings: settings) {
                Toggle("S", isOn: $0.isOn).toggleStyle(.switch)
                Toggle("C", isOn: $0.isOn).toggleStyle(.checkbox)
                Toggle("B", isOn: $0.isOn).toggleStyle(.button)
            }
        }
        let all = stage.elements.compactMap { $0 as? ToggleElement }
        #expect(all.count == 3)
        for state in [true, false, true] {
            settings.isOn = state
            stage.layOut()
            #expect(all.map(\.isOn) == [state, state, state])
        }
        all.first?.choose(false)
        stage.layOut()
        #expect(!settings.isOn && all.map(\.isOn) == [false, false, false])
    }

    @Test("text fields, secure fields, search fields and editors follow their object")
    func texts() throws {
        let settings = Settings()
        let stage = Stage {
            Watching(settings: settings) {
                TextField("T", text: $0.name)
                SecureField("S", text: $0.name)
                TextEditor(text: $0.name)
                Text(verbatim: "x").searchable(text: $0.name)
            }
        }
        settings.name = "b"
        stage.layOut()
        #expect(stage.elements.compactMap { ($0 as? EntryElement)?.text } == ["b", "b", "b"])
        #expect(try element(stage, TextEditorElement.self).text == "b")
    }

    @Test("a picker and a stepper follow their observed object")
    func pickers() throws {
        let settings = Settings()
        let stage = Stage {
            Watching(settings: settings) {
                Picker("P", selection: $0.count) { ForEach(1..<4) { Text("\($0)").tag($0) } }
                Picker("Q", selection: $0.count) { ForEach(1..<4) { Text("\($0)").tag($0) } }.pickerStyle(.segmented)
                Stepper("N", value: $0.count, in: 1...3)
            }
        }
        settings.count = 3
        stage.layOut()
        #expect(stage.elements.compactMap { ($0 as? PickerElement)?.selected } == [2, 2])
        try element(stage, StepperElement.self).step(true)
        #expect(settings.count == 3, "at its end")
        try element(stage, StepperElement.self).step(false)
        #expect(settings.count == 2)
    }

    @Test("list selection and tab view selection follow their observed object")
    func containers() throws {
        let settings = Settings()
        let stage = Stage {
            Watching(settings: settings) {
                List(["a", "b"], id: \.self, selection: $0.choice) { Text(verbatim: $0) }
            }
        }
        settings.choice = "b"
        stage.layOut()
        let list = try #require(stage.everything.first { $0 is ListElement } as? ListElement)
        #expect(list.chosen == [AnyHashable("b")])
        let pages = Stage {
            Watching(settings: settings) {
                TabView(selection: $0.count) {
                    Text(verbatim: "one").tag(1)
                    Text(verbatim: "two").tag(2)
                }
            }
        }
        settings.count = 2
        pages.layOut()
        #expect(try element(pages, DeckElement.self).index == 1)
    }
}
