import CGTK
import Filters
import Foundation
import MediaEngine
import Presentation
import TestSupport

/// Shows a `PlayerView` over ready pictures in a plain GTK window and does what the lines of its standard
/// input (or of the pipe `--input` names) say, answering each with one line of JSON. Driven by the tests.
@MainActor
struct PresentationProbe {
    static func main() {
        let options = Options(Probes.arguments.dropFirst())
        guard options.input >= 0, let scene = Scene(options) else {
            FileHandle.standardError.write(Data("PresentationProbe: no display, or no such pipe\n".utf8))
            exit(1)
        }
        let input = DispatchSource.makeReadSource(fileDescriptor: options.input, queue: .main)
        var pending = ""
        input.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = read(options.input, &bytes, bytes.count)
            guard count > 0 else { return MainActor.assumeIsolated { MainLoop.quit() } }
            pending += String(decoding: bytes[..<count], as: UTF8.self)
            while let end = pending.firstIndex(of: "\n") {
                let line = String(pending[..<end])
                pending.removeSubrange(...end)
                MainActor.assumeIsolated { scene.perform(line) }
            }
        }
        input.resume()
        MainLoop.run()
        scene.facts("end")
    }
}

extension PresentationProbe {
    struct Options {
        var picture = (width: 320, height: 180)
        var window = (width: 320, height: 180)
        var layout = TestPicture.Layout.yuv420p
        var matrix = TestPicture.Matrix.bt709
        var isFullRange = false
        var rotation = 0
        var isMirrored = false
        var pixelAspectRatio = 1.0
        var gravity = AVLayerVideoGravity.resizeAspect
        /// What a `CodePicture.gradient` is of, its format and siting; empty: four plain colours.
        var gradient: [String] = []
        /// A film of `AlphaClip`'s: its pictures 0, 12 and 24, and the four colours after them.
        var film = ""
        /// What the window shows behind the view, as CSS has it; empty: the view is black where there is nothing.
        var backdrop = ""
        var isCovered = false
        var isMoving = false
        /// Commands are read from here.
        var input: Int32 = 0

        init(_ arguments: ArraySlice<String>) {
            var rest = arguments
            func size(_ text: String) -> (Int, Int) {
                let parts = text.split(separator: "x").compactMap { Int($0) }
                return parts.count == 2 ? (parts[0], parts[1]) : (320, 180)
            }
            while let name = rest.popFirst() {
                switch name {
                case "--covered": isCovered = true
                case "--moving": isMoving = true
                case "--full": isFullRange = true
                case "--mirrored": isMirrored = true
                default:
                    let value = rest.popFirst() ?? ""
                    switch name {
                    case "--picture": picture = size(value)
                    case "--window": window = size(value)
                    case "--layout": layout = .init(rawValue: value) ?? layout
                    case "--matrix": matrix = .init(rawValue: value) ?? matrix
                    case "--rotation": rotation = Int(value) ?? 0
                    case "--sar": pixelAspectRatio = Double(value) ?? 1
                    case "--gradient": gradient = value.split(separator: ":").map(String.init)
                    case "--film": film = value
                    case "--backdrop": backdrop = value
                    case "--gravity": gravity = Options.gravity(value)
                    // Read and write: a pipe whose writers come and go never ends.
                    case "--input": input = open(value, O_RDWR)
                    default: break
                    }
                }
            }
        }

        static func gravity(_ name: String) -> AVLayerVideoGravity {
            switch name {
            case "fill": .resizeAspectFill
            case "resize": .resize
            default: .resizeAspect
            }
        }
    }
}
