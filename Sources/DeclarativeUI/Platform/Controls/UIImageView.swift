import Foundation
@_spi(Graph) import ViewGraph

/// A view that shows an image, or a sequence of images one after another. Modeled on UIKit's view.
///
/// ```swift
/// let poster = UIImageView(image: UIImage(named: "poster"))
/// poster.contentMode = .scaleAspectFill
/// poster.clipsToBounds = true
/// ```
/// Symbols and other template images have the view's `tintColor`. Gesture recognizers of the view receive input after
/// `isUserInteractionEnabled` is set to true. Assistive technology ignores the view.
@MainActor @preconcurrency
open class UIImageView: UIView {
    /// The displayed values.
    struct Look: Equatable {
        /// The current image, which is displayed while no animation runs.
        var image: UIImage?
        var mode = UIView.ContentMode.scaleToFill
        /// The latest animation, which may have ended.
        var playback: ImagePlayback?
        var isInWindow = false
    }
    let look = ControlValues(Look())
    /// Returns the current date.
    var date: () -> Date = { Date() }

    /// Creates a view without an image.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        setUp()
    }
    /// Creates a view as large as an image.
    /// - Parameter image: The image, or nil for none.
    public init(image: UIImage?) {
        super.init(frame: CGRect(origin: .zero, size: image?.size ?? .zero))
        self.image = image
        setUp()
    }
    /// Creates a view as large as an image, with another image for the highlighted state.
    /// - Parameters:
    ///   - image: The image, or nil for none.
    ///   - highlightedImage: The image while `isHighlighted` is true, or nil for `image`.
    public init(image: UIImage?, highlightedImage: UIImage?) {
        super.init(frame: CGRect(origin: .zero, size: image?.size ?? .zero))
        self.image = image
        self.highlightedImage = highlightedImage
        setUp()
    }
    public required init?(coder: NSCoder) { super.init(coder: coder) }
    private func setUp() {
        isUserInteractionEnabled = false
        // In an initializer, the observers of the properties are not called.
        imageChanged()
        showContent()
    }
    /// Shows the image in this view.
    func showContent() { show(AnyView(ImageViewContent(look: look))) }

    // MARK: images

    /// The image, or nil for none. It is also displayed before and after an animation.
    open var image: UIImage? { didSet { imageChanged() } }
    /// The image while `isHighlighted` is true, or nil for `image`.
    open var highlightedImage: UIImage? { didSet { imageChanged() } }
    /// Whether `highlightedImage` is displayed.
    open var isHighlighted = false { didSet { imageChanged() } }
    private func imageChanged() {
        let new = isHighlighted ? highlightedImage ?? image : image
        let old = look.current.image
        guard new != old else { return }
        look.current.image = new
        guard new?.size != old?.size else { return }
        invalidateIntrinsicContentSize()
        superview?.setNeedsLayout()
    }
    /// The position and scale of the image in the bounds. The default is `scaleToFill`.
    ///
    /// An image that is larger than the bounds exceeds them unless `clipsToBounds` is true. The modes for edges and
    /// corners place the image there, in its own size.
    open override var contentMode: UIView.ContentMode {
        didSet { if contentMode != oldValue { look.current.mode = contentMode } }
    }

    // MARK: animation

    /// The images that `startAnimating()` displays one after another, or nil for none. Setting them stops an animation.
    open var animationImages: [UIImage]? { didSet { stopAnimating() } }
    /// The duration of one cycle through `animationImages`, in seconds. The default is 0. With a value that is not
    /// greater than 0 or not finite, each image is displayed for 1/30 s.
    ///
    /// An image is displayed for at least 0.01 s. A change applies to the next `startAnimating()`.
    open var animationDuration: TimeInterval = 0
    /// The number of cycles. With 0, which is the default, or less, the animation runs until `stopAnimating()`. A
    /// change applies to the next `startAnimating()`.
    open var animationRepeatCount = 0
    /// Whether an animation runs. False after the last cycle.
    open var isAnimating: Bool { look.current.playback.map { date() < $0.end } ?? false }
    /// Starts the animation at the first image. Has no effect without `animationImages`.
    open func startAnimating() {
        guard let images = animationImages, !images.isEmpty else { return }
        look.current.playback = ImagePlayback(
            images.map(\.inMemory), start: date(), duration: animationDuration, repeatCount: animationRepeatCount)
    }
    /// Stops the animation and displays `image`.
    open func stopAnimating() { if look.current.playback != nil { look.current.playback = nil } }
    override func changedWindow() {
        setInWindow(shownWindow != nil)
        super.changedWindow()
    }
    /// Starts and stops the updates of an animation, which are not needed outside of windows.
    final func setInWindow(_ isInWindow: Bool) {
        if isInWindow != look.current.isInWindow { look.current.isInWindow = isInWindow }
    }

    // MARK: size

    /// The size of the current image, in points.
    open override var intrinsicContentSize: CGSize { look.current.image?.size ?? super.intrinsicContentSize }
    /// Returns the size of the current image, in points, or the current size if there is no image.
    open override func sizeThatFits(_ size: CGSize) -> CGSize {
        look.current.image?.size ?? super.sizeThatFits(size)
    }
}

/// An animation that displays images one after another.
struct ImagePlayback: Equatable, TimelineSchedule {
    let images: [UIImage]
    let start: Date
    /// The duration of one image in seconds.
    let step: TimeInterval
    /// The number of images in all cycles, or nil without an end.
    let count: Double?

    /// Creates an animation.
    /// - Parameters:
    ///   - images: The images, at least one.
    ///   - start: The date of the first image.
    ///   - duration: The duration of one cycle in seconds. If it is not positive or not finite, an image takes 1/30 s.
    ///   - repeatCount: The number of cycles. 0 or less means no end.
    init(_ images: [UIImage], start: Date, duration: TimeInterval, repeatCount: Int) {
        self.images = images
        self.start = start
        let isValid = duration > 0 && duration.isFinite
        step = max(0.01, isValid ? duration / Double(images.count) : 1 / 30)
        count = repeatCount > 0 ? Double(images.count) * Double(repeatCount) : nil
    }
    /// The date after the last image.
    var end: Date { count.map { start.addingTimeInterval(step * $0) } ?? .distantFuture }
    /// Returns the image at a date of the schedule, or nil after the end.
    func image(at date: Date) -> UIImage? {
        let number = max(0, (date.timeIntervalSince(start) / step).rounded())
        if let count, number >= count { return nil }
        return images[Int(number.truncatingRemainder(dividingBy: Double(images.count)))]
    }
    func entries(from startDate: Date, mode: Mode) -> LazyPrefixWhileSequence<PeriodicTimelineSchedule.Entries> {
        let end = end
        return PeriodicTimelineSchedule(from: start, by: step).entries(from: startDate, mode: mode).lazy
            .prefix { $0 <= end }
    }
}

/// The image of an image view: the current image or that of an animation, in the content mode.
struct ImageFace: View {
    let look: UIImageView.Look
    /// The rendering mode of images whose own mode is `automatic`. Nil means the default of views.
    var rendering: Image.TemplateRenderingMode?
    /// Whether a symbol has the size of the text around it, with the space around its drawing.
    var keepsSpace = false
    @Environment(\.layoutDirection) private var direction

    var body: some View {
        // The image does not determine the size of the area.
        Color.clear.overlay(alignment: look.mode.alignment(direction)) {
            if let playback = look.playback, look.isInWindow {
                TimelineView(playback) { context in scaled(playback.image(at: context.date) ?? look.image) }
            } else {
                scaled(look.image)
            }
        }
    }
    @ViewBuilder private func scaled(_ uiImage: UIImage?) -> some View {
        if let uiImage {
            let automatic = with(Image(uiImage: uiImage)) { $0.keepsSpace = keepsSpace }
            let image = uiImage.renderingMode == .automatic ? automatic.renderingMode(rendering) : automatic
            switch look.mode {
            case .scaleToFill, .redraw: image.resizable()
            case .scaleAspectFit: image.resizable().scaledToFit()
            case .scaleAspectFill: image.resizable().scaledToFill()
            case .center, .top, .bottom, .left, .right, .topLeft, .topRight, .bottomLeft, .bottomRight:
                if uiImage.isSymbolImage, !keepsSpace {
                    image.resizable().frame(width: uiImage.size.width, height: uiImage.size.height)
                } else {
                    image
                }
            }
        }
    }
}

extension UIView.ContentMode {
    /// Returns the alignment of an image. Left and right do not depend on the layout direction, which swaps the
    /// alignments `leading` and `trailing`.
    fileprivate func alignment(_ direction: LayoutDirection) -> Alignment {
        let (left, right) = (HorizontalAlignment.left(in: direction), HorizontalAlignment.right(in: direction))
        return switch self {
        case .scaleToFill, .redraw, .scaleAspectFit, .scaleAspectFill, .center: .center
        case .top: .top
        case .bottom: .bottom
        case .left: Alignment(horizontal: left, vertical: .center)
        case .right: Alignment(horizontal: right, vertical: .center)
        case .topLeft: Alignment(horizontal: left, vertical: .top)
        case .topRight: Alignment(horizontal: right, vertical: .top)
        case .bottomLeft: Alignment(horizontal: left, vertical: .bottom)
        case .bottomRight: Alignment(horizontal: right, vertical: .bottom)
        }
    }
}

/// The content of a `UIImageView`.
struct ImageViewContent: View {
    let look: ControlValues<UIImageView.Look>
    var body: some View {
        ImageFace(look: look.shown)
            .foregroundStyle(TintShapeStyle())
            .contentShape(Rectangle())
            .accessibilityHidden(true)
    }
}
