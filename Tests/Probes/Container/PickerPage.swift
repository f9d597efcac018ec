import DeclarativeUI
import Foundation

extension ContainerProbe {
    /// A page that shows each of UIKit's pickers in a sheet.
    struct PickerPage: View {
        @State private var kind: PickerKind?
        var body: some View {
            HStack {
                Square(color: Ink.red, word: "documents") { kind = .documents }
                Square(color: Ink.green, word: "photos") { kind = .photos }
                Square(color: Ink.blue, word: "images") { kind = .images }
            }
            .sheet(item: $kind, onDismiss: { say("dismissed") }) { VideoPicker(kind: $0).ignoresSafeArea() }
            .onChange(of: kind) { say("shown \($0?.rawValue ?? "none")") }
        }
    }

    enum PickerKind: String, Identifiable {
        case documents, photos, images
        var id: Self { self }
    }

    struct VideoPicker: UIViewControllerRepresentable {
        let kind: PickerKind
        func makeUIViewController(context: Context) -> UIViewController {
            switch kind {
            case .documents:
                let picker = UIDocumentPickerViewController(forOpeningContentTypes: [.movie], asCopy: false)
                picker.delegate = context.coordinator
                return picker
            case .photos:
                var configuration = PHPickerConfiguration()
                configuration.filter = .videos
                let picker = PHPickerViewController(configuration: configuration)
                picker.delegate = context.coordinator
                return picker
            case .images:
                let picker = UIImagePickerController()
                picker.mediaTypes = ["public.movie"]
                picker.delegate = context.coordinator
                return picker
            }
        }
        func updateUIViewController(_ uiViewController: UIViewController, context: Context) {}
        func makeCoordinator() -> PickerCoordinator { PickerCoordinator() }
    }

    final class PickerCoordinator: NSObject, UIDocumentPickerDelegate, UIImagePickerControllerDelegate,
        UINavigationControllerDelegate, PHPickerViewControllerDelegate
    {
        func documentPicker(_ controller: UIDocumentPickerViewController, didPickDocumentsAt urls: [URL]) {
            say("documents \(urls.map(\.path).joined(separator: ", "))")
        }
        func documentPickerWasCancelled(_ controller: UIDocumentPickerViewController) { say("documents none") }
        // After a cancellation, the picker closes without the app.
        func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult]) {
            say("photos \(results.first?.assetIdentifier ?? "none")")
            guard let item = results.first?.itemProvider else { return }
            picker.dismiss(animated: true) { say("closed") }
            item.loadFileRepresentation(forTypeIdentifier: UTType.movie.identifier) { file, _ in
                say("copy \(file?.lastPathComponent ?? "none")")
            }
        }
        // The default of the other method closes a canceled picker.
        func imagePickerController(
            _ picker: UIImagePickerController,
            didFinishPickingMediaWithInfo info: [UIImagePickerController.InfoKey: Any]
        ) {
            say("images \((info[.mediaURL] as? URL)?.lastPathComponent ?? "none")")
            picker.dismiss(animated: true, completion: nil)
        }
    }
}
