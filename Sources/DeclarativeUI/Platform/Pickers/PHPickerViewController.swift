import Foundation

/// The user's photos and videos, as the source of a picker. Modeled on the type in Photos.
///
/// Linux has no photo library. The object only stands for the user's folders.
public final class PHPhotoLibrary: Sendable {
    private init() {}
    private static let only = PHPhotoLibrary()
    /// Returns the only instance.
    public static func shared() -> PHPhotoLibrary { only }
}

/// The settings of a picker of photos and videos. Modeled on PhotosUI's type.
public struct PHPickerConfiguration: Hashable, Sendable {
    /// The form in which an item is provided. Has no effect: files are provided as they are.
    public enum AssetRepresentationMode: Int, Sendable {
        /// The system's choice, the file as it is, or a form that most apps can read.
        case automatic = 0, current, compatible
    }
    /// The way in which items are selected. Has no effect: the desktop's dialog decides.
    public enum Selection: Int, Sendable {
        /// In any order, or in the order in which the user selects.
        case `default` = 0, ordered
        /// Reported to the app at once, in any order, or in the order in which the user selects.
        case continuous, continuousAndOrdered
    }

    /// Creates settings for one photo or video.
    public init() {}
    /// Creates settings for one photo or video. The parameter has no effect.
    public init(photoLibrary: PHPhotoLibrary) {}

    /// The files that can be selected. Nil allows images and videos.
    public var filter: PHPickerFilter?
    /// The maximum number of items; further selected files are ignored. 0 means no limit.
    public var selectionLimit = 1
    /// Stored without effect: files are provided as they are.
    public var preferredAssetRepresentationMode = AssetRepresentationMode.automatic
    /// Stored without effect: the desktop's dialog decides how items are selected.
    public var selection = Selection.default
    /// Stored without effect: the desktop's dialog opens without selected files.
    public var preselectedAssetIdentifiers: [String] = []
}

/// A photo or video that the user has selected. Modeled on PhotosUI's type.
public struct PHPickerResult: Hashable, Sendable {
    let url: URL
    /// A provider of the file. The same object each time.
    public let itemProvider: NSItemProvider
    /// The file's path. Files on Linux have no other identifier.
    public var assetIdentifier: String? { url.path }

    init(_ url: URL) {
        self.url = url
        itemProvider = NSItemProvider(object: url)
    }
    /// Returns whether two results are the same file.
    public static func == (a: PHPickerResult, b: PHPickerResult) -> Bool { a.url == b.url }
    public func hash(into hasher: inout Hasher) { hasher.combine(url) }
}

/// A delegate that receives the photos and videos that the user has selected. Modeled on PhotosUI's protocol.
@MainActor @preconcurrency
public protocol PHPickerViewControllerDelegate: AnyObject {
    /// Called once after the dialog has closed. Implementations close the picker with `picker.dismiss(animated: true)`,
    /// or by the state that shows it.
    /// - Parameters:
    ///   - picker: The picker.
    ///   - results: The selected files, or none if the user has canceled.
    func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult])
}

/// A controller that lets the user select photos and videos in the desktop's file dialog. Modeled on PhotosUI's type.
///
/// ```swift
/// var configuration = PHPickerConfiguration()
/// configuration.filter = .videos
/// let picker = PHPickerViewController(configuration: configuration)
/// picker.delegate = delegate
/// ```
/// The dialog opens when the view appears, for example in a `sheet`, and starts in the user's folder of videos or
/// pictures. The sheet itself stays invisible until the app closes it. If the user cancels and the app leaves the
/// picker open, the picker closes itself.
@MainActor @preconcurrency
open class PHPickerViewController: _FilePickerController {
    /// The settings.
    public final let configuration: PHPickerConfiguration
    /// The delegate, which is called on the main actor.
    open weak var delegate: (any PHPickerViewControllerDelegate)?

    /// Creates a picker.
    public init(configuration: PHPickerConfiguration) {
        self.configuration = configuration
        super.init(nibName: nil, bundle: nil)
    }
    /// Returns nil, because archives of controllers are not supported.
    public required init?(coder: NSCoder) { return nil }

    override var request: Request? {
        let types = configuration.filter?.types ?? [.image, .movie]
        return Request(
            types: types, isMultiple: configuration.selectionLimit != 1, folder: MediaFolder.first(for: types))
    }
    override func ended(_ urls: [URL]) {
        let limit = configuration.selectionLimit
        let results = (limit > 0 ? Array(urls.prefix(limit)) : urls).map { PHPickerResult($0) }
        guard let delegate else { return dismiss(animated: true, completion: nil) }
        delegate.picker(self, didFinishPicking: results)
    }
}
