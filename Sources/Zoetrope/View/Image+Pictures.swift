import Composition
import DeclarativeUI
import Foundation
import MediaEngine

/// Pictures in memory as views: decoded ones (`VideoFrame`, which is what `CGImage` names), and files' bytes.
extension Image {
    /// - Parameters:
    ///   - scale: pixels a point; 1 where it is not more than 0.
    ///   - orientation: how the pixels are to be turned; the picture's own turn is seen to already.
    ///   - label: what assistive technology says.
    public init(_ cgImage: CGImage, scale: CGFloat, orientation: Image.Orientation = .up, label: Text) {
        self.init(pixels: Image.pixels(of: cgImage, scale, orientation), label: label)
    }

    /// One that assistive technology passes over.
    public init(decorative cgImage: CGImage, scale: CGFloat, orientation: Image.Orientation = .up) {
        self.init(pixels: Image.pixels(of: cgImage, scale, orientation), label: nil)
    }

    /// - Parameter data: a file's bytes: PNG, JPEG or TIFF, or what gdk-pixbuf has loaders for. Nil for anything else. Main actor.
    @MainActor
    public init?(data: Data, scale: CGFloat = 1) {
        guard let image = UIImage(data: data, scale: scale) else { return nil }
        self.init(uiImage: image)
    }

    private static func pixels(of frame: VideoFrame, _ scale: CGFloat, _ orientation: Image.Orientation) -> ImagePixels {
        ImagePixels(of: frame, scale: scale, orientation: orientation) {
            let size = frame.presentationSize
            let width = Int(saturating: size.width.rounded()), height = Int(saturating: size.height.rounded())
            // As large as it is to be seen: square pixels, upright.
            guard (1...16384).contains(width), (1...16384).contains(height) else { return nil }
            var data = Data(count: width * height * 4 + FrameScaler.slack)
            let placement = VideoPlacement(picture: size, width: width, height: height, gravity: .resize)
            let done = data.withUnsafeMutableBytes { raw -> Bool in
                guard let target = raw.baseAddress, FrameScaler().draw(frame, placement: placement, into: target, stride: width * 4) else { return false }
                if !frame.hasAlpha { for at in stride(from: 3, to: width * height * 4, by: 4) { raw[at] = 255 } }
                return true
            }
            return done ? ImagePixels.Pixels(data: data, width: width, height: height, bytesPerRow: width * 4) : nil
        }
    }
}
