import CGTK
import Foundation
@_spi(Graph) import ViewGraph

struct GTKProgress: _PrimitiveView {
    let fraction: Double?
    let kind: ProgressElement.Kind
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        LeafFiber(view, inputs, ProgressElement(view.kind)) { element, view, fiber in
            element.set(view, fiber.environment)
        }
    }
}

/// A GtkProgressBar, a GtkSpinner, or a ring of our own.
final class ProgressElement: ControlElement {
    enum Kind: Hashable { case linear, spinner, ring }
    private var kind: Kind
    private(set) var fraction: Double?
    private var environment = EnvironmentValues()
    private var pulse: (any DispatchSourceTimer)?

    init(_ kind: Kind) {
        self.kind = kind
        super.init()
        // Without a label it says at least what it is.
        name = "Progress"
    }

    func set(_ view: GTKProgress, _ environment: EnvironmentValues) {
        fraction = view.fraction
        self.environment = environment
        follow(environment)
        if kind != view.kind {
            // Another kind of widget at the same place.
            let host = host
            if let host { detached(from: host) }
            kind = view.kind
            if let host { attached(to: host) }
            setNeedsLayout()
        }
        update()
        setNeedsDisplay()
    }

    override func makeWidget() -> UnsafeMutablePointer<GtkWidget>? {
        let made =
            switch kind {
            case .linear: gtk_progress_bar_new()
            case .spinner: zt_gtk_new_with_role(gtk_spinner_get_type(), GTK_ACCESSIBLE_ROLE_PROGRESS_BAR)
            case .ring: ElementWidget.make(role: GTK_ACCESSIBLE_ROLE_PROGRESS_BAR, owner: nil)
            }
        guard let made else { return nil }
        gtk_widget_set_can_target(made, 0)
        return made
    }

    override func willRemove(_ widget: UnsafeMutablePointer<GtkWidget>) {
        super.willRemove(widget)
        pulse?.cancel()
        pulse = nil
    }

    override func configure(_ widget: UnsafeMutablePointer<GtkWidget>) {
        super.configure(widget)
        switch kind {
        case .linear:
            if let fraction {
                pulse?.cancel()
                pulse = nil
                gtk_progress_bar_set_fraction(widget.opaque, fraction)
            } else if pulse == nil {
                startPulse(widget)
            }
        case .spinner: gtk_spinner_start(widget.opaque)
        case .ring: break
        }
        if kind != .spinner, let fraction { zt_gtk_set_accessible_fraction(widget, fraction) }
    }

    private func startPulse(_ widget: UnsafeMutablePointer<GtkWidget>) {
        gtk_progress_bar_set_pulse_step(widget.opaque, 0.05)
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(deadline: .now(), repeating: .milliseconds(80), leeway: .milliseconds(20))
        timer.setEventHandler { [weak self] in
            MainActor.assumeIsolated {
                guard let widget = self?.widget, gtk_widget_get_mapped(widget) != 0 else { return }
                gtk_progress_bar_pulse(widget.opaque)
            }
        }
        timer.resume()
        pulse = timer
    }

    /// Points.
    private var side: CGFloat {
        switch controlSize {
        case .mini: 12
        case .small: 16
        case .regular: 22
        case .large: 36
        }
    }
    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        if kind != .linear { return CGSize(width: side, height: side) }
        return CGSize(width: max(20, proposal.width ?? 160), height: height(Space.snug))
    }

    override func draw(_ context: DrawContext, _ size: CGSize) {
        guard kind == .ring else { return super.draw(context, size) }
        let rect = CGRect(origin: .zero, size: size)
        let dark = environment.colorScheme == .dark
        let full = Color.accentColor.resolved(dark: dark, accent: environment.tintColor)
        let empty = Shade.track.resolved(dark: dark, accent: nil)
        let line = max(2, size.width / 7)
        let part = fraction ?? 0
        context.cairo(rect) { cr in
            cairo_set_line_width(cr, line)
            let radius = min(size.width, size.height) / 2 - line / 2
            cairo_set_source_rgba(cr, empty.red, empty.green, empty.blue, empty.opacity)
            cairo_arc(cr, rect.midX, rect.midY, radius, 0, 2 * .pi)
            cairo_stroke(cr)
            guard part > 0 else { return }
            cairo_set_source_rgba(cr, full.red, full.green, full.blue, full.opacity)
            cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND)
            cairo_arc(cr, rect.midX, rect.midY, radius, -.pi / 2, (2 * part - 0.5) * .pi)
            cairo_stroke(cr)
        }
    }
}
