import Filters
import Foundation
import MediaCore

/// What is done to every picture of a video before it is shown. A value; the composition reads it.
public struct PictureSettings: Equatable {
    /// −1…1, clamped; a NaN is ignored. 0: as it is.
    public var brightness: Float = 0 {
        didSet { brightness = brightness.isNaN ? oldValue : min(max(brightness, -1), 1) }
    }
    /// 0…4, clamped; a NaN is ignored. 1: as it is.
    public var contrast: Float = 1 {
        didSet { contrast = contrast.isNaN ? oldValue : min(max(contrast, 0), 4) }
    }
    /// Carried out in this order, before brightness and contrast. Its filters are this value's own:
    /// changing one that was given to `add(_:clear:)` afterwards changes nothing here.
    public private(set) var filters: [CIFilter] = []
    /// Layers over the picture, the last one on top.
    public private(set) var vectors: [any ShapeLayerBuilderProtocol] = []

    /// Everything as the video is.
    public init() {}

    /// Everything as the video is.
    public var isNeutral: Bool { self == PictureSettings() }

    /// - Parameter clear: instead of those there are, not behind them.
    public mutating func add(_ filter: CIFilter, clear: Bool = false) {
        if clear { filters = [] }
        filters.append(filter.snapshot())
    }
    /// Takes away all filters; brightness and contrast stay.
    public mutating func removeAllFilters() { filters = [] }

    /// A builder with the same id takes the other's place.
    /// - Parameter clear: instead of those there are, not on top of them.
    public mutating func add(_ vector: any ShapeLayerBuilderProtocol, clear: Bool = false) {
        if clear { vectors = [] }
        if let index = vectors.firstIndex(where: { $0.id == vector.id }) {
            vectors[index] = vector
        } else {
            vectors.append(vector)
        }
    }
    /// Takes away all layers over the picture.
    public mutating func removeAllVectors() { vectors = [] }

    /// Vector builders are equal when their ids are.
    public static func == (a: PictureSettings, b: PictureSettings) -> Bool {
        a.brightness == b.brightness && a.contrast == b.contrast && a.filters == b.filters
            && a.vectors.elementsEqual(b.vectors) { $0.id == $1.id }
    }
}

extension PictureSettings {
    /// Nothing is done to the pictures themselves.
    package var isPlain: Bool { brightness == 0 && contrast == 1 && filters.isEmpty }

    /// Some filter looks at the time, or is the app's own and may do so: its recipe is asked for with each picture.
    var dependsOnTime: Bool {
        filters.contains { $0 is any TimedFilter || !$0.isBuiltIn && !($0 is VideoFrameFilter) }
    }

    /// A renderer's error with the name of the shader it is about.
    func located(_ error: AVError) -> AVError {
        filters.lazy.compactMap { ($0 as? VideoShader)?.located(error) }.first { $0 != error } ?? error
    }

    /// The plan for frames of `size` square pixels at `time` seconds of the item.
    func plan(for size: CGSize, time: Double) -> FramePlan {
        FramePlan(filters: filters, brightness: brightness, contrast: contrast, size: size, time: time)
    }
}
