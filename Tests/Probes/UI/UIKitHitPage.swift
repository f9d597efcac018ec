import DeclarativeUI
import Foundation

extension UIProbe {
    /// A view with a tap recognizer whose left half lets input through.
    final class HalfVeil: UIView {
        override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
            point.x < bounds.midX ? nil : super.hitTest(point, with: event)
        }
    }
    /// A button whose area is 20 points larger on each side.
    final class WideButton: UIButton {
        override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
            bounds.insetBy(dx: -20, dy: -20).contains(point)
        }
    }
    /// A slider whose area is 40 points larger above and below.
    final class TallSlider: UISlider {
        override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
            bounds.insetBy(dx: 0, dy: -40).contains(point)
        }
    }

    /// A button behind a veil, a button and a slider with larger areas, and a button behind an empty view.
    final class HitPanel: UIView {
        private func place(_ view: UIView, _ x: CGFloat, _ y: CGFloat, _ width: CGFloat, _ height: CGFloat) {
            view.frame = CGRect(x: x, y: y, width: width, height: height)
            addSubview(view)
        }
        private func place(_ button: UIButton, _ name: String, _ frame: CGRect) {
            button.setTitle(name, for: .normal)
            button.addAction(UIAction { _ in say(name, "touchUpInside") }, for: .touchUpInside)
            place(button, frame.minX, frame.minY, frame.width, frame.height)
        }
        override init(frame: CGRect) {
            super.init(frame: frame)
            addGestureRecognizer(UITapGestureRecognizer { _ in say("panel", "tap") })
            place(UIButton(type: .system), "back", CGRect(x: 0, y: 0, width: 150, height: 40))
            let veil = HalfVeil(frame: .zero)
            veil.addGestureRecognizer(UITapGestureRecognizer { _ in say("veil", "tap") })
            place(veil, 0, 0, 150, 40)
            // Content that lets input through, as that of a player without controls.
            let glass = UIView(frame: CGRect(x: 120, y: 0, width: 30, height: 40))
            glass.contentTakesPointer = false
            glass.show(AnyView(Color.clear))
            veil.addSubview(glass)
            place(WideButton(type: .system), "wide", CGRect(x: 200, y: 20, width: 40, height: 20))
            place(UIButton(type: .system), "covered", CGRect(x: 0, y: 60, width: 100, height: 40))
            place(UIView(frame: .zero), 0, 60, 100, 40)
            let slider = TallSlider(frame: .zero)
            slider.maximumValue = 100
            slider.addAction(
                UIAction { [unowned slider] _ in
                    say("slider", abs(slider.value - 50) < 5 ? "middle" : "\(slider.value)")
                }, for: .valueChanged)
            place(slider, 150, 76, 140, 20)
        }
        required init?(coder: NSCoder) { super.init(coder: coder) }
    }

    struct UIKitHitPage: View {
        struct Panel: UIViewRepresentable {
            func makeUIView(context: Context) -> HitPanel { HitPanel(frame: .zero) }
            func updateUIView(_ uiView: HitPanel, context: Context) {}
        }
        var body: some View { Panel().frame(width: 300, height: 120).located("panel") }
    }
}

extension UIProbe {
    /// A slider with a red image as the knob, a green one before the knob, and a blue track after the knob.
    final class SliderPanel: UIView {
        override init(frame: CGRect) {
            super.init(frame: frame)
            let slider = UISlider(frame: CGRect(x: 0, y: 0, width: 300, height: 40))
            func square(_ color: UIColor) -> UIImage? {
                UIImage(systemName: "square.fill")?.withTintColor(color, renderingMode: .alwaysOriginal)
            }
            slider.setThumbImage(square(.red), for: .normal)
            slider.setMinimumTrackImage(square(.green), for: .normal)
            slider.maximumTrackTintColor = .blue
            slider.value = 0.5
            slider.addAction(UIAction { _ in say("slider", "released") }, for: .touchUpInside)
            addSubview(slider)
        }
        required init?(coder: NSCoder) { super.init(coder: coder) }
    }

    struct UIKitSliderPage: View {
        struct Panel: UIViewRepresentable {
            func makeUIView(context: Context) -> SliderPanel { SliderPanel(frame: .zero) }
            func updateUIView(_ uiView: SliderPanel, context: Context) {}
        }
        var body: some View { Panel().frame(width: 300, height: 120).located("panel") }
    }
}
