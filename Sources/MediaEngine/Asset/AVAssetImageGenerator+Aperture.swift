/// The part of the encoded pixels that an image shows.
extension AVAssetImageGenerator {
    /// A mode of `apertureMode`. Raw values are AVFoundation's.
    public struct ApertureMode: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The image has the pixel aspect ratio of the track, and is cropped if FFmpeg applies the crop of the track.
        public static let cleanAperture = ApertureMode(rawValue: "CleanAperture")
        /// The same as `cleanAperture`. FFmpeg does not give the pixels outside a crop.
        public static let productionAperture = ApertureMode(rawValue: "ProductionAperture")
        /// The image has the stored size of the frame, as if its pixels were square.
        public static let encodedPixels = ApertureMode(rawValue: "EncodedPixels")
    }

    /// The part of the encoded pixels that images show. The default is nil, which means `.cleanAperture`.
    ///
    /// ```swift
    /// generator.apertureMode = .encodedPixels  // an anamorphic video is not stretched
    /// ```
    public var apertureMode: ApertureMode? {
        get { settings.aperture }
        set { changeSettings { $0.aperture = newValue } }
    }
}
