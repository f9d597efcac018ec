import Filters
import Foundation
import MediaCore

/// The filters and overlays that are applied to every frame of a video before it is shown.
///
/// ```swift
/// var settings = PictureSettings()
/// settings.brightness = 0.1
/// settings.add(CIFilter.sepiaTone())
/// composition.settings = settings
/// ```
public struct PictureSettings: Equatable {
    /// The brightness, −1…1; 0 leaves the video unchanged. Clamped; NaN is ignored.
    public var brightness: Float = 0 {
        didSet { brightness = brightness.isNaN ? oldValue : min(max(brightness, -1), 1) }
    }
    /// The contrast, 0…4; 1 leaves the video unchanged. Clamped; NaN is ignored.
    public var contrast: Float = 1 {
        didSet { contrast = contrast.isNaN ? oldValue : min(max(contrast, 0), 4) }
    }
    /// The filters, applied in this order, before brightness and contrast.
    ///
    /// Built-in filters are copies: changing one after `add(_:clear:)` has no effect here. The app's own filters, such
    /// as a `VideoShader`, are not copied, so changing them has an effect.
    public private(set) var filters: [CIFilter] = []
    /// The builders of layers over the frame, from bottom to top.
    public private(set) var vectors: [any ShapeLayerBuilderProtocol] = []

    /// Creates settings that leave the video unchanged.
    public init() {}

    /// Whether these settings leave the video unchanged.
    public var isNeutral: Bool { self == PictureSettings() }

    /// Appends a copy of `filter`, or `filter` itself if it is not a built-in filter.
    ///
    /// - Parameter clear: Whether the filter replaces all existing filters.
    public mutating func add(_ filter: CIFilter, clear: Bool = false) {
        if clear { filters = [] }
        filters.append(filter.snapshot())
    }
    /// Removes all filters. Brightness and contrast stay.
    public mutating func removeAllFilters() { filters = [] }

    /// Adds a builder on top of all others, or replaces the builder with the same id.
    ///
    /// - Parameter clear: Whether the builder replaces all existing builders.
    public mutating func add(_ vector: any ShapeLayerBuilderProtocol, clear: Bool = false) {
        if clear { vectors = [] }
        if let index = vectors.firstIndex(where: { $0.id == vector.id }) {
            vectors[index] = vector
        } else {
            vectors.append(vector)
        }
    }
    /// Removes all layers over the frame.
    public mutating func removeAllVectors() { vectors = [] }

    /// Returns whether two settings are equal. Vector builders are compared by their ids.
    public static func == (a: PictureSettings, b: PictureSettings) -> Bool {
        a.brightness == b.brightness && a.contrast == b.contrast && a.filters == b.filters
            && a.vectors.elementsEqual(b.vectors) { $0.id == $1.id }
    }
}

extension PictureSettings {
    /// Whether the frames themselves stay unchanged. Vectors are not considered.
    package var isPlain: Bool { brightness == 0 && contrast == 1 && filters.isEmpty }

    /// Whether a filter depends on the time, or is the app's own and may depend on it. If true, the plan is made again
    /// for each frame.
    var dependsOnTime: Bool {
        filters.contains { $0 is any TimedFilter || !$0.isBuiltIn && !($0 is VideoFrameFilter) }
    }

    /// Returns a renderer's error with the name of the shader that caused it.
    func located(_ error: AVError) -> AVError {
        filters.lazy.compactMap { ($0 as? VideoShader)?.located(error) }.first { $0 != error } ?? error
    }

    /// Returns the plan for frames of `size`, in square pixels, at `time`, in seconds of the item.
    /// - Parameter composition: The video composition of the item, which comes before the filters.
    func plan(for size: CGSize, time: Double, composition: ImageFiltering? = nil) -> FramePlan {
        FramePlan(
            composition: composition, filters: filters, brightness: brightness, contrast: contrast, size: size,
            time: time)
    }
}
