import Filters
import Foundation

/// A layer that draws text, from the top of its bounds. Core Animation's type; set and shaped by Pango.
open class CATextLayer: CALayer {
    /// Without text: nothing is drawn until `string` is set.
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

    /// A `String`, or the characters of an `AttributedString` or `NSAttributedString`; anything else is no text.
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
            // Pango reads C strings: what stands behind a zero would be lost.
            set { $0.string = plain.replacingOccurrences(of: "\0", with: "\u{FFFD}") }
        }
    }
    /// A font's name as a `String` ("Helvetica", "DejaVu Sans Bold Italic"); one that is not installed is replaced by
    /// what fontconfig finds closest.
    open var font: Any? {
        get { text.fontName }
        set {
            set {
                $0.fontName = (newValue as? String).map { $0.replacingOccurrences(of: "\0", with: "") } ?? "Helvetica"
            }
        }
    }
    /// Points; 36 at first, at most 4096.
    open var fontSize: CGFloat {
        get { text.fontSize }
        set { if newValue.isFinite { set { $0.fontSize = min(max(newValue, 0), 4096) } } }
    }
    /// White at first.
    open var foregroundColor: CGColor? {
        get { text.foregroundColor }
        set { set { $0.foregroundColor = newValue } }
    }
    /// Where lines lie between the left and right edges of the bounds; `.natural` at first.
    open var alignmentMode: CATextLayerAlignmentMode {
        get { text.alignment }
        set { set { $0.alignment = newValue } }
    }
    /// Where a line that is longer than the bounds are wide is cut; `.none` at first.
    open var truncationMode: CATextLayerTruncationMode {
        get { text.truncation }
        set { set { $0.truncation = newValue } }
    }
    /// Lines are broken at the width of the bounds.
    open var isWrapped: Bool {
        get { text.isWrapped }
        set { set { $0.isWrapped = newValue } }
    }
    /// How large the text is in the layer's width (wrapped) or on lines of any length; points.
    open func preferredFrameSize() -> CGSize {
        TextLayout(text, width: text.isWrapped && bounds.width > 0 ? bounds.width : nil)?.size ?? .zero
    }
}
