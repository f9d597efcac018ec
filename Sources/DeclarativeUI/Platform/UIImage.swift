import CGTK
import Foundation

/// A picture in memory, for `Image(uiImage:)` and `Image(nsImage:)`. UIKit's type; main actor.
@MainActor @preconcurrency
public final class UIImage: Equatable {
    let source: Image.Source
    /// Points; of a symbol the size in which text is set.
    public let size: CGSize
    /// Pixels a point.
    public let scale: CGFloat

    init(_ source: Image.Source, _ size: CGSize, _ scale: CGFloat) {
        self.source = source
        self.size = size
        self.scale = scale
    }
    private convenience init?(_ box: TextureBox?, _ scale: CGFloat) {
        guard let box else { return nil }
        self.init(.texture(box), box.size, scale)
    }

    /// A file's bytes: PNG, JPEG or TIFF, or what gdk-pixbuf has loaders for. Nil for anything else.
    /// - Parameter scale: pixels a point; 1 where it is not more than 0.
    public convenience init?(data: Data, scale: CGFloat = 1) {
        var why = ""
        self.init(TextureBox.load(data, scale: scale, why: &why), scale > 0 && scale.isFinite ? scale : 1)
    }
    /// A picture in a file, one pixel a point. Nil when it is not there, or is none that GTK reads.
    public convenience init?(contentsOfFile path: String) {
        var why = ""
        self.init(TextureBox.load(path, why: &why), 1)
    }
    /// Nil for an address that is no file's.
    public convenience init?(contentsOf url: URL) {
        guard url.isFileURL else { return nil }
        self.init(contentsOfFile: url.path)
    }
    /// A picture of the app's asset catalogue or resources. Nil when there is none.
    public convenience init?(named name: String, in bundle: Bundle? = nil) {
        if AssetCatalog.picture(name, bundle, isDark: false, scale: 1) == nil {
            guard let path = ResourceLookup.path(name, extensions: ResourceLookup.pictures, bundle: bundle) else {
                return nil
            }
            self.init(contentsOfFile: path)
            return
        }
        guard let picture = AssetCatalog.picture(name, bundle, isDark: false, scale: 1) else { return nil }
        var why = ""
        guard let box = TextureBox.load(picture.path, scale: picture.scale, why: &why) else { return nil }
        // By its name: a view shows the one for its appearance.
        self.init(.resource(name, bundle), box.size, picture.scale)
    }
    /// A symbol. Nil when there is no picture for it.
    public convenience init?(systemName name: String) {
        guard SymbolNames.isKnown(name) else { return nil }
        let side = (Font.body.shownSize * 1.2).rounded()
        self.init(.symbol(name), CGSize(width: side, height: side), 1)
    }

    /// The picture as a PNG file's bytes; nil for symbols, which are no pictures yet.
    public func pngData() -> Data? {
        var why = ""
        let box: TextureBox? =
            switch source {
            case .texture(let box): box
            case .file(let url): TextureBox.load(url.path, why: &why)
            case .resource(let name, let bundle):
                AssetCatalog.picture(name, bundle, isDark: false, scale: 1).flatMap {
                    TextureBox.load($0.path, why: &why)
                }
            case .symbol, .pixels: nil
            }
        guard let box, let bytes = gdk_texture_save_to_png_bytes(box.texture) else { return nil }
        defer { g_bytes_unref(bytes) }
        var count: gsize = 0
        guard let start = g_bytes_get_data(bytes, &count) else { return nil }
        return Data(bytes: start, count: Int(count))
    }

    nonisolated public static func == (a: UIImage, b: UIImage) -> Bool { a === b }
}

/// AppKit's pictures; the same type.
public typealias NSImage = UIImage

extension Image {
    /// Shows a picture in memory.
    public init(uiImage: UIImage) { source = uiImage.source }
    /// Shows a picture in memory.
    public init(nsImage: NSImage) { source = nsImage.source }
}
