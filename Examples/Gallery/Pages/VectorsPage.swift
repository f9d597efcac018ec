import Foundation
import Zoetrope

/// Shapes over a video. They are built for its size and animated in step with it.
struct VectorsPage: View {
    @State private var command = PlaybackCommand.opening
    private let border = BorderBuilder(), pulse = PulseBuilder(), caption = CaptionBuilder()

    var body: some View {
        VStack(spacing: 12) {
            ExtVideoPlayer(
                {
                    VideoSettings {
                        SourceName("zoetrope")
                        Gravity(.resizeAspectFill)
                        Loop()
                        Mute()
                        EnableVector()
                    }
                }, command: $command)
            FlowRow {
                Button("Border") { command = .addVector(border) }
                Button("Pulse") { command = .addVector(pulse) }
                Button("Caption") { command = .addVector(caption) }
                Button("Pulse Only") { command = .addVector(pulse, clear: true) }
                Button("Remove All") { command = .removeAllVectors }
            }
        }
        .padding(16)
        .onAppear { command = .batch([.opening, .addVector(border), .addVector(pulse), .addVector(caption)]) }
    }
}

/// A border that is drawn from its start to its end.
struct BorderBuilder: ShapeLayerBuilderProtocol {
    let id = UUID()
    func build(with geometry: (frame: CGRect, bounds: CGRect)) -> CAShapeLayer {
        let layer = CAShapeLayer()
        layer.frame = geometry.bounds
        layer.path = CGPath(
            roundedRect: geometry.bounds.insetBy(dx: 20, dy: 20), cornerWidth: 24, cornerHeight: 24, transform: nil)
        layer.fillColor = nil
        layer.strokeColor = CGColor(red: 1, green: 1, blue: 1, alpha: 0.9)
        layer.lineWidth = 3
        layer.lineCap = .round
        // No animation in reference images.
        guard Launch.still == nil else { return layer }
        let draw = CABasicAnimation(keyPath: "strokeEnd")
        draw.fromValue = 0.0
        draw.toValue = 1.0
        draw.duration = 2.5
        draw.timingFunction = CAMediaTimingFunction(name: .easeInEaseOut)
        layer.add(draw, forKey: "draw")
        return layer
    }
}

/// A pulsing dot in the upper right corner.
struct PulseBuilder: ShapeLayerBuilderProtocol {
    let id = UUID()
    func build(with geometry: (frame: CGRect, bounds: CGRect)) -> CAShapeLayer {
        let layer = CAShapeLayer()
        layer.bounds = CGRect(x: 0, y: 0, width: 60, height: 60)
        layer.position = CGPoint(x: geometry.bounds.maxX - 80, y: geometry.bounds.minY + 80)
        layer.path = CGPath(ellipseIn: layer.bounds, transform: nil)
        layer.fillColor = CGColor(red: 0.9, green: 0.2, blue: 0.15, alpha: 0.85)
        guard Launch.still == nil else { return layer }
        let grow = CABasicAnimation(keyPath: "transform.scale")
        grow.fromValue = 0.6
        grow.toValue = 1.1
        let fade = CABasicAnimation(keyPath: "opacity")
        fade.fromValue = 1.0
        fade.toValue = 0.4
        let both = CAAnimationGroup()
        both.animations = [grow, fade]
        both.duration = 0.8
        both.autoreverses = true
        both.repeatCount = .infinity
        both.timingFunction = CAMediaTimingFunction(name: .easeInEaseOut)
        layer.add(both, forKey: "pulse")
        return layer
    }
}

/// Text on a gradient.
struct CaptionBuilder: ShapeLayerBuilderProtocol {
    let id = UUID()
    func build(with geometry: (frame: CGRect, bounds: CGRect)) -> CAShapeLayer {
        let layer = CAShapeLayer()
        layer.frame = CGRect(
            x: 40, y: geometry.bounds.height - 110, width: min(360, geometry.bounds.width - 80), height: 60)
        let gradient = CAGradientLayer()
        gradient.frame = layer.bounds
        gradient.cornerRadius = 12
        gradient.masksToBounds = true
        gradient.colors = [
            CGColor(red: 0.1, green: 0.3, blue: 0.8, alpha: 0.9), CGColor(red: 0.5, green: 0.1, blue: 0.7, alpha: 0.9),
        ]
        gradient.startPoint = CGPoint(x: 0, y: 0.5)
        gradient.endPoint = CGPoint(x: 1, y: 0.5)
        layer.addSublayer(gradient)
        let text = CATextLayer()
        text.frame = layer.bounds.insetBy(dx: 16, dy: 14)
        text.string = "Drawn over the video"
        // A smaller font in a narrow video, so that the text stays on one line.
        text.fontSize = min(22, text.frame.width / 12)
        text.foregroundColor = .white
        layer.addSublayer(text)
        return layer
    }
}
