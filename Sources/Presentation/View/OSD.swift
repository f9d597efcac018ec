import CGTK
import Foundation
import GTK

/// A text over the video for a short time, such as the position, the volume or an error.
@MainActor
final class OSD {
    private let label = GTKLabel()
    var widget: GTKWidget { label.widget }
    /// Called with true when the text appears, and with false when it disappears. While the text is visible, GTK must
    /// draw the video below it.
    var onVisible: ((Bool) -> Void)?
    private var generation = 0
    private var isSticky = false

    init() {
        label.setAlignment(horizontal: GTK_ALIGN_CENTER)
        label.setAlignment(vertical: GTK_ALIGN_END)
        label.setMargins(top: 0, bottom: 24, sides: 24)
        label.setWraps(true)
        label.addClass("zoetrope-osd")
        label.setCanTarget(false)
        label.isVisible = false
        OSD.style.ensure()
    }

    private static let style = Stylesheet(
        ".zoetrope-osd { background: rgba(0,0,0,0.7); color: white; padding: 8px 16px; border-radius: 8px; font-size: 120%; }"
    )

    /// Shows a text.
    /// - Parameters:
    ///   - text: The text.
    ///   - seconds: The time until it disappears. Nil shows the text until `endSticky()` or the next text without a
    ///     time. Until then, texts with a time are ignored.
    func show(_ text: String, seconds: Double? = 1.5) {
        guard !isSticky || seconds == nil else { return }
        isSticky = seconds == nil
        label.setText(text)
        label.isVisible = true
        onVisible?(true)
        generation += 1
        let scheduled = generation
        guard let seconds else { return }
        DispatchQueue.main.asyncAfter(deadline: .now() + seconds) { [weak self] in
            MainActor.assumeIsolated {
                guard let self, self.generation == scheduled else { return }
                self.label.isVisible = false
                self.onVisible?(false)
            }
        }
    }

    /// Leaves the text as it is, because GTK frees its widget.
    func close() { generation += 1 }

    /// Hides a text that was shown without a time.
    func endSticky() {
        guard isSticky else { return }
        isSticky = false
        label.isVisible = false
        onVisible?(false)
    }
}
