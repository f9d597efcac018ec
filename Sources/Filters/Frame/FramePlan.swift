import Foundation
import MediaCore
import MediaEngine

/// What is done to a picture of one size, as values for any thread.
package struct FramePlan: Sendable {
    package enum Stage: Sendable {
        case recipe(CIImage)
        case process(name: String, VideoFrameFilter.Process)
    }
    package let stages: [Stage]
    /// Filters that gave no picture: left out.
    package let problems: [AVError]

    /// The picture as it is.
    package var isEmpty: Bool { stages.isEmpty }
    /// Its colours do not depend on alpha, nor alpha on them: both may go their own way.
    package var leavesAlpha: Bool {
        onlyRecipe.flatMap { ColorFold.steps(of: $0) }?.allSatisfy { ColorAffine($0) != nil || $0.kernel.isPerChannel }
            ?? false
    }
    /// One recipe without a closure: may turn out to be colours only.
    package var onlyRecipe: CIImage? {
        if stages.count == 1, case .recipe(let image) = stages[0] { image } else { nil }
    }
}

extension FramePlan {
    /// The recipe of `filters`, then of brightness and contrast, for frames of `size` square pixels.
    ///
    /// Filters are evaluated here, on the actor that owns them (an app's are the main actor's); the plan holds values.
    /// - Parameter time: seconds in the item, for filters that use it (`inputTime`).
    package init(filters: [CIFilter], brightness: Float, contrast: Float, size: CGSize, time: Double) {
        let whole = CGRect(origin: .zero, size: size)
        let source = CIImage.source(size)
        var image = source
        var stages: [Stage] = []
        var problems: [AVError] = []
        func finish() {
            if image !== source { stages.append(.recipe(image.extent == whole ? image : image.cropped(to: whole))) }
            image = source
        }
        for filter in filters {
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
                problems.append(
                    AVError(
                        .invalidArgument, at: filter.name, reason: "the filter returned no image",
                        suggestion: "Set the filter's input images"))
            }
        }
        if brightness != 0 || contrast != 1 {
            image = image.applyingFilter(
                "CIColorControls",
                parameters: [
                    kCIInputBrightnessKey: brightness, kCIInputContrastKey: contrast, kCIInputSaturationKey: 1,
                ])
        }
        finish()
        self.stages = stages
        self.problems = problems
    }
}

extension ColorFold {
    /// What takes no drawing, and so no OpenGL: a matrix.
    package static func withoutDrawing(_ image: CIImage) -> FoldedColors? {
        return
            (try? fold(image) { () throws(AVError) in
                throw AVError(.operationNotSupported, at: "", reason: "the filter requires OpenGL")
            }) ?? nil
    }
}
