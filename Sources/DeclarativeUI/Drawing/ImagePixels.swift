import CGTK
import Foundation

/// An image whose pixels are created when a view shows it. A view that is updated with the same image does not create
/// the pixels again.
final class ImagePixels: Sendable {
    /// The pixels of an image. Each has 8 bits of blue, green, red and alpha, premultiplied; rows begin at the top.
    struct Pixels { var data: Data, width: Int, height: Int, bytesPerRow: Int }
    /// The identity of the owner. Two images of one owner with the same scale and orientation are the same image.
    private let identity: ObjectIdentifier
    /// The object from which the image is made. It is kept alive so that no other object gets its identity.
    private let owner: any (AnyObject & Sendable)
    let scale: CGFloat
    let orientation: Image.Orientation
    private let make: @Sendable () -> Pixels?

    init(
        of owner: any (AnyObject & Sendable), scale: CGFloat, orientation: Image.Orientation,
        _ make: @escaping @Sendable () -> Pixels?
    ) {
        identity = ObjectIdentifier(owner)
        self.owner = owner
        self.scale = scale
        self.orientation = orientation
        self.make = make
    }

    func isSame(_ other: ImagePixels) -> Bool {
        identity == other.identity && scale == other.scale && orientation == other.orientation
    }

    @MainActor
    func texture(message: inout String) -> TextureBox? {
        guard let original = make(), let pixels = orientation == .up ? original : orientation.turned(original),
            pixels.width > 0,
            pixels.height > 0,
            let width = Int32(exactly: pixels.width), let height = Int32(exactly: pixels.height),
            pixels.bytesPerRow >= pixels.width * 4,
            pixels.data.count >= pixels.bytesPerRow * (pixels.height - 1) + pixels.width * 4
        else {
            message = "the pixels can't be read"
            return nil
        }
        let bytes = pixels.data.withUnsafeBytes { g_bytes_new($0.baseAddress, UInt($0.count)) }
        defer { g_bytes_unref(bytes) }
        guard
            let texture = gdk_memory_texture_new(
                width, height, GDK_MEMORY_B8G8R8A8_PREMULTIPLIED, bytes, UInt(pixels.bytesPerRow))
        else {
            message = "there is not enough memory"
            return nil
        }
        return TextureBox(owning: texture, scale: scale)
    }
}

extension Image {
    /// The rotation that shows an image's pixels upright, as in EXIF's orientations 1 to 8. Same API as in SwiftUI.
    @frozen public enum Orientation: UInt8, CaseIterable, Hashable, Sendable {
        /// Upright, upside down or on a side, each unchanged or mirrored. The raw values are 0 to 7 in this order.
        case up, upMirrored, down, downMirrored, left, leftMirrored, right, rightMirrored

        /// Returns the position in a stored image of the pixel that is at `x`, `y` in the upright image.
        /// - Parameters:
        ///   - width: The width of the stored image in pixels.
        ///   - height: The height of the stored image in pixels.
        func source(_ x: Int, _ y: Int, width: Int, height: Int) -> (x: Int, y: Int) {
            switch self {
            case .up: (x, y)
            case .upMirrored: (width - 1 - x, y)
            case .down: (width - 1 - x, height - 1 - y)
            case .downMirrored: (x, height - 1 - y)
            // A `right` image is stored rotated counterclockwise by a quarter turn, and is rotated clockwise to be
            // shown. A `left` image is the reverse.
            case .right: (y, height - 1 - x)
            case .left: (width - 1 - y, x)
            case .leftMirrored: (y, x)
            case .rightMirrored: (width - 1 - y, height - 1 - x)
            }
        }

        /// Whether the orientation swaps width and height.
        var isSideways: Bool {
            switch self {
            case .left, .leftMirrored, .right, .rightMirrored: true
            case .up, .upMirrored, .down, .downMirrored: false
            }
        }

        func turned(_ from: ImagePixels.Pixels) -> ImagePixels.Pixels? {
            let width = isSideways ? from.height : from.width
            let height = isSideways ? from.width : from.height
            guard width > 0, height > 0, from.data.count >= from.bytesPerRow * (from.height - 1) + from.width * 4 else {
                return nil
            }
            var data = Data(count: width * height * 4)
            data.withUnsafeMutableBytes { target in
                from.data.withUnsafeBytes { source in
                    for y in 0..<height {
                        for x in 0..<width {
                            let position = self.source(x, y, width: from.width, height: from.height)
                            let pixel = source.loadUnaligned(
                                fromByteOffset: position.y * from.bytesPerRow + position.x * 4, as: UInt32.self)
                            target.storeBytes(of: pixel, toByteOffset: (y * width + x) * 4, as: UInt32.self)
                        }
                    }
                }
            }
            return ImagePixels.Pixels(data: data, width: width, height: height, bytesPerRow: width * 4)
        }
    }

    init(pixels: ImagePixels, label: Text?) {
        source = .pixels(pixels)
        self.label = label.map(\.string) ?? ""
    }
}
