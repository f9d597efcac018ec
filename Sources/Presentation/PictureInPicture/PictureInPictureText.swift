/// The texts of Picture in Picture, in the user's language.
@MainActor @preconcurrency
public enum PictureInPictureText {
    /// The text shown in place of the video while the small window is open.
    public static var placeholder: String { localized("Playing in Picture in Picture") }
    /// The title of the small window, and the name of the button that opens it.
    public static var title: String { localized("Picture in Picture") }
    /// The accessible name of the video.
    public static var video: String { localized("Video") }
    /// The name of the play button.
    public static var play: String { localized("Play") }
    /// The name of the pause button.
    public static var pause: String { localized("Pause") }
    /// The name of the button that returns the video to the app.
    public static var restore: String { localized("Return to App") }
    /// The name of the button that closes the small window.
    public static var close: String { localized("Close") }

    private static func localized(_ text: String) -> String { PlayerWords.localized(text) }
}
