import Foundation
import MediaEngine

extension Image {
    /// A picture in memory, as `AVAssetImageGenerator` makes them.
    /// - Parameters:
    ///   - scale: pixels a point; 1 where it is not more than 0.
    ///   - label: what assistive technology calls it.
    public init(_ cgImage: CGImage, scale: CGFloat, label: Text) {
        self.init(decorative: cgImage, scale: scale)
        self.label = label.string
    }
    /// The same, which assistive technology passes over.
    public init(decorative cgImage: CGImage, scale: CGFloat) {
        if let texture = FrameTextures.texture(cgImage, scale) {
            self.init(texture: texture)
        } else {
            // Shows that something is missing, and logs it.
            self.init("a picture of \(cgImage.width)×\(cgImage.height)")
        }
        label = ""
    }
}

extension UIImage {
    /// - Parameter scale: pixels a point; 1 where it is not more than 0. A picture that cannot be converted is one of no size.
    public convenience init(cgImage: CGImage, scale: CGFloat = 1) {
        let texture = FrameTextures.texture(cgImage, scale)
        self.init(texture.map { .texture($0) } ?? .resource("a picture of \(cgImage.width)×\(cgImage.height)", nil), texture?.size ?? .zero, scale > 0 && scale.isFinite ? scale : 1)
    }
}

/// What frames look like to GTK: converted once, however often a view is evaluated, and kept as long as a view shows it.
@MainActor
private enum FrameTextures {
    private struct Entry {
        weak var frame: VideoFrame?
        weak var texture: TextureBox?
        let scale: CGFloat
    }
    private static var entries: [ObjectIdentifier: Entry] = [:]

    static func texture(_ frame: VideoFrame, _ scale: CGFloat) -> TextureBox? {
        let id = ObjectIdentifier(frame)
        if let entry = entries[id], entry.frame === frame, entry.scale == scale, let texture = entry.texture { return texture }
        var why = ""
        guard let data = try? frame.pngData, let texture = TextureBox.load(data, scale: scale, why: &why) else { return nil }
        entries = entries.filter { $0.value.texture != nil }
        entries[id] = Entry(frame: frame, texture: texture, scale: scale)
        return texture
    }
}
