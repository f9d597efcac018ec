import Foundation
import Presentation
@_spi(Graph) import ViewGraph

/// A service of an app for the items of a `UIActivityViewController`. Modeled on UIKit's type. Subclass it.
@MainActor @preconcurrency
open class UIActivity {
    /// The name of a service.
    public struct ActivityType: RawRepresentable, Hashable, Sendable {
        /// The text of the name.
        public let rawValue: String
        /// Creates a name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Creates a name.
        public init(_ rawValue: String) { self.rawValue = rawValue }
        /// Copying to the clipboard, an email, and opening with the desktop's program.
        public static let copyToPasteboard = ActivityType("com.apple.UIKit.activity.CopyToPasteboard"),
            mail = ActivityType("com.apple.UIKit.activity.Mail"), openWithProgram = ActivityType("zoetrope.open")
        /// Services of Apple's devices, which are never offered.
        public static let airDrop = ActivityType("com.apple.UIKit.activity.AirDrop"),
            message = ActivityType("com.apple.UIKit.activity.Message"),
            saveToCameraRoll = ActivityType("com.apple.UIKit.activity.SaveToCameraRoll"),
            print = ActivityType("com.apple.UIKit.activity.Print"),
            assignToContact = ActivityType("com.apple.UIKit.activity.AssignToContact"),
            addToReadingList = ActivityType("com.apple.UIKit.activity.AddToReadingList"),
            postToFacebook = ActivityType("com.apple.UIKit.activity.PostToFacebook"),
            postToTwitter = ActivityType("com.apple.UIKit.activity.PostToTwitter"),
            markupAsPDF = ActivityType("com.apple.UIKit.activity.MarkupAsPDF")
    }
    /// Creates a service.
    public init() {}
    /// The name of the service. Nil unless overridden.
    open var activityType: ActivityType? { nil }
    /// The title of the service's button. A service without a title is not offered. Nil unless overridden.
    open var activityTitle: String? { nil }
    /// The image of the service. The buttons show no images.
    open var activityImage: UIImage? { nil }
    /// Returns whether the service is offered for items. False unless overridden.
    open func canPerform(withActivityItems activityItems: [Any]) -> Bool { false }
    /// Receives the items before `perform()`. Does nothing unless overridden.
    open func prepare(withActivityItems activityItems: [Any]) {}
    /// Performs the service while the dialog closes, and calls `activityDidFinish(_:)` at the end. Unless overridden,
    /// the method only calls `activityDidFinish(false)`.
    open func perform() { activityDidFinish(false) }
    /// Notifies the controller's `completionWithItemsHandler` that the service has ended.
    open func activityDidFinish(_ completed: Bool) {
        let handler = onFinish
        onFinish = nil
        handler?(completed)
    }
    fileprivate final var onFinish: ((Bool) -> Void)?
}

/// A controller that presents the actions for sharing items. Modeled on UIKit's type.
///
/// Linux desktops have no share sheet. The dialog has the actions of `ShareLink`: it copies the items to the clipboard,
/// opens URLs with the desktop's programs for them, and composes an email without attachments. Services of the app are
/// added below. Items that are neither `URL` nor `String` are only passed to those services. The controller's `view` is
/// not shown.
@MainActor @preconcurrency
open class UIActivityViewController: UIViewController, DialogController {
    /// A closure that is called when the dialog closes.
    public typealias CompletionWithItemsHandler = (UIActivity.ActivityType?, Bool, [Any]?, (any Error)?) -> Void
    /// Called on the main actor after the user has chosen an action or has canceled. The first two arguments are the
    /// name of the action and whether it was completed, or nil and false if the user has canceled. The others are nil.
    open var completionWithItemsHandler: CompletionWithItemsHandler?
    /// The actions that are not offered.
    open var excludedActivityTypes: [UIActivity.ActivityType]?
    private final let items: [Any]
    private final let services: [UIActivity]
    private final let shared: SharedItems
    final let buttons = DialogButtons()

    /// Creates a controller.
    /// - Parameters:
    ///   - activityItems: The items: `URL`, `String`, and others for services of the app.
    ///   - applicationActivities: The services of the app, or nil for none.
    public init(activityItems: [Any], applicationActivities: [UIActivity]?) {
        items = activityItems
        services = applicationActivities ?? []
        shared = SharedItems(contents: activityItems.compactMap { ($0 as? any _SharedItem)?._shared })
        super.init(nibName: nil, bundle: nil)
    }
    /// Returns nil, because archives of controllers are not supported.
    public required init?(coder: NSCoder) { return nil }

    /// A button of the dialog.
    fileprivate struct Entry {
        let title: String
        var role: ButtonRole?
        let action: @MainActor () -> Void
    }
    private final var entries: [Entry] {
        var entries: [Entry] = []
        func add(_ type: UIActivity.ActivityType, _ title: String, _ action: @escaping @MainActor () -> Void) {
            guard !isExcluded(type) else { return }
            entries.append(
                Entry(title: PlayerWords.localized(title)) { [weak self] in
                    action()
                    self?.completionWithItemsHandler?(type, true, nil, nil)
                })
        }
        let shared = shared
        if !shared.contents.isEmpty { add(.copyToPasteboard, "Copy") { shared.copy() } }
        if !shared.urls.isEmpty { add(.openWithProgram, "Open") { shared.open(OpenURLAction()) } }
        if shared.canBeSent { add(.mail, "Email") { shared.email(OpenURLAction()) } }
        for service in services {
            guard let title = service.activityTitle, service.canPerform(withActivityItems: items),
                !isExcluded(service.activityType)
            else { continue }
            // The handler is kept until the service has ended, when this controller is no longer presented.
            entries.append(Entry(title: title) { [self] in perform(service) })
        }
        entries.append(
            Entry(title: PlayerWords.localized("Cancel"), role: .cancel) { [weak self] in
                self?.completionWithItemsHandler?(nil, false, nil, nil)
            })
        return entries
    }
    private final func isExcluded(_ type: UIActivity.ActivityType?) -> Bool {
        type.map { excludedActivityTypes?.contains($0) == true } ?? false
    }
    private final func perform(_ service: UIActivity) {
        let type = service.activityType
        service.onFinish = { [self] completed in completionWithItemsHandler?(type, completed, nil, nil) }
        service.prepare(withActivityItems: items)
        service.perform()
    }

    final var dialog: AnyView {
        AnyView(
            DialogView(
                title: Text(verbatim: title ?? ""), isStacked: true, hasTitle: title?.isEmpty == false,
                actions: AnyView(ActivityButtons(entries: entries)),
                message: AnyView(Text(verbatim: shared.text).lineLimit(4)), isEmpty: false, buttons: buttons))
    }
    final func escape() { buttons.cancel?() }
    final func dialogDidOpen() {}
}

private struct ActivityButtons: View {
    let entries: [UIActivityViewController.Entry]
    var body: some View {
        ForEach(entries.indices, id: \.self) { index in
            let entry = entries[index]
            Button(entry.title, role: entry.role) { entry.action() }
        }
    }
}
