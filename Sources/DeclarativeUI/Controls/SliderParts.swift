import Foundation
@_spi(Graph) import ViewGraph

/// The parts of a slider that the app draws by colors and images, in place of GTK's theme.
struct SliderParts: Equatable {
    /// The color of the track after the knob, and of the knob. Nil means the theme's.
    var trackColor: Color?, thumbColor: Color?
    /// The images of the knob, and of the track before and after the knob. Nil means the theme's parts.
    var thumb: UIImage?, minimum: UIImage?, maximum: UIImage?
    /// The color of images that are templates.
    var tint = Color.accentColor

    var isEmpty: Bool {
        trackColor == nil && thumbColor == nil && thumb == nil && minimum == nil && maximum == nil
    }

    /// A rule for one of the CSS nodes of a `GtkScale`.
    struct Rule: Equatable {
        /// The selector of the node, after that of the scale.
        let node: String
        let declarations: String
        init(_ node: String, _ declarations: String) {
            self.node = node
            self.declarations = declarations
        }
    }

    /// Returns the rules for the parts. Images become part of the rules.
    @MainActor func rules(dark: Bool) -> [Rule] {
        var rules: [Rule] = []
        if let trackColor, maximum == nil {
            let css = trackColor.resolved(dark: dark, accent: nil).css
            rules.append(
                Rule(
                    " > trough:not(:disabled)",
                    "background-image: none; background-color: \(css); border-color: \(css);"))
        }
        if let thumbColor, thumb == nil {
            let css = thumbColor.resolved(dark: dark, accent: nil).css
            rules.append(
                Rule(" > trough > slider:not(:disabled)", "background-image: image(\(css)); border-color: \(css);"))
        }
        // The track is as high as the higher one of its images.
        let height = [minimum, maximum].compactMap { $0?.size.height }.max()
        if let height {
            let whole = SliderParts.whole(height)
            rules.append(
                Rule(
                    " > trough",
                    "min-height: \(whole)px; padding: 0; border: none; border-radius: 0; box-shadow: none;"
                        + (maximum.map { " \(ground($0, dark))" } ?? "")))
            rules.append(
                Rule(
                    " > trough > highlight",
                    "min-height: \(whole)px; margin: 0; border: none; border-radius: 0; box-shadow: none;"
                        + (minimum.map { " \(ground($0, dark))" } ?? "")))
        }
        if let thumb {
            let (width, height) = (SliderParts.whole(thumb.size.width), SliderParts.whole(thumb.size.height))
            // With these margins, the knob does not make the track higher, and its center moves along the whole track.
            let size = "min-width: \(width)px; min-height: \(height)px; margin: -\(height / 2)px -\(width / 2)px;"
            let plain = "padding: 0; border: none; border-radius: 0; box-shadow: none; outline: none;"
            rules.append(Rule(" > trough > slider", "\(size) \(plain) \(ground(thumb, dark))"))
            rules.append(Rule("", "padding-left: \((width + 1) / 2)px; padding-right: \((width + 1) / 2)px;"))
        }
        return rules
    }

    /// The maximum width and height of an image in the rules, in pixels.
    private static let limit: CGFloat = 2048
    /// Returns a length in whole points. GTK warns about very large lengths.
    private static func whole(_ length: CGFloat) -> Int {
        length.isFinite ? Int(min(1000, max(1, length)).rounded(.up)) : 1
    }

    /// Returns the declarations for an image that is stretched to a node.
    @MainActor private func ground(_ image: UIImage, _ dark: Bool) -> String {
        // Symbols have no scale of their own. With two pixels per point, they are sharp on most screens. Larger images
        // are drawn smaller, because the theme is read again at each change, with all images.
        let scale = min(max(2, image.scale), SliderParts.limit / max(1, image.size.width, image.size.height))
        let (width, height) = (image.size.width * scale, image.size.height * scale)
        let color = UIColor(Color(kind: .fixed(tint.resolved(dark: dark, accent: nil))))
        guard width.isFinite, height.isFinite,
            let bitmap = CairoBitmap(width: Int(width.rounded(.up)), height: Int(height.rounded(.up)))
        else { return "background: none;" }
        let isTemplate =
            image.renderingMode == .alwaysTemplate || image.isSymbolImage && image.renderingMode != .alwaysOriginal
        let shown = isTemplate ? image.withTintColor(color) : image
        shown.paint(on: bitmap.cr, in: CGRect(x: 0, y: 0, width: width, height: height), template: color)
        guard let texture = bitmap.texture(scale: scale),
            let png = UIImage(.texture(texture), image.size, scale).pngData()
        else { return "background: none;" }
        return "background-color: transparent; background-repeat: no-repeat; background-size: 100% 100%;"
            + " background-image: url(\"data:image/png;base64,\(png.base64EncodedString())\");"
    }
}

private struct SliderPartsKey: EnvironmentKey { static let defaultValue: SliderParts? = nil }
extension EnvironmentValues {
    /// The parts of sliders that the app draws, or nil for GTK's theme.
    var sliderParts: SliderParts? {
        get { self[SliderPartsKey.self] }
        set { self[SliderPartsKey.self] = newValue }
    }
}
