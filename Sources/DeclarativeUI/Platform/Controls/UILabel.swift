import Foundation
@_spi(Graph) import ViewGraph

/// A view that shows text. Modeled on UIKit's view.
@MainActor @preconcurrency
open class UILabel: UIView {
    struct Look: Equatable {
        var text = ""
        var font = Font.system(size: UIFont.labelFontSize)
        var color = Color(UIColor.label)
        var alignment = NSTextAlignment.natural
        var lines = 1
        var lineBreak = NSLineBreakMode.byTruncatingTail
    }
    let look = ControlValues(Look())

    /// Creates an empty label.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        isUserInteractionEnabled = false
        show(AnyView(LabelContent(look: look)))
    }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    private func change(_ body: (inout Look) -> Void) {
        var new = look.current
        body(&new)
        guard new != look.current else { return }
        look.current = new
        invalidateIntrinsicContentSize()
        superview?.setNeedsLayout()
    }

    /// The text, or nil for no text.
    open var text: String? {
        didSet {
            storedAttributedText = nil
            change { $0.text = text ?? "" }
        }
    }
    /// The attributed text. Only its characters are used, in the label's font and color. Setting it sets `text`, and
    /// setting `text` replaces it.
    open var attributedText: NSAttributedString? {
        get { storedAttributedText ?? text.map { NSAttributedString(string: $0) } }
        set {
            text = newValue?.string
            storedAttributedText = newValue
        }
    }
    private var storedAttributedText: NSAttributedString?
    /// The font. The default is the system font in 17 points.
    open var font: UIFont! = .systemFont(ofSize: UIFont.labelFontSize) {
        didSet { change { $0.font = (font ?? .systemFont(ofSize: UIFont.labelFontSize)).font } }
    }
    /// The color of the text. The default is `UIColor.label`.
    open var textColor: UIColor! = .label {
        didSet { change { $0.color = Color(textColor ?? .label) } }
    }
    /// The horizontal alignment of lines.
    open var textAlignment = NSTextAlignment.natural {
        didSet { change { $0.alignment = textAlignment } }
    }
    /// The maximum number of lines. 0 or less means no limit.
    open var numberOfLines = 1 {
        didSet { change { $0.lines = max(0, numberOfLines) } }
    }
    /// The treatment of text that is too long.
    open var lineBreakMode = NSLineBreakMode.byTruncatingTail {
        didSet { change { $0.lineBreak = lineBreakMode } }
    }
    /// Stored without effect: the font size does not change.
    open var adjustsFontSizeToFitWidth = false
    /// Stored without effect: the font size does not change.
    open var minimumScaleFactor: CGFloat = 0
    /// The width at which lines wrap when `intrinsicContentSize` is computed, in points. 0 means no limit.
    open var preferredMaxLayoutWidth: CGFloat = 0 {
        didSet { if preferredMaxLayoutWidth != oldValue { invalidateIntrinsicContentSize() } }
    }

    open override var intrinsicContentSize: CGSize {
        sizeThatFits(
            CGSize(width: preferredMaxLayoutWidth > 0 ? preferredMaxLayoutWidth : .infinity, height: .infinity))
    }
    /// Returns the size of the text in a given width, in points. With a width of 0, lines do not wrap.
    open override func sizeThatFits(_ size: CGSize) -> CGSize {
        let width = size.width > 0 && size.width.isFinite ? size.width : nil
        // The displayed content may not be up to date yet, so a separate host measures the text.
        let host = ViewHost(display: false)
        defer { host.close() }
        host.mount(LabelText(look: look.current), environment: Appearance.environment())
        let fittingSize = host.surface.root.sizeThatFits(ProposedViewSize(width: width, height: nil))
        return CGSize(width: fittingSize.width.rounded(.up), height: fittingSize.height.rounded(.up))
    }
}

/// The text of a label, without the space around it.
struct LabelText: View {
    let look: UILabel.Look
    var body: some View {
        Text(verbatim: look.text).font(look.font).foregroundStyle(look.color)
            .lineLimit(look.lines == 0 ? nil : look.lines).truncationMode(look.lineBreak.truncation)
            .multilineTextAlignment(look.alignment.lines(of: look.text))
    }
}

private struct LabelContent: View {
    let look: ControlValues<UILabel.Look>
    @Environment(\.layoutDirection) private var direction
    var body: some View {
        let shown = look.shown
        LabelText(look: shown)
            .frame(
                maxWidth: .infinity, maxHeight: .infinity,
                alignment: Alignment(horizontal: shown.alignment.position(in: direction), vertical: .center))
    }
}
