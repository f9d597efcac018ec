import DeclarativeUI
import Foundation

extension UIProbe {
    /// A red box that moves, a blue box that dissolves, and a box whose animation is removed.
    final class MotionPanel: UIView {
        private let box = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 40))
        private let square = UIView(frame: CGRect(x: 0, y: 60, width: 100, height: 30))
        private let third = UIView(frame: CGRect(x: 200, y: 60, width: 100, height: 30))
        private var isDissolving = false
        private let strip = UIView(frame: .zero)
        private lazy var stripWidth = strip.widthAnchor.constraint(equalToConstant: 10)

        override init(frame: CGRect) {
            super.init(frame: frame)
            backgroundColor = .white
            let colors: [(UIView, UIColor)] = [(box, .red), (square, .blue), (third, .black), (strip, .blue)]
            for (view, color) in colors {
                view.backgroundColor = color
                view.isUserInteractionEnabled = false
                addSubview(view)
            }
            strip.translatesAutoresizingMaskIntoConstraints = false
            NSLayoutConstraint.activate([
                strip.leadingAnchor.constraint(equalTo: leadingAnchor),
                strip.bottomAnchor.constraint(equalTo: bottomAnchor),
                strip.heightAnchor.constraint(equalToConstant: 10), stripWidth,
            ])
            addGestureRecognizer(
                UITapGestureRecognizer { [unowned self] tap in
                    let x = tap.location(in: self).x
                    if x < 100 { move() } else if x < 200 { dissolve() } else { interrupt() }
                })
        }
        required init?(coder: NSCoder) { super.init(coder: coder) }

        /// Starts a long movement. A second call ends it, and then moves the box a little.
        private func move() {
            guard box.frame.minX == 0 else {
                for view in [box, strip] { view.layer.removeAllAnimations() }
                return
            }
            stripWidth.constant = 300
            // The box covers x = 75 for 75 seconds, which is long enough for a screenshot on a busy machine.
            UIView.animate(
                withDuration: 200, delay: 0, options: .curveLinear,
                animations: {
                    self.box.frame.origin.x = 200
                    self.layoutIfNeeded()
                    let width = Int(self.strip.bounds.width.rounded())
                    UIProbe.say("strip", "\(width) \(self.strip.layer.animationKeys() != nil)")
                },
                completion: {
                    UIProbe.say("moved", $0)
                    self.settle()
                })
        }
        private func settle() {
            UIView.animate(
                withDuration: 0.2, animations: { self.box.frame.origin.x = 190 },
                completion: { UIProbe.say("settled", $0) })
        }
        /// Starts a long transition. A second call replaces it by a short one.
        private func dissolve() {
            let isFirst = !isDissolving
            isDissolving = true
            UIView.transition(
                with: square, duration: isFirst ? 60 : 0.2, options: [.transitionCrossDissolve, .curveLinear],
                animations: { self.square.backgroundColor = .green }, completion: { UIProbe.say("dissolved", $0) })
        }
        /// Removes the animation of a view, and then a view with its animation.
        private func interrupt() {
            UIView.animate(
                withDuration: 60, animations: { self.third.alpha = 0.5 },
                completion: {
                    UIProbe.say("interrupted", $0)
                    self.removeThird()
                })
            later { $0.third.layer.removeAllAnimations() }
        }
        private func removeThird() {
            UIView.animate(
                withDuration: 60, animations: { self.third.alpha = 1 },
                completion: { UIProbe.say("removed", "\($0) \(self.third.layer.animationKeys() == nil)") })
            later { $0.third.removeFromSuperview() }
        }
        private func later(_ body: @escaping @MainActor (MotionPanel) -> Void) {
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.3) { MainActor.assumeIsolated { body(self) } }
        }
    }

    struct UIKitMotionPage: View {
        struct Panel: UIViewRepresentable {
            func makeUIView(context: Context) -> MotionPanel { MotionPanel(frame: .zero) }
            func updateUIView(_ uiView: MotionPanel, context: Context) {}
        }
        var body: some View { Panel().frame(width: 300, height: 120).located("panel") }
    }
}
