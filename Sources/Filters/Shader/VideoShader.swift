import Foundation
import MediaCore

/// A filter that an app writes in GLSL. Replaces Core Image's `CIKernel`.
///
/// ```glsl
/// uniform float amount;              // setValue(0.5, forKey: "amount"); 0 until then
/// vec4 shade(vec2 uv) {              // uv: 0…1, the origin at the lower left
///     vec4 color = video(uv + amount * 0.02 * sin(uv.yx * 20.0 + time));
///     return vec4(color.bgr, color.a);
/// }
/// ```
/// The shader must define `vec4 shade(vec2 uv)`. It can use:
/// - `vec4 video(vec2 uv)`: the input image, premultiplied.
/// - `float time`: the position in the item, in seconds.
/// - `vec2 size`: the size of the image, in pixels.
/// - The functions of kernels: `luma`, `toLinear`, `fromLinear`, `rgbToHSV`, `hsvToRGB`, `random`, and the constant
///   `PI`.
///
/// Uniforms can be `float`, `int`, `vec2`, `vec3` or `vec4`, one per line. The source must be in the common subset of
/// GLSL 1.50 and GLSL ES 3.00.
///
/// The composition's thread compiles the shader once. If the source does not compile, the player's events report the
/// error with its line, and frames are displayed without the shader. Use a shader only on the main actor.
public final class VideoShader: CIFilter, TimedFilter {
    /// The file of the shader. Nil if the shader was created from a source text.
    public let url: URL?
    /// The current source text.
    public private(set) var source: String
    /// The error of the last attempt to read the file again. The previous source stays in use. Nil if that attempt
    /// succeeded, or if there was none.
    public private(set) var reloadError: AVError?

    private(set) var kernel: Kernel
    private var uniforms: [ShaderSource.Uniform]
    private var monitor: FileMonitor?
    /// The closures of the compositions that use the shader. Several players can display the same shader.
    private var reloadHandlers: [ObjectIdentifier: () -> Void] = [:]
    package var time = 0.0

    /// Creates a shader from a source text.
    ///
    /// ```swift
    /// let shader = try VideoShader(
    ///     source: """
    ///         uniform float amount;
    ///         vec4 shade(vec2 uv) { return mix(video(uv), vec4(1.0), amount); }
    ///         """)
    /// shader.setValue(0.3, forKey: "amount")
    /// ```
    ///
    /// - Parameters:
    ///   - source: The source in GLSL.
    ///   - name: The name of the shader in errors.
    /// - Throws: `.invalidArgument`, with the line where there is one, for errors found before compilation. These are a
    ///   missing `shade`, a `#version` directive, and a uniform of an unsupported type, without a semicolon on its
    ///   line, or with a name that is already declared (`time` and `size` always are).
    public init(source: String, name: String = "shader") throws(AVError) {
        let parsed = try ShaderSource(source, name: name)
        self.source = source
        url = nil
        kernel = parsed.kernel
        uniforms = parsed.uniforms
        super.init(named: name)
    }

    /// Creates a shader from a file. While a player displays the shader, the file is read again whenever it changes.
    ///
    /// ```swift
    /// do {
    ///     let shader = try VideoShader(contentsOf: URL(fileURLWithPath: "ripple.glsl"))
    ///     command = .filter(shader)
    /// } catch {
    ///     message = error.localizedDescription
    /// }
    /// ```
    ///
    /// - Throws: The errors of `init(source:name:)`. `.fileNotFound` and other errors if the file can't be read as
    ///   UTF-8, or is larger than 4 MiB. `.unsupportedURL` if `url` is not a file URL.
    public init(contentsOf url: URL) throws(AVError) {
        let text = try VideoShader.read(url)
        let parsed = try ShaderSource(text, name: url.lastPathComponent)
        source = text
        self.url = url
        kernel = parsed.kernel
        uniforms = parsed.uniforms
        super.init(named: url.lastPathComponent)
    }

    /// A copy with the same source and values that does not follow the file.
    package var independentCopy: VideoShader? {
        guard let copy = try? VideoShader(source: source, name: name) else { return nil }
        for key in inputKeys { copy.setValue(value(forKey: key), forKey: key) }
        return copy
    }

    /// The names of the uniforms.
    public override var inputKeys: [String] { uniforms.map(\.name) }
    /// The shaded image as a recipe, with the current uniforms and time. Nil without `inputImage`.
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

    /// Compiles the shader now. Blocks the calling thread until the driver has compiled it.
    ///
    /// ```swift
    /// do {
    ///     try shader.validate()
    /// } catch {
    ///     print(error.description)
    /// }
    /// ```
    ///
    /// - Throws: `.invalidArgument` with the line and the compiler's message. `.operationNotSupported` without OpenGL.
    public func validate() throws(AVError) {
        let pixel = CGRect(x: 0, y: 0, width: 1, height: 1)
        do throws(AVError) {
            _ = try PictureRenderer().bitmap(of: recipe(of: CIImage(recipe: .color(.one), extent: pixel)), in: pixel)
        } catch {
            throw located(error)
        }
    }

    /// Returns an error of the kernel as an error of this shader. Other errors are returned unchanged.
    package func located(_ error: AVError) -> AVError {
        guard error.location == kernel.name else { return error }
        return AVError(
            error.code, at: url?.location ?? name, reason: error.reason, suggestion: error.suggestion,
            underlying: error.underlying)
    }

    /// Starts to read the file again whenever it changes. Requires a GLib main loop, which every app with a window has.
    @MainActor
    package func follow() {
        guard monitor == nil, let path = url.flatMap({ FilePath($0) }) else { return }
        monitor = FileMonitor(path: path) { [weak self] in self?.reload() }
    }

    /// Sets a closure that is called when a reload has changed the source or failed. Each owner has one closure.
    package func setOnReload(_ call: (() -> Void)?, for owner: AnyObject) {
        reloadHandlers[ObjectIdentifier(owner)] = call
    }

    /// Reads the file again. If this fails, `reloadError` has the reason. Does nothing for a shader that was created
    /// from a source text.
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
        // A handler may remove others.
        for owner in Array(reloadHandlers.keys) { reloadHandlers[owner]?() }
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

/// A filter whose recipe depends on the time at which the frame is displayed.
package protocol TimedFilter: CIFilter {
    /// The position in the item, in seconds.
    var time: Double { get set }
}
