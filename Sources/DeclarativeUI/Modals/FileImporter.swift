import Foundation
import GTK
import MediaCore
import Presentation
@_spi(Graph) import ViewGraph

extension View {
    /// Asks the user for a file, in the desktop's own dialog, while `isPresented`, which is set false when it is
    /// closed.
    /// - Parameters:
    ///   - allowedContentTypes: kinds of files that can be chosen; `.item`, `.data` and `.content` are all files. Of
    ///     folders alone, folders can be chosen; among others they cannot.
    ///   - onCompletion: called with the file that was chosen; not called when the user cancels. Main actor.
    public func fileImporter(
        isPresented: Binding<Bool>, allowedContentTypes: [UTType],
        onCompletion: @escaping @MainActor (Result<URL, any Error>) -> Void
    ) -> some View {
        fileImporter(isPresented: isPresented, allowedContentTypes: allowedContentTypes, allowsMultipleSelection: false)
        { result in
            switch result {
            case .success(let urls): if let url = urls.first { onCompletion(.success(url)) }
            case .failure(let error): onCompletion(.failure(error))
            }
        }
    }
    /// - Parameter allowsMultipleSelection: several files can be chosen.
    public func fileImporter(
        isPresented: Binding<Bool>, allowedContentTypes: [UTType], allowsMultipleSelection: Bool,
        onCompletion: @escaping @MainActor (Result<[URL], any Error>) -> Void
    ) -> some View {
        presenting(
            isPresented,
            in: { _ in
                FileDialog(types: allowedContentTypes, isMultiple: allowsMultipleSelection) { urls in
                    // Closed first, so that what is done with the files may ask for others.
                    isPresented.wrappedValue = false
                    if !urls.isEmpty { onCompletion(.success(urls)) }
                }
            }
        ) { AnyView(EmptyView()) }
    }
}

/// GTK's dialog for files: the desktop's own where there is a portal.
@MainActor
final class FileDialog: PresentationPlace {
    let root = LayersElement()
    var onClose: (() -> Void)?
    private let types: [UTType]
    private let isMultiple: Bool
    private let done: ([URL]) -> Void
    private var dialog: GTKFileChooser?

    init(types: [UTType], isMultiple: Bool, done: @escaping ([URL]) -> Void) {
        self.types = types
        self.isMultiple = isMultiple
        self.done = done
    }

    func open(over element: Element?) {
        guard dialog == nil, let container = element?.host?.container else { return }
        let open = PlayerWords.localized("Open")
        dialog = GTKFileChooser(
            open, over: container.window, takesFolders: FileDialog.takesFolders(types), accept: open,
            cancel: PlayerWords.localized("Cancel")
        ) { [weak self] urls in
            // Not now: GTK is in the midst of closing it.
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.done(urls) } }
        }
        dialog?.setAllowsMany(isMultiple)
        dialog?.setEndings(FileDialog.endings(types))
        dialog?.show(isModal: true)
    }

    func close() { dialog = nil }

    /// A dialog of GTK's is for files or for folders.
    static func takesFolders(_ types: [UTType]) -> Bool {
        !types.isEmpty && types.allSatisfy { $0.conforms(to: .directory) }
    }

    /// How files that can be chosen end; none is any.
    static func endings(_ types: [UTType]) -> [String] {
        let all: [UTType] = [.item, .data, .content]
        guard !types.isEmpty, !types.contains(where: { type in all.contains(type) || type.allExtensions.isEmpty })
        else { return [] }
        return types.flatMap(\.allExtensions)
    }
}
