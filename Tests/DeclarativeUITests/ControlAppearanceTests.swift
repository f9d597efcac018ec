import CGTK
import Foundation
import Testing

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

private let red = Color(red: 1, green: 0, blue: 0)
private let redParts = Color.Components(red: 1, green: 0, blue: 0, opacity: 1)

/// Tests of the looks that apps set for all controls of a kind, in process.
@Suite("Looks of all controls") @MainActor
struct ControlAppearanceTests {
    private func element<E: Element>(_ stage: Stage, _ type: E.Type) throws -> E {
        try #require(stage.elements.lazy.compactMap { $0 as? E }.first)
    }

    @Test("a look of all switches and bars is replaced by a tint")
    func tints() throws {
        defer {
            UISwitch.appearance().onTintColor = nil
            UIProgressView.appearance().progressTintColor = nil
        }
        let stage = Stage {
            VStack {
                Toggle("On", isOn: .constant(true))
                ProgressView(value: 0.5)
            }
        }
        let (knob, bar) = (try element(stage, SwitchElement.self), try element(stage, ProgressElement.self))
        #expect(knob.inkOnTint == nil && bar.inkOnTint == nil)
        UISwitch.appearance().onTintColor = .white
        UIProgressView.appearance().progressTintColor = .white
        stage.layOut()
        let ink = Color.Components(red: 1, green: 1, blue: 1, opacity: 1).textColor
        #expect(knob.inkOnTint == ink && bar.inkOnTint == ink)
        let own = Stage { Toggle("On", isOn: .constant(true)).tint(Color.black) }
        #expect(try element(own, SwitchElement.self).inkOnTint != ink)
    }

    @Test("a look of all sliders applies to sliders of the app")
    func sliders() throws {
        let look = UISlider.appearance()
        defer { (look.thumbTintColor, look.maximumTrackTintColor, look.minimumTrackTintColor) = (nil, nil, nil) }
        let stage = Stage { Slider(value: .constant(0.5)) }
        let slider = try element(stage, SliderElement.self)
        #expect(slider.parts == nil)
        look.thumbTintColor = UIColor(red)
        look.maximumTrackTintColor = UIColor(red)
        look.minimumTrackTintColor = .white
        stage.layOut()
        #expect(slider.parts?.thumbColor == red && slider.parts?.trackColor == red && slider.inkOnTint != nil)
        look.thumbTintColor = nil
        look.maximumTrackTintColor = nil
        stage.layOut()
        #expect(slider.parts == nil)
    }

    @Test("page dots have the colors of all page controls")
    func dots() {
        let look = UIPageControl.appearance()
        defer { (look.currentPageIndicatorTintColor, look.pageIndicatorTintColor) = (nil, nil) }
        look.currentPageIndicatorTintColor = UIColor(red)
        look.pageIndicatorTintColor = UIColor(Color(red: 0, green: 0, blue: 1))
        let pixels = Stage(60, 40) { PageDots(count: 2, index: 0) { _ in } }.drawing()
        let columns = { (color: [UInt8]) in
            (0..<60).filter { x in (0..<40).contains { pixels.pixel(x, $0) == color } }
        }
        let (current, other) = (columns([255, 0, 0, 255]), columns([0, 0, 255, 255]))
        #expect(!current.isEmpty && !other.isEmpty && (current.max() ?? 60) < (other.min() ?? 0))
    }

    @Test("segmented pickers have the look of all segmented controls")
    func segments() throws {
        let look = UISegmentedControl.appearance()
        defer {
            (look.selectedSegmentTintColor, look.backgroundColor) = (nil, nil)
            for state in [UIControl.State.normal, .selected] { look.setTitleTextAttributes(nil, for: state) }
        }
        look.selectedSegmentTintColor = .white
        look.backgroundColor = .black
        look.setTitleTextAttributes([.foregroundColor: UIColor(red)], for: .selected)
        look.setTitleTextAttributes(
            [.foregroundColor: UIColor.black, .font: UIFont.systemFont(ofSize: 30)], for: .normal)
        let picker = Picker("P", selection: .constant(1)) { ForEach(1..<3) { Text("W\($0)").tag($0) } }.labelsHidden()
        let stage = Stage(300, 80) { picker.pickerStyle(.segmented) }
        let buttons = try element(stage, ButtonsPickerElement.self)
        #expect(buttons.segments.ground == Color(UIColor.black) && buttons.inkOnTint != nil)
        #expect((stage.frame("W1")?.height ?? 0) > 30)
        let pixels = stage.drawing()
        let reds = (0..<300).filter { x in (0..<80).contains { pixels.pixel(x, $0) == [255, 0, 0, 255] } }
        // Only the title of the first segment is red.
        #expect(!reds.isEmpty && (reds.max() ?? 300) < 150)
        let plain = try element(Stage(300, 80) { picker.pickerStyle(.inline) }, ButtonsPickerElement.self)
        #expect(plain.segments == SegmentLook())
    }

    @Test("text editors have the background of all text views")
    func editors() throws {
        defer { UITextView.appearance().backgroundColor = nil }
        let stage = Stage { TextEditor(text: .constant("a")) }
        let editor = try element(stage, TextEditorElement.self)
        #expect(editor.ground == nil)
        UITextView.appearance().backgroundColor = UIColor(red)
        stage.layOut()
        #expect(editor.ground == redParts)
        UITextView.appearance().backgroundColor = .clear
        stage.layOut()
        #expect(editor.ground?.opacity == 0)
    }

    @Test("text fields with text have the clear button of all fields")
    func clearButtons() throws {
        defer { UITextField.appearance().clearButtonMode = .never }
        final class Box { var text = "a" }
        let box = Box()
        let stage = Stage { TextField("N", text: Binding(get: { box.text }, set: { box.text = $0 })) }
        let field = try element(stage, EntryElement.self)
        #expect(!field.showsClearButton(isEditing: true))
        UITextField.appearance().clearButtonMode = .whileEditing
        stage.layOut()
        #expect(field.showsClearButton(isEditing: true) && !field.showsClearButton(isEditing: false))
        UITextField.appearance().clearButtonMode = .unlessEditing
        stage.layOut()
        #expect(!field.showsClearButton(isEditing: true) && field.showsClearButton(isEditing: false))
        UITextField.appearance().clearButtonMode = .always
        stage.layOut()
        field.type("")
        #expect(box.text.isEmpty && !field.showsClearButton(isEditing: true))
    }

    @Test("bars below pages have the look of all toolbars")
    func toolbars() {
        defer { UIToolbar.appearance().standardAppearance = UIToolbarAppearance() }
        let stage = Stage(100, 60) { BottomBar(items: []) }
        UIToolbar.appearance().barTintColor = UIColor(red)
        stage.layOut()
        #expect(stage.pixel(50, 30) == [255, 0, 0, 255])
    }

    @Test("titles that are not localized stand beside images")
    func titles() {
        let name = "**Film**"
        let stage = Stage {
            VStack {
                Label(name, image: "")
                Button(name, systemImage: "play") {}
                Stepper(name, onIncrement: {}, onDecrement: nil)
            }
        }
        #expect(stage.texts.filter { $0 == name }.count == 3)
    }
}
