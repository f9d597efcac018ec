import CGTK
import Foundation
import Testing

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

extension UIView {
    /// Every element that the view shows.
    fileprivate var elements: [Element] {
        guard let host = content?.host else { return [] }
        host.graph.flush()
        func all(_ element: Element) -> [Element] {
            let scrolled = (element as? ScrollElement).map { [$0.scrolledContent] } ?? []
            return [element] + (element.children + scrolled).flatMap(all)
        }
        return all(host.surface.root)
    }
    fileprivate var texts: [String] { elements.compactMap { ($0 as? TextElement)?.string } }
}

@MainActor @Suite("UIKit's controls")
struct UIKitControlTests {
    @Test("a slider clamps its value and reports only the user's changes")
    func slider() {
        let slider = UISlider(frame: CGRect(x: 0, y: 0, width: 100, height: 30))
        var told: [Float] = []
        slider.addAction(UIAction { [unowned slider] _ in told.append(slider.value) }, for: .valueChanged)
        slider.maximumValue = 90
        slider.value = 100
        #expect(slider.value == 90)
        slider.minimumValue = 10
        slider.setValue(-5, animated: true)
        #expect(slider.value == 10)
        slider.value = .nan
        #expect(slider.value == 10 && told.isEmpty)
        slider.moved(to: 30)
        #expect(told == [30])
    }

    @Test("a slider that is not continuous reports on release")
    func release() {
        let slider = UISlider()
        slider.isContinuous = false
        var told: [String] = []
        slider.addAction(UIAction { [unowned slider] _ in told.append("\(slider.value)") }, for: .valueChanged)
        slider.addAction(UIAction { _ in told.append("down") }, for: .touchDown)
        slider.addAction(UIAction { _ in told.append("up") }, for: [.touchUpInside, .touchUpOutside])
        slider.edits(true)
        #expect(slider.isTracking && slider.state.contains(.highlighted))
        slider.moved(to: 0.5)
        slider.edits(false)
        #expect(told == ["down", "0.5", "up"])
    }

    @Test("a slider has its own tint, or that of its superview")
    func sliderTint() {
        let parent = UIView(frame: .zero)
        let slider = UISlider()
        parent.addSubview(slider)
        // Text on a dark tint is light.
        let isDark = { slider.elements.lazy.compactMap { $0 as? SliderElement }.first?.inkOnTint.map { $0.red > 0.5 } }
        #expect(isDark() == nil)
        parent.tintColor = .black
        #expect(isDark() == true)
        slider.tintColor = .white
        #expect(isDark() == false)
        slider.minimumTrackTintColor = .black
        #expect(isDark() == true)
        slider.minimumTrackTintColor = nil
        #expect(isDark() == false)
    }

    @Test("removed and disabled actions are not run")
    func actions() {
        let control = UIControl()
        var count = 0
        let action = UIAction { _ in count += 1 }
        control.addAction(action, for: [.touchDown, .valueChanged])
        control.sendActions(for: .touchDown)
        control.removeAction(action, for: .touchDown)
        control.sendActions(for: .touchDown)
        #expect(count == 1)
        action.attributes = .disabled
        control.sendActions(for: .valueChanged)
        #expect(count == 1)
    }

    @Test("a hosting controller is as large as its content, and centers it")
    func hosting() throws {
        let controller = UIHostingController(rootView: Color.red.frame(width: 40, height: 20))
        #expect(controller.sizeThatFits(in: CGSize(width: 200, height: 100)) == CGSize(width: 40, height: 20))
        controller.rootView = Color.red.frame(width: 60, height: 20)
        #expect(controller.sizeThatFits(in: CGSize(width: 200, height: 100)) == CGSize(width: 60, height: 20))
        let view = try #require(controller.view)
        view.content?.host.surface.layOut(CGSize(width: 200, height: 100))
        #expect(view.elements.last?.frameInHost == CGRect(x: 70, y: 40, width: 60, height: 20))
        let flexible = UIHostingController(rootView: Color.red)
        #expect(flexible.sizeThatFits(in: CGSize(width: 200, height: 100)) == CGSize(width: 200, height: 100))
    }

    @Test("a label is as large as its text")
    func label() {
        let label = UILabel()
        #expect(!label.isUserInteractionEnabled)
        label.text = "Film"
        let short = label.intrinsicContentSize
        #expect(short.width > 0 && short.height > 0 && label.texts == ["Film"])
        label.text = "A film that has many words"
        #expect(label.intrinsicContentSize.width > short.width && label.texts == ["A film that has many words"])
        #expect(label.intrinsicContentSize.height == short.height)
        label.numberOfLines = 0
        label.preferredMaxLayoutWidth = short.width * 2
        #expect(label.intrinsicContentSize.height > short.height * 1.5)
        label.font = .boldSystemFont(ofSize: 40)
        label.text = "Film"
        #expect(label.sizeThatFits(.zero).height > short.height * 1.5)
    }

    @Test(
        "left and right are the same sides in both layout directions",
        arguments: [LayoutDirection.leftToRight, .rightToLeft])
    func sides(direction: LayoutDirection) throws {
        let label = UILabel()
        label.text = "Film"
        var environment = EnvironmentValues()
        environment.layoutDirection = direction
        for (alignment, isAtLeft) in [
            (NSTextAlignment.left, true), (.right, false), (.natural, direction == .leftToRight),
        ] {
            label.textAlignment = alignment
            let text = try #require(label.elements.last as? TextElement)
            let host = try #require(label.content?.host)
            host.setEnvironment(environment)
            host.surface.layOut(CGSize(width: 200, height: 40))
            let frame = text.frameInHost
            #expect(abs(isAtLeft ? frame.minX : 200 - frame.maxX) < 1, "\(alignment): \(frame)")
        }
    }

    @Test("lines align to the app's side, whatever the text's direction")
    func lines() {
        for text in ["Film", "1 Film"] {
            #expect(NSTextAlignment.left.lines(of: text) == .leading)
            #expect(NSTextAlignment.right.lines(of: text) == .trailing)
        }
        #expect(NSTextAlignment.left.lines(of: "סרט") == .trailing)
        #expect(NSTextAlignment.right.lines(of: "סרט") == .leading)
        #expect(NSTextAlignment.natural.lines(of: "סרט") == .leading)
    }

    @Test("a label's text and attributed text replace each other")
    func attributedText() {
        let label = UILabel()
        label.attributedText = NSAttributedString(string: "a")
        #expect(label.text == "a")
        label.text = "b"
        #expect(label.attributedText?.string == "b")
        label.attributedText = nil
        #expect(label.text == nil)
    }

    @Test("withAlphaComponent replaces the opacity of a color")
    func alpha() {
        #expect(UIColor(white: 1, alpha: 0.5).withAlphaComponent(1) == UIColor(white: 1, alpha: 1))
        let half = UIColor.secondaryLabel.withAlphaComponent(0.5)
        #expect(half.color.resolved(dark: true, accent: nil).opacity == 0.5)
        #expect(half.color.resolved(dark: false, accent: nil).opacity == 0.5)
    }

    @Test("a negative duration has one sign")
    func negative() {
        let formatter = DateComponentsFormatter()
        let start = Date(timeIntervalSinceReferenceDate: 0)
        #expect(formatter.string(from: start, to: start - 75) == "-1:15" && formatter.string(from: -75) == "-1:15")
        #expect(formatter.string(from: start, to: start - 0.5) == "0" && formatter.string(from: -0.5) == "0")
    }

    @Test("a duration without a finite length has no text", arguments: [Double.nan, .infinity, -.infinity, 1e300])
    func invalidDuration(seconds: Double) {
        let formatter = DateComponentsFormatter()
        let (start, invalid) = (Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: seconds))
        #expect(formatter.string(from: seconds) == nil)
        #expect(formatter.string(from: start, to: invalid) == nil)
        #expect(formatter.string(from: invalid, to: start) == nil)
        #expect(formatter.string(from: invalid, to: invalid) == nil)
    }

    @Test("a text view reports the user's edits to its delegate")
    func textView() {
        final class Reader: UITextViewDelegate {
            var told: [String] = []
            func textViewDidChange(_ textView: UITextView) { told.append(textView.text) }
        }
        let (view, reader) = (UITextView(), Reader())
        view.delegate = reader
        view.text = "set"
        #expect(reader.told.isEmpty)
        view.edited("typed")
        #expect(reader.told == ["typed"] && view.text == "typed")
        view.isEditable = false
        #expect(view.texts == ["typed"])
    }

    @Test("editable text has the text view's font and color")
    func editableText() throws {
        let view = UITextView()
        view.font = .systemFont(ofSize: 20, weight: .bold)
        view.textColor = UIColor(red: 1, green: 0, blue: 0, alpha: 1)
        let editor = try #require(view.elements.first { $0 is TextEditorElement } as? TextEditorElement)
        #expect(editor.declarations.contains("font-size: 20.0px; font-weight: 700;"), "\(editor.declarations)")
        #expect(editor.declarations.hasSuffix("color: rgba(255,0,0,1.000); "), "\(editor.declarations)")
        view.font = nil
        #expect(view.elements.contains { $0 === editor } && !editor.declarations.contains("font"))
    }

    @Test("an activity indicator is hidden unless it animates")
    func indicator() {
        let wheel = UIActivityIndicatorView(style: .large)
        #expect(wheel.isHidden && !wheel.isAnimating && wheel.intrinsicContentSize.width == 37)
        wheel.startAnimating()
        #expect(!wheel.isHidden && wheel.isAnimating)
        wheel.stopAnimating()
        #expect(wheel.isHidden)
        wheel.hidesWhenStopped = false
        #expect(!wheel.isHidden)
    }

    @Test("bars have the background of UIKit's appearance")
    func bars() {
        let bar = UINavigationBar.appearance()
        defer { bar.standardAppearance = UINavigationBarAppearance() }
        let stage = Stage(200, 120) { NavigationStack { Color.clear.navigationTitle("Film") } }
        #expect(stage.pixel(3, 3) != [255, 0, 0, 255])
        let appearance = UINavigationBarAppearance()
        appearance.configureWithOpaqueBackground()
        appearance.backgroundColor = .red
        bar.standardAppearance = appearance
        stage.layOut()
        #expect(stage.pixel(3, 3) == [255, 0, 0, 255])
        appearance.configureWithTransparentBackground()
        stage.layOut()
        #expect(stage.pixel(3, 3) != [255, 0, 0, 255])
    }

    @Test("a page's bar setting overrides the global appearance")
    func ownBar() {
        let bar = UINavigationBar.appearance()
        defer { bar.standardAppearance = UINavigationBarAppearance() }
        bar.barTintColor = .red
        let stage = Stage(200, 120) {
            NavigationStack {
                Color.clear.navigationTitle("Film").toolbarBackground(Color(red: 0, green: 0, blue: 1))
            }
        }
        #expect(stage.pixel(3, 3) == [0, 0, 255, 255])
    }

    @Test("an image becomes a JPEG file over white")
    func jpeg() throws {
        // Blue, green, red and alpha, premultiplied: the left half is transparent, the right half is red.
        let pixels = [UInt8](repeating: 0, count: 32 * 16 * 4).enumerated().map { index, _ in
            index / 4 % 32 < 16 ? 0 : index % 4 < 2 ? 0 : UInt8(255)
        }
        let bytes = pixels.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
        defer { g_bytes_unref(bytes) }
        let texture = try #require(
            gdk_memory_texture_new(32, 16, GDK_MEMORY_B8G8R8A8_PREMULTIPLIED, bytes, 32 * 4))
        let image = UIImage(.texture(TextureBox(owning: texture)), CGSize(width: 32, height: 16), 1)
        let data = try #require(image.jpegData(compressionQuality: 1))
        #expect(data.starts(with: [0xFF, 0xD8, 0xFF]))
        let again = try #require(UIImage(data: data))
        #expect(again.size == CGSize(width: 32, height: 16))
        guard case .texture(let box) = again.source else {
            Issue.record("an image of data has its pixels")
            return
        }
        var read = [UInt8](repeating: 7, count: 32 * 16 * 4)
        gdk_texture_download(box.texture, &read, 32 * 4)
        let (white, red) = (
            read[(8 * 32 + 4) * 4..<(8 * 32 + 4) * 4 + 3], read[(8 * 32 + 28) * 4..<(8 * 32 + 28) * 4 + 3]
        )
        #expect(white.allSatisfy { $0 > 245 })
        #expect(red.last.map { $0 > 235 } == true && red.dropLast().allSatisfy { $0 < 20 })
        #expect(UIImage(systemName: "play.fill")?.jpegData(compressionQuality: 1) == nil)
    }

    @Test("font weights increase from ultra light to black")
    func fontWeights() {
        let weights: [Font.Weight] = [
            .ultraLight, .thin, .light, .regular, .medium, .semibold, .bold, .heavy, .black,
        ]
        #expect(weights.map(\.value) == Array(stride(from: 100, through: 900, by: 100)))
        let platform: [UIFont.Weight] = [
            .ultraLight, .thin, .light, .regular, .medium, .semibold, .bold, .heavy, .black,
        ]
        #expect(platform.map(\.weight) == weights)
    }

    @Test("a font's size is the size that text has")
    func fontSizes() {
        #expect(UIFont.systemFont(ofSize: 20).pointSize == 20 && UIFont.boldSystemFont(ofSize: 0).pointSize == 1)
        #expect(
            UIFont.systemFont(ofSize: 1e9).pointSize == 2000 && UIFont.italicSystemFont(ofSize: .nan).pointSize == 14)
        #expect(UIFont.systemFont(ofSize: 20).withSize(-3).pointSize == 1)
        #expect(UIFont(name: "Cantarell", size: 5000)?.pointSize == 2000)
    }
}
