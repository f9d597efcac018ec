import Foundation
import MediaCore

/// A filter of one's own in GLSL, in the role of Core Image's `CIKernel`.
///
/// ```glsl
/// uniform float amount;              // setValue(0.5, forKey: "amount"); 0 until then
/// vec4 shade(vec2 uv) {              // uv: 0…1, the origin at the lower left
///     vec4 color = video(uv + amount * 0.02 * sin(uv.yx * 20.0 + time));
///     return vec4(color.bgr, color.a);
/// }
/// ```
/// At hand: `vec4 video(vec2 uv)`, the picture as it comes, premultiplied; `float time`, seconds in the item; `vec2
/// size`, pixels; and what kernels have (`luma`, `toLinear`, `fromLinear`, `rgbToHSV`, `hsvToRGB`, `random`, `PI`).
/// Uniforms may be `float`, `int`, `vec2`, `vec3`, `vec4`, one to a line. The common subset of GLSL 1.50 and GLSL ES
/// 3.00.
///
/// Compiled once, on the composition's thread. A text that does not compile is told by the player's events with its
/// line, and the picture is shown without it. Main actor.
public final class VideoShader: CIFilter, TimedFilter {
    /// The file it came from; nil for a text.
    public let url: URL?
    /// The text as it is now.
    public private(set) var source: String
    /// Why the file could not be read again; the text before stays in force.
    public private(set) var reloadError: AVError?

    private(set) var kernel: Kernel
    private var uniforms: [ShaderSource.Uniform]
    private var monitor: FileMonitor?
    /// For those who show it: the text is another one.
    package var onReload: (() -> Void)?
    package var time = 0.0

    /// - Parameter name: for errors.
    /// - Throws: `.invalidArgument` with the line for what is wrong before compiling: no `shade`, a uniform of a type
    ///   that cannot be set, a `#version` of its own.
    public init(source: String, name: String = "shader") throws(AVError) {
        let parsed = try ShaderSource(source, name: name)
        self.source = source
        url = nil
        kernel = parsed.kernel
        uniforms = parsed.uniforms
        super.init(named: name)
    }

    /// A shader in a file, which is read again whenever it changes.
    /// - Throws: as `init(source:)`; `.fileNotFound` and others for a file that cannot be read as UTF-8.
    public init(contentsOf url: URL) throws(AVError) {
        let text = try VideoShader.read(url)
        let parsed = try ShaderSource(text, name: url.lastPathComponent)
        source = text
        self.url = url
        kernel = parsed.kernel
        uniforms = parsed.uniforms
        super.init(named: url.lastPathComponent)
    }

    /// Another one with the same text and values, which follows no file.
    package var separate: VideoShader? {
        guard let copy = try? VideoShader(source: source, name: name) else { return nil }
        for key in inputKeys { copy.setValue(value(forKey: key), forKey: key) }
        return copy
    }

    /// The names of its uniforms.
    public override var inputKeys: [String] { uniforms.map(\.name) }
    /// The shaded picture as a recipe, with the uniforms and the time as they are now; nil without `inputImage`.
    public override var outputImage: CIImage? {
        inputImage.map(recipe)
    }

    private func recipe(of image: CIImage) -> CIImage {
        let extent = image.extent
        var arguments: [KernelArgument] = [
            .float(Float(time)), .vec2([Float(extent.minX), Float(extent.minY)]),
            .vec2([Float(extent.width), Float(extent.height)]),
        ]
        for uniform in uniforms { arguments.append(uniform.argument(value(forKey: uniform.name))) }
        return CIImage(
            recipe: .kernel(KernelStep(kernel, arguments, inputs: [image], region: { _, _ in .infinite })),
            extent: extent)
    }

    /// Compiles it now, on this thread, which takes a moment.
    /// - Throws: `.invalidArgument` with the line and the compiler's words; `.operationNotSupported` without OpenGL.
    public func validate() throws(AVError) {
        let pixel = CGRect(x: 0, y: 0, width: 1, height: 1)
        do throws(AVError) {
            _ = try PictureRenderer().bitmap(of: recipe(of: CIImage(recipe: .color(.one), extent: pixel)), in: pixel)
        } catch {
            throw located(error)
        }
    }

    /// An error of the kernel as one of this shader.
    package func located(_ error: AVError) -> AVError {
        guard error.location == kernel.name else { return error }
        return AVError(
            error.code, at: url?.location ?? name, reason: error.reason, suggestion: error.suggestion,
            underlying: error.underlying)
    }

    /// Reads the file again if it has changed from now on. Needs a GLib main loop, as any app with a window has.
    @MainActor
    package func follow() {
        guard monitor == nil, let path = url.flatMap({ FilePath($0) }) else { return }
        monitor = FileMonitor(path: path) { [weak self] in self?.reload() }
    }

    /// Takes the file's text as it is now. Does nothing for a shader of a text.
    public func reload() {
        guard let url else { return }
        do throws(AVError) {
            let text = try VideoShader.read(url)
            guard text != source || reloadError != nil else { return }
            let parsed = try ShaderSource(text, name: name)
            source = text
            kernel = parsed.kernel
            uniforms = parsed.uniforms
            reloadError = nil
        } catch {
            reloadError = error
        }
        onReload?()
    }

    private static func read(_ url: URL) throws(AVError) -> String {
        guard let path = FilePath(url) else {
            throw AVError(
                .unsupportedURL, at: url.absoluteString, reason: "the URL is not a file URL",
                suggestion: "Load the source first, and use VideoShader(source:)")
        }
        let bytes = try path.contents(limit: 4 << 20, kind: "a shader")
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw AVError(
                .readFailed, at: url.location, reason: "the file is not valid UTF-8 text", suggestion: "Check the path"
            )
        }
        return text
    }
}

/// A filter whose recipe depends on the time at which the frame is shown.
package protocol TimedFilter: CIFilter {
    /// Seconds in the item.
    var time: Double { get set }
}
