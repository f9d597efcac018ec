// `import CoreVideo` alone provides frames and the types of Core Graphics.
import CoreVideo

enum VideoImports {
    static func size(_ frame: CVPixelBuffer) -> CGSize {
        CGSize(width: CVPixelBufferGetWidth(frame), height: CVPixelBufferGetHeight(frame))
    }
    static func image(_ frame: CVImageBuffer) -> CVBuffer { frame }
}
