import Foundation

/// How a picture fits the space it is shown in. AVFoundation's type.
public struct AVLayerVideoGravity: RawRepresentable, Hashable, Sendable {
    /// AVFoundation's own text.
    public let rawValue: String
    /// By AVFoundation's text; one that is none of the constants is shown as `.resizeAspect`.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Whole, in its own shape; the rest is black.
    public static let resizeAspect = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResizeAspect")
    /// Fills the space in its own shape; what does not fit is cut off.
    public static let resizeAspectFill = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResizeAspectFill")
    /// Fills the space, whatever that does to its shape.
    public static let resize = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResize")
}

/// Where a picture goes, in device pixels of the space it is given.
package struct VideoPlacement: Equatable, Sendable {
    /// Where it is drawn, inside the space.
    package var x = 0, y = 0, width = 0, height = 0
    /// Which part of the picture that is, 0…1 of its (turned) width and height.
    package var cropX = 0.0, cropY = 0.0, cropWidth = 1.0, cropHeight = 1.0

    /// Where a picture goes in an image of `width` × `height` pixels that another picture may have given its shape:
    /// whole and in its own shape, with black bars if the shape is another one. What differs by rounding to whole (and
    /// even) pixels alone fills the image.
    package init(fitting picture: CGSize, into width: Int, height: Int) {
        self.init(picture: picture, width: width, height: height, gravity: .resizeAspect)
        if width - self.width <= 2, height - self.height <= 2 {
            self.init(picture: picture, width: width, height: height, gravity: .resize)
        }
    }

    package init(picture: CGSize, width spaceWidth: Int, height spaceHeight: Int, gravity: AVLayerVideoGravity) {
        guard picture.width > 0, picture.height > 0, spaceWidth > 0, spaceHeight > 0 else { return }
        let w = Double(spaceWidth)
        let h = Double(spaceHeight)
        width = spaceWidth
        height = spaceHeight
        let pictureShape = Double(picture.width) / Double(picture.height)
        let spaceShape = w / h
        switch gravity {
        case .resize: break
        case .resizeAspectFill:
            if pictureShape > spaceShape {
                cropWidth = spaceShape / pictureShape
                cropX = (1 - cropWidth) / 2
            } else {
                cropHeight = pictureShape / spaceShape
                cropY = (1 - cropHeight) / 2
            }
        default:
            if pictureShape > spaceShape {
                height = max(1, Int(saturating: (w / pictureShape).rounded()))
                y = (spaceHeight - height) / 2
            } else {
                width = max(1, Int(saturating: (h * pictureShape).rounded()))
                x = (spaceWidth - width) / 2
            }
        }
    }
}
