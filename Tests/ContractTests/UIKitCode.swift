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
    }
    var body: some View { Text("Film").font(Font(UIFont.preferredFont(forTextStyle: .headline))) }
    static func poster(_ image: UIImage) -> Data? { image.jpegData(compressionQuality: 0.8) ?? image.pngData() }
}

struct ShapedButton: View {
    var body: some View {
        Button("Play") {}.buttonStyle(.borderedProminent).buttonBorderShape(.capsule).buttonBorderShape(.circle)
    }
}
