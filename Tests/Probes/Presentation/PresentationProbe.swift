import CGTK
import Filters
import Foundation
import MediaEngine
import Presentation
import TestSupport

/// A plain GTK window with a `PlayerView` that shows ready-made frames. It reads commands, one per line, from its
/// standard input or from the pipe named by `--input`, and answers each with a line of JSON.
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
        /// The format and chroma siting of a `CodePicture.gradient`. If empty, the frames show four plain colors.
        var gradient: [String] = []
        /// The name of an `AlphaClip` video: its frames 0, 12 and 24 are shown before the four colors. Empty for none.
        var film = ""
        /// The CSS background of the window behind the view. If empty, the view is black where the frame is
        /// transparent.
        var backdrop = ""
        var isCovered = false
        var isMoving = false
        /// Whether the view is in a container in which `move` moves it.
        var isFixed = false
        /// The file descriptor of the commands.
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
                case "--fixed": isFixed = true
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
                    // Open for reading and writing, so that reading does not end when the last writer closes the pipe.
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
