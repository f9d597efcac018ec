import Foundation
@_spi(Graph) import ViewGraph

/// A spinner that shows that work is in progress. Modeled on UIKit's view.
@MainActor @preconcurrency
open class UIActivityIndicatorView: UIView {
    /// The size of a spinner.
    public enum Style: Int, Sendable {
        /// Sizes of 20 and 37 points.
        case medium = 100, large = 101
        var side: CGFloat { self == .large ? 37 : 20 }
    }
    fileprivate struct Look {
        var isAnimating = false
        var style = Style.medium
        var color: Color?
    }
    private let look = ControlValues(Look())

    /// Creates a hidden spinner that does not spin.
    public init(style: Style) {
        super.init(frame: CGRect(x: 0, y: 0, width: style.side, height: style.side))
        look.current.style = style
        setUp()
    }
    /// Creates a hidden spinner that does not spin.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        setUp()
    }
    public required init?(coder: NSCoder) { super.init(coder: coder) }
    private func setUp() {
        isHidden = hidesWhenStopped
        show(AnyView(WheelContent(look: look)))
    }

    /// Whether the spinner spins.
    open var isAnimating: Bool { look.current.isAnimating }
    /// Shows the spinner and starts it.
    open func startAnimating() { setAnimating(true) }
    /// Stops the spinner, and hides it if `hidesWhenStopped` is true.
    open func stopAnimating() { setAnimating(false) }
    private func setAnimating(_ isOn: Bool) {
        if isOn != isAnimating { look.current.isAnimating = isOn }
        if isOn { isHidden = false } else if hidesWhenStopped { isHidden = true }
    }
    /// Whether the spinner is hidden while it does not spin.
    open var hidesWhenStopped = true { didSet { if !isAnimating { isHidden = hidesWhenStopped } } }
    /// The size of the spinner.
    open var style: Style {
        get { look.current.style }
        set {
            look.current.style = newValue
            invalidateIntrinsicContentSize()
        }
    }
    /// The color of the spinner, or nil for the color of text.
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
