import Foundation
import Testing

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

/// Tests of the images and the colors of UIKit's slider.
@MainActor @Suite("UIKit's slider images")
struct UIKitSliderTests {
    private func parts(of slider: UISlider) throws -> SliderParts? {
        let host = try #require(slider.content?.host)
        host.graph.flush()
        func all(_ element: Element) -> [Element] { [element] + element.children.flatMap(all) }
        return try #require(all(host.surface.root).lazy.compactMap { $0 as? SliderElement }.first).parts
    }

    @Test("an image applies to its state, the normal one to others")
    func states() throws {
        let (small, large) = (UIImage(systemName: "circle"), UIImage(systemName: "circle.fill"))
        let slider = UISlider(frame: CGRect(x: 0, y: 0, width: 100, height: 30))
        #expect(slider.currentThumbImage == nil)
        #expect(try parts(of: slider) == nil)
        slider.setThumbImage(small, for: .normal)
        #expect(slider.currentThumbImage === small && slider.thumbImage(for: .highlighted) === small)
        slider.setThumbImage(large, for: .highlighted)
        slider.edits(true)
        #expect(slider.currentThumbImage === large)
        #expect(try parts(of: slider)?.thumb === large)
        slider.edits(false)
        #expect(try parts(of: slider)?.thumb === small)
        slider.setMinimumTrackImage(small, for: .normal)
        slider.setMaximumTrackImage(large, for: .disabled)
        #expect(slider.currentMinimumTrackImage === small && slider.currentMaximumTrackImage == nil)
        slider.isEnabled = false
        #expect(try parts(of: slider)?.maximum === large)
        for state in [UIControl.State.normal, .highlighted] { slider.setThumbImage(nil, for: state) }
        #expect(slider.currentThumbImage == nil)
    }

    @Test("an image of a part replaces its color")
    func colors() throws {
        let slider = UISlider()
        (slider.thumbTintColor, slider.minimumTrackTintColor, slider.maximumTrackTintColor) = (.red, .green, .blue)
        #expect(try parts(of: slider)?.thumbColor == Color(UIColor.red))
        #expect(try parts(of: slider)?.trackColor == Color(UIColor.blue))
        let image = UIImage(systemName: "circle.fill")
        slider.setThumbImage(image, for: .normal)
        slider.setMinimumTrackImage(image, for: .normal)
        slider.setMaximumTrackImage(image, for: .normal)
        #expect(slider.thumbTintColor == nil && slider.minimumTrackTintColor == nil)
        #expect(slider.maximumTrackTintColor == nil)
    }

    @Test("colors become rules of enabled sliders")
    func rules() {
        let parts = SliderParts(trackColor: Color(UIColor.blue), thumbColor: Color(UIColor.red))
        let rules = parts.rules(dark: false)
        #expect(rules.map(\.node) == [" > trough:not(:disabled)", " > trough > slider:not(:disabled)"])
        #expect(rules.last?.declarations.contains("image(rgba(255,0,0,1.000))") == true)
        #expect(SliderParts().isEmpty && SliderParts().rules(dark: true).isEmpty)
    }

    @Test("an image becomes a part of the rules, in its own size")
    func imageRules() throws {
        let image = UIGraphicsImageRenderer(size: CGSize(width: 20, height: 10)).image { context in
            UIColor.red.setFill()
            context.fill(CGRect(x: 0, y: 0, width: 20, height: 10))
        }
        let rules = SliderParts(thumb: image).rules(dark: false)
        #expect(rules.map(\.node) == [" > trough > slider", ""])
        let declarations = try #require(rules.first?.declarations)
        #expect(declarations.contains("min-width: 20px; min-height: 10px; margin: -5px -10px;"))
        let parts = declarations.components(separatedBy: "base64,")
        let text = try #require(parts.last?.components(separatedBy: "\"").first)
        let again = try #require(Data(base64Encoded: text).flatMap { UIImage(data: $0, scale: 2) })
        #expect(again.size == image.size)
    }

    @Test("a large image has at most 2048 pixels in one direction")
    func largeImage() throws {
        let image = UIGraphicsImageRenderer(size: CGSize(width: 3000, height: 10)).image { _ in }
        let declarations = try #require(SliderParts(thumb: image).rules(dark: false).first?.declarations)
        let parts = declarations.components(separatedBy: "base64,")
        let text = try #require(parts.last?.components(separatedBy: "\"").first)
        let drawn = try #require(Data(base64Encoded: text).flatMap { UIImage(data: $0) })
        #expect(drawn.size == CGSize(width: 2048, height: 7))
    }
}

/// Tests of the images and the colors of UIKit's slider in a window.
@Suite("UIKit's slider images in a window", .serialized)
struct UIKitSliderWindowTests {
    @Test("the screen shows images and colors, and the knob can be dragged")
    func screen() async throws {
        let probe = try await ControlProbe(["uikit-slider"])
        let y = 20.0 / 120
        #expect(try await probe.shows([255, 0, 0], "panel", 0.5, y))
        #expect(try await probe.shows([0, 255, 0], "panel", 0.25, y))
        #expect(try await probe.shows([0, 0, 255], "panel", 0.8, y))
        try probe.drag("panel", from: (0.5, y), to: (0.75, y))
        try await probe.expect("slider=released")
        #expect(try await probe.shows([255, 0, 0], "panel", 0.75, y))
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }
}
