import Foundation
import Testing

@testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

@Suite("Wheel pickers") @MainActor
struct WheelPickerTests {
    private final class Box { var value = "b" }

    private func make(_ box: Box, style: PlatformStyle = .desktop) throws -> (Stage, WheelPickerElement) {
        let stage = Stage(300, 300) {
            Picker("Letter", selection: Binding(get: { box.value }, set: { box.value = $0 })) {
                ForEach(["a", "b", "c"], id: \.self) { Text(verbatim: $0) }
            }
            .pickerStyle(.wheel).platformStyle(style)
        }
        return (stage, try #require(stage.elements.first { $0 is WheelPickerElement } as? WheelPickerElement))
    }

    @Test("a wheel has a band in the middle and five rows", arguments: [PlatformStyle.desktop, .phone])
    func look(style: PlatformStyle) throws {
        let (stage, wheel) = try make(Box(), style: style)
        #expect(wheel.selected == 1 && wheel.frame.width == 300 && wheel.frame.height >= 150)
        #expect(stage.pixel(10, 150)[3] > 0 && stage.pixel(10, 110)[3] == 0 && stage.pixel(10, 190)[3] == 0)
        #expect(stage.texts.contains("b"))
    }

    @Test("keys turn a wheel and stop at its ends")
    func keys() throws {
        let box = Box()
        let (stage, wheel) = try make(box)
        let steps: [(KeyEquivalent, String)] = [
            (.downArrow, "c"), (.downArrow, "c"), (.upArrow, "b"), (.home, "a"), (.upArrow, "a"), (.end, "c"),
            (.pageUp, "a"), (.pageDown, "c"),
        ]
        for (key, value) in steps {
            #expect(wheel.pressed(key) && box.value == value)
        }
        #expect(!wheel.pressed(.tab) && !wheel.pressed(nil))
        withExtendedLifetime(stage) {}
    }

    @Test("the mouse wheel, a click and a drag turn a wheel")
    func pointer() throws {
        let box = Box()
        let (stage, wheel) = try make(box)
        #expect(wheel.scroll(1, isPrecise: false) && box.value == "c")
        let (row, middle) = (wheel.frame.height / 5, wheel.frame.height / 2)
        _ = wheel.scroll(-0.6 * row, isPrecise: true)
        #expect(box.value == "c")
        _ = wheel.scroll(-0.6 * row, isPrecise: true)
        #expect(box.value == "b")
        func drag(from y: Double, by distance: Double) {
            // The wheel comes to rest first.
            stage.time += 1
            wheel.dragBegan(y)
            wheel.dragged(distance / 2)
            wheel.dragEnded(distance)
        }
        drag(from: middle - row, by: 0)
        #expect(box.value == "a")
        // There is no option above the first one.
        drag(from: middle - row, by: 0)
        #expect(box.value == "a")
        drag(from: middle, by: -1.9 * row)
        #expect(box.value == "c")
        drag(from: middle, by: 1.1 * row)
        #expect(box.value == "b")
        drag(from: middle, by: 500)
        #expect(box.value == "a")
    }
}
