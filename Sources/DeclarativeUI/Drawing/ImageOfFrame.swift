import Filters
import Foundation
import MediaCore
import MediaEngine

/// Images of decoded frames. `CGImage` is a type alias of `VideoFrame`, which `AVAssetImageGenerator` returns.
extension Image {
    /// Creates an image of a frame.
    /// - Parameters:
    ///   - scale: The number of pixels per point. A value that is not greater than 0, or not finite, counts as 1.
    ///   - orientation: The orientation of the pixels. The frame's own rotation is applied in addition.
    ///   - label: The name for assistive technology.
    public init(_ cgImage: CGImage, scale: CGFloat, orientation: Image.Orientation = .up, label: Text) {
        self.init(pixels: ImagePixels(frame: cgImage, scale: scale, orientation: orientation), label: label)
    }

    /// Creates an image of a frame that assistive technology ignores.
    /// - Parameters:
    ///   - scale: The number of pixels per point. A value that is not greater than 0, or not finite, counts as 1.
    ///   - orientation: The orientation of the pixels. The frame's own rotation is applied in addition.
    public init(decorative cgImage: CGImage, scale: CGFloat, orientation: Image.Orientation = .up) {
        self.init(pixels: ImagePixels(frame: cgImage, scale: scale, orientation: orientation), label: nil)
    }

    /// Creates an image from the bytes of a file. Returns nil for unknown formats.
    /// - Parameters:
    ///   - data: A PNG, JPEG or TIFF file, or another format for which gdk-pixbuf has a loader.
    ///   - scale: The number of pixels per point. A value that is not greater than 0, or not finite, counts as 1.
    @MainActor @preconcurrency
    public init?(data: Data, scale: CGFloat = 1) {
        guard let image = UIImage(data: data, scale: scale) else { return nil }
        self.init(uiImage: image)
    }
}

extension UIImage {
    /// Creates an image of a frame. A frame that can't be converted shows the placeholder of a missing image.
    /// - Parameter scale: The number of pixels per point. A value that is not greater than 0, or not finite, counts as
    ///   1.
    public convenience init(cgImage: CGImage, scale: CGFloat = 1, orientation: Image.Orientation = .up) {
        let scale = scale > 0 && scale.isFinite ? scale : 1
        let size = cgImage.presentationSize
        let orientedSize = orientation.isSideways ? CGSize(width: size.height, height: size.width) : size
        self.init(
            .pixels(ImagePixels(frame: cgImage, scale: scale, orientation: orientation)),
            CGSize(width: orientedSize.width / scale, height: orientedSize.height / scale), scale)
    }
}

extension ImagePixels {
    /// Creates the pixels in the frame's presentation size, with square pixels and upright.
    convenience init(frame: VideoFrame, scale: CGFloat, orientation: Image.Orientation) {
        self.init(of: frame, scale: scale, orientation: orientation) {
            let size = frame.presentationSize
            let width = Int(saturating: size.width.rounded())
            let height = Int(saturating: size.height.rounded())
            guard (1...16384).contains(width), (1...16384).contains(height) else { return nil }
            var data = Data(count: width * height * 4 + FrameScaler.slack)
            let placement = VideoPlacement(picture: size, width: width, height: height, gravity: .resize)
            let isDrawn = data.withUnsafeMutableBytes { raw -> Bool in
                guard let target = raw.baseAddress,
                    FrameScaler().draw(frame, placement: placement, into: target, stride: width * 4)
                else { return false }
                if !frame.hasAlpha {
                    for offset in stride(from: 3, to: width * height * 4, by: 4) { raw[offset] = 255 }
                }
                return true
            }
            return isDrawn ? Pixels(data: data, width: width, height: height, bytesPerRow: width * 4) : nil
        }
    }
}
