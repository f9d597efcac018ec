import DeclarativeUI
import Foundation

extension UIProbe {
    /// Four of UIKit's buttons in two rows: play and filled, menu and disabled.
    final class ButtonPanel: UIView {
        override init(frame: CGRect) {
            super.init(frame: frame)
            let play = UIButton(type: .system)
            play.setTitle("Play", for: .normal)
            play.addAction(UIAction { _ in say("play", "touchUpInside") }, for: .touchUpInside)
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
