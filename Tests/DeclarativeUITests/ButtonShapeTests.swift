import Foundation
import Testing

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

@MainActor @Suite("Outlines of buttons")
struct ButtonShapeTests {
    private func size(_ shape: ButtonBorderShape, bare: Bool = false) throws -> CGSize {
        let stage = Stage(300, 100) {
            let button = Button {
            } label: {
                Color.red.frame(width: 60, height: 20)
            }
            if bare {
                button.buttonStyle(.plain).buttonBorderShape(shape)
            } else {
                button.buttonStyle(.bordered).buttonBorderShape(shape)
            }
        }
        return try #require(stage.elements.first { $0 is ButtonElement }).frame.size
    }

    @Test("a circle is as wide as high, other outlines keep the size")
    func circle() throws {
        let round = try size(.circle)
        #expect(round.width == round.height && round.width >= 60)
        #expect(try size(.capsule) == size(.automatic))
        #expect(try size(.roundedRectangle) == size(.automatic))
        #expect(try size(.circle, bare: true) == CGSize(width: 60, height: 20))
    }

    @Test("each outline has its own class of GTK's theme")
    func classes() {
        #expect(ButtonBorderShape.automatic.styleClass == nil)
        for shape in [ButtonBorderShape.capsule, .roundedRectangle, .circle] {
            #expect(shape.styleClass.map(ButtonBorderShape.classes.contains) == true)
        }
    }
}
