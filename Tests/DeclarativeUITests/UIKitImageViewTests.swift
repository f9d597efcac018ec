import CGTK
import Foundation
import TestSupport
import Testing

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

extension UIImage {
    /// Returns an opaque white image with one pixel per point.
    static func solid(_ width: Int, _ height: Int) throws -> UIImage {
        let pixels = [UInt8](repeating: 255, count: width * height * 4)
        let bytes = pixels.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
        defer { g_bytes_unref(bytes) }
        let texture = try #require(
            gdk_memory_texture_new(
                Int32(width), Int32(height), GDK_MEMORY_B8G8R8A8_PREMULTIPLIED, bytes, gsize(width * 4)))
        return UIImage(.texture(TextureBox(owning: texture)), CGSize(width: width, height: height), 1)
    }
}

extension UIImageView {
    /// Shows the content of the view in 100 × 60 points.
    fileprivate func stage() -> Stage {
        Stage(100, 60) { wrappedContent(AnyView(ImageViewContent(look: look))) ?? AnyView(EmptyView()) }
    }
}
extension Stage {
    /// The frame of the first image, or nil if there is none.
    fileprivate var imageFrame: CGRect? {
        layOut()
        return elements.first { $0 is ImageElement }?.frameInHost
    }
}

@MainActor @Suite("UIKit's image views")
struct UIKitImageViewTests {
    private let red = UIColor(red: 1, green: 0, blue: 0, alpha: 1)
    private let green = UIColor(red: 0, green: 1, blue: 0, alpha: 1)

    @Test("an image view is as large as its image and ignores touches")
    func size() throws {
        let image = try UIImage.solid(20, 10)
        let view = UIImageView(image: image)
        #expect(view.frame == CGRect(x: 0, y: 0, width: 20, height: 10) && view.image === image)
        #expect(view.intrinsicContentSize == image.size && !view.isUserInteractionEnabled)
        #expect(view.contentMode == .scaleToFill && view.stage().imageFrame?.size == CGSize(width: 100, height: 60))
        view.image = try UIImage.solid(30, 40)
        #expect(view.intrinsicContentSize == CGSize(width: 30, height: 40) && view.bounds.size == image.size)
        view.sizeToFit()
        #expect(view.bounds.size == CGSize(width: 30, height: 40))
        view.image = nil
        let none = UIView.noIntrinsicMetric
        #expect(view.intrinsicContentSize == CGSize(width: none, height: none) && view.stage().imageFrame == nil)
        #expect(UIImageView().frame == .zero && !UIImageView(frame: .zero).isUserInteractionEnabled)
        #expect(UIImageView(coder: NSCoder()) == nil)
    }

    @Test(
        "each content mode scales and places the image",
        arguments: [
            (UIView.ContentMode.scaleToFill, [0, 0, 100, 60]), (.redraw, [0, 0, 100, 60]),
            (.scaleAspectFit, [0, 5, 100, 50]), (.scaleAspectFill, [-10, 0, 120, 60]), (.center, [40, 25, 20, 10]),
            (.top, [40, 0, 20, 10]), (.bottom, [40, 50, 20, 10]), (.left, [0, 25, 20, 10]), (.right, [80, 25, 20, 10]),
            (.topLeft, [0, 0, 20, 10]), (.topRight, [80, 0, 20, 10]), (.bottomLeft, [0, 50, 20, 10]),
            (.bottomRight, [80, 50, 20, 10]),
        ] as [(UIView.ContentMode, [CGFloat])])
    func modes(mode: UIView.ContentMode, frame: [CGFloat]) throws {
        let view = UIImageView(image: try UIImage.solid(20, 10))
        view.contentMode = mode
        let shown = try #require(view.stage().imageFrame)
        #expect([shown.minX, shown.minY, shown.width, shown.height] == frame)
        // The image does not determine the minimum size of the content.
        let root = view.stage().host.surface.root
        #expect(root.sizeThatFits(ProposedViewSize(width: 0, height: 0)) == .zero)
    }

    @Test("left and right do not depend on the layout direction")
    func direction() throws {
        let view = UIImageView(image: try UIImage.solid(20, 10))
        view.contentMode = .left
        let stage = Stage(100, 60) {
            ImageViewContent(look: view.look).environment(\.layoutDirection, .rightToLeft)
        }
        #expect(stage.imageFrame?.minX == 0)
        view.contentMode = .topRight
        #expect(stage.imageFrame?.minX == 80)
    }

    @Test("the highlighted image replaces the image while isHighlighted is true")
    func highlighted() throws {
        let (image, other) = (try UIImage.solid(20, 10), try UIImage.solid(40, 30))
        let view = UIImageView(image: image, highlightedImage: other)
        view.contentMode = .center
        let stage = view.stage()
        #expect(stage.imageFrame?.size == image.size && view.bounds.size == image.size)
        view.isHighlighted = true
        #expect(stage.imageFrame?.size == other.size && view.intrinsicContentSize == other.size)
        view.highlightedImage = nil
        #expect(stage.imageFrame?.size == image.size)
    }

    @Test("templates and symbols have the view's or its superview's tint color")
    func tint() throws {
        let (parent, view) = (UIView(), UIImageView())
        parent.addSubview(view)
        parent.tintColor = green
        func color(_ image: UIImage) -> [UInt8] {
            view.image = image
            return view.stage().pixel(50, 30)
        }
        let bitmap = try UIImage.solid(20, 10)
        let symbol = try #require(UIImage(systemName: "square.fill"))
        #expect(bitmap.renderingMode == .automatic && !bitmap.isSymbolImage && symbol.isSymbolImage)
        #expect(color(bitmap) == [255, 255, 255, 255])
        #expect(color(bitmap.withRenderingMode(.alwaysTemplate)) == [0, 255, 0, 255])
        #expect(color(symbol) == [0, 255, 0, 255])
        view.tintColor = red
        #expect(color(symbol) == [255, 0, 0, 255])
        #expect(color(symbol.withRenderingMode(.alwaysTemplate).withRenderingMode(.automatic)) == [255, 0, 0, 255])
    }

    @Test("withTintColor colors originals, and templates keep the tint color")
    func ownColor() throws {
        let view = UIImageView()
        view.tintColor = green
        func color(_ image: UIImage) -> [UInt8] {
            view.image = image
            return view.stage().pixel(50, 30)
        }
        let bitmap = try UIImage.solid(20, 10)
        let symbol = try #require(UIImage(systemName: "square.fill"))
        #expect(color(bitmap.withTintColor(red)) == [255, 0, 0, 255])
        #expect(color(bitmap.withTintColor(red, renderingMode: .alwaysTemplate)) == [0, 255, 0, 255])
        #expect(color(symbol.withTintColor(red)) == [0, 255, 0, 255])
        #expect(color(symbol.withTintColor(red, renderingMode: .alwaysOriginal)) == [255, 0, 0, 255])
        let stage = Stage(100, 60) {
            Image(uiImage: bitmap.withRenderingMode(.alwaysTemplate)).resizable().foregroundStyle(Color(green))
        }
        #expect(stage.pixel(50, 30) == [0, 255, 0, 255])
    }

    @Test("a symbol fills the view, or fits it with its own ratio")
    func symbolModes() throws {
        let view = UIImageView(image: UIImage(systemName: "rectangle"))
        let own = view.intrinsicContentSize
        #expect(own.width / own.height > 1.2)
        let filled = view.stage()
        #expect(filled.imageFrame?.size == CGSize(width: 100, height: 60))
        view.contentMode = .scaleAspectFit
        let fitted = try #require(view.stage().imageFrame)
        #expect(abs(fitted.height - 60) < 0.5 && abs(fitted.width - 60 * own.width / own.height) < 0.5)
        view.contentMode = .topLeft
        let placed = try #require(view.stage().imageFrame)
        #expect(placed.origin == .zero)
        #expect(abs(placed.width - own.width) < 0.5 && abs(placed.height - own.height) < 0.5)
    }

    @Test("constraints follow the size of a new image")
    func constraints() throws {
        let parent = UIView(frame: CGRect(x: 0, y: 0, width: 400, height: 100))
        let view = UIImageView()
        view.translatesAutoresizingMaskIntoConstraints = false
        parent.addSubview(view)
        NSLayoutConstraint.activate([
            view.leadingAnchor.constraint(equalTo: parent.leadingAnchor),
            view.topAnchor.constraint(equalTo: parent.topAnchor),
        ])
        for (width, height) in [(20, 10), (60, 30)] {
            view.image = try UIImage.solid(width, height)
            parent.layoutIfNeeded()
            #expect(abs(view.frame.width - CGFloat(width)) < 0.01 && abs(view.frame.height - CGFloat(height)) < 0.01)
        }
    }

    private final class Clock {
        var now = Date(timeIntervalSinceReferenceDate: 1000)
        var due: (@MainActor () -> Void)?
        @MainActor func pass(_ seconds: Double) {
            now += seconds
            let action = due
            due = nil
            action?()
        }
    }
    /// Returns a view that shows an image of 50 points, and animates images of 10, 20 and 30 points, one per second.
    private func animated(_ clock: Clock) throws -> (UIImageView, Stage) {
        let view = UIImageView(image: try UIImage.solid(50, 10))
        view.contentMode = .center
        view.animationImages = try [10, 20, 30].map { try UIImage.solid($0, 10) }
        view.animationDuration = 3
        view.date = { clock.now }
        view.setInWindow(true)
        let stage = view.stage()
        stage.host.graph.date = { clock.now }
        stage.host.graph.wake = { clock.due = $1 }
        return (view, stage)
    }

    @Test("an animation displays its images in cycles, and then the image")
    func animation() throws {
        let clock = Clock()
        let (view, stage) = try animated(clock)
        view.animationRepeatCount = 2
        #expect(stage.imageFrame?.width == 50 && !view.isAnimating)
        view.startAnimating()
        for width: CGFloat in [10, 20, 30, 10, 20, 30] {
            #expect(stage.imageFrame?.width == width && view.isAnimating)
            clock.pass(1)
        }
        #expect(stage.imageFrame?.width == 50 && !view.isAnimating && clock.due == nil)
        view.startAnimating()
        #expect(stage.imageFrame?.width == 10 && view.isAnimating)
        view.stopAnimating()
        #expect(stage.imageFrame?.width == 50 && !view.isAnimating)
    }

    @Test("an endless animation runs until it is stopped or its images change")
    func endless() throws {
        let clock = Clock()
        let (view, stage) = try animated(clock)
        view.startAnimating()
        clock.pass(3001)
        #expect(stage.imageFrame?.width == 20 && view.isAnimating)
        clock.pass(1)
        #expect(stage.imageFrame?.width == 30)
        view.animationImages = nil
        #expect(stage.imageFrame?.width == 50 && !view.isAnimating)
        view.startAnimating()
        #expect(!view.isAnimating)
    }

    @Test("an animation outside of windows needs no updates")
    func outside() throws {
        let clock = Clock()
        let (view, stage) = try animated(clock)
        view.startAnimating()
        #expect(stage.imageFrame?.width == 10 && clock.due != nil)
        view.setInWindow(false)
        stage.layOut()
        clock.pass(1)
        #expect(clock.due == nil && view.isAnimating)
        view.setInWindow(true)
        #expect(stage.imageFrame?.width == 20 && clock.due != nil)
    }

    @Test("an unusual duration or number of cycles has a usable replacement")
    func unusual() throws {
        let (images, start) = (try [10, 20].map { try UIImage.solid($0, 10) }, Date(timeIntervalSinceReferenceDate: 0))
        func playback(_ duration: TimeInterval, _ repeatCount: Int = 0) -> ImagePlayback {
            ImagePlayback(images, start: start, duration: duration, repeatCount: repeatCount)
        }
        for duration in [0, -1, .nan, .infinity] { #expect(playback(duration).step == 1.0 / 30) }
        #expect(playback(1e-9).step == 0.01 && playback(1).step == 0.5 && playback(1, 3).end == start + 3)
        #expect(playback(1, -1).end == .distantFuture && playback(1, .max).image(at: .distantFuture) != nil)
        #expect(playback(1).image(at: .distantPast) === images[0])
    }
}

/// Tests of UIKit's image views in a window, by the pointer.
@Suite("UIKit's image views in a window", .serialized)
struct UIKitImageViewWindowTests {
    @Test("a tap plays an animation to its end, unless it is disabled")
    func images() async throws {
        let probe = try await ControlProbe(["uikit-image"])
        #expect(try await probe.shows([255, 0, 0], "panel", 0.25))
        #expect(try await probe.shows([255, 0, 0], "panel", 0.75))
        try probe.click("panel", 0.75)
        try probe.click("panel", 0.25)
        try await probe.expect("picture=tap")
        #expect(try await probe.shows([0, 255, 0], "panel", 0.25))
        #expect(!probe.said.contains("idle=tap"))
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }
}
