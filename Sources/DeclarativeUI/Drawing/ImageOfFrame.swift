import Filters
import Foundation
import MediaCore
import MediaEngine

/// Decoded pictures (`VideoFrame`, which is what `CGImage` names) as views, as `AVAssetImageGenerator` makes them.
extension Image {
    /// - Parameters:
    ///   - scale: pixels a point; 1 where it is not more than 0.
    ///   - orientation: how the pixels are to be turned; the picture's own turn is seen to already.
    ///   - label: what assistive technology calls it.
    public init(_ cgImage: CGImage, scale: CGFloat, orientation: Image.Orientation = .up, label: Text) {
        self.init(pixels: ImagePixels(frame: cgImage, scale: scale, orientation: orientation), label: label)
    }

    /// The same, which assistive technology passes over.
    public init(decorative cgImage: CGImage, scale: CGFloat, orientation: Image.Orientation = .up) {
        self.init(pixels: ImagePixels(frame: cgImage, scale: scale, orientation: orientation), label: nil)
    }

    /// - Parameter data: a file's bytes: PNG, JPEG or TIFF, or what gdk-pixbuf has loaders for. Nil for anything else.
    ///   Main actor.
    @MainActor @preconcurrency
    public init?(data: Data, scale: CGFloat = 1) {
        guard let image = UIImage(data: data, scale: scale) else { return nil }
        self.init(uiImage: image)
    }
}

extension UIImage {
    /// - Parameter scale: pixels a point; 1 where it is not more than 0. A picture that cannot be converted is seen as
    ///   one that is missing.
    public convenience init(cgImage: CGImage, scale: CGFloat = 1, orientation: Image.Orientation = .up) {
        let scale = scale > 0 && scale.isFinite ? scale : 1
        let size = cgImage.presentationSize
        let turned = orientation.isSideways ? CGSize(width: size.height, height: size.width) : size
        self.init(
            .pixels(ImagePixels(frame: cgImage, scale: scale, orientation: orientation)),
            CGSize(width: turned.width / scale, height: turned.height / scale), scale)
    }
}

extension ImagePixels {
    /// As large as it is to be seen: square pixels, upright.
    convenience init(frame: VideoFrame, scale: CGFloat, orientation: Image.Orientation) {
        self.init(of: frame, scale: scale, orientation: orientation) {
            let size = frame.presentationSize
            let width = Int(saturating: size.width.rounded())
            let height = Int(saturating: size.height.rounded())
            guard (1...16384).contains(width), (1...16384).contains(height) else { return nil }
            var data = Data(count: width * height * 4 + FrameScaler.slack)
            let placement = VideoPlacement(picture: size, width: width, height: height, gravity: .resize)
            let done = data.withUnsafeMutableBytes { raw -> Bool in
                guard let target = raw.baseAddress,
                    FrameScaler().draw(frame, placement: placement, into: target, stride: width * 4)
                else { return false }
                if !frame.hasAlpha { for at in stride(from: 3, to: width * height * 4, by: 4) { raw[at] = 255 } }
                return true
            }
            return done ? Pixels(data: data, width: width, height: height, bytesPerRow: width * 4) : nil
        }
    }
}
