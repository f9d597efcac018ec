import CGTK
import Foundation

/// A delegate that receives the photo or video that the user has selected. Modeled on UIKit's protocol.
@MainActor @preconcurrency
public protocol UIImagePickerControllerDelegate: AnyObject {
    /// Called once after the user has selected a file. Implementations close the picker with
    /// `picker.dismiss(animated: true)`, or by the state that shows it.
    /// - Parameters:
    ///   - picker: The picker.
    ///   - info: `.mediaType` for every file; `.mediaURL` for a video; `.imageURL` for an image, and `.originalImage`
    ///     if GTK can read it.
    func imagePickerController(
        _ picker: UIImagePickerController, didFinishPickingMediaWithInfo info: [UIImagePickerController.InfoKey: Any])
    /// Called once if the user cancels.
    func imagePickerControllerDidCancel(_ picker: UIImagePickerController)
}
extension UIImagePickerControllerDelegate {
    /// Closes the picker.
    public func imagePickerController(
        _ picker: UIImagePickerController, didFinishPickingMediaWithInfo info: [UIImagePickerController.InfoKey: Any]
    ) { picker.dismiss(animated: true, completion: nil) }
    /// Closes the picker.
    public func imagePickerControllerDidCancel(_ picker: UIImagePickerController) {
        picker.dismiss(animated: true, completion: nil)
    }
}

/// A controller that lets the user select a photo or a video in the desktop's file dialog. Modeled on UIKit's type.
///
/// ```swift
/// let picker = UIImagePickerController()
/// picker.sourceType = .photoLibrary
/// picker.mediaTypes = [UTType.movie.identifier]
/// picker.delegate = delegate
/// ```
/// The dialog opens when the view appears, for example in a `sheet`, and starts in the user's folder of videos or
/// pictures. The sheet itself stays invisible until the app closes it. If the user cancels and the app leaves the
/// picker open, the picker closes itself.
///
/// On Apple's platforms, the class is a subclass of `UINavigationController`. Here it is not: the desktop's dialog has
/// no navigation bar. There are no cameras.
@MainActor @preconcurrency
open class UIImagePickerController: _FilePickerController {
    /// A source of photos and videos.
    public enum SourceType: Int, Sendable {
        /// All photos and videos of the user.
        case photoLibrary = 0
        /// A camera, which is never available. A picker with this source is canceled at once.
        case camera
        /// The same as `photoLibrary`.
        case savedPhotosAlbum
    }
    /// The quality of recorded videos. Has no effect, because selected videos are never encoded again.
    public enum QualityType: Int, Sendable {
        /// The qualities, with UIKit's values.
        case typeHigh = 0, typeMedium, typeLow, type640x480, typeIFrame1280x720, typeIFrame960x540
    }
    /// The kind of medium that a camera records. Has no effect.
    public enum CameraCaptureMode: Int, Sendable {
        /// A photo or a video.
        case photo = 0, video
    }
    /// A camera of a device. Has no effect.
    public enum CameraDevice: Int, Sendable {
        /// The camera on the back, or above the screen.
        case rear = 0, front
    }
    /// The use of a camera's flash. Has no effect.
    public enum CameraFlashMode: Int, Sendable {
        /// No flash, a flash in the dark, or always a flash.
        case off = -1
        case auto, on
    }
    /// A key of the information about a selected file.
    public struct InfoKey: RawRepresentable, Hashable, Sendable {
        /// The key, as in UIKit.
        public let rawValue: String
        /// Creates a key.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Creates a key.
        public init(_ rawValue: String) { self.rawValue = rawValue }
        /// A type identifier: `public.movie` or `public.image`, as a `String`.
        public static let mediaType = InfoKey("UIImagePickerControllerMediaType")
        /// The `URL` of a copy of a video, or of an image. The app may move or remove the copy. It is removed when the
        /// program ends. A file on a server is not copied, and its URL is not a file URL.
        public static let mediaURL = InfoKey("UIImagePickerControllerMediaURL"),
            imageURL = InfoKey("UIImagePickerControllerImageURL")
        /// The selected image as a `UIImage`.
        public static let originalImage = InfoKey("UIImagePickerControllerOriginalImage")
        /// Keys for edited images and for assets of a photo library, for which there is never a value.
        public static let editedImage = InfoKey("UIImagePickerControllerEditedImage"),
            cropRect = InfoKey("UIImagePickerControllerCropRect"),
            phAsset = InfoKey("UIImagePickerControllerPHAsset"),
            livePhoto = InfoKey("UIImagePickerControllerLivePhoto"),
            mediaMetadata = InfoKey("UIImagePickerControllerMediaMetadata"),
            referenceURL = InfoKey("UIImagePickerControllerReferenceURL")
    }

    /// Returns whether files can be selected from a source: true for all but `camera`.
    open class func isSourceTypeAvailable(_ sourceType: SourceType) -> Bool { sourceType != .camera }
    /// Returns the type identifiers of images and videos, or nil for `camera`.
    open class func availableMediaTypes(for sourceType: SourceType) -> [String]? {
        isSourceTypeAvailable(sourceType) ? [UTType.image.identifier, UTType.movie.identifier] : nil
    }
    /// Returns false, because there are no cameras.
    open class func isCameraDeviceAvailable(_ cameraDevice: CameraDevice) -> Bool { false }
    /// Returns false, because there are no cameras.
    open class func isFlashAvailable(for cameraDevice: CameraDevice) -> Bool { false }
    /// Returns nil, because there are no cameras.
    open class func availableCaptureModes(for cameraDevice: CameraDevice) -> [NSNumber]? { nil }

    /// The delegate, which is called on the main actor.
    open weak var delegate: (any UIImagePickerControllerDelegate & UINavigationControllerDelegate)?
    /// The source of the files.
    open var sourceType = SourceType.photoLibrary
    /// The type identifiers of files that can be selected: images unless set. Unknown identifiers are ignored. Without
    /// a known identifier, all files can be selected.
    open var mediaTypes = [UTType.image.identifier]
    /// Stored without effect: selected files are not edited.
    open var allowsEditing = false
    /// Stored without effect: selected videos are never encoded again.
    open var videoQuality = QualityType.typeMedium
    /// Stored without effect: a maximum duration in seconds, which applies to recorded and edited videos only.
    open var videoMaximumDuration: TimeInterval = 600
    /// Stored without effect: selected videos are never encoded again.
    open var videoExportPreset = ""
    /// Stored without effect: there are no cameras.
    open var cameraCaptureMode = CameraCaptureMode.photo
    /// Stored without effect: there are no cameras.
    open var cameraDevice = CameraDevice.rear
    /// Stored without effect: there are no cameras.
    open var cameraFlashMode = CameraFlashMode.auto
    /// Stored without effect: there are no cameras.
    open var showsCameraControls = true

    override var request: Request? {
        guard Self.isSourceTypeAvailable(sourceType) else { return nil }
        let types = mediaTypes.compactMap { UTType($0) }
        return Request(types: types, folder: MediaFolder.first(for: types))
    }
    override func ended(_ urls: [URL]) {
        guard !urls.isEmpty else { return canceled() }
        withCopies(of: urls) { copies in
            guard let file = copies.first else { return self.finish([]) }
            guard let delegate = self.delegate else { return self.dismiss(animated: true, completion: nil) }
            delegate.imagePickerController(self, didFinishPickingMediaWithInfo: Self.info(file))
        }
    }
    private final func canceled() {
        guard let delegate else { return dismiss(animated: true, completion: nil) }
        delegate.imagePickerControllerDidCancel(self)
    }
    static func info(_ file: URL) -> [InfoKey: Any] {
        guard UTType(filenameExtension: file.pathExtension)?.conforms(to: .image) == true else {
            return [.mediaType: UTType.movie.identifier, .mediaURL: file]
        }
        var info: [InfoKey: Any] = [.mediaType: UTType.image.identifier, .imageURL: file]
        if let image = UIImage(contentsOf: file) { info[.originalImage] = image }
        return info
    }
}

/// The folders in which pickers of photos and videos start.
@MainActor
enum MediaFolder {
    /// Returns the user's folder of videos if only videos can be selected, otherwise that of pictures. Returns nil if
    /// the desktop has no such folder.
    static func first(for types: [UTType]) -> URL? {
        let isVideo = !types.isEmpty && types.allSatisfy { $0.conforms(to: .movie) }
        return g_get_user_special_dir(isVideo ? G_USER_DIRECTORY_VIDEOS : G_USER_DIRECTORY_PICTURES).map {
            URL(fileURLWithPath: String(cString: $0), isDirectory: true)
        }
    }
}
