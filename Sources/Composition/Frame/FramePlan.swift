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
    /// Its colours do not depend on alpha, nor alpha on them: both may go their own way.
    var leavesAlpha: Bool {
        onlyRecipe.flatMap { ColorFold.steps(of: $0) }?.allSatisfy { ColorAffine($0) != nil || $0.kernel.isPerChannel }
            ?? false
    }
    /// One recipe without a closure: may turn out to be colours only.
    var onlyRecipe: CIImage? { if stages.count == 1, case .recipe(let image) = stages[0] { image } else { nil } }
}

extension FramePlan {
    /// The recipe of `settings` for pictures of `size` square pixels.
    ///
    /// Filters are asked here, by whom they belong to (an app's live on the main actor); what comes out are values.
    /// - Parameter time: seconds in the item, for filters that ask for it (`inputTime`).
    init(_ settings: PictureSettings, size: CGSize, time: Double) {
        let whole = CGRect(origin: .zero, size: size)
        let source = CIImage.source(size)
        var image = source
        var stages: [Stage] = []
        var problems: [AVError] = []
        func finish() {
            if image !== source { stages.append(.recipe(image.extent == whole ? image : image.cropped(to: whole))) }
            image = source
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
                problems.append(
                    AVError(
                        .invalidArgument, at: filter.name, reason: "the filter returned no image",
                        suggestion: "Set the filter's input images"))
            }
        }
        if settings.brightness != 0 || settings.contrast != 1 {
            image = image.applyingFilter(
                "CIColorControls",
                parameters: [
                    kCIInputBrightnessKey: settings.brightness, kCIInputContrastKey: settings.contrast,
                    kCIInputSaturationKey: 1,
                ])
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

extension PictureSettings {
    /// Nothing is done to the pictures themselves.
    var isPlain: Bool { brightness == 0 && contrast == 1 && filters.isEmpty }

    /// Some filter looks at the time, or is the app's own and may do so: its recipe is asked for with each picture.
    var dependsOnTime: Bool {
        filters.contains { $0 is any TimedFilter || !$0.isBuiltIn && !($0 is VideoFrameFilter) }
    }

    /// A renderer's error with the name of the shader it is about.
    func located(_ error: AVError) -> AVError {
        filters.lazy.compactMap { $0 as? VideoShader }.first { $0.kernel.name == error.location }?.located(error)
            ?? error
    }
}

extension ColorFold {
    /// What takes no drawing, and so no OpenGL: a matrix.
    static func withoutDrawing(_ image: CIImage) -> FoldedColors? {
        return
            (try? fold(image) { () throws(AVError) in
                throw AVError(.operationNotSupported, at: "", reason: "the filter requires OpenGL")
            }) ?? nil
    }
}
