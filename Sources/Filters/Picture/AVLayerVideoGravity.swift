import Foundation

/// The way in which a video fits the space it is displayed in. Mirrors AVFoundation's type of the same name.
///
/// ```swift
/// let layer = AVPlayerLayer(player: player)
/// layer.videoGravity = .resizeAspectFill
/// ```
public struct AVLayerVideoGravity: RawRepresentable, Hashable, Sendable {
    /// The value, the same text as in AVFoundation.
    public let rawValue: String
    /// Creates a gravity from AVFoundation's text. Any text that is not one of the constants has the effect of
    /// `.resizeAspect`.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Shows the whole video with its aspect ratio. The rest of the space is black; in an `AVPlayerLayer`, it shows the
    /// layer's `backgroundColor`.
    public static let resizeAspect = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResizeAspect")
    /// Fills the space and keeps the aspect ratio. Parts that do not fit are cropped.
    public static let resizeAspectFill = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResizeAspectFill")
    /// Fills the space and ignores the aspect ratio.
    public static let resize = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResize")
}

/// The position of an image in a space, in device pixels.
package struct VideoPlacement: Equatable, Sendable {
    /// The rectangle to draw into, within the space.
    package var x = 0, y = 0, width = 0, height = 0
    /// The part of the image to draw, 0…1 of its width and height after rotation.
    package var cropX = 0.0, cropY = 0.0, cropWidth = 1.0, cropHeight = 1.0

    /// Creates the placement of an image in a frame of `width` × `height` pixels, which may have another aspect ratio.
    ///
    /// The whole image is visible with its aspect ratio, with black bars if necessary. The image fills the frame if
    /// they differ only by rounding to whole, even pixels.
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
        let imageAspect = Double(picture.width) / Double(picture.height)
        let spaceAspect = w / h
        switch gravity {
        case .resize: break
        case .resizeAspectFill:
            if imageAspect > spaceAspect {
                cropWidth = spaceAspect / imageAspect
                cropX = (1 - cropWidth) / 2
            } else {
                cropHeight = imageAspect / spaceAspect
                cropY = (1 - cropHeight) / 2
            }
        default:
            if imageAspect > spaceAspect {
                height = max(1, Int(saturating: (w / imageAspect).rounded()))
                y = (spaceHeight - height) / 2
            } else {
                width = max(1, Int(saturating: (h * imageAspect).rounded()))
                x = (spaceWidth - width) / 2
            }
        }
    }
}
