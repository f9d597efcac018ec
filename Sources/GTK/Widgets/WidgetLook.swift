import CGTK

// The appearance of widgets, for tests.
@MainActor
extension GTKWidgetObject {
    /// The widget's CSS name, or its class if it has none.
    package var styleName: String {
        let name = String(cString: gtk_widget_get_css_name(raw()))
        return name == "widget" ? String(cString: g_type_name_from_instance(raw())) : name
    }
    /// The widget's style classes, in alphabetical order.
    package var styleClasses: [String] {
        guard let names = gtk_widget_get_css_classes(raw()) else { return [] }
        defer { g_strfreev(names) }
        var all: [String] = []
        var next = names
        while let name = next.pointee {
            all.append(String(cString: name))
            next += 1
        }
        return all.sorted()
    }
    /// Whether the widget is on or selected.
    package var isChecked: Bool { stateFlags.rawValue & GTK_STATE_FLAG_CHECKED.rawValue != 0 }
    /// The color of the widget's text.
    package var textColor: GdkRGBA { zt_gtk_text_color(raw()) }

    /// The text, or the name of the icon, that the widget itself shows.
    package var shownText: String? {
        if isA(gtk_label_get_type()) { return String(cString: gtk_label_get_text(pointer)) }
        if isA(gtk_text_get_type()) { return String(cString: gtk_editable_get_text(pointer)) }
        if isA(gtk_image_get_type()) { return gtk_image_get_icon_name(pointer).map { String(cString: $0) } }
        return self.as(GTKTextView.self)?.buffer.text
    }
    private func isA(_ type: GType) -> Bool {
        g_type_check_instance_is_a(raw() as UnsafeMutablePointer<GTypeInstance>, type) != 0
    }
}
