import Foundation
import MediaCore
import MediaEngine

/// The stages that are applied to frames of one size, as values that any thread can use.
package struct FramePlan: Sendable {
    package enum Stage: Sendable {
        case recipe(CIImage)
        /// The video composition of the item. Its handler returns a recipe for each frame.
        case request(ImageFiltering)
        case process(name: String, VideoFrameFilter.Process)
    }
    package let stages: [Stage]
    /// The problems of filters that returned no image. These filters are left out.
    package let problems: [AVError]

    /// Whether frames stay unchanged.
    package var isEmpty: Bool { stages.isEmpty }
    /// Whether colors and alpha do not depend on each other, so that they can be processed separately.
    package var leavesAlpha: Bool {
        onlyRecipe.flatMap { ColorFold.steps(of: $0) }?.allSatisfy { ColorAffine($0) != nil || $0.kernel.isPerChannel }
            ?? false
    }
    /// The recipe, if it is the only stage. Such a recipe may be a pure change of colors.
    package var onlyRecipe: CIImage? {
        if stages.count == 1, case .recipe(let image) = stages[0] { image } else { nil }
    }
}

extension FramePlan {
    /// Creates the plan of an item's video composition, `filters`, brightness and contrast, in this order. `size` is
    /// the size of the frames, in square pixels.
    ///
    /// Evaluates the filters on the calling actor, which must own them: the main actor for an app's filters. The plan
    /// itself has only values.
    /// - Parameter time: The position in the item, in seconds, for shaders (`VideoShader`).
    package init(
        composition: ImageFiltering? = nil, filters: [CIFilter], brightness: Float, contrast: Float, size: CGSize,
        time: Double
    ) {
        // The recipe is for whole pixels. A video with oblong pixels may have a fractional width.
        let size =
            composition?.renderSize
            ?? CGSize(width: max(1, size.width.rounded()), height: max(1, size.height.rounded()))
        let whole = CGRect(origin: .zero, size: size)
        let source = CIImage.source(size)
        var image = source
        var stages: [Stage] = composition.map { [.request($0)] } ?? []
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
            // The recipe keeps the images that it needs, so the filter need not keep the frame.
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
    /// Returns the folded colors of a recipe that is a color matrix, which needs neither drawing nor OpenGL. Nil for
    /// any other recipe.
    package static func withoutDrawing(_ image: CIImage) -> FoldedColors? {
        return
            (try? fold(image) { () throws(AVError) in
                throw AVError(.operationNotSupported, at: "", reason: "the filter requires OpenGL")
            }) ?? nil
    }
}
