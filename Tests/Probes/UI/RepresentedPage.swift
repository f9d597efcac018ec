import CGTK
import DeclarativeUI
import Foundation
import Observation

extension UIProbe {
    /// A GTK button, as an app would represent it.
    struct GtkButtonView: GtkWidgetRepresentable {
        let title: String
        @Binding var presses: Int

        @MainActor final class Coordinator {
            var pressed: () -> Void = {}
        }
        func makeCoordinator() -> Coordinator {
            say("coordinator", "made")
            return Coordinator()
        }
        func makeWidget(context: Context) -> GTKWidget {
            say("widget", "made")
            let button = gtk_button_new()
            let clicked: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void = { _, me in
                nonisolated(unsafe) let me = me
                MainActor.assumeIsolated {
                    me.map { Unmanaged<Coordinator>.fromOpaque($0).takeUnretainedValue().pressed() }
                }
            }
            g_signal_connect_data(
                button.map { UnsafeMutableRawPointer($0) }, "clicked", unsafeBitCast(clicked, to: GCallback.self),
                Unmanaged.passUnretained(context.coordinator).toOpaque(), nil, GConnectFlags(0))
            guard let button else { preconditionFailure("GTK makes buttons") }
            return GTKWidget(button)
        }
        func updateWidget(_ widget: GTKWidget, context: Context) {
            gtk_button_set_label(widget.pointer(to: GtkButton.self), title)
            context.coordinator.pressed = { presses += 1 }
            say("updated", "\(title) \(context.environment.isEnabled)")
        }
        static func dismantleWidget(_ widget: GTKWidget, coordinator: Coordinator) {
            say(
                "dismantled", gtk_button_get_label(widget.pointer(to: GtkButton.self)).map { String(cString: $0) } ?? ""
            )
        }
    }

    /// A drawing area, represented with UIKit's names.
    struct Filled: UIViewRepresentable {
        func makeUIView(context: Context) -> GtkView { GtkView(widget: GTKWidget(gtk_drawing_area_new())) }
        func updateUIView(_ uiView: GtkView, context: Context) { say("filled", "updated") }
        func sizeThatFits(_ proposal: ProposedViewSize, uiView: GtkView, context: Context) -> CGSize? {
            CGSize(width: 70, height: 30)
        }
    }

    final class LabelController: GtkViewController {
        override func loadView() { view = GtkView(widget: GTKWidget(gtk_label_new("controlled"))) }
        override func viewDidLoad() { say("controller", "loaded") }
        override func viewDidAppear(_ animated: Bool) { say("controller", "appeared") }
        override func viewDidDisappear(_ animated: Bool) { say("controller", "disappeared") }
    }

    struct Controlled: UIViewControllerRepresentable {
        func makeUIViewController(context: Context) -> LabelController { LabelController() }
        func updateUIViewController(_ uiViewController: LabelController, context: Context) {}
    }

    struct RepresentedPage: View {
        @State private var presses = 0
        @State private var isShown = true
        var body: some View {
            VStack(alignment: .leading, spacing: 8) {
                if isShown {
                    GtkButtonView(title: "Pressed \(presses)", presses: $presses).located("button")
                    Controlled()
                }
                Filled().located("filled")
                Button("Away") { isShown = false }.located("away")
            }
            .saying("presses", presses)
        }
    }

    @MainActor @Observable final class Supply { var name = "supplied" }

    /// A widget that needs an object of the environment.
    struct Needing: GtkWidgetRepresentable {
        @Environment(Supply.self) private var supply
        func makeWidget(context: Context) -> GTKWidget {
            say("needing", supply.name)
            return GTKWidget(gtk_label_new(supply.name))
        }
        func updateWidget(_ widget: GTKWidget, context: Context) { say("needing", "updated") }
    }

    /// An object that is missing from the environment until the button is pressed.
    struct SuppliedPage: View {
        @State private var isSupplied = false
        @State private var supply = Supply()
        var body: some View {
            VStack {
                Needing().environment(isSupplied ? supply : nil)
                Button("Supply") { isSupplied = true }.located("supply")
            }
        }
    }

    /// A page with a canvas that follows a state, and one that follows the time.
    struct CanvasPage: View {
        @State private var isBlue = false
        var body: some View {
            VStack(spacing: 0) {
                Canvas { context, size in
                    context.fill(
                        Path(CGRect(origin: .zero, size: size)),
                        with: .color(isBlue ? Color(red: 0, green: 0, blue: 1) : Color(red: 1, green: 0, blue: 0)))
                    context.draw(
                        Text("A").font(.system(size: 40)).foregroundColor(.white),
                        at: CGPoint(x: size.width / 2, y: size.height / 2))
                }
                .frame(width: 200, height: 60).located("canvas")
                .onTapGesture { isBlue = true }
                TimelineView(.animation) { context in
                    Canvas { drawing, size in
                        drawing.opacity = 0.5 + 0.5 * abs(sin(context.date.timeIntervalSinceReferenceDate))
                        drawing.fill(Path(ellipseIn: CGRect(origin: .zero, size: size)), with: .color(.green))
                    }
                    .onChange(of: context.date) { say("turned", "true") }
                }
                .frame(width: 200, height: 60)
            }
        }
    }
}
