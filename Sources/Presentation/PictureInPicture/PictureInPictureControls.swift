import CGTK
import Foundation
import GTK
import MediaCore

/// The buttons over a floating video: play or pause, restore and close.
///
/// The buttons appear when the pointer moves or a key is pressed, and disappear after a while. For the keyboard and for
/// assistive technologies they are always available.
@MainActor
final class PictureInPictureControls {
    /// Called with true when the buttons appear, and with false when they have disappeared. In between, GTK must draw
    /// the video below them.
    var onCover: ((Bool) -> Void)?
    /// Whether the buttons are shown.
    private(set) var isShown = false

    private let root: GTKOverlay
    private let play: GTKButton
    private let buttons: [GTKButton]
    private let signals = Signals()
    /// The time when the buttons disappear.
    private var hidesAt = HostTime.min
    private var isWaiting = false
    private var generation = 0
    private var pointer: CGPoint?

    /// The time without motion until the buttons fade, and the duration of the fade, in seconds.
    static let rest = 3.0, fade = 0.2

    /// Creates the buttons.
    /// - Parameters:
    ///   - root: The overlay that contains the video.
    ///   - toggle: Called to play or pause.
    ///   - restore: Called to return the video to the app.
    ///   - close: Called to close the window.
    init(
        over root: GTKOverlay, toggle: @escaping @MainActor () -> Void,
        restore: @escaping @MainActor () -> Void,
        close: @escaping @MainActor () -> Void
    ) {
        PictureInPictureControls.style.ensure()
        func button(_ icon: String, _ text: String, _ x: GtkAlign, _ y: GtkAlign, _ style: String)
            -> GTKButton
        {
            let button = GTKButton(icon: icon)
            button.setAlignment(horizontal: x)
            button.setAlignment(vertical: y)
            button.setFocusesOnClick(false)
            button.setCanTarget(false)
            button.setTooltip(text)
            button.setAccessibleLabel(text)
            for style in ["zoetrope-pip", "zoetrope-pip-button", style] { button.addClass(style) }
            root.addOverlay(button)
            return button
        }
        let shade = GTKBox(GTK_ORIENTATION_VERTICAL)
        for style in ["zoetrope-pip", "zoetrope-pip-shade"] { shade.addClass(style) }
        shade.setCanTarget(false)
        root.addOverlay(shade)
        // The order of the buttons is that of the Tab key.
        let playButton = button(
            "media-playback-pause-symbolic", PictureInPictureText.pause, GTK_ALIGN_CENTER, GTK_ALIGN_CENTER,
            "zoetrope-pip-large")
        let restoreButton = button(
            "view-restore-symbolic", PictureInPictureText.restore, GTK_ALIGN_END, GTK_ALIGN_START,
            "zoetrope-pip-small")
        let closeButton = button(
            "window-close-symbolic", PictureInPictureText.close, GTK_ALIGN_START, GTK_ALIGN_START,
            "zoetrope-pip-small")
        self.root = root
        self.play = playButton
        buttons = [playButton, restoreButton, closeButton]
        signals.on(playButton, "clicked", toggle)
        signals.on(restoreButton, "clicked", restore)
        signals.on(closeButton, "clicked", close)
        let motion = GTKController.motion()
        motion.setPhase(GTK_PHASE_CAPTURE)
        for signal in ["enter", "motion"] {
            signals.on(motion, signal) { [weak self] (x: Double, y: Double) in
                // GTK also reports motion when the content below the pointer changes.
                guard let self, pointer != CGPoint(x: x, y: y) else { return }
                pointer = CGPoint(x: x, y: y)
                show()
            }
        }
        signals.on(motion, "leave") { [weak self] in
            self?.pointer = nil
            self?.show(seconds: 0.5, onlyIfShown: true)
        }
        root.add(motion)
    }

    /// Gives the keyboard focus to the play button.
    func focus() { play.grabFocus() }

    func close() { signals.disconnect() }

    /// Shows the action of the play button: play or pause.
    func set(isPlaying: Bool) {
        let text = isPlaying ? PictureInPictureText.pause : PictureInPictureText.play
        play.setIcon(isPlaying ? "media-playback-pause-symbolic" : "media-playback-start-symbolic")
        play.setTooltip(text)
        play.setAccessibleLabel(text)
    }

    // MARK: appearance

    func show(seconds: Double = PictureInPictureControls.rest, onlyIfShown: Bool = false) {
        guard isShown || !onlyIfShown else { return }
        hidesAt = .now() + Int64(seconds * 1e9)
        if !isShown {
            isShown = true
            generation += 1
            onCover?(true)
            root.addClass("zoetrope-pip-shown")
            for button in buttons { button.setCanTarget(true) }
        }
        if !isWaiting || onlyIfShown { wait() }
    }

    /// Starts the timer. While it runs, motion of the pointer starts no other timer.
    private func wait() {
        isWaiting = true
        let remaining = max(0, Double(hidesAt - HostTime.now()) / 1e9)
        DispatchQueue.main.asyncAfter(deadline: .now() + remaining) { [weak self] in
            MainActor.assumeIsolated {
                guard let self, self.isShown else { return }
                if HostTime.now() < self.hidesAt { return self.wait() }
                self.isWaiting = false
                self.hide()
            }
        }
    }

    private func hide() {
        isShown = false
        generation += 1
        root.removeClass("zoetrope-pip-shown")
        for button in buttons { button.setCanTarget(false) }
        // The space bar must not activate a button that is no longer visible.
        root.window?.setShowsFocus(false)
        focus()
        let scheduled = generation
        DispatchQueue.main.asyncAfter(deadline: .now() + PictureInPictureControls.fade + 0.05) { [weak self] in
            MainActor.assumeIsolated {
                guard let self, self.generation == scheduled else { return }
                self.onCover?(false)
            }
        }
    }

    private static let style = Stylesheet(
        """
        .zoetrope-pip { opacity: 0; transition: opacity \(Int(fade * 1000))ms ease-out; }
        .zoetrope-pip-shown > .zoetrope-pip { opacity: 1; }
        .zoetrope-pip-shade { background: rgba(0,0,0,0.3); }
        .zoetrope-pip-button { background: rgba(0,0,0,0.55); color: white; border: none; box-shadow: none; border-radius: 99px; padding: 0; }
        .zoetrope-pip-button:hover { background: rgba(60,60,60,0.85); }
        .zoetrope-pip-button:active { background: rgba(110,110,110,0.9); }
        .zoetrope-pip-button:focus-visible { outline: 2px solid white; outline-offset: 1px; }
        .zoetrope-pip-large { min-width: 44px; min-height: 44px; -gtk-icon-size: 24px; }
        .zoetrope-pip-small { min-width: 28px; min-height: 28px; -gtk-icon-size: 16px; margin: 8px; }
        .zoetrope-pip-window { background: black; border-radius: 0; }
        """)
}
