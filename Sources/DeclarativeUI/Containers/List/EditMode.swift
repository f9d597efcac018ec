import Observation
import Presentation
@_spi(Graph) import ViewGraph

/// The mode in which the rows of lists are shown: with or without edit controls. Matches SwiftUI's `EditMode`.
public enum EditMode: Hashable, Sendable {
    /// The rows have no edit controls.
    case inactive
    /// The rows are edited for a short time, such as while a row's delete button is shown. Lists never set this mode.
    case transient
    /// The rows have edit controls.
    case active
    /// Whether rows have edit controls: in every mode except `inactive`.
    public var isEditing: Bool { self != .inactive }
}

private struct EditModeKey: EnvironmentKey { static var defaultValue: Binding<EditMode>? { nil } }
extension EnvironmentValues {
    /// The edit mode of the views in a window, in a sheet, or in a page that a navigation stack has pushed.
    ///
    /// An app may set its own binding for some views: `.environment(\.editMode, $mode)`.
    public var editMode: Binding<EditMode>? {
        get { self[EditModeKey.self] }
        set { self[EditModeKey.self] = newValue }
    }
}

/// The edit mode of a window, a sheet or a page.
@MainActor @Observable
final class EditModeStore {
    private var mode = EditMode.inactive
    @ObservationIgnored private(set) lazy var binding = Binding<EditMode>(
        get: { [weak self] in self?.mode ?? .inactive }, set: { [weak self] in self?.mode = $0 })

    /// Returns the environment with this edit mode.
    func within(_ environment: EnvironmentValues) -> EnvironmentValues { with(environment) { $0.editMode = binding } }
}

/// A button that starts and ends the editing of lists. Matches SwiftUI's `EditButton`.
///
/// ```swift
/// NavigationStack {
///     List { ForEach(titles, id: \.self) { Text($0) }.onDelete { titles.remove(atOffsets: $0) } }
///         .toolbar { EditButton() }
/// }
/// ```
/// The label is “Edit” or “Done” in the user's language.
public struct EditButton: View {
    @Environment(\.editMode) private var editMode

    /// Creates the button.
    public init() {}

    public var body: some View {
        let isEditing = editMode?.wrappedValue.isEditing == true
        Button(isEditing ? PlayerWords.localized("Done") : PlayerWords.localized("Edit")) {
            guard let editMode else { return }
            withAnimation { editMode.wrappedValue = isEditing ? .inactive : .active }
        }
        .disabled(editMode == nil)
    }
}
