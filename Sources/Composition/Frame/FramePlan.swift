import Foundation
import MediaCore
import MediaEngine

/// What is done to a picture of one size, as values for any thread.
struct FramePlan: Sendable {
    enum Stage: Sendable {
        case recipe(CIImage)
        case process(name: String, VideoFrameFilter.Process)
    }
    var stages: [Stage]
    /// Filters that gave no picture: left out.
    var problems: [AVError] = []

    /// The picture as it is.
    var isEmpty: Bool { stages.isEmpty }
    /// One recipe without a closure: may turn out to be colours only.
    var onlyRecipe: CIImage? { if stages.count == 1, case .recipe(let image) = stages[0] { image } else { nil } }
}

extension FramePlan {
    /// The recipe of `settings` for pictures of `size` square pixels.
    ///
    /// Filters are asked here, on the main actor, as an app's own ones live there; what comes out are values.
    /// - Parameter time: seconds in the item, for filters that ask for it (`inputTime`).
    @MainActor
    init(_ settings: PictureSettings, size: CGSize, time: Double) {
        let whole = CGRect(origin: .zero, size: size)
        let source = CIImage(recipe: .source, extent: whole)
        var image = source
        var stages: [Stage] = [], problems: [AVError] = []
        func finish() {
            if image !== source { stages.append(.recipe(image.extent == whole ? image : image.cropped(to: whole))) }
            image = source
        }
        if settings.brightness != 0 || settings.contrast != 1 {
            image = image.applyingFilter("CIColorControls", parameters: [
                kCIInputBrightnessKey: settings.brightness, kCIInputContrastKey: settings.contrast, kCIInputSaturationKey: 1,
            ])
        }
        for filter in settings.filters {
            if let own = filter as? VideoFrameFilter {
                finish()
                stages.append(.process(name: own.name, own.process))
                continue
            }
            if let timed = filter as? any TimedFilter { timed.time = time }
            filter.inputImage = image
            // The recipe holds what it needs; the filter need not hold the picture's.
            defer { filter.inputImage = nil }
            if let output = filter.outputImage {
                image = output
            } else {
                problems.append(AVError(.invalidArgument, at: filter.name, reason: "gives no picture", suggestion: "Set the images it needs"))
            }
        }
        finish()
        self.stages = stages
        self.problems = problems
    }
}

/// A filter whose recipe depends on when the picture is shown.
protocol TimedFilter: CIFilter {
    /// Seconds in the item.
    var time: Double { get set }
}
