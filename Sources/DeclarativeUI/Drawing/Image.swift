import GTK
import CGTK
import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

/// A view that shows an image: a file, a resource or a symbol. Same API as in SwiftUI.
///
/// ```swift
/// HStack {
///     Image("cover").resizable().scaledToFit().frame(width: 48)
///     Image(systemName: "speaker.wave.2.fill").foregroundStyle(.secondary)
/// }
/// ```
public struct Image: _PrimitiveView, Equatable {
    /// The size of symbols relative to text.
    public enum Scale: Hashable, Sendable {
        /// 0.95 times the font's size.
        case small
        /// 1.2 times the font's size, which is the default.
        case medium
        /// 1.5 times the font's size.
        case large
    }
    /// The way in which an image fills another size.
    public enum ResizingMode: Hashable, Sendable {
        /// Scaled to the size.
        case stretch
        /// Repeated in its own size.
        case tile
    }
    /// The quality of scaling. Has no effect: on Linux, GTK decides the quality.
    public enum Interpolation: Hashable, Sendable {
        /// No interpolation. Has no effect.
        case none
        /// Low quality. Has no effect.
        case low
        /// Medium quality, which is the default. Has no effect.
        case medium
        /// High quality. Has no effect.
        case high
    }
    /// The color in which an image is drawn.
    public enum TemplateRenderingMode: Hashable, Sendable {
        /// The foreground style. Only the image's shape is used.
        case template
        /// The image's own colors.
        case original
    }

    enum Source: Equatable {
        case resource(String, Bundle?)
        case file(URL)
        case symbol(String)
        case texture(TextureBox)
        case pixels(ImagePixels)

        static func == (a: Source, b: Source) -> Bool {
            switch (a, b) {
            case (.resource(let x, let p), .resource(let y, let q)): x == y && p == q
            case (.file(let x), .file(let y)): x == y
            case (.symbol(let x), .symbol(let y)): x == y
            case (.texture(let x), .texture(let y)): x == y
            case (.pixels(let x), .pixels(let y)): x.isSame(y)
            default: false
            }
        }
    }
    let source: Source
    var isResizable = false
    var isTiled = false
    /// Whether a resizable symbol keeps the space around its drawing, and so the proportions of the grid.
    var keepsSpace = false
    var interpolation = Interpolation.medium
    var rendering: TemplateRenderingMode?
    /// The color in place of the image's own colors, or nil. Not used for a template.
    var ownColor: Color?
    var label: String?

    /// Creates an image from the app's resources.
    ///
    /// If no image is found, the view shows a placeholder and logs an error. The same applies to images from other
    /// sources.
    /// - Parameters:
    ///   - name: The name of an image set in an asset catalog. If there is none, the name of a file, with or without
    ///     the extension (png, jpg, webp, svg and others).
    ///   - bundle: The bundle to search first, or nil. The search continues in the program's resources and in the
    ///     working directory.
    public init(_ name: String, bundle: Bundle? = nil) { source = .resource(name, bundle) }
    /// Creates an image from the app's resources that assistive technology ignores. The image is found as with
    /// `init(_:bundle:)`.
    public init(decorative name: String, bundle: Bundle? = nil) {
        source = .resource(name, bundle)
        label = ""
    }
    /// Creates an image from a file.
    public init(fileURL: URL) { source = .file(fileURL) }
    /// Creates a symbol by Apple's name for it. The drawing is Zoetrope's own and has the foreground style. See
    /// `SymbolNames`.
    ///
    /// The symbol's size depends on the font's size and on `imageScale(_:)`, and its lines are as heavy as the font's
    /// weight. An unknown name shows a dashed square and logs an error.
    ///
    /// With `resizable()`, the drawing itself fills the size, without the space around it. Its lines are stretched too,
    /// unless `scaledToFit()` or `scaledToFill()` keeps the aspect ratio.
    public init(systemName: String) { source = .symbol(systemName) }
    init(texture: TextureBox) { source = .texture(texture) }

    /// Lets the image take any size, not only its own.
    /// - Parameters:
    ///   - capInsets: Has no effect.
    ///   - resizingMode: Whether the image is scaled or repeated.
    public func resizable(capInsets: EdgeInsets = EdgeInsets(), resizingMode: ResizingMode = .stretch) -> Image {
        with(self) {
            $0.isResizable = true
            $0.isTiled = resizingMode == .tile
        }
    }
    /// Stores the quality of scaling. Has no effect: on Linux, GTK decides the quality.
    public func interpolation(_ interpolation: Interpolation) -> Image {
        with(self) { $0.interpolation = interpolation }
    }
    /// Draws the image as a template or in its own colors. Nil means the setting of the asset catalog, or else the
    /// image's own colors. A symbol has no colors of its own, so it has the foreground style in every mode.
    public func renderingMode(_ renderingMode: TemplateRenderingMode?) -> Image {
        with(self) { $0.rendering = renderingMode }
    }
    /// Returns the image unchanged: edges are always smooth.
    public func antialiased(_ isAntialiased: Bool) -> Image { self }

    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        LeafFiber(view, inputs, ImageElement()) { element, view, fiber in element.set(view, fiber) }
    }
}

/// A decoded image.
@MainActor
final class TextureBox: Equatable {
    /// The GdkTexture, which this object owns.
    let texture: OpaquePointer
    /// The size in points.
    let size: CGSize
    /// Creates a box that owns `texture`.
    /// - Parameter scale: The number of pixels per point. A value that is not greater than 0, or not finite, counts as
    ///   1.
    init(owning texture: OpaquePointer, scale: CGFloat = 1) {
        self.texture = texture
        let scale = scale > 0 && scale.isFinite ? Double(scale) : 1
        size = CGSize(
            width: Double(gdk_texture_get_width(texture)) / scale,
            height: Double(gdk_texture_get_height(texture)) / scale)
    }
    isolated deinit { g_object_unref(UnsafeMutableRawPointer(texture)) }
    nonisolated static func == (a: TextureBox, b: TextureBox) -> Bool { a === b }

    /// Loads a file. Returns nil if GTK can't read it as an image.
    /// - Parameter message: Set to GTK's message.
    static func load(_ file: URL, message: inout String) -> TextureBox? {
        FilePath(file)?.withCString { load($0, message: &message) }
    }
    /// Loads the file at a path. Returns nil if GTK can't read it as an image.
    /// - Parameter message: Set to GTK's message.
    static func load(_ path: UnsafePointer<CChar>, scale: CGFloat = 1, message: inout String) -> TextureBox? {
        var error: UnsafeMutablePointer<GError>?
        if let texture = gdk_texture_new_from_filename(path, &error) {
            return TextureBox(owning: texture, scale: scale)
        }
        if let error {
            message = String(cString: error.pointee.message)
            g_error_free(error)
        }
        return nil
    }

    static func load(_ data: Data, scale: CGFloat = 1, message: inout String) -> TextureBox? {
        let bytes = data.withUnsafeBytes { g_bytes_new($0.baseAddress, UInt($0.count)) }
        defer { g_bytes_unref(bytes) }
        var error: UnsafeMutablePointer<GError>?
        if let texture = gdk_texture_new_from_bytes(bytes, &error) { return TextureBox(owning: texture, scale: scale) }
        if let error {
            message = String(cString: error.pointee.message)
            g_error_free(error)
        }
        return nil
    }
}

final class ImageElement: Element, Describable, AccessibleTextElement, DrawnElement {
    override var stackItemKind: StackItemKind { isSymbol ? .symbol : .other }
    private var image: Image?
    private var environment = EnvironmentValues()
    private var texture: TextureBox?
    private var isMissing = false
    /// Whether the image is from an asset catalog, which may have another file for another appearance or scale.
    private var isCatalogued = false
    /// Whether the asset catalog requests the foreground style.
    private var isTemplate = false
    /// The steps that draw the symbol.
    private var symbol: [SymbolStep]?
    /// The name of the symbol in the environment's form.
    private(set) var symbolName = ""
    /// The name of the symbol that `replacement` replaces.
    private var replacedName = ""
    private struct SymbolLook: CachedDrawing {
        let steps: [SymbolStep]
        let paint: Paint
        let weight: CGFloat
        let bounds: CGRect
        /// The part of the grid that fills the bounds, or nil for the whole grid in its proportions.
        let ink: CGRect?

        func draw(_ cr: OpaquePointer) {
            steps.draw(cr, in: bounds, weight: weight, ink: ink) { paint.source(cr, bounds) }
        }
    }
    private let kept = CachedNode<SymbolLook>()
    /// The change from the previous symbol to this one while it is animated, and the previous symbol's drawing.
    private var replacement: SymbolReplacement?
    private let keptOld = CachedNode<SymbolLook>()
    private var passive: PassiveWidget?

    func set(_ image: Image, _ fiber: _Fiber) {
        let old = self.image
        self.image = image
        let needsOtherVariant = environment.symbolVariants != fiber.environment.symbolVariants
        let needsLayout =
            old != image || environment.shownFont != fiber.environment.shownFont
            || environment.imageScale != fiber.environment.imageScale || needsOtherVariant
        let needsOtherFile =
            isCatalogued
            && (environment.colorScheme != fiber.environment.colorScheme
                || environment.displayScale != fiber.environment.displayScale)
        environment = fiber.environment
        if old?.source != image.source || needsOtherFile || needsOtherVariant {
            let oldSymbol = symbol
            replacedName = symbolName
            load(image, fiber.graph)
            replacement = SymbolReplacement(oldSymbol, symbol, fiber)
            if replacement != nil { host?.animate() }
        }
        if needsLayout { setNeedsLayout() }
        setNeedsDisplay()
        updateAccessibleWidget()
    }

    var accessibility = AccessibilityTexts() { didSet { if accessibility != oldValue { describe() } } }
    private func describe() { passive?.texts = AccessibilityTexts(label: label).with(accessibility) }

    /// Whether the image is a symbol in the size of the text beside it.
    var isSymbol: Bool {
        guard let image, !image.isResizable, case .symbol = image.source else { return false }
        return true
    }

    /// The name for assistive technology.
    var accessibleName: String { accessibility.label ?? label }

    private var label: String {
        guard let image else { return "" }
        if let label = image.label { return label }
        switch image.source {
        case .resource(let name, _): return name
        case .symbol(let name): return SymbolNames.label(name)
        case .file, .texture, .pixels: return ""
        }
    }

    private func load(_ image: Image, _ graph: ViewGraph) {
        texture = nil
        symbol = nil
        isMissing = false
        isCatalogued = false
        isTemplate = false
        var message = "the file does not exist"
        switch image.source {
        case .texture(let box): texture = box
        case .pixels(let pixels): texture = pixels.texture(message: &message)
        case .file(let url): texture = TextureBox.load(url, message: &message)
        case .resource(let name, let bundle):
            if let file = AssetCatalog.picture(
                name, bundle, isDark: environment.colorScheme == .dark, scale: environment.displayScale)
            {
                isCatalogued = true
                isTemplate = file.isTemplate
                texture = TextureBox.load(file.path, scale: file.scale, message: &message)
            } else if let path = ResourceLookup.path(name, extensions: ResourceLookup.pictures, bundle: bundle) {
                texture = TextureBox.load(path, message: &message)
            }
        case .symbol(let name):
            symbolName = environment.symbolVariants.name(name)
            symbol = SymbolComposition.steps(symbolName)
            if symbol == nil {
                graph.log(
                    "Image(systemName: \"\(name)\"): Unknown symbol; a dashed square is shown. The closest known symbol is \(SymbolNames.nearest(name))."
                )
            }
            return
        }
        if texture == nil {
            isMissing = true
            graph.log("Image(\(image.source)): \(message); a placeholder is shown.")
        }
    }

    private var font: Font { environment.shownFont }

    /// The side of a symbol's grid in points.
    private var symbolSize: CGFloat {
        let scale: CGFloat =
            switch environment.imageScale {
            case .small: 0.95
            case .medium: 1.2
            case .large: 1.5
            }
        return (font.shownSize * scale).rounded()
    }

    private var ownSize: CGSize {
        if let texture { return texture.size }
        guard let ink = ink(symbolName) else { return CGSize(width: symbolSize, height: symbolSize) }
        return CGSize(width: ink.width * symbolSize / 24, height: ink.height * symbolSize / 24)
    }
    /// Returns the part of a symbol's grid that fills the bounds: its ink if the image is resizable and keeps no space.
    /// Otherwise nil.
    private func ink(_ symbol: String) -> CGRect? {
        guard let image, image.isResizable, !image.keepsSpace, case .symbol = image.source else { return nil }
        return SymbolComposition.ink(symbol, weight: font.weight.symbolLine)
    }

    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        image?.isResizable == true ? proposal.replacingUnspecifiedDimensions(by: ownSize) : ownSize
    }

    override func definesGuide(_ key: AlignmentKey) -> Bool {
        key == VerticalAlignment.firstTextBaseline.key || key == VerticalAlignment.lastTextBaseline.key
    }
    override func guide(_ key: AlignmentKey, _ size: CGSize) -> CGFloat? {
        guard case .symbol = image?.source,
            key == VerticalAlignment.firstTextBaseline.key || key == VerticalAlignment.lastTextBaseline.key
        else { return nil }
        // The symbol's center is at the center of the capital letters beside it.
        let own = ownSize.height
        let capitals = font.capitalHeight * (own > 0 ? size.height / own : 1)
        return (size.height + capitals) / 2
    }

    override func contains(_ point: CGPoint) -> Bool { bounds.contains(point) }

    func draw(_ context: DrawContext, _ size: CGSize) {
        guard let image, size.width > 0, size.height > 0, size.width.isFinite, size.height.isFinite else { return }
        let rect = CGRect(origin: .zero, size: size)
        if environment.isRedacted { return context.redactedBox(rect, environment) }
        if isMissing { return drawPlaceholder(context, rect) }
        if let texture {
            if isDrawnAsTemplate || image.ownColor != nil {
                // Only the image's shape is drawn, in the foreground style or in one color.
                context.masked(
                    rect,
                    content: { inner in
                        let paint = inner.ink(inkEnvironment, in: rect)
                        inner.cairo(rect) { cr in
                            paint.source(cr, rect)
                            cairo_paint(cr)
                        }
                    }, mask: { draw(texture, image, $0, rect) })
            } else {
                draw(texture, image, context, rect)
                context.recordCover(rect)
            }
            return
        }
        guard case .symbol = image.source else { return }
        let look = SymbolLook(
            steps: symbol ?? SymbolComposition.placeholder, paint: context.ink(inkEnvironment, in: rect),
            weight: font.weight.symbolLine, bounds: rect, ink: ink(symbolName))
        guard let replacement, replacement.isRunning(context.now) else { return kept.draw(look, context) }
        let oldLook = SymbolLook(
            steps: replacement.old, paint: look.paint, weight: look.weight, bounds: rect, ink: ink(replacedName))
        replacement.drawOld(context, rect) { keptOld.draw(oldLook, context) }
        replacement.drawNew(context, rect) { kept.draw(look, context) }
    }

    override func isAnimatingItself(_ now: Double) -> Bool {
        guard let replacement else { return false }
        if replacement.isRunning(now) { return true }
        self.replacement = nil
        return false
    }

    private var isDrawnAsTemplate: Bool {
        switch image?.rendering {
        case .template: return true
        case .original: return false
        case nil:
            if case .symbol = image?.source { return true }
            return isTemplate
        }
    }
    /// The environment whose foreground style is the color of the shape.
    private var inkEnvironment: EnvironmentValues {
        guard let color = image?.ownColor, !isDrawnAsTemplate else { return environment }
        return with(environment) { $0.foregroundStyle = AnyShapeStyle(color) }
    }

    private func draw(_ texture: TextureBox, _ image: Image, _ context: DrawContext, _ rect: CGRect) {
        let bounds = rect.graphene
        if image.isTiled {
            let tile = CGRect(origin: .zero, size: texture.size).graphene
            context.snapshot.pushRepeat(bounds, of: tile)
            context.snapshot.append(texture: texture.texture, tile)
            context.snapshot.pop()
        } else {
            context.snapshot.append(texture: texture.texture, bounds)
        }
    }

    /// Draws a dashed box with a cross for a missing image.
    private func drawPlaceholder(_ context: DrawContext, _ rect: CGRect) {
        let c = Color.secondary.resolved(dark: environment.colorScheme == .dark, accent: nil)
        let inner = rect.insetBy(dx: 0.5, dy: 0.5)
        context.cairo(rect) { cr in
            cairo_set_source_rgba(cr, c.red, c.green, c.blue, c.opacity)
            cairo_set_line_width(cr, 1)
            cairo_move_to(cr, inner.minX, inner.minY)
            cairo_line_to(cr, inner.maxX, inner.maxY)
            cairo_move_to(cr, inner.maxX, inner.minY)
            cairo_line_to(cr, inner.minX, inner.maxY)
            cairo_stroke(cr)
            cairo_set_dash(cr, [3, 2], 2, 0)
            cairo_rectangle(cr, inner.minX, inner.minY, inner.width, inner.height)
            cairo_stroke(cr)
        }
    }

    override func attached(to host: any ElementHost) { updateAccessibleWidget() }
    func updateAccessibleWidget() {
        guard let host, image?.label != "", !isTextIncluded else {
            passive?.remove()
            passive = nil
            return
        }
        if passive == nil { passive = PassiveWidget(host, role: GTK_ACCESSIBLE_ROLE_IMG) }
        describe()
    }
    override func detached(from host: any ElementHost) {
        passive?.remove()
        passive = nil
    }
    override func located(_ transform: CGAffineTransform, _ size: CGSize) { passive?.place(transform, size) }
}

extension ImageElement: InspectableElement {
    var inspection: String? {
        guard let image else { return nil }
        let state = isMissing ? "missing" : ""
        let name: String =
            switch image.source {
            case .symbol(let name):
                [name.inspection, font.inspection, environment.ink.inspection].joined(separator: " ")
            case .resource(let name, _): name.inspection
            case .file(let url): url.lastPathComponent.inspection
            case .texture, .pixels: "\(Double(ownSize.width).inspection)×\(Double(ownSize.height).inspection)"
            }
        return [name, state].filter { !$0.isEmpty }.joined(separator: " ")
    }
}

/// A search for the app's own files.
enum ResourceLookup {
    /// The extensions of image files.
    static let pictures = ["png", "jpg", "jpeg", "webp", "svg", "gif", "tiff"]

    /// Returns the path of a resource, or nil if there is none.
    /// - Parameter name: The name, with or without its extension.
    static func path(_ name: String, extensions: [String], bundle: Bundle?) -> String? {
        let files = FileManager.default
        if name.hasPrefix("/") { return files.fileExists(atPath: name) ? name : nil }
        let givenExtension = (name as NSString).pathExtension
        let names =
            givenExtension.isEmpty ? extensions.map { "\(name).\($0)" } : [name] + extensions.map { "\(name).\($0)" }
        for folder in folders(bundle) {
            for name in names where files.fileExists(atPath: "\(folder)/\(name)") { return "\(folder)/\(name)" }
        }
        return nil
    }

    /// Returns the folders to search: those of the bundle and of the program, and the working directory.
    static func folders(_ bundle: Bundle?) -> [String] {
        var folders: [String] = []
        if let bundle { folders += [bundle.resourcePath, bundle.bundlePath].compactMap { $0 } }
        folders += mainFolders + targetFolders(of: Bundle.main.bundlePath)
        folders.append(FileManager.default.currentDirectoryPath)
        return folders
    }

    /// The folders with the resources of the app's own target.
    static var appFolders: [String] {
        mainFolders + targetFolders(of: Bundle.main.bundlePath, target: Bundle.main.executableURL?.lastPathComponent)
    }

    private static var mainFolders: [String] { [Bundle.main.resourcePath, Bundle.main.bundlePath].compactMap { $0 } }

    /// Returns the folders in which SwiftPM puts the resources of targets. They are beside the program and named after
    /// the package and the target.
    /// - Parameter target: The name of the only target whose folders are returned. Nil means all targets.
    static func targetFolders(of programFolder: String, target: String? = nil) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: programFolder)) ?? []
        return names.filter {
            let name = $0 as NSString
            guard ["resources", "bundle"].contains(name.pathExtension) else { return false }
            return target.map { name.deletingPathExtension.hasSuffix("_\($0)") } ?? true
        }.sorted().map { "\(programFolder)/\($0)" }
    }
}
