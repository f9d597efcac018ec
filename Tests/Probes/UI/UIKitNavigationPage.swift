import DeclarativeUI
import Foundation

extension UIProbe {
    /// A page of a navigation controller in one color.
    final class ColorController: UIViewController {
        private let name: String, color: UIColor
        init(_ name: String, _ color: UIColor) {
            (self.name, self.color) = (name, color)
            super.init(nibName: nil, bundle: nil)
            title = name
        }
        required init?(coder: NSCoder) { return nil }
        override func viewDidLoad() {
            super.viewDidLoad()
            view.backgroundColor = color
        }
        override func viewDidAppear(_ animated: Bool) { UIProbe.say("appeared", name) }
    }

    struct UIKitNavigationPage: View {
        struct Pages: UIViewControllerRepresentable {
            func makeUIViewController(context: Context) -> UINavigationController {
                let first = ColorController("First", .red)
                let navigation = UINavigationController(rootViewController: first)
                first.navigationItem.rightBarButtonItem = UIBarButtonItem(
                    title: "Next",
                    primaryAction: UIAction { [weak navigation] _ in
                        navigation?.pushViewController(ColorController("Second", .blue), animated: true)
                    })
                return navigation
            }
            func updateUIViewController(_ uiViewController: UINavigationController, context: Context) {}
        }
        var body: some View { Pages().frame(width: 300, height: 160).located("pages") }
    }
}
