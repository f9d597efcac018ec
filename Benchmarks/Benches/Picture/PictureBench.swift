import Filters
import Foundation
import MediaCore
import MediaEngine
import Overlays
import Presentation

/// A measurement of the costs of frame processing, for Benchmarks/run. It prints one line of JSON.
///
///     Benches Picture filters FILE    milliseconds per frame of each filter, at the file's own size
///                                     (ZOETROPE_RENDERER chooses OpenGL or the processor)
///     Benches Picture stack FILE      milliseconds per frame of one color filter, and of five
///     Benches Picture scale FILE WxH  milliseconds per frame of conversion and scaling, with tone mapping for HDR
///     Benches Picture window FILE WxH none|vector|subtitles [SUBTITLES]  plays the file to its end in a window
///     Benches Picture places FILE     milliseconds until the thumbnail of a position is ready, while the file plays
///     Benches Picture scrub FILE      frames shown per second while the seek bar's knob is dragged
struct PictureBench {
    static func main() throws {
        let arguments = Benches.arguments
        guard arguments.count >= 3 else {
            print("usage: Benches Picture filters|stack|scale|places|scrub|window FILE …")
            exit(64)
        }
        let file = URL(fileURLWithPath: arguments[2])
        switch arguments[1] {
        case "filters": try line(filters(picture(file)))
        case "stack": try line(stack(picture(file)))
        case "scale": try line(["ms": scale(picture(file), size(arguments[3]))])
        case "places": places(file)
        case "scrub": scrub(file)
        case "window":
            try MainActor.assumeIsolated {
                try window(file, size(arguments[3]), arguments[4], arguments.count > 5 ? arguments[5] : nil)
            }
        default: exit(64)
        }
    }

    private static func line(_ values: [String: Double]) throws {
        let data = try JSONSerialization.data(withJSONObject: values, options: [.sortedKeys])
        print(String(decoding: data, as: UTF8.self))
    }

    private static func size(_ text: String) -> (width: Int, height: Int) {
        let parts = text.split(separator: "x").compactMap { Int($0) }
        return parts.count == 2 ? (parts[0], parts[1]) : (1280, 720)
    }

    private static func picture(_ url: URL) throws -> VideoFrame {
        try AVAssetImageGenerator(asset: AVURLAsset(url: url)).copyImage(at: CMTime(value: 1, timescale: 2))
    }

    /// Returns the median CPU time of `runs` runs of `body`, in milliseconds over all threads. A first run, which
    /// compiles and allocates, is not counted.
    private static func cost(_ runs: Int = 9, _ body: () throws -> Void) rethrows -> Double {
        try body()
        var all: [Double] = []
        for _ in 0..<runs {
            let begin = clock()
            try body()
            all.append(Double(clock() - begin) / Double(CLOCKS_PER_SEC) * 1000)
        }
        return all.sorted()[all.count / 2]
    }

    private static func filters(_ frame: VideoFrame) throws -> [String: Double] {
        var costs: [String: Double] = [:]
        let other = CIImage.source(frame.presentationSize)
        for name in CIFilter.filterNames(inCategory: nil) {
            guard let filter = CIFilter(name: name) else { continue }
            for key in filter.inputKeys where key != kCIInputImageKey {
                let type = (filter.attributes[key] as? [String: Any])?[kCIAttributeType] as? String
                if type == kCIAttributeTypeImage { filter.setValue(other, forKey: key) }
            }
            var settings = PictureSettings()
            settings.add(filter)
            let composer = OfflineComposer(settings: settings)
            do {
                costs[name] = try cost(5) { _ = try composer.compose(frame, at: .zero) }
            } catch {
                FileHandle.standardError.write(Data("\(name): \(error)\n".utf8))
            }
        }
        costs["none"] = try cost { _ = try OfflineComposer(settings: PictureSettings()).compose(frame, at: .zero) }
        return costs
    }

    private static func stack(_ frame: VideoFrame) throws -> [String: Double] {
        func composer(_ names: [String]) -> OfflineComposer {
            var settings = PictureSettings()
            for name in names {
                if let filter = CIFilter(name: name) {
                    if name == "CIExposureAdjust" { filter.setValue(0.4, forKey: kCIInputEVKey) }
                    if name == "CIVibrance" { filter.setValue(0.5, forKey: "inputAmount") }
                    if name == "CIHueAdjust" { filter.setValue(0.3, forKey: kCIInputAngleKey) }
                    if name == "CIGammaAdjust" { filter.setValue(0.8, forKey: "inputPower") }
                    settings.add(filter)
                }
            }
            return OfflineComposer(settings: settings)
        }
        let none = composer([])
        let one = composer(["CIVibrance"])
        let five = composer(["CIExposureAdjust", "CIVibrance", "CIHueAdjust", "CISepiaTone", "CIGammaAdjust"])
        return [
            "none": try cost(25) { _ = try none.compose(frame, at: .zero) },
            "one": try cost(25) { _ = try one.compose(frame, at: .zero) },
            "five": try cost(25) { _ = try five.compose(frame, at: .zero) },
        ]
    }

    private static func scale(_ frame: VideoFrame, _ size: (width: Int, height: Int)) throws -> Double {
        let scaler = FrameScaler()
        let placement = VideoPlacement(
            picture: frame.presentationSize, width: size.width, height: size.height, gravity: .resize)
        var pixels = [UInt8](repeating: 0, count: size.width * size.height * 4 + FrameScaler.slack)
        return cost(15) {
            pixels.withUnsafeMutableBytes { raw in
                if let base = raw.baseAddress {
                    _ = scaler.draw(frame, placement: placement, into: base, stride: size.width * 4)
                }
            }
        }
    }

    // MARK: playback in a window

    @MainActor
    private static func window(_ file: URL, _ size: (width: Int, height: Int), _ kind: String, _ subtitles: String?)
        throws
    {
        let player = AVQueuePlayer(items: [AVPlayerItem(url: file)])
        let window = try PlayerWindow(player: player, title: "PictureBench", width: size.width, height: size.height)
        let composition = PictureComposition()
        window.views.first?.composition = composition
        if kind == "vector" {
            let vectors = VectorOverlay()
            composition.add(vectors)
            let bounds = CGRect(x: 0, y: 0, width: size.width, height: size.height)
            vectors.update(vectors: [Badge()], frame: bounds, bounds: bounds)
        }
        let ended = player.observe(\.currentItem, options: [.new]) { player, _ in
            if player.currentItem == nil { MainLoop.quit() }
        }
        if kind == "subtitles", let subtitles {
            let subtitleOverlay = SubtitleOverlay()
            composition.add(subtitleOverlay)
            Task {
                do throws(AVError) {
                    subtitleOverlay.show(try await SubtitleDocument.load(from: URL(fileURLWithPath: subtitles)))
                } catch {
                    FileHandle.standardError.write(Data("\(error)\n".utf8))
                    exit(1)
                }
            }
        }
        window.present()
        player.play()
        MainLoop.run()
        ended.invalidate()
        composition.close()
        window.close()
    }
}

extension PictureBench {
    /// An overlay that is always visible, such as the badge of a station.
    private struct Badge: ShapeLayerBuilderProtocol {
        let id = UUID()
        func build(with geometry: (frame: CGRect, bounds: CGRect)) -> CAShapeLayer {
            let layer = CAShapeLayer()
            layer.frame = CGRect(x: geometry.bounds.maxX - 140, y: 30, width: 110, height: 60)
            layer.path = CGPath(roundedRect: layer.bounds, cornerWidth: 12, cornerHeight: 12, transform: nil)
            layer.fillColor = CGColor(red: 0.9, green: 0.1, blue: 0.1, alpha: 0.8)
            layer.strokeColor = .white
            layer.lineWidth = 2
            return layer
        }
    }
}
