import CGTK
import Foundation

/// An image in memory, for `Image(uiImage:)` and `Image(nsImage:)`. Modeled on UIKit's type.
@MainActor @preconcurrency
public final class UIImage: Hashable {
    /// The colors in which views show an image. Modeled on UIKit's type.
    public enum RenderingMode: Int, Sendable {
        /// As a template for symbols, for images that the asset catalog marks as templates, and in buttons of the
        /// system type; otherwise in the image's own colors.
        case automatic = 0
        /// In the image's own colors, or in the color of `withTintColor(_:renderingMode:)`.
        case alwaysOriginal
        /// As a template: the shape of the image in the view's tint color.
        case alwaysTemplate
    }
    let source: Image.Source
    /// The size in points. For a symbol, the size of its drawing beside body text, without space around it.
    public let size: CGSize
    /// The number of pixels per point.
    public let scale: CGFloat
    /// The colors in which views show the image.
    public let renderingMode: RenderingMode
    /// The color in place of the image's own colors, or nil.
    let ownColor: UIColor?

    init(
        _ source: Image.Source, _ size: CGSize, _ scale: CGFloat, renderingMode: RenderingMode = .automatic,
        ownColor: UIColor? = nil
    ) {
        self.source = source
        self.size = size
        self.scale = scale
        self.renderingMode = renderingMode
        self.ownColor = ownColor
    }
    private convenience init?(_ box: TextureBox?, _ scale: CGFloat) {
        guard let box else { return nil }
        self.init(.texture(box), box.size, scale)
    }

    /// Creates an image from the bytes of a file. Returns nil if the format is not supported.
    ///
    /// GTK reads PNG, JPEG and TIFF. Other formats require loaders of gdk-pixbuf.
    /// - Parameters:
    ///   - data: The bytes of the file.
    ///   - scale: The number of pixels per point. A value that is not greater than 0, or not finite, counts as 1.
    public convenience init?(data: Data, scale: CGFloat = 1) {
        var message = ""
        self.init(TextureBox.load(data, scale: scale, message: &message), scale > 0 && scale.isFinite ? scale : 1)
    }
    /// Creates an image from a file, with one pixel per point. Returns nil if the file is missing or can't be read.
    public convenience init?(contentsOfFile path: String) {
        var message = ""
        self.init(TextureBox.load(path, message: &message), 1)
    }
    /// Creates an image from the URL of a file. Returns nil for other URLs, and if the file is missing or can't be
    /// read.
    public convenience init?(contentsOf url: URL) {
        var message = ""
        self.init(TextureBox.load(url, message: &message), 1)
    }
    /// Creates an image from the app's asset catalog or resources. Returns nil if there is no such image.
    ///
    /// The search begins in `bundle`, if it is not nil. It continues in the program's resources and in the working
    /// directory.
    public convenience init?(named name: String, in bundle: Bundle? = nil) {
        if AssetCatalog.picture(name, bundle, isDark: false, scale: 1) == nil {
            guard let path = ResourceLookup.path(name, extensions: ResourceLookup.pictures, bundle: bundle) else {
                return nil
            }
            self.init(contentsOfFile: path)
            return
        }
        guard let file = AssetCatalog.picture(name, bundle, isDark: false, scale: 1) else { return nil }
        var message = ""
        guard let box = TextureBox.load(file.path, scale: file.scale, message: &message) else { return nil }
        // The source is the name, so that a view shows the variant for its appearance.
        self.init(.resource(name, bundle), box.size, file.scale)
    }
    /// Creates an image of a symbol. Returns nil if there is no image for the symbol's name.
    public convenience init?(systemName name: String) {
        guard SymbolNames.isKnown(name) else { return nil }
        self.init(symbol: name)
    }
    /// Creates an image of a symbol that exists.
    package convenience init(symbol name: String) {
        let side = (Font.body.styled(for: .ofApp).shownSize * 1.2).rounded()
        let ink = SymbolComposition.ink(name, weight: Font.Weight.regular.symbolLine)
        self.init(.symbol(name), CGSize(width: ink.width * side / 24, height: ink.height * side / 24), 1)
    }

    /// Returns the image with another rendering mode.
    public func withRenderingMode(_ renderingMode: RenderingMode) -> UIImage {
        UIImage(source, size, scale, renderingMode: renderingMode, ownColor: ownColor)
    }
    /// Returns the image in one color, with the same rendering mode.
    ///
    /// A view that shows the image as a template uses its own tint color instead. This applies to symbols, unless their
    /// rendering mode is `alwaysOriginal`.
    public func withTintColor(_ color: UIColor) -> UIImage { withTintColor(color, renderingMode: renderingMode) }
    /// Returns the image in one color, with a rendering mode.
    /// - Parameters:
    ///   - color: The color.
    ///   - renderingMode: The rendering mode. With `alwaysTemplate`, views use their own tint color instead of `color`.
    public func withTintColor(_ color: UIColor, renderingMode: RenderingMode) -> UIImage {
        UIImage(source, size, scale, renderingMode: renderingMode, ownColor: color)
    }
    /// Whether the image is a symbol.
    public var isSymbolImage: Bool {
        if case .symbol = source { true } else { false }
    }
    /// The image with its pixels in memory, so that repeated drawing reads no file. Images of an asset catalog are in
    /// their light variant.
    var inMemory: UIImage {
        var mode = renderingMode
        switch source {
        case .texture, .symbol: return self
        case .resource(let name, let bundle):
            let file = AssetCatalog.picture(name, bundle, isDark: false, scale: 1)
            if mode == .automatic, file?.isTemplate == true { mode = .alwaysTemplate }
        case .file, .pixels: break
        }
        return box.map { UIImage(.texture($0), size, scale, renderingMode: mode, ownColor: ownColor) } ?? self
    }

    /// The pixels, or nil for a symbol, which has no pixels before it is drawn.
    var box: TextureBox? {
        var message = ""
        return switch source {
        case .texture(let box): box
        case .file(let url): TextureBox.load(url, message: &message)
        case .resource(let name, let bundle):
            AssetCatalog.picture(name, bundle, isDark: false, scale: 1).flatMap {
                TextureBox.load($0.path, scale: $0.scale, message: &message)
            }
        case .pixels(let pixels): pixels.texture(message: &message)
        case .symbol: nil
        }
    }
    /// Returns the image as a PNG file. Returns nil for a symbol, and if the pixels can't be read.
    public func pngData() -> Data? {
        guard let box, let bytes = gdk_texture_save_to_png_bytes(box.texture) else { return nil }
        defer { g_bytes_unref(bytes) }
        var count: gsize = 0
        guard let start = g_bytes_get_data(bytes, &count) else { return nil }
        return Data(bytes: start, count: Int(count))
    }
    /// Returns the image as a JPEG file. Returns nil for a symbol, and if the pixels can't be read. Transparent parts
    /// become white.
    /// - Parameter compressionQuality: The quality from 0 (small file) to 1 (best quality), clamped. NaN counts as 1.
    public func jpegData(compressionQuality: CGFloat) -> Data? {
        guard let box else { return nil }
        let (width, height) = (gdk_texture_get_width(box.texture), gdk_texture_get_height(box.texture))
        let count = Int(width) * Int(height)
        guard count > 0 else { return nil }
        var pixels = [UInt8](repeating: 0, count: count * 4)
        gdk_texture_download(box.texture, &pixels, gsize(width) * 4)
        // The bytes are blue, green, red and alpha, with premultiplied colors. Adding the missing opacity blends with
        // white.
        var colors = [UInt8](repeating: 0, count: count * 3)
        for index in 0..<count {
            let white = 255 - pixels[index * 4 + 3]
            for channel in 0..<3 { colors[index * 3 + channel] = pixels[index * 4 + 2 - channel] &+ white }
        }
        let quality = compressionQuality.isNaN ? 1 : min(1, max(0, compressionQuality))
        return colors.withUnsafeBufferPointer { colors in
            guard
                let pixbuf = gdk_pixbuf_new_from_data(
                    colors.baseAddress, GDK_COLORSPACE_RGB, 0, 8, width, height, width * 3, nil, nil)
            else { return nil }
            defer { g_object_unref(UnsafeMutableRawPointer(pixbuf)) }
            return Self.jpeg(pixbuf, quality: Int((quality * 100).rounded()))
        }
    }
    private static func jpeg(_ pixbuf: OpaquePointer, quality: Int) -> Data? {
        var bytes: UnsafeMutablePointer<CChar>?
        var count: gsize = 0
        let (key, value) = (g_strdup("quality"), g_strdup("\(quality)"))
        defer {
            g_free(key)
            g_free(value)
        }
        var (keys, values) = ([key, nil], [value, nil])
        guard gdk_pixbuf_save_to_bufferv(pixbuf, &bytes, &count, "jpeg", &keys, &values, nil) != 0, let bytes else {
            return nil
        }
        defer { g_free(bytes) }
        return Data(bytes: bytes, count: Int(count))
    }

    // Images are equal if they are the same object.
    nonisolated public static func == (a: UIImage, b: UIImage) -> Bool { a === b }
    nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The image type of AppKit, which is the same type as `UIImage`.
public typealias NSImage = UIImage

extension Image {
    /// Creates a view that shows an image in memory.
    public init(uiImage: UIImage) {
        source = uiImage.source
        rendering =
            switch uiImage.renderingMode {
            case .automatic: nil
            case .alwaysOriginal: .original
            case .alwaysTemplate: .template
            }
        ownColor = uiImage.ownColor.map { Color($0) }
    }
    /// Creates a view that shows an image in memory.
    public init(nsImage: NSImage) { self.init(uiImage: nsImage) }
}
