import CGTK
import Foundation
import Testing

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

@MainActor @Suite("Short and older forms")
struct OlderNameTests {
    private let red = Color(red: 1, green: 0, blue: 0), green = Color(red: 0, green: 1, blue: 0)

    private func clipped<S: Shape>(_ shape: S) -> NodePixels { Stage(60, 40) { red.clipShape(shape) }.drawing() }

    @Test("short forms of shapes draw these shapes")
    func shapes() {
        let size = CGSize(width: 4, height: 12)
        #expect(clipped(.rect) == clipped(Rectangle()))
        #expect(clipped(.rect(cornerRadius: 9)) == clipped(RoundedRectangle(cornerRadius: 9)))
        #expect(clipped(.rect(cornerSize: size)) == clipped(RoundedRectangle(cornerSize: size)))
        #expect(clipped(.circle) == clipped(Circle()))
        #expect(clipped(.ellipse) == clipped(Ellipse()))
        #expect(clipped(.capsule) == clipped(Capsule()))
        #expect(clipped(.capsule(style: .circular)) == clipped(Capsule()))
        #expect(clipped(.rect) != clipped(.capsule))
    }

    @Test("a shape is scaled with a factor for each axis")
    func scale() {
        let stage = Stage(100, 100) { Rectangle().scale(x: 0.5, anchor: .leading).fill(red) }
        #expect(stage.pixel(5, 5) == [255, 0, 0, 255] && stage.pixel(45, 95) == [255, 0, 0, 255])
        #expect(stage.pixel(55, 50) == [0, 0, 0, 0])
    }

    /// Returns the columns in which a pixel has the color.
    private func columns<V: View>(of color: [UInt8], @ViewBuilder _ content: () -> V) -> [Int] {
        let pixels = Stage(200, 60, content).drawing()
        return (0..<200).filter { x in (0..<60).contains { pixels.pixel(x, $0) == color } }
    }

    @Test("the tint of a progress style shows instead of the environment's")
    func progressTint() {
        let ring = { (style: CircularProgressViewStyle) in
            columns(of: [255, 0, 0, 255]) {
                ProgressView(value: 1).progressViewStyle(style).controlSize(.large).tint(green)
            }
        }
        #expect(!ring(CircularProgressViewStyle(tint: red)).isEmpty)
        #expect(ring(CircularProgressViewStyle()).isEmpty)
    }

    @Test("joined texts keep their own styles")
    func joinedTexts() throws {
        let font = Font.system(size: 40).bold()
        let text = (Text("MM").foregroundStyle(red) + Text("MM").foregroundStyle(green)).font(font)
        let reds = columns(of: [255, 0, 0, 255]) { text }
        let greens = columns(of: [0, 255, 0, 255]) { text }
        let last = try #require(reds.last)
        let first = try #require(greens.first)
        #expect(last < first)
        #expect(columns(of: [255, 0, 0, 255]) { text.foregroundStyle(green).foregroundColor(green) } == reds)
    }

    @Test("a style of a text draws as the style of a view")
    func textStyle() {
        let font = Font.system(size: 40)
        let gradient = LinearGradient(colors: [red, green], startPoint: .leading, endPoint: .trailing)
        let styles: [any ShapeStyle] = [red, gradient, HierarchicalShapeStyle.secondary]
        for style in styles {
            let text = Stage(200, 60) { Text("MMMM").foregroundStyle(style).font(font) }.drawing()
            let view = Stage(200, 60) { HStack { Text("MMMM").font(font) }.foregroundStyle(style) }.drawing()
            #expect(text == view)
        }
    }

    @Test("a color literal has the components of the literal")
    func literal() {
        let color = #colorLiteral(red: 1, green: 0.5, blue: 0, alpha: 0.25)
        #expect(color == UIColor(red: 1, green: 0.5, blue: 0, alpha: 0.25))
        let value: Color = #colorLiteral(red: 1, green: 0.5, blue: 0, alpha: 0.25)
        #expect(value == Color(red: 1, green: 0.5, blue: 0, opacity: 0.25))
    }

    private final class TintedView: UIView {
        var changes = 0
        override func tintColorDidChange() { changes += 1 }
    }

    @Test("a view without a tint color has the superview's")
    func tint() {
        let (parent, child) = (UIView(), TintedView())
        #expect(child.tintColor == .tintColor)
        parent.tintColor = .red
        #expect(child.changes == 0)
        parent.addSubview(child)
        #expect(child.tintColor == .red && child.changes == 1)
        child.tintColor = .green
        parent.tintColor = .blue
        #expect(child.tintColor == .green && child.changes == 2)
        child.tintColor = nil
        #expect(child.tintColor == .blue && child.changes == 3)
        child.removeFromSuperview()
        #expect(child.tintColor == .tintColor && child.changes == 4)
    }

    @Test("a content mode sets the gravity of the layer's contents")
    func contentMode() {
        let view = UIView()
        #expect(view.contentMode == .scaleToFill && view.layer.contentsGravity == .resize)
        view.contentMode = .scaleAspectFill
        #expect(view.layer.contentsGravity == .resizeAspectFill)
        view.contentMode = .scaleAspectFit
        #expect(view.layer.contentsGravity == .resizeAspect)
    }

    @Test("an image is found as a key by identity")
    func imageKey() throws {
        let image = try #require(UIImage(systemName: "play"))
        let other = try #require(UIImage(systemName: "play"))
        let names = [image: "a"]
        #expect(names[image] == "a" && names[other] == nil)
    }

    @Test("a card button shows its label without padding")
    func card() {
        let stage = Stage {
            Button {
            } label: {
                Color.red.frame(width: 50, height: 30)
            }.buttonStyle(.card)
        }
        #expect(stage.elements.first { $0 is ButtonElement }?.frame.size == CGSize(width: 50, height: 30))
    }

    @Test(
        "media keys and the bare space bar play and pause",
        arguments: [
            (GDK_KEY_AudioPlay, [], true), (GDK_KEY_AudioPause, [], true), (GDK_KEY_space, [], true),
            (GDK_KEY_space, [.capsLock], true), (GDK_KEY_space, [.shift], false), (GDK_KEY_space, [.control], false),
            (GDK_KEY_Return, [], false),
        ] as [(Int32, EventModifiers, Bool)])
    func playPause(symbol: Int32, modifiers: EventModifiers, isCommand: Bool) {
        #expect(PlayPauseModifier.isCommand(UInt32(bitPattern: symbol), modifiers) == isCommand)
    }

    @Test("UIKit's capitalization types name the same settings")
    func capitals() {
        #expect(TextInputAutocapitalization(UITextAutocapitalizationType.none) == .never)
        #expect(TextInputAutocapitalization(.words) == .words)
        #expect(TextInputAutocapitalization(.sentences) == .sentences)
        #expect(TextInputAutocapitalization(.allCharacters) == .characters)
    }

    @Test("a controller supports all orientations but upside down by default")
    func orientations() {
        let controller = UIViewController()
        #expect(controller.shouldAutorotate && controller.supportedInterfaceOrientations == .allButUpsideDown)
    }
}
