import Foundation
import SampleMedia

/// The films of the example apps. `scripts/make-example-media` makes them in `.generated/examples` (`make play
/// EXAMPLE=…` calls it): `demo.mp4`, `wide-1.mp4` … `wide-6.mp4` and, upright, `feed-1.mp4` … `feed-6.mp4`. Where they
/// are not, the sample loop stands for each.
public enum ExampleMedia {
    /// Where the films are: `ZOETROPE_EXAMPLE_MEDIA`, else `.generated/examples` beside or above the program or the
    /// working folder.
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

    /// A film by its name without `.mp4`.
    public static func url(_ name: String) -> URL {
        let film = folder.appendingPathComponent("\(name).mp4")
        return FileManager.default.fileExists(atPath: film.path) ? film : SampleLoop.url ?? film
    }
}
