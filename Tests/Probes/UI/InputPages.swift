import CGTK
import DeclarativeUI
import Foundation

/// Pages for the input of text.
extension UIProbe {
    /// Two fields that grow with their text, on a red background. The second one has no frame.
    struct GrowingPage: View {
        @State private var framed = ""
        @State private var plain = ""
        var body: some View {
            VStack(spacing: 20) {
                TextField("Message", text: $framed, axis: .vertical).onSubmit { say("submitted", framed) }
                    .located("framed")
                TextField("Note", text: $plain, axis: .vertical).textFieldStyle(.plain).located("plain")
            }
            .padding(20).background(Color(red: 1, green: 0, blue: 0))
            .saying("framed", framed.replacingOccurrences(of: "\n", with: "|"))
        }
    }

    /// Fields and an editor for digits. The page prints what input methods know of each.
    struct InputsPage: View {
        @State private var text = ""
        var body: some View {
            VStack {
                TextField("Name", text: $text)
                SecureField("Code", text: $text)
                TextEditor(text: $text)
            }
            .searchable(text: $text, prompt: "Find")
            .keyboardType(.numberPad).autocorrectionDisabled()
            .onAppear { InputsPage.report() }
        }

        /// Prints the purpose and the hints of each text widget as soon as all four exist.
        @MainActor private static func report() {
            var found: [String] = []
            func walk(_ widget: UnsafeMutablePointer<GtkWidget>) {
                let object = UnsafeMutableRawPointer(widget)
                let instance = object.assumingMemoryBound(to: GTypeInstance.self)
                if g_type_check_instance_is_a(instance, gtk_text_get_type()) != 0 {
                    let text = object.assumingMemoryBound(to: GtkText.self)
                    let hints = gtk_text_get_input_hints(text).rawValue
                    found.append("\(gtk_text_get_input_purpose(text).rawValue)/\(hints)")
                } else if g_type_check_instance_is_a(instance, gtk_text_view_get_type()) != 0 {
                    let view = object.assumingMemoryBound(to: GtkTextView.self)
                    let hints = gtk_text_view_get_input_hints(view).rawValue
                    found.append("\(gtk_text_view_get_input_purpose(view).rawValue)/\(hints)")
                }
                var child = gtk_widget_get_first_child(widget)
                while let current = child {
                    walk(current)
                    child = gtk_widget_get_next_sibling(current)
                }
            }
            if let windows = gtk_window_get_toplevels(), let window = g_list_model_get_item(windows, 0) {
                walk(window.assumingMemoryBound(to: GtkWidget.self))
                g_object_unref(window)
            }
            guard found.count < 4 else { return say("inputs", found.sorted().joined(separator: " ")) }
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(10)) {
                MainActor.assumeIsolated { report() }
            }
        }
    }
}
