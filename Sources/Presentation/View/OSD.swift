import CGTK
import Foundation
import GTK

/// A line of text over the video for a moment: time, volume, what went wrong.
@MainActor
final class OSD {
    private let label = GTKLabel()
    var widget: GTKWidget { label.widget }
    /// Told when it comes and goes: while it is there the video must be drawn below it.
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

    /// - Parameter seconds: nil stays until the next message.
    func show(_ text: String, seconds: Double? = 1.5) {
        guard !isSticky || seconds == nil else { return }
        isSticky = seconds == nil
        label.setText(text)
        label.isVisible = true
        onVisible?(true)
        generation += 1
        let mine = generation
        guard let seconds else { return }
        DispatchQueue.main.asyncAfter(deadline: .now() + seconds) { [weak self] in
            MainActor.assumeIsolated {
                guard let self, self.generation == mine else { return }
                self.label.isVisible = false
                self.onVisible?(false)
            }
        }
    }

    /// What stays goes now.
    func endSticky() {
        guard isSticky else { return }
        isSticky = false
        label.isVisible = false
        onVisible?(false)
    }
}
