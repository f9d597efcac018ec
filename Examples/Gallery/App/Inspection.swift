import Foundation
import Zoetrope

/// A description of the gallery's window for tests, which compare its pages with the references in `Tests/References`.
///
/// A test writes lines to the pipe that `--input` names. Each line is the path of a file to which the description is
/// written.
@MainActor
enum Inspection {
    private static var input: (any DispatchSourceRead)?
    private static var received = ""

    static func start(_ pipe: String) {
        // The pipe is opened for writing too, because reading from a pipe without writers returns its end.
        let descriptor = open(pipe, O_RDWR)
        guard descriptor >= 0 else { return }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
        source.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = read(descriptor, &bytes, bytes.count)
            let text = count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : ""
            MainActor.assumeIsolated { receive(text) }
        }
        source.resume()
        input = source
    }

    private static func receive(_ text: String) {
        received += text
        while let end = received.firstIndex(of: "\n") {
            let path = String(received[..<end])
            received = String(received[received.index(after: end)...])
            let lines = ElementInspector.windows().joined(separator: "\n")
            try? lines.write(toFile: path, atomically: true, encoding: .utf8)
        }
    }
}
