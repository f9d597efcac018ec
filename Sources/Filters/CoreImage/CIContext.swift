/// A context for drawing images. Core Image's type, for source code that creates one.
///
/// Zoetrope draws images on the threads that compose frames, each with its own OpenGL context. An object of this class
/// has no effect.
public final class CIContext: Sendable {
    /// Creates a context.
    public init() {}

    /// Creates a context with options, which are ignored.
    public init(options: [CIContextOption: Any]?) {}
}

/// A key of an option of `CIContext`. All options are ignored.
public struct CIContextOption: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The color space for filters.
    public static let workingColorSpace = CIContextOption(rawValue: "working_color_space")
    /// The color space of drawn images.
    public static let outputColorSpace = CIContextOption(rawValue: "output_color_space")
    /// Whether images are drawn on the CPU.
    public static let useSoftwareRenderer = CIContextOption(rawValue: "software_renderer")
    /// Whether intermediate results are kept.
    public static let cacheIntermediates = CIContextOption(rawValue: "kCIContextCacheIntermediates")
    /// Whether drawing has a low priority.
    public static let priorityRequestLow = CIContextOption(rawValue: "kCIContextPriorityRequestLow")
}
