import CGTK

/// A slider.
package struct GTKScale: GTKWidgetObject {
    package static var type: GType { gtk_scale_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() {
        self.init(new: gtk_scale_new(GTK_ORIENTATION_HORIZONTAL, nil))
        // By default, GTK would round values to the displayed digits.
        gtk_range_set_round_digits(raw(), -1)
    }

    @MainActor package var value: Double {
        get { gtk_range_get_value(raw()) }
        nonmutating set { gtk_range_set_value(raw(), newValue) }
    }
    @MainActor package func configure(
        value: Double, lower: Double, upper: Double, step: Double, page: Double
    ) {
        gtk_adjustment_configure(gtk_range_get_adjustment(raw()), value, lower, upper, step, page, 0)
    }
}

/// A value in a range, such as the position of a scrolled area.
package struct GTKAdjustment: GTKObject {
    package static var type: GType { gtk_adjustment_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package var value: Double {
        get { gtk_adjustment_get_value(raw()) }
        nonmutating set { gtk_adjustment_set_value(raw(), newValue) }
    }
}

/// A bar that shows progress.
package struct GTKProgressBar: GTKWidgetObject {
    package static var type: GType { gtk_progress_bar_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() { self.init(new: gtk_progress_bar_new()) }

    /// - Parameter fraction: The progress, 0…1.
    @MainActor package func setFraction(_ fraction: Double) { gtk_progress_bar_set_fraction(pointer, fraction) }
    @MainActor package func setPulseStep(_ step: Double) { gtk_progress_bar_set_pulse_step(pointer, step) }
    /// Moves the indicator by one step, to show activity when the progress is unknown.
    @MainActor package func pulse() { gtk_progress_bar_pulse(pointer) }
}

/// An animation that shows activity.
package struct GTKSpinner: GTKWidgetObject {
    package static var type: GType { gtk_spinner_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package func start() { gtk_spinner_start(pointer) }
}

/// A list of texts from which the user chooses one.
package struct GTKDropDown: GTKWidgetObject {
    package static var type: GType { gtk_drop_down_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() { self.init(new: gtk_drop_down_new_from_strings(nil)) }

    @MainActor package func setTexts(_ texts: [String]) {
        guard let list = gtk_string_list_new(nil) else { return }
        for text in texts { gtk_string_list_append(list, text) }
        gtk_drop_down_set_model(pointer, list)
        g_object_unref(UnsafeMutableRawPointer(list))
    }
    /// The index of the selected text, or nil if none is selected.
    @MainActor package var selected: Int? {
        get {
            let index = gtk_drop_down_get_selected(pointer)
            return index == guint.max ? nil : Int(index)
        }
        nonmutating set { gtk_drop_down_set_selected(pointer, newValue.map { guint(clamping: $0) } ?? guint.max) }
    }
}
