import Zoetrope

extension PlayerViewProbe {
    /// A magenta controller that presents a player.
    struct PresentingPage: UIViewControllerRepresentable {
        let model: ProbeModel
        let player: AVPlayer
        func makeUIViewController(context: Context) -> UIViewController {
            let controller = UIViewController()
            controller.view.backgroundColor = .magenta
            model.tell = [
                "present": { [player] in
                    let playerController = AVPlayerViewController()
                    playerController.player = player
                    controller.present(playerController, animated: true) { player.play() }
                }
            ]
            return controller
        }
        func updateUIViewController(_ uiViewController: UIViewController, context: Context) {}
    }
}
