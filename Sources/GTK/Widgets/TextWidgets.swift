import CGTK

/// A text.
package struct GTKLabel: GTKWidgetObject {
    package static var type: GType { gtk_label_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init(_ text: String? = nil) { self.init(new: gtk_label_new(text)) }

    @MainActor package func setText(_ text: String) { gtk_label_set_text(pointer, text) }
    @MainActor package func setEllipsize(_ mode: PangoEllipsizeMode) { gtk_label_set_ellipsize(pointer, mode) }
    @MainActor package func setMostCharacters(_ count: Int32) { gtk_label_set_max_width_chars(pointer, count) }
    /// - Parameter share: 0: its text begins at the leading edge; 1: it ends at the trailing one.
    @MainActor package func setTextAlignment(_ share: Float) { gtk_label_set_xalign(pointer, share) }
    @MainActor package func setWraps(_ wraps: Bool) { gtk_label_set_wrap(pointer, wraps.gboolean) }
    @MainActor package func setWraps(at mode: PangoWrapMode, natural: GtkNaturalWrapMode) {
        setWraps(true)
        gtk_label_set_wrap_mode(pointer, mode)
        gtk_label_set_natural_wrap_mode(pointer, natural)
    }
}

/// A line of text that can be edited.
package protocol GTKEditable: GTKWidgetObject {}

@MainActor
extension GTKEditable {
    package var text: String {
        get { String(cString: gtk_editable_get_text(pointer)) }
        nonmutating set { gtk_editable_set_text(pointer, newValue) }
    }
    /// The cursor's, in Unicode scalars.
    package var position: Int32 {
        get { gtk_editable_get_position(pointer) }
        nonmutating set { gtk_editable_set_position(pointer, newValue) }
    }
    /// - Parameter share: 0: the text begins at the leading edge; 1: it ends at the trailing one.
    package func setTextAlignment(_ share: Float) { gtk_editable_set_alignment(pointer, share) }
    package func setWidth(inCharacters count: Int32) { gtk_editable_set_width_chars(pointer, count) }
    /// What stands there while there is no text.
    package func setPlaceholder(_ text: String?) { zt_gtk_set_string(objectPointer, "placeholder-text", text) }
}

/// A field for a line of text, of any class.
package struct GTKEntry: GTKEditable {
    package static var type: GType { gtk_editable_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package static func text() -> GTKEntry { GTKEntry(new: gtk_entry_new()) }
    /// It shows no characters; an icon lets the user see them.
    @MainActor package static func password() -> GTKEntry {
        let entry = GTKEntry(new: gtk_password_entry_new())
        gtk_password_entry_set_show_peek_icon(entry.pointer, 1)
        return entry
    }
    @MainActor package static func search() -> GTKEntry { GTKEntry(new: gtk_search_entry_new()) }

    /// Tells input methods what a field made by `text()` is for; the others say so by themselves.
    @MainActor package func setInput(_ purpose: GtkInputPurpose, hints: UInt32) {
        gtk_entry_set_input_purpose(raw(), purpose)
        gtk_entry_set_input_hints(raw(), GtkInputHints(rawValue: hints))
    }
}

/// Text of many lines that can be edited.
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
    /// Whether Tab types a tab, and does not move the focus.
    @MainActor package func setAcceptsTab(_ accepts: Bool) { gtk_text_view_set_accepts_tab(raw(), accepts.gboolean) }
    @MainActor package func setMonospaced(_ isMonospaced: Bool) {
        gtk_text_view_set_monospace(raw(), isMonospaced.gboolean)
    }

    @MainActor package var buffer: GTKTextBuffer { GTKTextBuffer(gtk_text_view_get_buffer(raw())) }
}

/// What a text view shows.
package struct GTKTextBuffer: GTKObject {
    package static var type: GType { gtk_text_buffer_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// Setting it leaves the cursor as near to its place as can be.
    @MainActor package var text: String {
        get {
            var start = GtkTextIter()
            var end = GtkTextIter()
            gtk_text_buffer_get_bounds(raw(), &start, &end)
            return String(owned: gtk_text_buffer_get_text(raw(), &start, &end, 1)) ?? ""
        }
        nonmutating set {
            var place = GtkTextIter()
            gtk_text_buffer_get_iter_at_mark(raw(), &place, gtk_text_buffer_get_insert(raw()))
            let offset = gtk_text_iter_get_offset(&place)
            gtk_text_buffer_set_text(raw(), newValue, -1)
            gtk_text_buffer_get_iter_at_offset(raw(), &place, offset)
            gtk_text_buffer_place_cursor(raw(), &place)
        }
    }
}
