import GTK
import CGTK
import Foundation
import Presentation
@_spi(Graph) import ViewGraph

struct NativeProgress: _PrimitiveView {
    let fraction: Double?
    let kind: ProgressElement.Kind
    /// The tint of the style, or nil for the tint of the environment.
    var tint: Color?
    /// The tint of all progress bars, which applies without another tint.
    var commonTint: Color?
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        LeafFiber(view, inputs, ProgressElement(view.kind)) { element, view, fiber in
            let environment = fiber.environment.withTint(orElse: view.commonTint)
            element.set(view, with(environment) { if let tint = view.tint { $0.tintColor = tint } })
        }
    }
}

/// An element with a `GtkProgressBar`, a `GtkSpinner`, or a ring that Zoetrope draws.
final class ProgressElement: ControlElement {
    enum Kind: Hashable { case linear, spinner, ring }
    private var kind: Kind
    private(set) var fraction: Double?
    private var environment = EnvironmentValues()
    private var pulse: (any DispatchSourceTimer)?

    init(_ kind: Kind) {
        self.kind = kind
        super.init()
        // Without a label, assistive technology reads at least the kind of control.
        name = PlayerWords.localized("Progress")
    }

    func set(_ view: NativeProgress, _ environment: EnvironmentValues) {
        fraction = view.fraction
        self.environment = environment
        follow(environment)
        if kind != view.kind {
            // Another kind needs another widget at the same position.
            let host = host
            if let host { detached(from: host) }
            kind = view.kind
            if let host { attached(to: host) }
            setNeedsLayout()
        }
        update()
        setNeedsDisplay()
    }

    override func makeWidget() -> GTKWidget? {
        let made: GTKWidget? =
            switch kind {
            case .linear: GTKProgressBar().widget
            case .spinner: GTKSpinner(role: GTK_ACCESSIBLE_ROLE_PROGRESS_BAR).widget
            case .ring: ElementWidget.make(role: GTK_ACCESSIBLE_ROLE_PROGRESS_BAR, owner: nil)
            }
        made?.setCanTarget(false)
        return made
    }

    private var bar: GTKProgressBar? { widget?.as(GTKProgressBar.self) }

    override func willRemove(_ widget: GTKWidget) {
        super.willRemove(widget)
        pulse?.cancel()
        pulse = nil
    }

    override func configure(_ widget: GTKWidget) {
        super.configure(widget)
        switch kind {
        case .linear:
            if let fraction {
                pulse?.cancel()
                pulse = nil
                bar?.setFraction(fraction)
            } else if pulse == nil {
                startPulse()
            }
        case .spinner: widget.as(GTKSpinner.self)?.start()
        case .ring: break
        }
        if kind != .spinner, let fraction { widget.setAccessibleFraction(fraction) }
    }

    private func startPulse() {
        bar?.setPulseStep(0.05)
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(deadline: .now(), repeating: .milliseconds(80), leeway: .milliseconds(20))
        timer.setEventHandler { [weak self] in
            MainActor.assumeIsolated {
                if let bar = self?.bar, bar.isMapped { bar.pulse() }
            }
        }
        timer.resume()
        pulse = timer
    }

    /// The side of a spinner or ring, in points.
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
