/// What picture in picture says to its user: in words of `PlayerWords`.
@MainActor @preconcurrency
public enum PictureInPictureText {
    /// Stands in the video's place while it floats.
    public static var placeholder: String { localized("Playing in Picture in Picture") }
    /// The small window's title and the button that opens it.
    public static var title: String { localized("Picture in Picture") }
    /// What assistive technology calls the picture.
    public static var video: String { localized("Video") }
    /// The button that plays.
    public static var play: String { localized("Play") }
    /// The button that pauses.
    public static var pause: String { localized("Pause") }
    /// The button that brings the picture back.
    public static var restore: String { localized("Return to the app") }
    /// The button that closes the small window.
    public static var close: String { localized("Close") }

    private static func localized(_ text: String) -> String { PlayerWords.localized(text) }
}
