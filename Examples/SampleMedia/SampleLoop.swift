import Foundation

/// The sample video of the examples and the command-line tool.
public enum SampleLoop {
    /// The video's URL; nil if the program was moved without its resources.
    public static var url: URL? { file("zoetrope.mp4") }
    /// The URL of the video's WebVTT subtitles.
    public static var subtitles: URL? { file("zoetrope.vtt") }

    /// Returns the URL of a file beside the program, where SwiftPM puts a target's resources, or in
    /// `../share/zoetrope`, where `make install` puts them.
    ///
    /// SwiftPM's `Bundle.module` is not used. It searches the build folder too, and ends the program if there is none.
    private static func file(_ name: String) -> URL? {
        // This is the path of the program even if it was started by a symbolic link.
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        return ["Zoetrope_SampleMedia.resources", "../share/zoetrope"].lazy
            .map { program.appendingPathComponent($0).standardizedFileURL.appendingPathComponent(name) }
            .first { FileManager.default.isReadableFile(atPath: $0.path) }
    }
}
