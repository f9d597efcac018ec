import Foundation
@_spi(Graph) import ViewGraph

/// A button with a title and an image, implemented with GtkButton. Modeled on UIKit's control.
///
/// ```swift
/// let button = UIButton(type: .system)
/// button.setTitle("Play", for: .normal)
/// button.setImage(UIImage(systemName: "play.fill"), for: .normal)
/// button.addAction(UIAction { _ in player.play() }, for: .touchUpInside)
/// ```
/// A click, or Space or Return while the button has the keyboard focus, sends `touchUpInside` and
/// `primaryActionTriggered`. Swift on Linux has no selectors, so there is no `addTarget`.
///
/// The title and the image are drawn by the button itself: `titleLabel` and `imageView` are not among its `subviews`.
/// There is no `appearance()`; set `tintColor` of the window or of a view around the buttons.
@MainActor @preconcurrency
open class UIButton: UIControl {
    /// The look of a button without a configuration. Modeled on UIKit's type.
    public enum ButtonType: Int, Sendable {
        /// White text that does not change with the state, unless the app sets other values. While the button is
        /// disabled or pressed, the image is dimmed unless the app has set one for that state.
        case custom = 0
        /// Text and image in the tint color. While the button is disabled or pressed, both are dimmed unless the app
        /// has set a title color for that state. While the button is selected, its background has the tint color,
        /// unless the app has set a title color or an image for that state.
        case system
        /// The system type with an information symbol.
        case detailDisclosure, infoLight, infoDark
        /// The system type with a plus sign.
        case contactAdd
        /// The system type with a cross.
        case close = 7

        /// The name of the old type with round corners, which is the system type.
        public static var roundedRect: ButtonType { .system }
        fileprivate var symbol: String? {
            switch self {
            case .custom, .system: nil
            case .detailDisclosure, .infoLight, .infoDark: "info.circle"
            case .contactAdd: "plus.circle"
            case .close: "xmark.circle.fill"
            }
        }
    }
    /// A closure that changes the configuration of a button for its state. Runs on the main actor.
    public typealias ConfigurationUpdateHandler = @MainActor (UIButton) -> Void

    /// The values that the app has set for one state.
    private struct Contents {
        var title: String?
        var titleColor: UIColor?
        var image: UIImage?
        var backgroundImage: UIImage?
    }
    private var contents: [State: Contents] = [:]
    /// The displayed look.
    let look = ControlValues(Look())
    private let label = ButtonTitleLabel(frame: .zero)
    private let picture = ButtonImageView(frame: .zero)

    /// The type of the button.
    public private(set) final var buttonType = ButtonType.custom

    /// Creates a button of the custom type.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        label.button = self
        label.lineBreakMode = .byTruncatingMiddle
        label.textAlignment = .center
        label.font = .systemFont(ofSize: UIFont.buttonFontSize)
        picture.button = self
        touches.onPress = { [weak self] in self?.follow($0) }
        show(AnyView(ButtonContent(button: self, look: look, label: label.look, picture: picture.look)))
        refresh()
    }
    public required init?(coder: NSCoder) { super.init(coder: coder) }
    /// Creates a button of a type.
    public convenience init(type buttonType: ButtonType) { self.init(type: buttonType, primaryAction: nil) }
    /// Creates a button of a type that shows the title and the image of its action.
    /// - Parameters:
    ///   - buttonType: The type.
    ///   - primaryAction: The action for `primaryActionTriggered`, or nil for none.
    public convenience init(type buttonType: ButtonType = .system, primaryAction: UIAction?) {
        self.init(frame: .zero)
        self.buttonType = buttonType
        if buttonType != .custom { label.font = .systemFont(ofSize: 15) }
        if let name = buttonType.symbol { contents[.normal, default: Contents()].image = UIImage(systemName: name) }
        if let primaryAction { adopt(primaryAction) }
        refresh()
    }
    /// Creates a button with a configuration. The title and the image of the action are shown where the configuration
    /// has none.
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - primaryAction: The action for `primaryActionTriggered`, or nil for none.
    public convenience init(configuration: Configuration, primaryAction: UIAction? = nil) {
        self.init(frame: .zero)
        buttonType = .system
        if let primaryAction { adopt(primaryAction) }
        self.configuration = configuration
        // In an initializer, the observer of the property is not called.
        configurationChanged()
    }
    override func adopt(_ primaryAction: UIAction) {
        super.adopt(primaryAction)
        var normal = contents[.normal] ?? Contents()
        if !primaryAction.title.isEmpty { normal.title = primaryAction.title }
        if let image = primaryAction.image { normal.image = image }
        contents[.normal] = normal
        refresh()
    }

    // MARK: contents for states

    private func change(_ state: State, _ body: (inout Contents) -> Void) {
        body(&contents[state, default: Contents()])
        refresh()
    }
    private func value<Value>(
        _ state: State, _ keyPath: KeyPath<Contents, Value?>, orOf configured: Value? = nil
    ) -> Value? {
        let own = state == .normal ? nil : contents[state]?[keyPath: keyPath]
        return own ?? configured ?? contents[.normal]?[keyPath: keyPath]
    }

    /// Sets the title for a state. A state without a title of its own has the title for `normal`.
    ///
    /// In a button with a configuration, the title for `normal` also becomes the title of the configuration. Other
    /// titles replace it while the button has their state.
    open func setTitle(_ title: String?, for state: State) {
        change(state) { $0.title = title }
        if state == .normal { configuration?.title = title }
    }
    /// Sets the color of the title for a state. A state without a color of its own has the color for `normal`.
    ///
    /// Has no effect on a button with a configuration, whose color is `baseForegroundColor`.
    open func setTitleColor(_ color: UIColor?, for state: State) { change(state) { $0.titleColor = color } }
    /// Sets the image for a state. A state without an image of its own has the image for `normal`.
    ///
    /// In a button with a configuration, the image for `normal` also becomes the image of the configuration. Other
    /// images replace it while the button has their state.
    open func setImage(_ image: UIImage?, for state: State) {
        change(state) { $0.image = image }
        if state == .normal { configuration?.image = image }
    }
    /// Sets the image behind the title for a state, which is stretched to the button's size. A state without an image
    /// of its own has the image for `normal`.
    open func setBackgroundImage(_ image: UIImage?, for state: State) { change(state) { $0.backgroundImage = image } }

    /// Returns the title for a state, or nil if the app has set none.
    open func title(for state: State) -> String? { value(state, \.title) }
    /// Returns the color of the title for a state, or nil if the app has set none.
    open func titleColor(for state: State) -> UIColor? { value(state, \.titleColor) }
    /// Returns the image for a state, or nil if the app has set none.
    open func image(for state: State) -> UIImage? { value(state, \.image) }
    /// Returns the image behind the title for a state, or nil if the app has set none.
    open func backgroundImage(for state: State) -> UIImage? { value(state, \.backgroundImage) }

    /// The displayed title.
    open var currentTitle: String? { value(state, \.title, orOf: configuration?.title) }
    /// The color of the displayed title.
    open var currentTitleColor: UIColor { label.textColor ?? .label }
    /// The displayed image.
    open var currentImage: UIImage? { value(state, \.image, orOf: configuration?.image) }
    /// The displayed image behind the title.
    open var currentBackgroundImage: UIImage? { backgroundImage(for: state) }
    /// The label of the title, whose font, number of lines and line breaks can be changed. It is not a subview.
    ///
    /// The button sets the text and the color for each state. A configuration also determines the font.
    open var titleLabel: UILabel? { label }
    /// The view of the image, whose content mode, tint color and animation can be changed. It is not a subview.
    ///
    /// The button sets the image for each state. The content mode applies when the button is smaller than the image,
    /// and with the alignments `fill`.
    open var imageView: UIImageView? { picture }

    /// The space around image and title of a button without a configuration, in points.
    open var contentEdgeInsets = UIEdgeInsets.zero { didSet { if contentEdgeInsets != oldValue { refresh() } } }

    // MARK: configuration

    /// The contents and the look of the button, or nil for the look of `buttonType`.
    ///
    /// If the configuration has no title or no image, the button shows the one that was set for its state.
    open var configuration: Configuration? {
        didSet {
            if configuration != oldValue { configurationChanged() }
        }
    }
    private func configurationChanged() {
        refresh()
        setNeedsUpdateConfiguration()
    }
    /// A closure that changes the configuration for the button's state, or nil for none.
    ///
    /// Called on the main actor before the next layout after it is set, after a change of the state or of the
    /// configuration, and after `setNeedsUpdateConfiguration()`. Changes that the closure makes do not call it again.
    open var configurationUpdateHandler: ConfigurationUpdateHandler? { didSet { setNeedsUpdateConfiguration() } }
    /// Whether a change of the state updates the configuration. The default is true.
    open var automaticallyUpdatesConfiguration = true
    /// Requests a call of `updateConfiguration()` before the next layout.
    open func setNeedsUpdateConfiguration() {
        guard !needsUpdate, !isUpdating else { return }
        needsUpdate = true
        setNeedsLayout()
        OnMain.later { [weak self] in self?.updateIfNeeded() }
    }
    private var needsUpdate = false, isUpdating = false
    private func updateIfNeeded() {
        guard needsUpdate else { return }
        // Changes by the handler do not call the handler again.
        (needsUpdate, isUpdating) = (false, true)
        updateConfiguration()
        isUpdating = false
    }
    /// Updates the configuration for the current state. Calls `configurationUpdateHandler`.
    open func updateConfiguration() { configurationUpdateHandler?(self) }

    override func lookChanged() {
        refresh()
        if automaticallyUpdatesConfiguration { setNeedsUpdateConfiguration() }
    }
    /// Updates the look after a change of the tint color of `imageView`.
    fileprivate func imageTintChanged() { refresh() }
    open override func tintColorDidChange() {
        super.tintColorDidChange()
        // The widget has been created again, so the end of a press is not reported.
        cancelPress()
        refresh()
    }
    override func changedWindow() {
        cancelPress()
        picture.setInWindow(shownWindow != nil)
        super.changedWindow()
    }
    open override func layoutSubviews() {
        updateIfNeeded()
        super.layoutSubviews()
    }

    // MARK: menu

    /// The menu of the button, or nil for none. A secondary click opens the menu. If `showsMenuAsPrimaryAction` is
    /// true, a primary click opens it instead.
    open var menu: UIMenu? { didSet { if menu !== oldValue { refresh() } } }
    /// Whether a click, Space or Return opens `menu`. The button then sends no events. Has no effect without a menu.
    open var showsMenuAsPrimaryAction = false { didSet { if showsMenuAsPrimaryAction != oldValue { refresh() } } }

    // MARK: events

    /// Whether `touchDown` has been sent, but none of the events for the end of the press.
    private var isPressOpen = false
    /// Handles the beginning and the end of a press.
    final func pressed(_ isPressed: Bool) {
        guard isPressed != isTracking else { return }
        if isPressed { endPress(with: .touchUpOutside) }
        isTracking = isPressed
        if isPressed {
            isPressOpen = true
            sendActions(for: .touchDown)
        } else {
            // If the press ends inside the button, GTK reports the click after this call, in the same event.
            OnMain.later { [weak self] in
                if let self, !isTracking { endPress(with: .touchUpOutside) }
            }
        }
    }
    /// Handles a click, or the activation by a key.
    final func clicked() {
        isPressOpen = false
        sendActions(for: [.touchUpInside, .primaryActionTriggered])
    }
    /// Whether a press is in progress that GTK's button does not receive.
    private var isPressedOutside = false
    /// The distance from the button up to which the end of such a press is a click, in points.
    private static let slack: CGFloat = 70
    /// Handles a press in the area of `point(inside:with:)`, outside of GTK's button.
    final func follow(_ press: OutsidePress) {
        func isNear(_ point: CGPoint) -> Bool {
            self.point(inside: point, with: nil)
                || bounds.insetBy(dx: -UIButton.slack, dy: -UIButton.slack).contains(point)
        }
        switch press {
        case .moved(let point):
            guard isEnabled, !(showsMenuAsPrimaryAction && menu != nil) else { return }
            if !isPressedOutside {
                isPressedOutside = true
                pressed(true)
            }
            if isHighlighted != isNear(point) { isHighlighted = isNear(point) }
        case .ended(let point):
            guard isPressedOutside else { return }
            isPressedOutside = false
            pressed(false)
            if isEnabled, isNear(point) { clicked() }
        case .cancelled:
            guard isPressedOutside else { return }
            cancelPress()
        }
    }
    private func cancelPress() {
        isPressedOutside = false
        isTracking = false
        endPress(with: .touchCancel)
    }
    private func endPress(with event: Event) {
        guard isPressOpen else { return }
        isPressOpen = false
        sendActions(for: event)
    }

    // MARK: size

    open override var intrinsicContentSize: CGSize {
        updateIfNeeded()
        let host = ViewHost(display: false)
        defer { host.close() }
        host.mount(
            ButtonFace(look: look.current, label: label.look.current, picture: picture.look.current),
            environment: Appearance.environment())
        let size = host.surface.root.sizeThatFits(.unspecified)
        return CGSize(width: size.width.rounded(.up), height: size.height.rounded(.up))
    }
    /// Returns the size of image and title with the space around them, in points.
    open override func sizeThatFits(_ size: CGSize) -> CGSize { intrinsicContentSize }
    fileprivate func sizeChanged() {
        invalidateIntrinsicContentSize()
        superview?.setNeedsLayout()
    }

    // MARK: look

    /// Updates the displayed look to the current properties.
    private func refresh() {
        var new = configuration.map(configuredLook) ?? ownLook
        new.isEnabled = isEnabled
        new.menu = MenuReference(menu: menu)
        new.showsMenu = showsMenuAsPrimaryAction && menu != nil
        new.backgroundImage = currentBackgroundImage
        (new.horizontal, new.vertical) = (contentHorizontalAlignment, verticalPosition)
        if let tint = picture.chosenTintColor { new.imageColor = Color(tint) }
        new.fillsWidth = contentHorizontalAlignment == .fill
        new.fillsHeight = contentVerticalAlignment == .fill
        let old = look.current
        guard new != old else { return }
        look.current = new
        if new.layout != old.layout { sizeChanged() }
    }
    private func setContents(_ text: String?, _ color: UIColor, _ image: UIImage?) {
        if label.text != text { label.text = text }
        if label.textColor != color { label.textColor = color }
        if picture.image != image { picture.image = image }
    }

    private func configuredLook(_ configuration: Configuration) -> Look {
        var configuration = configuration
        (configuration.title, configuration.image) = (currentTitle, currentImage)
        let colors = configuration.colors(for: state, tint: chosenTintColor)
        let font = configuration.buttonSize.font
        if label.font != font { label.font = font }
        setContents(configuration.title, colors.foreground, configuration.image)
        var look = Look()
        look.layout = Look.Layout(
            hasTitle: configuration.title?.isEmpty == false, subtitle: configuration.subtitle ?? "",
            subtitleFont: configuration.buttonSize.subtitleFont.font,
            showsSpinner: configuration.showsActivityIndicator, edge: configuration.imageEdge,
            imagePadding: configuration.imagePadding, titlePadding: configuration.titlePadding,
            alignment: configuration.textAlignment, insets: EdgeInsets(configuration.contentInsets))
        look.imageColor = Color(colors.foreground)
        look.background = Color(colors.background)
        look.cornerRadius = configuration.cornerRadius
        look.strokeWidth = max(0, configuration.background.strokeWidth)
        look.strokeColor = Color(configuration.background.strokeColor ?? tintColor ?? .tintColor)
        look.opacity = isHighlighted ? 0.75 : 1
        return look
    }

    private var ownLook: Look {
        let (state, isSystem) = (state, buttonType != .custom)
        let own = contents[state]
        let tint: UIColor = tintColor ?? .tintColor
        var color = titleColor(for: state) ?? (isSystem ? tint : .white)
        var look = Look()
        look.imageColor = Color(tint)
        // On Apple's platforms, a selected button of the system type has a background in the tint color.
        if isSystem, state.contains(.selected), own?.titleColor == nil, own?.image == nil {
            look.background = Color(tint)
            color = .readable(on: chosenTintColor)
            look.imageColor = Color(color)
        }
        if !state.isDisjoint(with: [.disabled, .highlighted]) {
            let opacity = state.contains(.disabled) ? 0.35 : 0.3
            if isSystem {
                if own?.titleColor == nil { look.opacity = opacity }
            } else if own?.image == nil {
                look.imageOpacity = 0.5
            }
        }
        let text = title(for: state)
        setContents(text, color, image(for: state))
        look.layout = Look.Layout(hasTitle: text?.isEmpty == false, insets: EdgeInsets(contentEdgeInsets))
        look.isTemplate = isSystem
        return look
    }

    private var verticalPosition: VerticalAlignment {
        switch contentVerticalAlignment {
        case .top: .top
        case .bottom: .bottom
        case .center, .fill: .center
        }
    }
}

extension UIFont {
    /// The size of titles of buttons of the custom type, in points.
    public static let buttonFontSize: CGFloat = 18
}

/// The label of a button's title, which reports changes of its size to the button.
private final class ButtonTitleLabel: UILabel {
    weak var button: UIButton?
    override func invalidateIntrinsicContentSize() {
        super.invalidateIntrinsicContentSize()
        button?.sizeChanged()
    }
}

/// The view of a button's image, which reports changes of its size and its tint color to the button.
private final class ButtonImageView: UIImageView {
    weak var button: UIButton?
    /// Shows nothing, because the button draws the image.
    override func showContent() {}
    override func invalidateIntrinsicContentSize() {
        super.invalidateIntrinsicContentSize()
        button?.sizeChanged()
    }
    override func tintColorDidChange() {
        super.tintColorDidChange()
        button?.imageTintChanged()
    }
}
