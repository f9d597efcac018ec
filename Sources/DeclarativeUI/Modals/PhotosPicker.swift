import Foundation
@_spi(Graph) import ViewGraph

/// Which photos and videos can be chosen. PhotosUI's type.
public struct PHPickerFilter: Hashable, Sendable {
    let types: [UTType]
    /// Images; videos; moving images, which are videos here.
    public static let images = PHPickerFilter(types: [.image]), videos = PHPickerFilter(types: [.movie]),
        livePhotos = PHPickerFilter(types: [.movie])
    /// What any of the filters allows.
    public static func any(of filters: [PHPickerFilter]) -> PHPickerFilter {
        PHPickerFilter(types: filters.flatMap(\.types))
    }
}

/// A photo or a video that was chosen: a file. PhotosUI's type.
public struct PhotosPickerItem: Hashable, Sendable {
    let url: URL
    /// Makes an item of a file.
    init(url: URL) { self.url = url }
    /// The kinds of the file, the most exact first.
    public var supportedContentTypes: [UTType] { [type] }
    private var type: UTType { UTType(filenameExtension: url.pathExtension) ?? .data }
    /// The file's path; a file on Linux has no other name.
    public var itemIdentifier: String? { url.path }
    /// Makes a value of the file: `Data`, `URL`, `Image`, or a type of the app's. Nil if the type is for other files.
    public func loadTransferable<T: Transferable>(type: T.Type) async throws -> T? {
        try await Transfers.make(type, of: url, self.type)
    }
    /// The same, with the result on the main queue.
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

/// A button that lets the user choose photos and videos, in the desktop's own dialog for files. PhotosUI's view.
public struct PhotosPicker<Label: View>: View {
    let selection: Binding<[PhotosPickerItem]>
    let isMultiple: Bool
    let filter: PHPickerFilter?
    let label: Label
    @State private var isOpen = false

    /// A picker of one item. - Parameter matching: Nil is images and videos.
    public init(
        selection: Binding<PhotosPickerItem?>, matching filter: PHPickerFilter? = nil, @ViewBuilder label: () -> Label
    ) {
        self.selection = Binding(
            get: { selection.wrappedValue.map { [$0] } ?? [] }, set: { selection.wrappedValue = $0.first })
        (isMultiple, self.filter, self.label) = (false, filter, label())
    }
    /// A picker of several items.
    /// - Parameters:
    ///   - maxSelectionCount: How many of those that are chosen are taken; nil is all.
    ///   - matching: Nil is images and videos.
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
    /// A picker of one item, with a title that is looked up in the app's translations.
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<PhotosPickerItem?>, matching filter: PHPickerFilter? = nil
    ) { self.init(selection: selection, matching: filter) { Text(titleKey) } }
    /// A picker of several items, with a title that is looked up in the app's translations.
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<[PhotosPickerItem]>, maxSelectionCount: Int? = nil,
        matching filter: PHPickerFilter? = nil
    ) {
        self.init(selection: selection, maxSelectionCount: maxSelectionCount, matching: filter) { Text(titleKey) }
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
    /// Lets the user choose a photo or a video while `isPresented`.
    public func photosPicker(
        isPresented: Binding<Bool>, selection: Binding<PhotosPickerItem?>, matching filter: PHPickerFilter? = nil
    ) -> some View {
        photosPicker(
            isPresented,
            Binding(get: { selection.wrappedValue.map { [$0] } ?? [] }, set: { selection.wrappedValue = $0.first }),
            false, filter)
    }
    /// Lets the user choose photos and videos while `isPresented`.
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
