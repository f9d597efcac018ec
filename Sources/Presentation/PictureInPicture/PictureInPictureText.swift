/// What picture in picture says to its user: in words of `PlayerWords`.
@MainActor @preconcurrency
public enum PictureInPictureText {
    /// Stands in the video's place while it floats.
    public static var placeholder: String { localized("Playing in Picture in Picture") }
    public static var title: String { localized("Picture in Picture") }
    public static var video: String { localized("Video") }
    public static var play: String { localized("Play") }
    public static var pause: String { localized("Pause") }
    public static var restore: String { localized("Return to the app") }
    public static var close: String { localized("Close") }

    private static func localized(_ text: String) -> String { PlayerWords.localized(text) }
}
