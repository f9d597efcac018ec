import DeclarativeUI
import Foundation

extension UIProbe {
    /// Four of UIKit's buttons in two rows: play and filled, menu and disabled.
    final class ButtonPanel: UIView {
        override init(frame: CGRect) {
            super.init(frame: frame)
            let play = UIButton(type: .system)
            play.setTitle("Play", for: .normal)
            play.addAction(UIAction { _ in say("play", "touchDown") }, for: .touchDown)
            play.addAction(UIAction { _ in say("play", "touchUpInside") }, for: .touchUpInside)
            play.addAction(UIAction { _ in say("play", "touchUpOutside") }, for: .touchUpOutside)
            var configuration = UIButton.Configuration.filled()
            configuration.title = "Filled"
            configuration.baseBackgroundColor = .red
            let filled = UIButton(
                configuration: configuration, primaryAction: UIAction { _ in say("filled", "primary") })
            let more = UIButton(configuration: .gray())
            more.setTitle("More", for: .normal)
            more.menu = UIMenu(
                children: ["first", "second"].map { name in
                    UIAction(title: name) { _ in say("chose", name) }
                })
            more.showsMenuAsPrimaryAction = true
            let off = UIButton(type: .system)
            off.setTitle("Off", for: .normal)
            off.isEnabled = false
            off.addAction(UIAction { _ in say("off", "touchUpInside") }, for: .touchUpInside)
            for (index, button) in [play, filled, more, off].enumerated() {
                button.frame = CGRect(x: index % 2 * 150, y: index / 2 * 60, width: 150, height: 40)
                addSubview(button)
            }
        }
        required init?(coder: NSCoder) { super.init(coder: coder) }
    }

    struct UIKitPage: View {
        struct Panel: UIViewRepresentable {
            func makeUIView(context: Context) -> ButtonPanel { ButtonPanel(frame: .zero) }
            func updateUIView(_ uiView: ButtonPanel, context: Context) {}
        }
        var body: some View { Panel().frame(width: 300, height: 120).located("panel") }
    }
}

extension UIProbe {
    /// Two of UIKit's image views. A tap on the first one plays an animation; the second one ignores taps.
    final class ImagePanel: UIView {
        private let picture = UIImageView(image: ImagePanel.square(.red))
        private let idle = UIImageView(image: ImagePanel.square(.red))

        /// Returns a square in one color.
        private static func square(_ color: UIColor) -> UIImage? {
            UIImage(systemName: "square.fill")?.withTintColor(color, renderingMode: .alwaysOriginal)
        }
        override init(frame: CGRect) {
            super.init(frame: frame)
            for (index, view) in [picture, idle].enumerated() {
                view.frame = CGRect(x: index * 150, y: 0, width: 150, height: 120)
                view.contentMode = .scaleAspectFit
                addSubview(view)
            }
            picture.isUserInteractionEnabled = true
            picture.addGestureRecognizer(UITapGestureRecognizer { [weak self] _ in self?.play() })
            idle.addGestureRecognizer(UITapGestureRecognizer { _ in say("idle", "tap") })
        }
        required init?(coder: NSCoder) { super.init(coder: coder) }

        private func play() {
            picture.image = ImagePanel.square(.green)
            picture.animationImages = [.red, .blue].compactMap { ImagePanel.square($0) }
            picture.animationDuration = 0.2
            picture.animationRepeatCount = 1
            picture.startAnimating()
            say("picture", "tap")
        }
    }

    struct UIKitImagePage: View {
        struct Panel: UIViewRepresentable {
            func makeUIView(context: Context) -> ImagePanel { ImagePanel(frame: .zero) }
            func updateUIView(_ uiView: ImagePanel, context: Context) {}
        }
        var body: some View { Panel().frame(width: 300, height: 120).located("panel") }
    }
}
