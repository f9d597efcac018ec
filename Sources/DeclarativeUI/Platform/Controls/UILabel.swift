import Foundation
@_spi(Graph) import ViewGraph

/// A text that is shown. UIKit's view; main actor.
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
    private let look = ControlValues(Look())

    /// Makes a label without text.
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

    /// The text; nil is none.
    open var text: String? {
        didSet { change { $0.text = text ?? "" } }
    }
    /// The characters are shown in the label's own font and color; setting it sets `text`.
    open var attributedText: NSAttributedString? {
        didSet { text = attributedText?.string }
    }
    /// The font; 17 points if not set.
    open var font: UIFont! = .systemFont(ofSize: UIFont.labelFontSize) {
        didSet { change { $0.font = (font ?? .systemFont(ofSize: UIFont.labelFontSize)).font } }
    }
    /// The color of the text; `UIColor.label` if not set.
    open var textColor: UIColor! = .label {
        didSet { change { $0.color = Color(textColor ?? .label) } }
    }
    /// Where lines lie between the left and right edge.
    open var textAlignment = NSTextAlignment.natural {
        didSet { change { $0.alignment = textAlignment } }
    }
    /// How many lines at most; 0 is as many as needed.
    open var numberOfLines = 1 {
        didSet { change { $0.lines = max(0, numberOfLines) } }
    }
    /// What becomes of text that is too long.
    open var lineBreakMode = NSLineBreakMode.byTruncatingTail {
        didSet { change { $0.lineBreak = lineBreakMode } }
    }
    /// Kept, of no effect: text keeps its size.
    open var adjustsFontSizeToFitWidth = false
    /// The same as `adjustsFontSizeToFitWidth`.
    open var minimumScaleFactor: CGFloat = 0
    /// The width at which lines are broken to find `intrinsicContentSize`, points; 0 is none.
    open var preferredMaxLayoutWidth: CGFloat = 0 {
        didSet { if preferredMaxLayoutWidth != oldValue { invalidateIntrinsicContentSize() } }
    }

    open override var intrinsicContentSize: CGSize {
        sizeThatFits(
            CGSize(width: preferredMaxLayoutWidth > 0 ? preferredMaxLayoutWidth : .infinity, height: .infinity))
    }
    /// The size of the text in a width, points; one of 0 is as wide as the text is.
    open override func sizeThatFits(_ size: CGSize) -> CGSize {
        let width = size.width > 0 && size.width.isFinite ? size.width : nil
        // What is shown may not have followed yet.
        let host = ViewHost(display: false)
        defer { host.close() }
        host.mount(LabelText(look: look.current), environment: Appearance.environment())
        let fitting = host.surface.root.sizeThatFits(ProposedViewSize(width: width, height: nil))
        return CGSize(width: fitting.width.rounded(.up), height: fitting.height.rounded(.up))
    }
}

private struct LabelText: View {
    let look: UILabel.Look
    var body: some View {
        Text(verbatim: look.text).font(look.font).foregroundStyle(look.color)
            .lineLimit(look.lines == 0 ? nil : look.lines).truncationMode(look.lineBreak.truncation)
            .multilineTextAlignment(look.alignment.alignment)
    }
}

private struct LabelContent: View {
    let look: ControlValues<UILabel.Look>
    var body: some View {
        let shown = look.shown
        LabelText(look: shown)
            .frame(
                maxWidth: .infinity, maxHeight: .infinity,
                alignment: Alignment(horizontal: shown.alignment.horizontal, vertical: .center))
    }
}
