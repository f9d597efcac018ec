import Foundation
@_spi(Graph) import ViewGraph

/// A filter for photos and videos. Matches PhotosUI's `PHPickerFilter`.
public struct PHPickerFilter: Hashable, Sendable {
    let types: [UTType]
    /// The filters for images, for videos, and for Live Photos, which are videos on Linux.
    public static let images = PHPickerFilter(types: [.image]), videos = PHPickerFilter(types: [.movie]),
        livePhotos = PHPickerFilter(types: [.movie])
    /// Returns a filter that allows everything that any of `filters` allows.
    public static func any(of filters: [PHPickerFilter]) -> PHPickerFilter {
        PHPickerFilter(types: filters.flatMap(\.types))
    }
}

/// A photo or video that the user has selected, as a file. Matches PhotosUI's `PhotosPickerItem`.
public struct PhotosPickerItem: Hashable, Sendable {
    let url: URL
    init(url: URL) { self.url = url }
    /// The type of the file, as an array with one element.
    public var supportedContentTypes: [UTType] { [type] }
    private var type: UTType { UTType(filenameExtension: url.pathExtension) ?? .data }
    /// The file's path. Files on Linux have no other identifier.
    public var itemIdentifier: String? { url.path }
    /// Loads the file as a value: `Data`, `URL`, `Image`, or a type of the app.
    ///
    /// - Returns: The value, or nil if `type` does not support the type of this file.
    /// - Throws: The error of reading the file, or of creating the app's own type from it.
    public func loadTransferable<T: Transferable>(type: T.Type) async throws -> T? {
        try await Transfers.make(type, of: url, self.type)
    }
    /// Loads the file as a value and passes the result to `completionHandler` on the main actor.
    ///
    /// - Returns: A progress with one unit, which is completed just before `completionHandler` is called.
    @discardableResult
    public func loadTransferable<T: Transferable & Sendable>(
        type: T.Type, completionHandler: @escaping @MainActor @Sendable (Result<T?, any Error>) -> Void
    ) -> Progress {
        let progress = Progress(totalUnitCount: 1)
        Task {
            let result: Result<T?, any Error>
            do {
                result = .success(try await loadTransferable(type: type))
            } catch { result = .failure(error) }
            progress.completedUnitCount = 1
            await completionHandler(result)
        }
        return progress
    }
}

/// A button that shows the desktop's file dialog for selecting photos and videos. Matches PhotosUI's `PhotosPicker`.
public struct PhotosPicker<Label: View>: View {
    let selection: Binding<[PhotosPickerItem]>
    let isMultiple: Bool
    let filter: PHPickerFilter?
    let label: Label
    @State private var isOpen = false

    /// Creates a picker for one item.
    ///
    /// - Parameters:
    ///   - selection: The selected item. It stays the same if the user cancels.
    ///   - filter: The files that can be selected. Nil allows images and videos.
    ///   - label: The label of the button.
    public init(
        selection: Binding<PhotosPickerItem?>, matching filter: PHPickerFilter? = nil, @ViewBuilder label: () -> Label
    ) {
        self.selection = Binding(
            get: { selection.wrappedValue.map { [$0] } ?? [] }, set: { selection.wrappedValue = $0.first })
        (isMultiple, self.filter, self.label) = (false, filter, label())
    }
    /// Creates a picker for several items.
    ///
    /// - Parameters:
    ///   - selection: The selected items. New items replace them; they stay the same if the user cancels.
    ///   - maxSelectionCount: The maximum number of items; further selected files are ignored. Nil means no limit.
    ///   - filter: The files that can be selected. Nil allows images and videos.
    ///   - label: The label of the button.
    public init(
        selection: Binding<[PhotosPickerItem]>, maxSelectionCount: Int? = nil, matching filter: PHPickerFilter? = nil,
        @ViewBuilder label: () -> Label
    ) {
        self.selection = Binding(
            get: { selection.wrappedValue },
            set: { new in
                selection.wrappedValue = maxSelectionCount.map { Array(new.prefix(max(0, $0))) } ?? new
            })
        (isMultiple, self.filter, self.label) = (maxSelectionCount != 1, filter, label())
    }
    public var body: some View {
        Button {
            isOpen = true
        } label: {
            label
        }.photosPicker($isOpen, selection, isMultiple, filter)
    }
}

extension PhotosPicker where Label == Text {
    /// Creates a picker for one item with a localized title.
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<PhotosPickerItem?>, matching filter: PHPickerFilter? = nil
    ) { self.init(selection: selection, matching: filter) { Text(titleKey) } }
    /// Creates a picker for several items with a localized title.
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<[PhotosPickerItem]>, maxSelectionCount: Int? = nil,
        matching filter: PHPickerFilter? = nil
    ) {
        self.init(selection: selection, maxSelectionCount: maxSelectionCount, matching: filter) { Text(titleKey) }
    }
    /// Creates a picker for one item with a title that is not localized.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, selection: Binding<PhotosPickerItem?>, matching filter: PHPickerFilter? = nil
    ) { self.init(selection: selection, matching: filter) { Text(title) } }
    /// Creates a picker for several items with a title that is not localized.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, selection: Binding<[PhotosPickerItem]>, maxSelectionCount: Int? = nil,
        matching filter: PHPickerFilter? = nil
    ) {
        self.init(selection: selection, maxSelectionCount: maxSelectionCount, matching: filter) { Text(title) }
    }
}

extension View {
    fileprivate func photosPicker(
        _ isPresented: Binding<Bool>, _ selection: Binding<[PhotosPickerItem]>, _ isMultiple: Bool,
        _ filter: PHPickerFilter?
    ) -> some View {
        fileImporter(
            isPresented: isPresented, allowedContentTypes: filter?.types ?? [.image, .movie],
            allowsMultipleSelection: isMultiple
        ) { result in
            if case .success(let files) = result { selection.wrappedValue = files.map { PhotosPickerItem(url: $0) } }
        }
    }
    /// Shows the desktop's file dialog for selecting a photo or a video while `isPresented` is true, and sets
    /// `isPresented` to false when the dialog closes.
    ///
    /// - Parameters:
    ///   - isPresented: Whether the dialog is shown.
    ///   - selection: The selected item. It stays the same if the user cancels.
    ///   - filter: The files that can be selected. Nil allows images and videos.
    public func photosPicker(
        isPresented: Binding<Bool>, selection: Binding<PhotosPickerItem?>, matching filter: PHPickerFilter? = nil
    ) -> some View {
        photosPicker(
            isPresented,
            Binding(get: { selection.wrappedValue.map { [$0] } ?? [] }, set: { selection.wrappedValue = $0.first }),
            false, filter)
    }
    /// Shows the desktop's file dialog for selecting photos and videos while `isPresented` is true, and sets
    /// `isPresented` to false when the dialog closes.
    ///
    /// - Parameters:
    ///   - isPresented: Whether the dialog is shown.
    ///   - selection: The selected items. New items replace them; they stay the same if the user cancels.
    ///   - maxSelectionCount: The maximum number of items; further selected files are ignored. Nil means no limit.
    ///   - filter: The files that can be selected. Nil allows images and videos.
    public func photosPicker(
        isPresented: Binding<Bool>, selection: Binding<[PhotosPickerItem]>, maxSelectionCount: Int? = nil,
        matching filter: PHPickerFilter? = nil
    ) -> some View {
        photosPicker(
            isPresented,
            Binding(
                get: { selection.wrappedValue },
                set: { new in
                    selection.wrappedValue = maxSelectionCount.map { Array(new.prefix(max(0, $0))) } ?? new
                }), maxSelectionCount != 1, filter)
    }
}
