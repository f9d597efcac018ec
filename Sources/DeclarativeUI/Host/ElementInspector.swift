import CGTK
import Foundation
import GTK
import MediaCore
@_spi(Graph) import ViewGraph

/// An element that is visible itself: text, a shape or an effect.
@MainActor
protocol InspectableElement: Element {
    /// A description of the element without its frame and its children, or nil if nothing is visible.
    var inspection: String? { get }
    /// Whether the element shows its children.
    var showsContent: Bool { get }
}

extension InspectableElement {
    var showsContent: Bool { true }
}

/// A description of windows as text, for tests: a line for each visible element and GTK widget.
///
/// A line has the kind, the frame in the window's content, and text, symbols and colors. Frames are in points, rounded
/// to device pixels. Elements that only arrange others have no line: the frames of the others show their effect.
@MainActor
package struct ElementInspector {
    /// The lines of the description, each indented by its depth.
    package private(set) var lines: [String] = []
    private let scale: CGFloat
    private let now: Double
    private let content: GTKWidget?

    /// Returns the descriptions of all open windows, the oldest window first.
    package static func windows() -> [String] {
        HostWindow.all.flatMap { ElementInspector($0.surface, scale: $0.scale).lines }
    }

    /// Creates a description of a surface.
    /// - Parameter scale: The number of device pixels per point.
    init(_ surface: ElementSurface, scale: CGFloat = 1) {
        self.scale = scale
        now = surface.now
        content = surface.widget
        add(
            surface.root, Region(transform: .identity, visibleRect: CGRect(origin: .zero, size: surface.size), depth: 0)
        )
    }

    private struct Region {
        /// The transform from the described element's space to the window's content.
        var transform: CGAffineTransform
        /// The visible part of the window's content.
        var visibleRect: CGRect
        var depth: Int

        func scrolled(_ area: CGRect) -> Region {
            var inner = self
            inner.visibleRect = visibleRect.intersection(area)
            return inner
        }
    }

    private mutating func add(_ element: Element, _ region: Region) {
        let inspectable = element as? any InspectableElement
        guard !element.isHidden, inspectable?.showsContent != false else { return }
        let frame = element.presentedFrame(now)
        var inner = region
        inner.transform = region.transform.translatedBy(x: frame.minX, y: frame.minY)
        let rect = CGRect(origin: .zero, size: frame.size).applying(inner.transform)
        if let widget = (element as? WidgetElement)?.widget {
            add(widget, inner)
            inner.depth += 1
        } else if let text = inspectable?.inspection {
            write(ElementInspector.kind(of: element), rect, [text], inner)
            inner.depth += 1
        }
        inner.transform = element.childTransform(frame.size).concatenating(inner.transform)
        for child in element.inDrawingOrder { add(child, inner) }
        // In a window, the widget of a scroll view is described instead.
        if let area = element as? ScrollElement, area.widget == nil {
            inner.transform = inner.transform.translatedBy(x: -area.offset.x, y: -area.offset.y)
            add(area.scrolledContent, inner.scrolled(rect))
        }
    }

    private mutating func add(_ widget: GTKWidget, _ region: Region) {
        let name = widget.styleName
        // Scroll bars appear and disappear by themselves.
        guard let content, widget.isVisible, widget.isChildVisible, name != "scrollbar",
            let rect = widget.bounds(in: content)
        else { return }
        if let surface = ElementWidget.owner(of: widget) as? ElementSurface {
            var inner = region
            inner.transform = CGAffineTransform(translationX: rect.minX, y: rect.minY)
            return add(surface.root, inner)
        }
        var inner = region
        if name == "scrolledwindow" {
            inner = region.scrolled(rect)
        } else if name != "viewport" {
            let states = [widget.isChecked ? ":checked" : "", widget.isSensitive ? "" : ":disabled"]
            let color = widget.textColor
            write(
                ([name] + widget.styleClasses).joined(separator: ".") + states.joined(), rect,
                [
                    widget.shownText?.inspection,
                    Color.Components(
                        red: Double(color.red), green: Double(color.green), blue: Double(color.blue),
                        opacity: Double(color.alpha)
                    ).inspection,
                ], region)
            inner.depth += 1
        }
        for child in widget.children { add(child, inner) }
    }

    private mutating func write(_ kind: String, _ rect: CGRect, _ details: [String?], _ region: Region) {
        guard rect.isFinite, rect.width > 0, rect.height > 0, rect.maxX > region.visibleRect.minX,
            rect.minX < region.visibleRect.maxX,
            rect.maxY > region.visibleRect.minY, rect.minY < region.visibleRect.maxY
        else { return }
        let pixel: (CGFloat) -> CGFloat = { [scale] in ($0 * scale).rounded() / scale }
        let (x, y) = (pixel(rect.minX), pixel(rect.minY))
        let numbers = [x, y, pixel(rect.maxX) - x, pixel(rect.maxY) - y].map { Double($0).inspection }
        let parts = [kind, "\(numbers[0]),\(numbers[1])", "\(numbers[2])×\(numbers[3])"] + details.compactMap { $0 }
        lines.append(
            String(repeating: "  ", count: region.depth) + parts.filter { !$0.isEmpty }.joined(separator: " "))
    }

    /// Returns the kind of an element, for example “Text”.
    private static func kind(of element: Element) -> String {
        let name = String(describing: type(of: element))
        return name.hasSuffix("Element") ? String(name.dropLast(7)) : name
    }
}

extension String {
    /// The text in quotation marks, on one line. A long text is cut off, and its length is added.
    var inspection: String {
        let line = String(map { $0.isNewline ? "⏎" : $0 })
        return line.count <= 160 ? "“\(line)”" : "“\(line.prefix(160))…” of \(count)"
    }
}

extension Double {
    /// The number with at most three decimal places.
    var inspection: String {
        let rounded = (self * 1000).rounded() / 1000
        return String(format: "%.10g", rounded == 0 ? 0 : rounded)
    }
}

extension Color.Components {
    /// The color as text: “#FF8000”, or “#FF800080” for half opacity.
    var inspection: String {
        let channels = (opacity < 1 ? [red, green, blue, opacity] : [red, green, blue]).map {
            String(format: "%02X", Int((Color.clamped($0) * 255).rounded()))
        }
        return "#" + channels.joined()
    }
}

extension Paint {
    var inspection: String {
        switch self {
        case .color(let color): color.inspection
        case .gradient(let stops, let geometry):
            "\(String(describing: geometry).prefix { $0 != "(" }) "
                + stops.map { "\($0.color.inspection) at \(Double($0.location).inspection)" }.joined(separator: ", ")
        }
    }
}

extension Font {
    /// The size of the font, and each property that differs from the default font.
    @MainActor var inspection: String {
        let facts = [
            Double((shownSize * 10).rounded() / 10).inspection, weight == .regular ? "" : "weight \(weight.value)",
            isItalic ? "italic" : "", design == .default ? "" : "\(design)", family ?? "",
        ]
        return facts.filter { !$0.isEmpty }.joined(separator: " ")
    }
}
