import CGTK
import Foundation
@_spi(Graph) import ViewGraph

/// The line spacing of a text, and the changes allowed to make the text fit.
struct TextFitting: Equatable {
    /// The space between lines in points.
    var spacing: CGFloat
    /// The smallest factor of the font size.
    var least: CGFloat
    var mayTighten: Bool

    init(_ environment: EnvironmentValues) {
        spacing = environment.lineSpacing
        least = environment.minimumScaleFactor
        mayTighten = environment.allowsTightening
    }

    struct Step: Equatable {
        var scale = 1.0
        var isTight = false
    }
    var mayChange: Bool { least < 1 || mayTighten }
    /// The allowed steps, from the unchanged text to the smallest.
    var steps: [Step] {
        var all = [Step()]
        if mayTighten { all.append(Step(isTight: true)) }
        var scale = 0.95
        while scale > least + 0.001 {
            all.append(Step(scale: scale, isTight: mayTighten))
            scale -= 0.05
        }
        if least < 1 { all.append(Step(scale: least, isTight: mayTighten)) }
        return all
    }
}

extension Text {
    /// Returns the text in uppercase or lowercase.
    func cased(_ textCase: Case?) -> Text {
        guard let textCase else { return self }
        return with(self) {
            for index in $0.runs.indices {
                let text = $0.runs[index].text
                $0.runs[index].text = textCase == .uppercase ? text.uppercased() : text.lowercased()
            }
        }
    }
}

extension TextElement {
    /// Draws a box in place of each line.
    func drawRedacted(_ layout: OpaquePointer, _ context: DrawContext) {
        guard let lines = pango_layout_get_iter(layout) else { return }
        defer { pango_layout_iter_free(lines) }
        repeat {
            var logical = PangoRectangle()
            pango_layout_iter_get_line_extents(lines, nil, &logical)
            let line = CGRect(
                x: Double(logical.x) / 1024, y: Double(logical.y) / 1024, width: Double(logical.width) / 1024,
                height: Double(logical.height) / 1024)
            context.redactedBox(line.insetBy(dx: 0, dy: line.height * 0.15), environment)
        } while pango_layout_iter_next_line(lines) != 0
    }
}
