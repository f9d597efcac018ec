import Foundation

/// The loop that the examples and the tool play when no other is named; drawn by `scripts/draw-sample`.
public enum SampleLoop {
    /// Nil when the program was moved without its resources.
    public static var url: URL? { file("zoetrope.mp4") }
    /// What it says, in WebVTT.
    public static var subtitles: URL? { file("zoetrope.vtt") }

    /// Beside the program, where SwiftPM puts a target's resources, or where `make install` puts them: `bin/zoetrope`
    /// has its files in `share/zoetrope`. Not SwiftPM's own `Bundle.module`: that looks in the folder of the machine
    /// that built the program, and ends it where there is none.
    private static func file(_ name: String) -> URL? {
        // The program itself, whatever link it was started by.
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        return ["Zoetrope_SampleMedia.resources", "../share/zoetrope"].lazy
            .map { program.appendingPathComponent($0).standardizedFileURL.appendingPathComponent(name) }
            .first { FileManager.default.isReadableFile(atPath: $0.path) }
    }
}
