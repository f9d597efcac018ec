// Apple modules that apps use less often.
import AVFAudio
import AppKit
import CoreGraphics
import OSLog
import PhotosUI
import UniformTypeIdentifiers

struct MoreImports {
    let logger = OSLog.Logger(subsystem: "org.zoetrope.tests", category: "more")
    let types = [UTType.movie, UniformTypeIdentifiers.UTType.image]
    let rect = CGRect(x: 0, y: 0, width: 16, height: 9)
    let space: CGColorSpace = CGColorSpaceCreateDeviceRGB()
    @MainActor func image() -> UIImage? { UIImage(systemName: "play") }
    @MainActor func view() -> NSView { NSView(frame: rect) }
    func transform() -> CGAffineTransform { CGAffineTransform(scaleX: 2, y: 2) }
    @MainActor func play() throws { try AVAudioSession.sharedInstance().setCategory(.playback) }
}

/// A picker of PhotosUI with qualified names.
struct MoreLibrary: UIViewControllerRepresentable {
    func makeUIViewController(context: Context) -> PhotosUI.PHPickerViewController {
        var configuration = PhotosUI.PHPickerConfiguration()
        configuration.filter = .videos
        return PHPickerViewController(configuration: configuration)
    }
    func updateUIViewController(_ uiViewController: PHPickerViewController, context: Context) {}
}
