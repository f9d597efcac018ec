import CGTK
import Foundation
import GTKSupport

/// A line of text over the video for a moment: time, volume, what went wrong.
@MainActor
final class OSD {
    let widget: UnsafeMutablePointer<GtkWidget>?
    /// Told when it comes and goes: while it is there the video must be drawn below it.
    var onVisible: ((Bool) -> Void)?
    private var generation = 0
    private var isSticky = false

    init() {
        widget = gtk_label_new(nil)
        guard let widget else { return }
        gtk_widget_set_halign(widget, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(widget, GTK_ALIGN_END)
        gtk_widget_set_margin_bottom(widget, 24)
        gtk_widget_set_margin_start(widget, 24)
        gtk_widget_set_margin_end(widget, 24)
        gtk_label_set_wrap(OpaquePointer(widget), 1)
        gtk_label_set_selectable(OpaquePointer(widget), 0)
        gtk_widget_add_css_class(widget, "zoetrope-osd")
        gtk_widget_set_can_target(widget, 0)
        gtk_widget_set_visible(widget, 0)
        OSD.style.ensure()
    }

    private static let style = Stylesheet(
        ".zoetrope-osd { background: rgba(0,0,0,0.7); color: white; padding: 8px 16px; border-radius: 8px; font-size: 120%; }"
    )

    /// - Parameter seconds: nil stays until the next message.
    func show(_ text: String, seconds: Double? = 1.5) {
        guard let widget, !isSticky || seconds == nil else { return }
        isSticky = seconds == nil
        gtk_label_set_text(OpaquePointer(widget), text)
        gtk_widget_set_visible(widget, 1)
        onVisible?(true)
        generation += 1
        let mine = generation
        guard let seconds else { return }
        DispatchQueue.main.asyncAfter(deadline: .now() + seconds) { [weak self] in
            MainActor.assumeIsolated {
                guard let self, self.generation == mine else { return }
                gtk_widget_set_visible(self.widget, 0)
                self.onVisible?(false)
            }
        }
    }

    /// What stays goes now.
    func endSticky() {
        guard isSticky else { return }
        isSticky = false
        gtk_widget_set_visible(widget, 0)
        onVisible?(false)
    }
}
