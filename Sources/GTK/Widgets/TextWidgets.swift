import CGTK

/// A label.
package struct GTKLabel: GTKWidgetObject {
    package static var type: GType { gtk_label_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init(_ text: String? = nil) { self.init(new: gtk_label_new(text)) }

    @MainActor package func setText(_ text: String) { gtk_label_set_text(pointer, text) }
    @MainActor package func setEllipsize(_ mode: PangoEllipsizeMode) { gtk_label_set_ellipsize(pointer, mode) }
    @MainActor package func setMostCharacters(_ count: Int32) { gtk_label_set_max_width_chars(pointer, count) }
    /// - Parameter share: The alignment: 0 starts the text at the leading edge, 1 ends it at the trailing edge.
    @MainActor package func setTextAlignment(_ share: Float) { gtk_label_set_xalign(pointer, share) }
    @MainActor package func setWraps(_ wraps: Bool) { gtk_label_set_wrap(pointer, wraps.gboolean) }
    @MainActor package func setWraps(at mode: PangoWrapMode, natural: GtkNaturalWrapMode) {
        setWraps(true)
        gtk_label_set_wrap_mode(pointer, mode)
        gtk_label_set_natural_wrap_mode(pointer, natural)
    }
}

/// A widget with one line of editable text.
package protocol GTKEditable: GTKWidgetObject {}

@MainActor
extension GTKEditable {
    package var text: String {
        get { String(cString: gtk_editable_get_text(pointer)) }
        nonmutating set { gtk_editable_set_text(pointer, newValue) }
    }
    /// The position of the cursor, in Unicode scalars.
    package var position: Int32 {
        get { gtk_editable_get_position(pointer) }
        nonmutating set { gtk_editable_set_position(pointer, newValue) }
    }
    /// - Parameter share: The alignment: 0 starts the text at the leading edge, 1 ends it at the trailing edge.
    package func setTextAlignment(_ share: Float) { gtk_editable_set_alignment(pointer, share) }
    package func setWidth(inCharacters count: Int32) { gtk_editable_set_width_chars(pointer, count) }
    /// Sets the text that is shown while the widget is empty.
    package func setPlaceholder(_ text: String?) { zt_gtk_set_string(objectPointer, "placeholder-text", text) }
}

/// A field for one line of text, of any class.
package struct GTKEntry: GTKEditable {
    package static var type: GType { gtk_editable_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package static func text() -> GTKEntry { GTKEntry(new: gtk_entry_new()) }
    /// Creates a field that hides its characters, with an icon that shows them.
    @MainActor package static func password() -> GTKEntry {
        let entry = GTKEntry(new: gtk_password_entry_new())
        gtk_password_entry_set_show_peek_icon(entry.pointer, 1)
        return entry
    }
    @MainActor package static func search() -> GTKEntry { GTKEntry(new: gtk_search_entry_new()) }

    /// Shows an icon after the text, or removes it with nil. Only for fields of `text()`. A press on the icon emits the
    /// signal "icon-press".
    ///
    /// - Parameters:
    ///   - name: The name of the icon in the theme.
    ///   - tooltip: The tooltip of the icon, which assistive technology reads.
    @MainActor package func setTrailingIcon(_ name: String?, tooltip: String? = nil) {
        gtk_entry_set_icon_from_icon_name(raw(), GTK_ENTRY_ICON_SECONDARY, name)
        gtk_entry_set_icon_tooltip_text(raw(), GTK_ENTRY_ICON_SECONDARY, name == nil ? nil : tooltip)
    }

    /// Sets the purpose of the field and its hints, for input methods. They are set on the `GtkText` inside the field,
    /// because only some classes of fields have functions for them.
    @MainActor package func setInput(_ purpose: GtkInputPurpose, hints: UInt32) {
        guard let text = gtk_editable_get_delegate(pointer).map({ UnsafeMutablePointer<GtkText>($0) }) else { return }
        gtk_text_set_input_purpose(text, purpose)
        gtk_text_set_input_hints(text, GtkInputHints(rawValue: hints))
    }
}

/// A widget with several lines of editable text.
package struct GTKTextView: GTKWidgetObject {
    package static var type: GType { gtk_text_view_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() { self.init(new: gtk_text_view_new()) }

    @MainActor package func setMargins(vertical: Int32, horizontal: Int32) {
        gtk_text_view_set_left_margin(raw(), horizontal)
        gtk_text_view_set_right_margin(raw(), horizontal)
        gtk_text_view_set_top_margin(raw(), vertical)
        gtk_text_view_set_bottom_margin(raw(), vertical)
    }
    @MainActor package func setWrapMode(_ mode: GtkWrapMode) { gtk_text_view_set_wrap_mode(raw(), mode) }
    /// Sets whether the Tab key types a tab, instead of moving the focus.
    @MainActor package func setAcceptsTab(_ accepts: Bool) { gtk_text_view_set_accepts_tab(raw(), accepts.gboolean) }

    @MainActor package var buffer: GTKTextBuffer { GTKTextBuffer(gtk_text_view_get_buffer(raw())) }
    /// Passes a key event to the input method. Returns whether the input method handled it.
    @MainActor package func passToInputMethod(_ event: GDKEvent) -> Bool {
        gtk_text_view_im_context_filter_keypress(raw(), event.pointer) != 0
    }
    /// Sets the purpose of the text and its hints, for input methods.
    @MainActor package func setInput(_ purpose: GtkInputPurpose, hints: UInt32) {
        gtk_text_view_set_input_purpose(raw(), purpose)
        gtk_text_view_set_input_hints(raw(), GtkInputHints(rawValue: hints))
    }
}

/// The content of a text view.
package struct GTKTextBuffer: GTKObject {
    package static var type: GType { gtk_text_buffer_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// The text. Setting it keeps the cursor as close to its position as possible.
    @MainActor package var text: String {
        get {
            var start = GtkTextIter()
            var end = GtkTextIter()
            gtk_text_buffer_get_bounds(raw(), &start, &end)
            return String(owned: gtk_text_buffer_get_text(raw(), &start, &end, 1)) ?? ""
        }
        nonmutating set {
            var iterator = GtkTextIter()
            gtk_text_buffer_get_iter_at_mark(raw(), &iterator, gtk_text_buffer_get_insert(raw()))
            let offset = gtk_text_iter_get_offset(&iterator)
            gtk_text_buffer_set_text(raw(), newValue, -1)
            gtk_text_buffer_get_iter_at_offset(raw(), &iterator, offset)
            gtk_text_buffer_place_cursor(raw(), &iterator)
        }
    }
}
