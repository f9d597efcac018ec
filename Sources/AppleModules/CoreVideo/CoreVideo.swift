// Replaces Apple's `import CoreVideo`: frames of videos. As on Apple's platforms, it brings Core Graphics.
@_exported import CoreGraphicsModule

@_exported import typealias MediaEngine.CVBuffer
@_exported import typealias MediaEngine.CVImageBuffer
@_exported import typealias MediaEngine.CVPixelBuffer
@_exported import func MediaEngine.CVPixelBufferGetHeight
@_exported import func MediaEngine.CVPixelBufferGetWidth
@_exported import class MediaEngine.VideoFrame
