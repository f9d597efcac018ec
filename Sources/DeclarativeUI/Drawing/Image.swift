import GTK
import CGTK
import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

/// A picture: a file, a resource, or a symbol. SwiftUI's view.
public struct Image: _PrimitiveView, Equatable {
    /// How large symbols are beside words: 0.95, 1.2 or 1.5 times the font's size.
    public enum Scale: Hashable, Sendable {
        /// 0.95 times the font's size.
        case small
        /// 1.2 times the font's size; what holds where nothing is said.
        case medium
        /// 1.5 times the font's size.
        case large
    }
    /// How a picture fills another size: drawn larger or smaller, or repeated in its own.
    public enum ResizingMode: Hashable, Sendable {
        /// Drawn larger or smaller.
        case stretch
        /// Repeated in its own size.
        case tile
    }
    /// How smoothly a picture is drawn in another size; of no effect: GTK decides that here.
    public enum Interpolation: Hashable, Sendable {
        /// Of no effect.
        case none
        /// Of no effect.
        case low
        /// Of no effect; what holds where nothing is said.
        case medium
        /// Of no effect.
        case high
    }
    /// Whether a picture is drawn in the foreground's style (`template`, its shape only) or in its own colours.
    public enum TemplateRenderingMode: Hashable, Sendable {
        /// Its shape alone, in the foreground's style.
        case template
        /// In its own colours.
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
    var interpolation = Interpolation.medium
    var rendering: TemplateRenderingMode?
    var label: String?

    /// A picture of the app's resources: png, jpg, webp, svg …, with or without its extension. What is not found
    /// shows a placeholder, and a line in the log says so; as of all pictures.
    public init(_ name: String, bundle: Bundle? = nil) { source = .resource(name, bundle) }
    /// A picture of the app's resources that assistive technology is not told of.
    public init(decorative name: String, bundle: Bundle? = nil) {
        source = .resource(name, bundle)
        label = ""
    }
    /// A picture in a file.
    public init(fileURL: URL) { source = .file(fileURL) }
    /// A symbol by its Apple name, drawn by ourselves, in the foreground's style: see `SymbolNames`. It is as large as
    /// the font, its lines as heavy as the font's weight.
    public init(systemName: String) { source = .symbol(systemName) }
    init(texture: TextureBox) { source = .texture(texture) }

    /// Takes any size instead of its own.
    public func resizable(capInsets: EdgeInsets = EdgeInsets(), resizingMode: ResizingMode = .stretch) -> Image {
        with(self) {
            $0.isResizable = true
            $0.isTiled = resizingMode == .tile
        }
    }
    /// Notes how smooth the picture shall be; of no effect: GTK decides that here.
    public func interpolation(_ interpolation: Interpolation) -> Image {
        with(self) { $0.interpolation = interpolation }
    }
    /// Draws the picture as a template or in its own colours; nil is what the asset catalogue says, else its own
    /// colours.
    public func renderingMode(_ renderingMode: TemplateRenderingMode?) -> Image {
        with(self) { $0.rendering = renderingMode }
    }
    /// Returns the picture as it is: edges are always smooth.
    public func antialiased(_ isAntialiased: Bool) -> Image { self }

    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        LeafFiber(view, inputs, ImageElement()) { element, view, fiber in element.set(view, fiber) }
    }
}

/// A decoded picture.
@MainActor
final class TextureBox: Equatable {
    /// A GdkTexture, owned.
    let texture: OpaquePointer
    /// Points.
    let size: CGSize
    /// - Parameter scale: pixels a point; 1 where it is not more than 0.
    init(owning texture: OpaquePointer, scale: CGFloat = 1) {
        self.texture = texture
        let scale = scale > 0 && scale.isFinite ? Double(scale) : 1
        size = CGSize(
            width: Double(gdk_texture_get_width(texture)) / scale,
            height: Double(gdk_texture_get_height(texture)) / scale)
    }
    isolated deinit { g_object_unref(UnsafeMutableRawPointer(texture)) }
    nonisolated static func == (a: TextureBox, b: TextureBox) -> Bool { a === b }

    /// Nil when the file is no picture that GTK reads. - Parameter why: set to what GTK says.
    static func load(_ path: String, scale: CGFloat = 1, why: inout String) -> TextureBox? {
        var error: UnsafeMutablePointer<GError>?
        if let texture = gdk_texture_new_from_filename(path, &error) {
            return TextureBox(owning: texture, scale: scale)
        }
        if let error {
            why = String(cString: error.pointee.message)
            g_error_free(error)
        }
        return nil
    }

    static func load(_ data: Data, scale: CGFloat = 1, why: inout String) -> TextureBox? {
        let bytes = data.withUnsafeBytes { g_bytes_new($0.baseAddress, UInt($0.count)) }
        defer { g_bytes_unref(bytes) }
        var error: UnsafeMutablePointer<GError>?
        if let texture = gdk_texture_new_from_bytes(bytes, &error) { return TextureBox(owning: texture, scale: scale) }
        if let error {
            why = String(cString: error.pointee.message)
            g_error_free(error)
        }
        return nil
    }
}

final class ImageElement: Element, Describable, Spoken, DrawnElement {
    override var company: Company { isSymbol ? .symbol : .other }
    private var image: Image?
    private var environment = EnvironmentValues()
    private var texture: TextureBox?
    private var isMissing = false
    /// It is of an asset catalogue, which may have another one for another appearance.
    private var isCatalogued = false
    /// The catalogue wants it in the foreground's style.
    private var isTemplate = false
    /// What draws the symbol.
    private var symbol: [SymbolStep]?
    private struct SymbolLook: KeptLook {
        let steps: [SymbolStep]
        let paint: Paint
        let weight: CGFloat
        let bounds: CGRect

        func draw(_ cr: OpaquePointer) {
            steps.draw(cr, in: bounds, weight: weight) { paint.source(cr, bounds) }
        }
    }
    private let kept = KeptNode<SymbolLook>()
    private var passive: PassiveWidget?

    func set(_ image: Image, _ fiber: _Fiber) {
        let old = self.image
        self.image = image
        let needsLayout =
            old != image || environment.shownFont != fiber.environment.shownFont
            || environment.imageScale != fiber.environment.imageScale
        let isOther =
            isCatalogued
            && (environment.colorScheme != fiber.environment.colorScheme
                || environment.displayScale != fiber.environment.displayScale)
        let isOtherForm = environment.symbolVariants != fiber.environment.symbolVariants
        environment = fiber.environment
        if old?.source != image.source || isOther || isOtherForm { load(image, fiber.graph) }
        if needsLayout { setNeedsLayout() }
        setNeedsDisplay()
        describe()
    }

    var accessibility = AccessibilityWords() { didSet { if accessibility != oldValue { describe() } } }
    private func describe() { passive?.words = AccessibilityWords(label: label).with(accessibility) }

    /// It is one, as large as the words beside it.
    var isSymbol: Bool {
        guard let image, !image.isResizable, case .symbol = image.source else { return false }
        return true
    }

    /// What assistive technology calls it.
    var words: String { accessibility.label ?? label }

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
        var why = "the file does not exist"
        switch image.source {
        case .texture(let box): texture = box
        case .pixels(let pixels): texture = pixels.texture(why: &why)
        case .file(let url): texture = TextureBox.load(url.path, why: &why)
        case .resource(let name, let bundle):
            if let picture = AssetCatalog.picture(
                name, bundle, isDark: environment.colorScheme == .dark, scale: environment.displayScale)
            {
                isCatalogued = true
                isTemplate = picture.isTemplate
                texture = TextureBox.load(picture.path, scale: picture.scale, why: &why)
            } else if let path = ResourceLookup.path(name, extensions: ResourceLookup.pictures, bundle: bundle) {
                texture = TextureBox.load(path, why: &why)
            }
        case .symbol(let name):
            symbol = SymbolComposition.steps(environment.symbolVariants.name(name))
            if symbol == nil {
                graph.log(
                    "Image(systemName: \"\(name)\"): Unknown symbol; a dashed square is shown. The closest known symbol is \(SymbolNames.nearest(name))."
                )
            }
            return
        }
        if texture == nil {
            isMissing = true
            graph.log("Image(\(image.source)): \(why); a placeholder is shown.")
        }
    }

    private var font: Font { environment.shownFont }

    /// The side of a symbol's grid, points.
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
        return CGSize(width: symbolSize, height: symbolSize)
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
        // Its middle stands at the middle of the capitals beside it.
        let capitals = font.capitalHeight * (symbolSize > 0 ? size.height / symbolSize : 1)
        return (size.height + capitals) / 2
    }

    override func contains(_ point: CGPoint) -> Bool { bounds.contains(point) }

    func draw(_ context: DrawContext, _ size: CGSize) {
        guard let image, size.width > 0, size.height > 0, size.width.isFinite, size.height.isFinite else { return }
        let rect = CGRect(origin: .zero, size: size)
        if environment.isRedacted { return context.redactedBox(rect, environment) }
        if isMissing { return drawPlaceholder(context, rect) }
        if let texture {
            if image.rendering == .template || image.rendering == nil && isTemplate {
                // Its shape, in the foreground's style.
                context.masked(
                    rect,
                    content: { inner in
                        let paint = inner.ink(environment, in: rect)
                        inner.cairo(rect) { cr in
                            paint.source(cr, rect)
                            cairo_paint(cr)
                        }
                    }, mask: { draw(texture, image, $0, rect) })
            } else {
                draw(texture, image, context, rect)
                context.covers(rect)
            }
            return
        }
        guard case .symbol = image.source else { return }
        let look = SymbolLook(
            steps: symbol ?? SymbolComposition.placeholder, paint: context.ink(environment, in: rect),
            weight: font.weight.symbolLine, bounds: rect)
        kept.draw(look, context)
    }

    private func draw(_ texture: TextureBox, _ image: Image, _ context: DrawContext, _ rect: CGRect) {
        let bounds = rect.graphene
        if image.isTiled {
            let one = CGRect(origin: .zero, size: texture.size).graphene
            context.snapshot.pushRepeat(bounds, of: one)
            context.snapshot.append(texture: texture.texture, one)
            context.snapshot.pop()
        } else {
            context.snapshot.append(texture: texture.texture, bounds)
        }
    }

    /// A dashed box with a cross: something is missing here.
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

    override func attached(to host: any ElementHost) { updateVoice() }
    func updateVoice() {
        guard let host, image?.label != "", !isSpokenFor else {
            passive?.remove()
            passive = nil
            return
        }
        guard passive == nil else { return }
        passive = PassiveWidget(host, role: GTK_ACCESSIBLE_ROLE_IMG)
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

/// Where an app's own files are looked for.
enum ResourceLookup {
    /// How files with pictures end.
    static let pictures = ["png", "jpg", "jpeg", "webp", "svg", "gif", "tiff"]

    /// - Parameter name: with its own extension, or without one.
    static func path(_ name: String, extensions: [String], bundle: Bundle?) -> String? {
        let files = FileManager.default
        if name.hasPrefix("/") { return files.fileExists(atPath: name) ? name : nil }
        let own = (name as NSString).pathExtension
        let names = own.isEmpty ? extensions.map { "\(name).\($0)" } : [name] + extensions.map { "\(name).\($0)" }
        for folder in folders(bundle) {
            for name in names where files.fileExists(atPath: "\(folder)/\(name)") { return "\(folder)/\(name)" }
        }
        return nil
    }

    /// Those of the bundle, of the program, and where it was started.
    static func folders(_ bundle: Bundle?) -> [String] {
        let files = FileManager.default
        var folders: [String] = []
        if let bundle { folders += [bundle.resourcePath, bundle.bundlePath].compactMap { $0 } }
        folders += [Bundle.main.resourcePath, Bundle.main.bundlePath].compactMap { $0 }
        // SwiftPM puts a target's resources beside the program, into a folder named after package and target.
        let beside = Bundle.main.bundlePath
        folders += ((try? files.contentsOfDirectory(atPath: beside)) ?? []).filter {
            $0.hasSuffix(".resources") || $0.hasSuffix(".bundle")
        }.sorted().map { "\(beside)/\($0)" }
        folders.append(files.currentDirectoryPath)
        return folders
    }
}
