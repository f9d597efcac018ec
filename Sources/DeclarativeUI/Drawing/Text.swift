import GTK
import CGTK
import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

/// A view that shows text. Same API as in SwiftUI.
///
/// ```swift
/// VStack(alignment: .leading) {
///     Text("Now playing").font(.caption).foregroundColor(.secondary)
///     Text(verbatim: title).font(.headline).lineLimit(1)
/// }
/// ```
public struct Text: _PrimitiveView, Equatable {
    /// The position at which an ellipsis replaces text that does not fit.
    public enum TruncationMode: Hashable, Sendable {
        /// The start of the text.
        case head
        /// The middle of the text.
        case middle
        /// The end of the text.
        case tail
    }

    var runs: [Run]

    /// Creates a text view from a key of the app's string table. If the table lacks the key, the key itself is shown.
    ///
    /// Markdown in the text (`**bold**`, `*italic*`, `~~struck~~`, code, links) is applied. A `String` is shown
    /// unchanged.
    /// - Parameters:
    ///   - key: The key.
    ///   - tableName: The name of the string table. Nil means `Localizable`.
    ///   - bundle: The bundle with the string table. Nil means the app's main bundle.
    ///   - comment: A note for translators, which has no effect.
    nonisolated public init(
        _ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil, comment: StaticString? = nil
    ) {
        runs = key.runs(tableName, bundle)
    }
    /// Creates a text view that shows `content` unchanged, without lookup and Markdown. Callable on any thread.
    nonisolated public init(verbatim content: String) { runs = [Run(text: content)] }
    /// Creates a text view that shows a string unchanged, without lookup and Markdown. Callable on any thread.
    @_disfavoredOverload nonisolated public init<S: StringProtocol>(_ content: S) {
        runs = [Run(text: String(content))]
    }

    var string: String { runs.map(\.text).joined() }

    /// Returns the text of both operands in order, each with its own attributes.
    public static func + (a: Text, b: Text) -> Text { with(a) { $0.runs += b.runs } }
    private func each(_ change: (inout Run) -> Void) -> Text {
        with(self) { for i in $0.runs.indices { change(&$0.runs[i]) } }
    }
    /// Sets the font of the parts that have none of their own. Nil changes nothing.
    public func font(_ font: Font?) -> Text { each { $0.font = $0.font ?? font } }
    /// Sets the color of the parts that have none of their own. Links keep the tint color. Nil changes nothing.
    public func foregroundColor(_ color: Color?) -> Text {
        each { if $0.link == nil, $0.style == nil { $0.color = $0.color ?? color } }
    }
    /// Sets the style of the parts that have none of their own. Links keep the tint color.
    ///
    /// ```swift
    /// Text("4K").foregroundStyle(.secondary) + Text(verbatim: title)
    /// ```
    /// If a text joins parts of different styles, a part with a gradient has the color of the gradient's first stop.
    public func foregroundStyle(_ style: any ShapeStyle) -> Text {
        let style = AnyShapeStyle(style)
        return each { if $0.link == nil, $0.color == nil { $0.style = $0.style ?? style } }
    }
    /// Sets the weight of the parts that have none of their own. Nil changes nothing.
    public func fontWeight(_ weight: Font.Weight?) -> Text { each { $0.weight = $0.weight ?? weight } }
    /// Makes all parts bold. `false` changes nothing.
    public func bold(_ isActive: Bool = true) -> Text { each { if isActive { $0.weight = .bold } } }
    /// Makes all parts italic, or removes italics.
    public func italic(_ isActive: Bool = true) -> Text { each { $0.isItalic = isActive } }
    /// Underlines all parts, or removes the line.
    public func underline(_ isActive: Bool = true) -> Text { each { $0.isUnderlined = isActive } }
    /// Draws a line through all parts, or removes it.
    public func strikethrough(_ isActive: Bool = true) -> Text { each { $0.isStruck = isActive } }
    /// Shows all parts in the monospaced design, or removes that design.
    public func monospaced(_ isActive: Bool = true) -> Text { each { $0.isMonospaced = isActive } }
    /// Gives all digits the same width, if the font supports it.
    public func monospacedDigit() -> Text { each { $0.hasMonospacedDigits = true } }
    /// Sets the space added between letters.
    /// - Parameter kerning: The space in points.
    public func kerning(_ kerning: CGFloat) -> Text { each { $0.kerning = kerning } }

    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        LeafFiber(view, inputs, TextElement()) { element, view, fiber in element.set(view, fiber.environment) }
    }
}

/// An element that lays out text with Pango and draws it.
final class TextElement: Element, Describable, AccessibleTextElement, DrawnElement {
    override var stackItemKind: StackItemKind { .text }
    /// The text that is shown now, with the current values of time-dependent parts.
    private var text = Text(verbatim: "")
    private var source = Text(verbatim: "")
    private(set) var environment = EnvironmentValues()
    /// Whether the foreground style in `environment` is the common style of the text's parts.
    private var isStyledAsWhole = false
    private var layout: OpaquePointer?
    private var look: Look?
    private var passive: PassiveWidget?
    private var knownMinimumWidth: CGFloat?
    /// The runs of `text` that the layout contains.
    private var lines = TextLines()
    /// The background of a control on which the colors of the runs must be readable.
    private var ground: Color.Components?

    /// The values on which the layout depends, besides the text.
    private struct Look: Equatable {
        var font: Font
        var limit: Int?
        var alignment: TextAlignment
        var truncation: Text.TruncationMode
        var fitting: TextFitting
        var textCase: Text.Case?
        /// The values on which the colors of runs depend, or nil if no run has its own color.
        var scheme: ColorScheme?, tint: Color?, foreground: AnyShapeStyle?
        var ellipsis: PangoEllipsizeMode {
            truncation == .tail
                ? PANGO_ELLIPSIZE_END : truncation == .head ? PANGO_ELLIPSIZE_START : PANGO_ELLIPSIZE_MIDDLE
        }
        /// The smallest width for several lines, in points. Below it, lines would be columns of single letters.
        @MainActor var narrowest: CGFloat { font.shownSize * 4 }
        /// The largest width that a word can request, in points. Longer words are broken.
        @MainActor var longestWord: CGFloat { font.shownSize * 15 }
    }

    /// The smallest width for the text in points: that of the longest word, or of some letters and an ellipsis for a
    /// single line.
    private var minimumWidth: CGFloat {
        if let knownMinimumWidth { return knownMinimumWidth }
        guard let layout, let look else { return 0 }
        restoreLines(layout, look)
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_NONE)
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD)
        pango_layout_set_width(layout, look.limit == 1 ? -1 : 0)
        var logical = PangoRectangle()
        pango_layout_get_extents(layout, nil, &logical)
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        pango_layout_set_ellipsize(layout, look.ellipsis)
        let width = min(
            (Double(logical.width) / 1024).rounded(.up), look.limit == 1 ? look.narrowest : look.longestWord
        ).rounded(.up)
        knownMinimumWidth = width
        return width
    }

    isolated deinit { if let layout { g_object_unref(UnsafeMutableRawPointer(layout)) } }

    func set(_ text: Text, _ environment: EnvironmentValues) {
        var environment = environment
        if let style = text.commonStyle { environment.foregroundStyle = style }
        let hasStyles = text.runs.contains { $0.style != nil }
        let hasColors = hasStyles || text.runs.contains { $0.color != nil || $0.link != nil }
        let look = Look(
            font: environment.shownFont, limit: environment.lineLimit,
            alignment: environment.multilineTextAlignment, truncation: environment.truncationMode,
            fitting: TextFitting(environment), textCase: environment.textCase,
            scheme: hasColors ? environment.colorScheme : nil, tint: hasColors ? environment.tintColor : nil,
            foreground: hasStyles ? environment.foregroundStyle : nil)
        self.environment = environment
        isStyledAsWhole = text.commonStyle != nil
        source = text
        let text = text.resolved(at: TextClock.now()).cased(environment.textCase)
        followTime()
        followLinks()
        if text != self.text || look != self.look || layout == nil {
            self.text = text
            self.look = look
            rebuild(look)
            setNeedsLayout()
            describe()
        }
        setNeedsDisplay()
    }

    var string: String { text.string }

    private func rebuild(_ look: Look) {
        if let layout { g_object_unref(UnsafeMutableRawPointer(layout)) }
        knownMinimumWidth = nil
        layout = TextContext.shared.flatMap { pango_layout_new($0) }
        guard let layout else { return }
        let description = look.font.description()
        pango_layout_set_font_description(layout, description)
        pango_font_description_free(description)
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        pango_layout_set_alignment(
            layout,
            look.alignment == .leading
                ? PANGO_ALIGN_LEFT : look.alignment == .center ? PANGO_ALIGN_CENTER : PANGO_ALIGN_RIGHT)
        pango_layout_set_ellipsize(layout, look.ellipsis)
        pango_layout_set_spacing(layout, Int32(look.fitting.spacing * 1024))
        fitted = TextFitting.Step()
        lines = TextLines(text.runs, isLimited: look.limit != nil)
        setLines(layout, look)
    }

    private func setLines(_ layout: OpaquePointer, _ look: Look) {
        let string = lines.runs.map(\.text).joined()
        pango_layout_set_text(layout, string, Int32(string.utf8.count))
        applyRuns(layout, look.font)
    }

    private func restoreLines(_ layout: OpaquePointer, _ look: Look) {
        guard lines.cut != nil else { return }
        lines.restore()
        setLines(layout, look)
    }

    private func applyRuns(_ layout: OpaquePointer, _ base: Font) {
        guard let attributes = pango_attr_list_new() else { return }
        defer { pango_attr_list_unref(attributes) }
        if base.hasMonospacedDigits {
            TextElement.insert(pango_attr_font_features_new("tnum=1"), 0, Int(UInt32.max), attributes)
        }
        if fitted.scale < 1 { TextElement.insert(pango_attr_scale_new(fitted.scale), 0, Int(UInt32.max), attributes) }
        if fitted.isTight {
            TextElement.insert(
                pango_attr_letter_spacing_new(Int32(-base.shownSize * 0.03 * 1024)), 0, Int(UInt32.max), attributes)
        }
        var start = 0
        for run in lines.runs {
            let end = start + run.text.utf8.count
            if run.font != nil || run.weight != nil || run.isItalic || run.isMonospaced {
                var font = run.font.map { environment.shown($0) } ?? base
                if let weight = run.weight { font.weight = weight }
                if run.isItalic { font.isItalic = true }
                if run.isMonospaced { font.design = .monospaced }
                let description = font.description()
                TextElement.insert(pango_attr_font_desc_new(description), start, end, attributes)
                pango_font_description_free(description)
            }
            if run.isUnderlined {
                TextElement.insert(pango_attr_underline_new(PANGO_UNDERLINE_SINGLE), start, end, attributes)
            }
            if run.isStruck { TextElement.insert(pango_attr_strikethrough_new(1), start, end, attributes) }
            if run.kerning != 0 {
                TextElement.insert(
                    pango_attr_letter_spacing_new(Int32(run.kerning.within(10_000) * 1024)), start, end, attributes)
            }
            if run.hasMonospacedDigits || run.font?.hasMonospacedDigits == true {
                TextElement.insert(pango_attr_font_features_new("tnum=1"), start, end, attributes)
            }
            if let color = color(of: run) {
                let color = ground.map { color.readable(on: $0) } ?? color
                TextElement.insert(
                    pango_attr_foreground_new(
                        UInt16(color.red * 65535), UInt16(color.green * 65535), UInt16(color.blue * 65535)), start, end,
                    attributes)
                if color.opacity < 1 {
                    TextElement.insert(
                        pango_attr_foreground_alpha_new(UInt16(max(1, color.opacity * 65535))), start, end, attributes)
                }
            }
            start = end
        }
        pango_layout_set_attributes(layout, attributes)
    }

    /// Returns the run's own color, or nil if the text's color applies.
    private func color(of run: Text.Run) -> Color.Components? {
        if run.color == nil, run.link == nil, let style = run.style, !isStyledAsWhole {
            switch style.resolved(environment) {
            case .color(let color): return color
            case .gradient(let stops, _): return stops.first?.color
            }
        }
        return (run.color ?? (run.link == nil ? nil : .accentColor))?.resolved(
            dark: environment.colorScheme == .dark, accent: environment.tintColor)
    }

    private static func insert(
        _ attribute: UnsafeMutablePointer<PangoAttribute>?, _ start: Int, _ end: Int, _ list: OpaquePointer
    ) {
        guard let attribute else { return }
        attribute.pointee.start_index = UInt32(start)
        attribute.pointee.end_index = UInt32(clamping: end)
        pango_attr_list_insert(list, attribute)
    }

    /// The change of size and spacing that makes the text fit now.
    private var fitted = TextFitting.Step()

    /// Fits the text into the given space, and shrinks the text if that is needed and allowed. Returns the size that
    /// the text takes.
    private func fit(_ width: CGFloat?, _ height: CGFloat?) -> CGSize {
        guard let layout, let look, look.fitting.mayChange else { return fitAsSet(width, height) }
        var size = CGSize.zero
        for step in look.fitting.steps {
            if step != fitted {
                fitted = step
                applyRuns(layout, look.font)
            }
            size = fitAsSet(width, height)
            if lines.cut == nil, pango_layout_is_ellipsized(layout) == 0 { break }
        }
        return size
    }

    private func fitAsSet(_ width: CGFloat?, _ height: CGFloat?) -> CGSize {
        guard let layout, let look else { return .zero }
        var pangoWidth = width.map { $0.isFinite ? Int32(min(1_000_000, max(0, $0)) * 1024) : -1 } ?? -1
        // Pango applies no line limit without a width.
        if lines.isJoined, pangoWidth < 0 { pangoWidth = 1_000_000 * 1024 }
        let isColumn = width.map { $0 < look.narrowest && $0 < minimumWidth } ?? false
        let cut = TextLines.Cut(width: pangoWidth, limit: isColumn ? 1 : min(look.limit ?? 1, 100_000), step: fitted)
        if cut != lines.cut { restoreLines(layout, look) }
        pango_layout_set_width(layout, pangoWidth)
        // Pango counts lines for a negative height, and Pango units for a positive one. The largest value sets no
        // limit.
        if isColumn || look.limit != nil {
            pango_layout_set_height(layout, -Int32(cut.limit))
        } else if let height, height.isFinite, pangoWidth >= 0 {
            pango_layout_set_height(layout, Int32(max(1, min(height, 1_000_000) * 1024)))
        } else {
            pango_layout_set_height(layout, pangoWidth >= 0 ? Int32.max : -1)
        }
        if look.limit == nil, pangoWidth < 0 { pango_layout_set_height(layout, Int32.max) }
        if lines.isJoined, lines.cut == nil, lines.shorten(layout, look.truncation, to: cut) { setLines(layout, look) }
        var logical = PangoRectangle()
        pango_layout_get_extents(layout, nil, &logical)
        return CGSize(
            width: (Double(logical.width) / 1024).rounded(.up), height: (Double(logical.height) / 1024).rounded(.up))
    }

    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        // A proposal of 0 requests the smallest width. For every other proposal, the text is not wider than proposed.
        if proposal.width == 0 { return CGSize(width: minimumWidth, height: fit(minimumWidth, proposal.height).height) }
        var size = fit(proposal.width, proposal.height)
        if let width = proposal.width, width.isFinite { size.width = min(size.width, max(0, width.rounded(.up))) }
        return size
    }

    /// Also releases the glyphs. Pango computes them again from the text when they are needed.
    override func releaseSizes() {
        super.releaseSizes()
        if let layout { pango_layout_context_changed(layout) }
    }

    override func definesGuide(_ key: AlignmentKey) -> Bool {
        key == VerticalAlignment.firstTextBaseline.key || key == VerticalAlignment.lastTextBaseline.key
    }
    override func guide(_ key: AlignmentKey, _ size: CGSize) -> CGFloat? {
        guard let layout,
            key == VerticalAlignment.firstTextBaseline.key || key == VerticalAlignment.lastTextBaseline.key
        else { return nil }
        _ = fit(size.width, nil)
        guard key == VerticalAlignment.lastTextBaseline.key else {
            return Double(pango_layout_get_baseline(layout)) / 1024
        }
        guard let iterator = pango_layout_get_iter(layout) else { return nil }
        defer { pango_layout_iter_free(iterator) }
        while pango_layout_iter_next_line(iterator) != 0 {}
        return Double(pango_layout_iter_get_baseline(iterator)) / 1024
    }

    override func contains(_ point: CGPoint) -> Bool { bounds.contains(point) }

    func draw(_ context: DrawContext, _ size: CGSize) {
        // FreeType can't draw such large letters, and no screen could show them.
        guard let layout, !string.isEmpty, (look?.font.shownSize ?? 0) * context.scale < 8000 else { return }
        let rect = CGRect(origin: .zero, size: size)
        let ground = context.backgroundColor(under: rect)
        if ground != self.ground {
            self.ground = ground
            if let look { applyRuns(layout, look.font) }
        }
        _ = fit(frame.width, frame.height)
        if environment.isRedacted { return drawRedacted(layout, context) }
        let paint = context.ink(environment, in: rect)
        context.recordText(rect)
        switch paint {
        case .color(let color):
            context.snapshot.append(layout: layout, color.gdk)
        case .gradient:
            context.cairo(rect.insetBy(dx: -2, dy: -2)) { cr in
                paint.source(cr, rect)
                pango_cairo_show_layout(cr, layout)
            }
        }
    }

    // MARK: time-dependent text

    private var awaitedChange: Date?

    /// Updates the parts of the text that depend on the time.
    func refresh() {
        awaitedChange = nil
        let newText = source.resolved(at: TextClock.now()).cased(environment.textCase)
        followTime()
        guard newText != text, let look else { return }
        text = newText
        rebuild(look)
        setNeedsLayout()
        setNeedsDisplay()
        describe()
    }

    private func followTime() {
        let now = TextClock.now()
        guard host?.container != nil, let next = source.nextChange(after: now) else {
            awaitedChange = nil
            return
        }
        guard next != awaitedChange else { return }
        awaitedChange = next
        // The update runs 2 ms after the change. Before the change, it would find the same text and wait again.
        OnMain.later(max(0.001, next.timeIntervalSince(now)) + 0.002) { [weak self] in
            if self?.awaitedChange == next { self?.refresh() }
        }
    }

    // MARK: links

    private var click: EventController?

    private func followLinks() {
        let hasLinks = environment.isTextSelectable || source.runs.contains { $0.link != nil }
        guard hasLinks != (click != nil), let container = host?.container else { return }
        click?.remove()
        click = nil
        guard hasLinks else { return }
        let controller = EventController(GTKClickGesture(), on: container)
        controller.onClick("released") { [weak self, weak controller] count, x, y in
            guard let self, environment.isEnabled, let point = hit(CGPoint(x: x, y: y)) else { return }
            if count == 2, environment.isTextSelectable {
                controller?.claim()
                return GDKDisplay.standard?.setClipboard(string) ?? ()
            }
            guard let link = link(at: point) else { return }
            controller?.claim()
            environment.openURL(link)
        }
        click = controller
    }

    /// Returns the link at a point of the element's own space.
    func link(at point: CGPoint) -> URL? {
        guard let layout, CGRect(origin: .zero, size: frame.size).contains(point) else { return nil }
        _ = fit(frame.width, frame.height)
        var index: Int32 = 0
        var trailing: Int32 = 0
        guard
            pango_layout_xy_to_index(
                layout, Int32(point.x.within(1_000_000) * 1024), Int32(point.y.within(1_000_000) * 1024), &index,
                &trailing) != 0
        else { return nil }
        var start = 0
        for run in lines.runs {
            let end = start + run.text.utf8.count
            if (start..<end).contains(Int(index)) { return run.link }
            start = end
        }
        return nil
    }

    // MARK: accessibility

    override func attached(to host: any ElementHost) {
        updateAccessibleWidget()
        refresh()
        followLinks()
    }
    func updateAccessibleWidget() {
        guard let host, !isTextIncluded else {
            passive?.remove()
            passive = nil
            return
        }
        guard passive == nil else { return }
        passive = PassiveWidget(
            host, role: environment.isHeading ? GTK_ACCESSIBLE_ROLE_HEADING : GTK_ACCESSIBLE_ROLE_LABEL)
        describe()
    }
    var accessibility = AccessibilityTexts() { didSet { if accessibility != oldValue { describe() } } }
    private func describe() { passive?.texts = AccessibilityTexts(label: text.string).with(accessibility) }
    override func detached(from host: any ElementHost) {
        passive?.remove()
        passive = nil
        click?.remove()
        click = nil
        awaitedChange = nil
    }
    override func located(_ transform: CGAffineTransform, _ size: CGSize) { passive?.place(transform, size) }
}

extension TextElement: InspectableElement {
    var inspection: String? {
        guard let look, !string.isEmpty else { return nil }
        var facts = [string.inspection, look.font.inspection, environment.ink.inspection]
        for color in text.runs.compactMap({ color(of: $0)?.inspection }) where !facts.contains(color) {
            facts.append(color)
        }
        return facts.joined(separator: " ")
    }
}

/// The Pango context that measures text. It needs no display.
@MainActor
enum TextContext {
    /// The context, created once and kept until the process ends.
    static let shared: OpaquePointer? = {
        guard let map = pango_cairo_font_map_get_default(), let context = pango_font_map_create_context(map) else {
            return nil
        }
        // The layout uses positions between pixels, so glyphs are not rounded to pixels.
        pango_context_set_round_glyph_positions(context, 0)
        return context
    }()
}
