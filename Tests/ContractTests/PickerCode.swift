import Foundation
import Zoetrope

// UIKit's pickers, wrapped as apps do it.

struct MoviePicker: UIViewControllerRepresentable {
    @Binding var url: URL?
    @Environment(\.presentationMode) private var presentationMode

    func makeCoordinator() -> Coordinator { Coordinator(self) }
    func makeUIViewController(context: Context) -> UIImagePickerController {
        let picker = UIImagePickerController()
        if UIImagePickerController.isSourceTypeAvailable(.camera) { picker.sourceType = .camera }
        picker.sourceType = .photoLibrary
        if UIImagePickerController.isSourceTypeAvailable(.savedPhotosAlbum) { picker.sourceType = .savedPhotosAlbum }
        picker.mediaTypes = UIImagePickerController.availableMediaTypes(for: .photoLibrary) ?? ["public.movie"]
        picker.mediaTypes = [UTType.movie.identifier, "public.image"]
        picker.allowsEditing = true
        picker.videoQuality = .typeHigh
        picker.videoMaximumDuration = 60
        picker.modalPresentationStyle = .fullScreen
        picker.delegate = context.coordinator
        return picker
    }
    func updateUIViewController(_ uiViewController: UIImagePickerController, context: Context) {}

    class Coordinator: NSObject, UINavigationControllerDelegate, UIImagePickerControllerDelegate {
        let parent: MoviePicker
        init(_ parent: MoviePicker) { self.parent = parent }
        func imagePickerController(
            _ picker: UIImagePickerController,
            didFinishPickingMediaWithInfo info: [UIImagePickerController.InfoKey: Any]
        ) {
            if let url = info[.mediaURL] as? URL ?? info[UIImagePickerController.InfoKey.imageURL] as? URL {
                parent.url = url
            }
            let image = info[.editedImage] as? UIImage ?? info[.originalImage] as? UIImage
            if let image, info[.mediaType] as? String == "public.image" { _ = image.size }
            parent.presentationMode.wrappedValue.dismiss()
        }
        func imagePickerControllerDidCancel(_ picker: UIImagePickerController) { picker.dismiss(animated: true) }
    }
}

struct DocumentPicker: UIViewControllerRepresentable {
    var opened: (URL) -> Void
    func makeCoordinator() -> Coordinator { Coordinator(self) }
    func makeUIViewController(context: UIViewControllerRepresentableContext<DocumentPicker>)
        -> UIDocumentPickerViewController
    {
        let picker = UIDocumentPickerViewController(forOpeningContentTypes: [.movie, .mpeg4Movie], asCopy: true)
        picker.delegate = context.coordinator
        picker.allowsMultipleSelection = false
        picker.shouldShowFileExtensions = true
        picker.directoryURL = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
        return picker
    }
    func updateUIViewController(_ uiViewController: UIDocumentPickerViewController, context: Context) {}

    final class Coordinator: NSObject, UIDocumentPickerDelegate {
        let parent: DocumentPicker
        init(_ parent: DocumentPicker) { self.parent = parent }
        func documentPicker(_ controller: UIDocumentPickerViewController, didPickDocumentsAt urls: [URL]) {
            guard let url = urls.first, url.startAccessingSecurityScopedResource() else { return }
            defer { url.stopAccessingSecurityScopedResource() }
            parent.opened(url)
        }
        func documentPickerWasCancelled(_ controller: UIDocumentPickerViewController) {}
    }
}

struct LibraryPicker: UIViewControllerRepresentable {
    @Binding var isPresented: Bool
    let added: @MainActor (URL) -> Void
    func makeUIViewController(context: Context) -> PHPickerViewController {
        var configuration = PHPickerConfiguration(photoLibrary: .shared())
        configuration.filter = .any(of: [.videos, .images])
        configuration.selectionLimit = 0
        configuration.preferredAssetRepresentationMode = .current
        let controller = PHPickerViewController(configuration: configuration)
        controller.delegate = context.coordinator
        return controller
    }
    func updateUIViewController(_ uiViewController: PHPickerViewController, context: Context) {}
    func makeCoordinator() -> Coordinator { Coordinator(self) }

    class Coordinator: PHPickerViewControllerDelegate {
        private let parent: LibraryPicker
        init(_ parent: LibraryPicker) { self.parent = parent }
        func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult]) {
            parent.isPresented = false
            picker.dismiss(animated: true)
            let added = parent.added
            for provider in results.map(\.itemProvider) {
                if provider.hasItemConformingToTypeIdentifier(UTType.movie.identifier) {
                    provider.loadFileRepresentation(forTypeIdentifier: UTType.movie.identifier) { url, error in
                        guard let url, error == nil else { return }
                        let kept = FileManager.default.temporaryDirectory.appendingPathComponent(url.lastPathComponent)
                        try? FileManager.default.copyItem(at: url, to: kept)
                        DispatchQueue.main.async { added(kept) }
                    }
                } else if provider.canLoadObject(ofClass: UIImage.self) {
                    provider.loadObject(ofClass: UIImage.self) { image, _ in
                        DispatchQueue.main.async { _ = image?.size }
                    }
                }
            }
        }
    }
}

struct PickersPage: View {
    @State private var url: URL?
    @State private var shows = (movie: false, document: false, library: false)
    var body: some View {
        Button("Choose") { shows.movie = true }
            .sheet(isPresented: $shows.movie) { MoviePicker(url: $url).ignoresSafeArea() }
            .sheet(isPresented: $shows.document) { DocumentPicker { url = $0 } }
            .fullScreenCover(isPresented: $shows.library) {
                LibraryPicker(isPresented: $shows.library) { url = $0 }
            }
    }
}

@MainActor
func olderPicker(_ controller: UIViewController, _ url: URL) {
    let opening = UIDocumentPickerViewController(documentTypes: ["public.movie"], in: .import)
    controller.present(opening, animated: true, completion: nil)
    controller.present(UIDocumentPickerViewController(forExporting: [url], asCopy: true), animated: true)
}

func movie(of provider: NSItemProvider) async throws -> URL? {
    try await provider.loadItem(forTypeIdentifier: UTType.movie.identifier) as? URL
}
