/// A frame, under the names of Core Video. `AVPlayerItemVideoOutput` returns such frames.
///
/// The pixels have the decoder's format, so there is no base address. `VideoFrame.withBGRA` returns the pixels in one
/// format.
public typealias CVPixelBuffer = VideoFrame
/// A frame, under the name of Core Video's images.
public typealias CVImageBuffer = VideoFrame
/// A frame, under the name of Core Video's buffers.
public typealias CVBuffer = VideoFrame

/// Returns the stored width of a frame in pixels, before rotation and pixel aspect ratio.
public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.width }
/// Returns the stored height of a frame in pixels, before rotation and pixel aspect ratio.
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.height }
