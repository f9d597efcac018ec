import Foundation
import Zoetrope

// UIKit's controls and gesture recognizers as apps for iOS use them.

final class FilmBar: UIView, UIGestureRecognizerDelegate, UITextViewDelegate {
    let slider = UISlider()
    let time = UILabel()
    let notes = UITextView()
    let wheel = UIActivityIndicatorView(style: .large)
    private let pan = UIPanGestureRecognizer()

    override init(frame: CGRect) {
        super.init(frame: frame)
        setUp()
    }
    required init?(coder: NSCoder) { super.init(coder: coder) }

    private func setUp() {
        slider.minimumValue = 0
        slider.maximumValue = 100
        slider.minimumTrackTintColor = .systemRed
        slider.isContinuous = false
        slider.addAction(UIAction { [weak self] _ in self?.seek() }, for: .valueChanged)
        time.text = "0:00"
        time.font = .monospacedDigitSystemFont(ofSize: 13, weight: .medium)
        time.textColor = .secondaryLabel
        time.textAlignment = .center
        time.numberOfLines = 0
        notes.isEditable = false
        notes.delegate = self
        wheel.hidesWhenStopped = true
        wheel.color = .white
        for view in [slider, time, notes, wheel] {
            view.translatesAutoresizingMaskIntoConstraints = false
            addSubview(view)
        }
        let tap = UITapGestureRecognizer { [weak self] tap in
            if tap.state == .ended { self?.time.text = "\(tap.location(in: self).x)" }
        }
        let twice = UITapGestureRecognizer { [weak self] _ in self?.wheel.startAnimating() }
        twice.numberOfTapsRequired = 2
        tap.require(toFail: twice)
        pan.addHandler { [weak self] in self?.dragged() }
        pan.delegate = self
        for recognizer in [tap, twice, pan] { addGestureRecognizer(recognizer) }
        let press = UILongPressGestureRecognizer { press in if press.state == .began {} }
        press.minimumPressDuration = 0.4
        addGestureRecognizer(press)
        let swipe = UISwipeGestureRecognizer { _ in }
        swipe.direction = [.left, .right]
        addGestureRecognizer(swipe)
        addGestureRecognizer(UIPinchGestureRecognizer { pinch in pinch.scale = 1 })
        addGestureRecognizer(UIRotationGestureRecognizer { turn in turn.rotation = 0 })
    }
    private func seek() { wheel.stopAnimating() }
    private func dragged() {
        center.x += pan.translation(in: superview).x
        pan.setTranslation(.zero, in: superview)
    }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool { true }
    func textViewDidChange(_ textView: UITextView) { time.text = textView.text }
}

/// UIKit's buttons, with and without a configuration.
final class ButtonBar: UIView {
    lazy var pipButton: UIButton = {
        let button = UIButton(frame: .zero)
        button.translatesAutoresizingMaskIntoConstraints = false
        button.setImage(AVPictureInPictureController.pictureInPictureButtonStartImage, for: .normal)
        button.setImage(AVPictureInPictureController.pictureInPictureButtonStopImage, for: .selected)
        button.setTitle("Pip", for: .normal)
        button.setTitleColor(.systemBlue, for: .normal)
        button.setTitleColor(.systemGray, for: [.disabled, .selected])
        button.setBackgroundImage(UIImage(named: "ground"), for: .highlighted)
        button.titleLabel?.font = .boldSystemFont(ofSize: UIFont.buttonFontSize)
        button.titleLabel?.numberOfLines = 2
        button.imageView?.contentMode = .scaleAspectFit
        button.imageView?.tintColor = .systemRed
        button.contentHorizontalAlignment = .leading
        button.contentVerticalAlignment = .center
        button.contentEdgeInsets = UIEdgeInsets(top: 4, left: 8, bottom: 4, right: 8)
        button.addAction(UIAction { action in (action.sender as? UIButton)?.isSelected.toggle() }, for: .touchUpInside)
        return button
    }()
    let close = UIButton(type: .close)
    let plain = UIButton(type: .system, primaryAction: UIAction(title: "Play") { _ in })

    func configured() -> UIButton {
        var configuration = UIButton.Configuration.tinted()
        configuration.title = "Play"
        configuration.subtitle = "from the start"
        configuration.titleAlignment = .leading
        configuration.titlePadding = 2
        configuration.image = UIImage(systemName: "play.fill")
        configuration.imagePadding = 8
        configuration.imagePlacement = .trailing
        configuration.baseForegroundColor = .white
        configuration.baseBackgroundColor = .systemIndigo
        configuration.contentInsets = NSDirectionalEdgeInsets(top: 8, leading: 12, bottom: 8, trailing: 12)
        configuration.cornerStyle = .capsule
        configuration.buttonSize = .large
        configuration.background.strokeColor = .white
        configuration.background.strokeWidth = 1
        let button = UIButton(configuration: configuration, primaryAction: nil)
        button.configurationUpdateHandler = { button in
            button.configuration?.showsActivityIndicator = button.isSelected
            button.configuration?.title = button.state.contains(.highlighted) ? "…" : "Play"
        }
        button.menu = UIMenu(children: [plain, close].map { UIAction(title: $0.currentTitle ?? "") { _ in } })
        button.showsMenuAsPrimaryAction = true
        button.configuration = button.isEnabled ? .filled() : .gray()
        button.setNeedsUpdateConfiguration()
        return button
    }
}

/// UIKit's image views, and images as templates and in one color.
final class PosterView: UIImageView {
    let badge = UIImageView(
        image: UIImage(systemName: "heart"), highlightedImage: UIImage(systemName: "heart.fill"))
    private let spinner: UIImageView = {
        let view = UIImageView()
        view.animationImages = (1...12).compactMap { UIImage(named: "loading-\($0)") }
        view.animationDuration = 0.8
        view.animationRepeatCount = 0
        return view
    }()

    override init(image: UIImage?) {
        super.init(image: image)
        setUp()
    }
    override init(frame: CGRect) {
        super.init(frame: frame)
        setUp()
    }
    required init?(coder: NSCoder) { super.init(coder: coder) }
    convenience init(poster: UIImage) { self.init(image: poster) }

    private func setUp() {
        contentMode = .scaleAspectFill
        clipsToBounds = true
        isUserInteractionEnabled = true
        addGestureRecognizer(UITapGestureRecognizer { [weak self] _ in self?.badge.isHighlighted.toggle() })
        badge.tintColor = .systemPink
        badge.contentMode = .topRight
        for view in [badge, spinner] {
            view.translatesAutoresizingMaskIntoConstraints = false
            addSubview(view)
        }
    }
    func load(_ poster: UIImage?) {
        image = poster?.withRenderingMode(.alwaysOriginal)
        highlightedImage = poster?.withTintColor(.systemGray, renderingMode: .alwaysTemplate)
        if poster == nil { spinner.startAnimating() } else if spinner.isAnimating { spinner.stopAnimating() }
        badge.image = UIImage(systemName: "heart")?.withTintColor(.white)
        if badge.image?.isSymbolImage == true, badge.image?.renderingMode == .automatic { badge.sizeToFit() }
    }
}

/// UIKit's slider with images, and hit testing that a subclass changes.
final class TouchSlider: UISlider {
    override init(frame: CGRect) {
        super.init(frame: frame)
        setThumbImage(UIImage(systemName: "circle.fill"), for: .normal)
        setThumbImage(UIImage(named: "thumb-large"), for: .highlighted)
        setMinimumTrackImage(UIImage(named: "played"), for: .normal)
        setMaximumTrackImage(UIImage(named: "rest"), for: .normal)
        if currentThumbImage == nil, thumbImage(for: .disabled) == nil { thumbTintColor = .white }
        if currentMinimumTrackImage === minimumTrackImage(for: state) { minimumTrackTintColor = .systemRed }
        if currentMaximumTrackImage === maximumTrackImage(for: state) { maximumTrackTintColor = .darkGray }
        setValue(0.5, animated: true)
    }
    required init?(coder: NSCoder) { super.init(coder: coder) }
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        bounds.insetBy(dx: -12, dy: -12).contains(point)
    }
}

final class PassThroughView: UIView {
    private let slider = TouchSlider(frame: .zero)
    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        guard event?.type == .touches, let view = super.hitTest(point, with: event) else { return nil }
        let local = slider.convert(point, from: self)
        if slider.point(inside: local, with: event) { return slider }
        return view === self ? nil : view
    }
    func knob() -> CGRect { convert(slider.convert(slider.bounds, to: nil), from: nil) }
    func center(in other: UIView) -> CGPoint { convert(CGPoint(x: bounds.midX, y: bounds.midY), to: other) }
}

/// Images that an app draws.
enum DrawnImages {
    @MainActor static func knob(_ diameter: CGFloat, _ color: UIColor) -> UIImage {
        let format = UIGraphicsImageRendererFormat.default()
        format.scale = 2
        format.opaque = false
        let size = CGSize(width: diameter, height: diameter)
        return UIGraphicsImageRenderer(size: size, format: format).image { context in
            color.setFill()
            context.cgContext.setStrokeColor(UIColor.black.cgColor)
            context.cgContext.setLineWidth(1)
            context.cgContext.fillEllipse(in: CGRect(origin: .zero, size: size))
            context.cgContext.addEllipse(in: CGRect(origin: .zero, size: size).insetBy(dx: 0.5, dy: 0.5))
            context.cgContext.strokePath()
            UIBezierPath(roundedRect: CGRect(x: 2, y: 2, width: 4, height: 4), cornerRadius: 2).fill()
        }
    }
    @MainActor static func resized(_ image: UIImage, to size: CGSize) -> UIImage? {
        UIGraphicsBeginImageContextWithOptions(size, false, 0)
        defer { UIGraphicsEndImageContext() }
        image.draw(in: CGRect(origin: .zero, size: size))
        return UIGraphicsGetImageFromCurrentImageContext()
    }
    @MainActor static func files(_ image: UIImage) -> [Data] {
        let renderer = UIGraphicsImageRenderer(bounds: CGRect(x: 0, y: 0, width: 8, height: 8))
        let draw: UIGraphicsImageRenderer.DrawingActions = { context in
            UIColor.white.set()
            context.fill(CGRect(x: 0, y: 0, width: 8, height: 8))
            image.draw(at: .zero)
        }
        return [renderer.pngData(actions: draw), renderer.jpegData(withCompressionQuality: 0.8, actions: draw)]
    }
}

struct BarLooksApp: View {
    init() {
        let appearance = UINavigationBarAppearance()
        appearance.configureWithOpaqueBackground()
        appearance.backgroundColor = .black
        appearance.titleTextAttributes = [.foregroundColor: UIColor.white, .font: UIFont.boldSystemFont(ofSize: 18)]
        UINavigationBar.appearance().standardAppearance = appearance
        UINavigationBar.appearance().scrollEdgeAppearance = appearance
        let tabs = UITabBarAppearance()
        tabs.configureWithTransparentBackground()
        UITabBar.appearance().standardAppearance = tabs
        UITableView.appearance().backgroundColor = .clear
        UITableView.appearance().separatorStyle = .none
        UITableView.appearance().separatorColor = .clear
        UITableViewCell.appearance().backgroundColor = UIColor.black
        let table = UITableView.appearance()
        table.tableHeaderView = UIView(frame: CGRect(x: 0, y: 0, width: 320, height: 20))
        table.tableFooterView = UIView()
        table.separatorInset = UIEdgeInsets(top: 0, left: 16, bottom: 0, right: 0)
        table.separatorInset = .zero
        table.contentInset = UIEdgeInsets(top: 8, left: 0, bottom: 8, right: 0)
        table.contentInset.top = -35
        table.sectionHeaderTopPadding = 0
        table.allowsSelection = false
        table.keyboardDismissMode = .onDrag
        table.tintColor = .red
        (table.bounces, table.showsVerticalScrollIndicator) = (false, false)
        UITableViewCell.appearance().selectionStyle = .none
        let selected = UIView()
        selected.backgroundColor = .clear
        UITableViewCell.appearance().selectedBackgroundView = selected
        UITableViewCell.appearance().tintColor = .red
        UITableViewHeaderFooterView.appearance().tintColor = .clear
        UITableViewHeaderFooterView.appearance().backgroundView = UIView()
        UIScrollView.appearance().bounces = false
        UIScrollView.appearance().keyboardDismissMode = .interactive
        UIScrollView.appearance().showsVerticalScrollIndicator = false
        UIToolbar.appearance().standardAppearance = UIToolbarAppearance()
        UIToolbar.appearance().barTintColor = .black
    }
    var body: some View { Text("Film").font(Font(UIFont.preferredFont(forTextStyle: .headline))) }
    static func poster(_ image: UIImage) -> Data? { image.jpegData(compressionQuality: 0.8) ?? image.pngData() }
}

struct ControlLooksApp: View {
    init() {
        UISwitch.appearance().onTintColor = .red
        UISlider.appearance().thumbTintColor = .white
        UISlider.appearance().minimumTrackTintColor = .red
        UISlider.appearance().maximumTrackTintColor = UIColor.gray
        UISlider.appearance().setThumbImage(UIImage(systemName: "circle.fill"), for: .normal)
        UIPageControl.appearance().currentPageIndicatorTintColor = .red
        UIPageControl.appearance().pageIndicatorTintColor = UIColor.red.withAlphaComponent(0.2)
        UISegmentedControl.appearance().selectedSegmentTintColor = .red
        UISegmentedControl.appearance().backgroundColor = .black
        UISegmentedControl.appearance().setTitleTextAttributes([.foregroundColor: UIColor.white], for: .selected)
        UISegmentedControl.appearance().setTitleTextAttributes(
            [.foregroundColor: UIColor.red, .font: UIFont.systemFont(ofSize: 12)], for: .normal)
        UIProgressView.appearance().progressTintColor = .red
        UITextView.appearance().backgroundColor = .clear
        UITextField.appearance().clearButtonMode = .whileEditing
    }
    var body: some View {
        List {
            HStack {
                Image(systemName: "film")
                Text("Film").alignmentGuide(.listRowSeparatorLeading) { d in d[.leading] }
            }
            .alignmentGuide(.listRowSeparatorTrailing) { $0[.trailing] }
        }
    }
}

struct ShapedButton: View {
    var body: some View {
        Button("Play") {}.buttonStyle(.borderedProminent).buttonBorderShape(.capsule).buttonBorderShape(.circle)
    }
}
