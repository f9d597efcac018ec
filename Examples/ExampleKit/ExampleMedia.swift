import Foundation
import SampleMedia

/// The videos of the example apps: `demo.mp4`, `wide-1.mp4` … `wide-6.mp4`, and in portrait format `feed-1.mp4` …
/// `feed-6.mp4`.
///
/// `Examples/make-example-media` creates them in `.generated/examples`; `make play EXAMPLE=…` runs that script. If a
/// video is missing, the sample loop is used instead.
public enum ExampleMedia {
    /// The folder with the videos: `ZOETROPE_EXAMPLE_MEDIA` if it is set, otherwise `.generated/examples` beside or
    /// above the program or the working folder. If neither has the videos, the folder of the sample loop.
    public static let folder: URL = {
        if let named = ProcessInfo.processInfo.environment["ZOETROPE_EXAMPLE_MEDIA"], !named.isEmpty {
            return URL(fileURLWithPath: named)
        }
        let program = (CommandLine.arguments.first.map { URL(fileURLWithPath: $0) } ?? URL(fileURLWithPath: "/"))
            .resolvingSymlinksInPath()
        for start in [
            program.deletingLastPathComponent(), URL(fileURLWithPath: FileManager.default.currentDirectoryPath),
        ] {
            var place = start
            for _ in 0..<6 {
                let candidate = place.appendingPathComponent(".generated/examples")
                if FileManager.default.fileExists(atPath: candidate.appendingPathComponent("demo.mp4").path) {
                    return candidate
                }
                place.deleteLastPathComponent()
            }
        }
        return SampleLoop.url?.deletingLastPathComponent() ?? URL(fileURLWithPath: ".")
    }()

    /// Returns the URL of a video, or of the sample loop if the video is missing.
    /// - Parameter name: The file name without `.mp4`.
    public static func url(_ name: String) -> URL {
        let film = folder.appendingPathComponent("\(name).mp4")
        return FileManager.default.fileExists(atPath: film.path) ? film : SampleLoop.url ?? film
    }
}
