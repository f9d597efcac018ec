import Zoetrope

struct ContractBadge: ShapeLayerBuilderProtocol {
    var id = UUID()
    func build(with geometry: (frame: CGRect, bounds: CGRect)) -> CAShapeLayer {
        let layer = CAShapeLayer()
        layer.path = CGPath(
            ellipseIn: CGRect(x: 0, y: 0, width: geometry.frame.width, height: geometry.bounds.height), transform: nil)
        return layer
    }
}

enum CommandCode {
    /// Every command, in every form in which it can be written.
    @MainActor
    static func all(_ filter: CIFilter, _ vector: any ShapeLayerBuilderProtocol) -> [PlaybackCommand] {
        [
            .idle, .play, .pause, .begin, .end, .mute, .unmute, .loop, .unloop, .removeAllFilters, .removeAllVectors,
            .startPiP, .stopPiP,
            .seek(to: 2.0), .seek(to: 2.0, play: false), .volume(0.5), .subtitles("en"), .subtitles(nil),
            .playbackSpeed(1.5),
            .brightness(0.2), .contrast(1.2), .filter(filter), .filter(filter, clear: true), .addVector(vector),
            .addVector(vector, clear: true),
            .audioTrack(languageCode: "de"),
        ]
    }

    /// The cases of the original API with their payloads, then the additional ones. There is no `default`, so that a
    /// changed case does not compile.
    static func name(_ command: PlaybackCommand) -> String {
        switch command {
        case .idle: return "idle"
        case .play: return "play"
        case .pause: return "pause"
        case .begin: return "begin"
        case .end: return "end"
        case .mute: return "mute"
        case .unmute: return "unmute"
        case .loop: return "loop"
        case .unloop: return "unloop"
        case .removeAllFilters: return "removeAllFilters"
        case .removeAllVectors: return "removeAllVectors"
        case .startPiP: return "startPiP"
        case .stopPiP: return "stopPiP"
        case .enterFullScreen: return "enterFullScreen"
        case .exitFullScreen: return "exitFullScreen"
        case .seek(to: let time, play: let plays):
            let (time, plays): (Double, Bool) = (time, plays)
            return "seek \(time) \(plays)"
        case .volume(let volume):
            let volume: Float = volume
            return "volume \(volume)"
        case .subtitles(let language):
            let language: String? = language
            return "subtitles \(language ?? "off")"
        case .playbackSpeed(let speed):
            let speed: Float = speed
            return "speed \(speed)"
        case .brightness(let brightness): return "brightness \(brightness)"
        case .contrast(let contrast): return "contrast \(contrast)"
        case .filter(let filter, clear: let clears):
            let typed: CIFilter = filter
            return "filter \(typed.name) \(clears)"
        case .addVector(let builder, clear: let clears):
            let typed: any ShapeLayerBuilderProtocol = builder
            return "vector \(typed.id == builder.id) \(clears)"
        case .audioTrack(languageCode: let code): return "audio \(code)"
        case .next: return "next"
        case .previous: return "previous"
        case .jump(to: let index): return "jump \(index)"
        case .batch(let commands): return "batch \(commands.count)"
        }
    }

    /// Patterns as apps use them.
    static func time(_ command: PlaybackCommand) -> Double? {
        if case .seek(let time, _) = command { return time }
        if case .seek(to: let time, play: _) = command { return time }
        guard case .volume(let volume) = command else { return nil }
        return Double(volume)
    }
}
