import MediaEngine

/// The color space of colors and images: device RGB, which is sRGB. Core Graphics' type.
///
/// All colors have sRGB components, and all images are converted to sRGB when they are displayed or read. There are no
/// other spaces.
public final class CGColorSpace: Sendable, Hashable {
    fileprivate static let deviceRGB = CGColorSpace()
    private init() {}
    /// The number of components without alpha: 3.
    public var numberOfComponents: Int { 3 }

    public static func == (a: CGColorSpace, b: CGColorSpace) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Returns the color space of the display, which is sRGB.
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { .deviceRGB }

extension VideoFrame {
    /// Returns the image with the color space `space`. Images already are in device RGB, the only color space, and
    /// never change, so the result is the image itself.
    public func copy(colorSpace space: CGColorSpace) -> VideoFrame? { self }
}
