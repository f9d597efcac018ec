import Foundation

/// The loop that the examples and the tool play when no other is named; drawn by `scripts/draw-sample`.
public enum SampleLoop {
    /// Nil when the program was moved without its resources.
    public static var url: URL? { Bundle.module.url(forResource: "zoetrope", withExtension: "mp4") }
    /// What it says, in WebVTT.
    public static var subtitles: URL? { Bundle.module.url(forResource: "zoetrope", withExtension: "vtt") }
}
