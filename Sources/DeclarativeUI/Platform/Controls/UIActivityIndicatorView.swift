import Foundation
@_spi(Graph) import ViewGraph

/// A wheel that turns while something is being done. UIKit's view; main actor.
@MainActor @preconcurrency
open class UIActivityIndicatorView: UIView {
    /// How large it is.
    public enum Style: Int, Sendable {
        /// 20 and 37 points.
        case medium = 100, large = 101
        var side: CGFloat { self == .large ? 37 : 20 }
    }
    fileprivate struct Look {
        var isAnimating = false
        var style = Style.medium
        var color: Color?
    }
    private let look = ControlValues(Look())

    /// Makes a wheel that does not turn, and is hidden.
    public init(style: Style) {
        super.init(frame: CGRect(x: 0, y: 0, width: style.side, height: style.side))
        look.current.style = style
        setUp()
    }
    /// Makes a wheel that does not turn, and is hidden.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        setUp()
    }
    public required init?(coder: NSCoder) { super.init(coder: coder) }
    private func setUp() {
        isHidden = hidesWhenStopped
        show(AnyView(WheelContent(look: look)))
    }

    /// Whether it turns.
    open var isAnimating: Bool { look.current.isAnimating }
    /// Turns, and is shown.
    open func startAnimating() { turn(true) }
    /// Stops, and is hidden where `hidesWhenStopped`.
    open func stopAnimating() { turn(false) }
    private func turn(_ turns: Bool) {
        if turns != isAnimating { look.current.isAnimating = turns }
        if turns { isHidden = false } else if hidesWhenStopped { isHidden = true }
    }
    /// Whether it is hidden while it does not turn.
    open var hidesWhenStopped = true { didSet { if !isAnimating { isHidden = hidesWhenStopped } } }
    /// How large it is.
    open var style: Style {
        get { look.current.style }
        set {
            look.current.style = newValue
            invalidateIntrinsicContentSize()
        }
    }
    /// Its color; nil is that of text.
    open var color: UIColor? { didSet { look.current.color = color.map { Color($0) } } }
    open override var intrinsicContentSize: CGSize { CGSize(width: style.side, height: style.side) }
    open override func sizeThatFits(_ size: CGSize) -> CGSize { intrinsicContentSize }
}

private struct WheelContent: View {
    let look: ControlValues<UIActivityIndicatorView.Look>
    var body: some View {
        let shown = look.shown
        ZStack {
            Color.clear
            if shown.isAnimating {
                ProgressView().controlSize(shown.style == .large ? .large : .regular).tint(shown.color)
                    .frame(width: shown.style.side, height: shown.style.side)
            }
        }
        .allowsHitTesting(false)
    }
}
