import Filters
import Foundation

/// A layer that draws text from the top of its bounds. Mirrors Core Animation's type of the same name. Pango lays out
/// the text.
///
/// ```swift
/// let title = CATextLayer()
/// title.string = "Live"
/// title.fontSize = 18
/// title.frame = CGRect(origin: CGPoint(x: 20, y: 20), size: title.preferredFrameSize())
/// layer.addSublayer(title)
/// ```
open class CATextLayer: CALayer {
    /// Creates a layer without text, which draws no text until `string` is set.
    public override init() {
        super.init()
        change { $0.text = TextValues() }
    }
    private func set(_ body: (inout TextValues) -> Void) {
        change { v in
            var text = v.text ?? TextValues()
            body(&text)
            v.text = text
        }
    }
    private var text: TextValues { values.text ?? TextValues() }

    /// The text: a `String`, or an `AttributedString` or `NSAttributedString`, whose attributes are ignored. Any other
    /// object is treated as empty text.
    open var string: Any? {
        get { text.string }
        set {
            let plain =
                switch newValue {
                case let string as String: string
                case let string as Substring: String(string)
                case let string as AttributedString: String(string.characters)
                case let string as NSAttributedString: string.string
                default: ""
                }
            // Pango reads C strings and would drop the text after a null character.
            set { $0.string = plain.replacingOccurrences(of: "\0", with: "\u{FFFD}") }
        }
    }
    /// The name of the font, as a `String` ("Helvetica", "DejaVu Sans Bold Italic"). If it is not installed, fontconfig
    /// chooses the closest font. The default is Helvetica. Nil, or an object of another type, sets the default.
    open var font: Any? {
        get { text.fontName }
        set {
            set {
                $0.fontName = (newValue as? String).map { $0.replacingOccurrences(of: "\0", with: "") } ?? "Helvetica"
            }
        }
    }
    /// The font size, in points, 0…4096, clamped. The default is 36. 0 draws no text.
    open var fontSize: CGFloat {
        get { text.fontSize }
        set { if newValue.isFinite { set { $0.fontSize = min(max(newValue, 0), 4096) } } }
    }
    /// The color of the text. The default is white; nil draws no text.
    open var foregroundColor: CGColor? {
        get { text.foregroundColor }
        set { set { $0.foregroundColor = newValue } }
    }
    /// The horizontal alignment of lines in the bounds. The default is `.natural`.
    open var alignmentMode: CATextLayerAlignmentMode {
        get { text.alignment }
        set { set { $0.alignment = newValue } }
    }
    /// The position at which lines wider than the bounds are truncated. The default is `.none`.
    open var truncationMode: CATextLayerTruncationMode {
        get { text.truncation }
        set { set { $0.truncation = newValue } }
    }
    /// Whether lines are wrapped at the width of the bounds. The default is false.
    open var isWrapped: Bool {
        get { text.isWrapped }
        set { set { $0.isWrapped = newValue } }
    }
    /// Returns the size of the text, in points: within the width of the bounds if wrapped, otherwise with lines of any
    /// length.
    open func preferredFrameSize() -> CGSize {
        TextLayout(text, width: text.isWrapped && bounds.width > 0 ? bounds.width : nil)?.size ?? .zero
    }
}
