import Foundation
import Presentation
@_spi(Graph) import ViewGraph

/// A type whose values a `ShareLink` can share: `URL` and `String`. Apps must not add other types.
public protocol _SharedItem: Transferable {
    /// The item in the form that share links use. Not intended for apps.
    var _shared: _SharedContent { get }
}
/// An item in the form that share links use. Not intended for apps.
public struct _SharedContent: Sendable {
    let text: String
    let url: URL?
}
extension URL: _SharedItem {
    public var _shared: _SharedContent { _SharedContent(text: isFileURL ? path : absoluteString, url: self) }
}
extension String: _SharedItem {
    public var _shared: _SharedContent { _SharedContent(text: self, url: nil) }
}

extension Never: Transferable {
    /// A representation that is never used, because there are no values of this type.
    public static var transferRepresentation: some TransferRepresentation {
        DataRepresentation<Never>(importedContentType: .item) { _ in throw CocoaError(.featureUnsupported) }
    }
}

/// The title of an item that a `ShareLink` shares. Matches SwiftUI's `SharePreview`.
///
/// The share menu shows the title. GTK's menus show no images, so images and icons are accepted but not displayed.
public struct SharePreview<Image: Transferable, Icon: Transferable> {
    let title: Text
}

extension SharePreview {
    /// Creates a preview with a localized title. The image and the icon are not displayed.
    public init(_ titleKey: LocalizedStringKey, image: Image, icon: Icon) { self.init(title: Text(titleKey)) }
    /// Creates a preview with a title that is not localized. The image and the icon are not displayed.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, image: Image, icon: Icon) {
        self.init(title: Text(title))
    }
    /// Creates a preview with a text as its title. The image and the icon are not displayed.
    public init(_ title: Text, image: Image, icon: Icon) { self.init(title: title) }
}
extension SharePreview where Image == Never {
    /// Creates a preview with a localized title. The icon is not displayed.
    public init(_ titleKey: LocalizedStringKey, icon: Icon) { self.init(title: Text(titleKey)) }
    /// Creates a preview with a title that is not localized. The icon is not displayed.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, icon: Icon) { self.init(title: Text(title)) }
    /// Creates a preview with a text as its title. The icon is not displayed.
    public init(_ title: Text, icon: Icon) { self.init(title: title) }
}
extension SharePreview where Icon == Never {
    /// Creates a preview with a localized title. The image is not displayed.
    public init(_ titleKey: LocalizedStringKey, image: Image) { self.init(title: Text(titleKey)) }
    /// Creates a preview with a title that is not localized. The image is not displayed.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, image: Image) { self.init(title: Text(title)) }
    /// Creates a preview with a text as its title. The image is not displayed.
    public init(_ title: Text, image: Image) { self.init(title: title) }
}
extension SharePreview where Image == Never, Icon == Never {
    /// Creates a preview with a localized title.
    public init(_ titleKey: LocalizedStringKey) { self.init(title: Text(titleKey)) }
    /// Creates a preview with a title that is not localized.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S) { self.init(title: Text(title)) }
    /// Creates a preview with a text as its title.
    public init(_ title: Text) { self.init(title: title) }
}

/// The label of a `ShareLink` without a custom label: the share symbol and a title. Matches SwiftUI's type.
public struct DefaultShareLinkLabel: View {
    let title: Text?
    public var body: some View {
        Label {
            title ?? Text(verbatim: PlayerWords.localized("Share…"))
        } icon: {
            Image(systemName: "square.and.arrow.up")
        }
    }
}

/// A button that opens a menu for sharing URLs or texts. Matches SwiftUI's `ShareLink`.
///
/// ```swift
/// if let station = URL(string: "https://example.com/live") {
///     ShareLink(item: station, subject: Text("Live radio"))
/// }
/// ```
/// Linux desktops have no share sheet. The menu copies the items to the clipboard, opens URLs with the desktop's
/// programs for them, and composes an email in the desktop's mail program. The environment's `openURL` opens the URLs
/// and the email.
///
/// Files can't be attached to an email. If all items are files, the menu has no entry for an email. Without a
/// `subject`, the subject of the email is the title of the first preview, if there is one.
public struct ShareLink<Data, PreviewImage, PreviewIcon, Label>: View
where
    Data: RandomAccessCollection, Data.Element: Transferable, PreviewImage: Transferable, PreviewIcon: Transferable,
    Label: View
{
    private let items: SharedItems
    private let titles: [String]
    private let subject: String?
    private let message: String?
    private let label: Label
    @Environment(\.openURL) private var openURL

    private init(
        _ items: Data, _ subject: Text?, _ message: Text?, _ preview: (Data.Element) -> String?, _ label: Label
    ) where Data.Element: _SharedItem {
        self.items = SharedItems(contents: items.map(\._shared))
        titles = items.compactMap(preview)
        self.subject = subject?.string
        self.message = message?.string
        self.label = label
    }

    public var body: some View {
        Menu {
            ForEach(Array(titles.enumerated()), id: \.offset) { Text(verbatim: $0.element) }
            if !titles.isEmpty { Divider() }
            Button(PlayerWords.localized("Copy")) { items.copy() }
            if !items.urls.isEmpty {
                Button(PlayerWords.localized("Open")) { items.open(openURL) }
            }
            if items.canBeSent {
                Button(PlayerWords.localized("Email")) {
                    items.email(openURL, subject: subject ?? titles.first, message: message)
                }
            }
        } label: {
            label
        }
        .menuIndicator(.hidden)
    }
}

/// The URLs that compose an email in the desktop's mail program.
enum ShareEmail {
    /// The characters that need no encoding in the fields of a `mailto` URL (RFC 6068).
    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// Returns the URL of an email without a recipient.
    ///
    /// - Parameters:
    ///   - message: The text above the items, or nil for none.
    ///   - text: The items, in lines.
    static func url(subject: String?, message: String?, text: String) -> URL? {
        func field(_ name: String, _ value: String) -> String? {
            // Lines of an email end with a carriage return and a line feed.
            let lines = value.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
            return lines.addingPercentEncoding(withAllowedCharacters: plain).map { "\(name)=\($0)" }
        }
        let body = [message, text].compactMap { $0 }.joined(separator: "\n\n")
        let fields = [subject.flatMap { field("subject", $0) }, field("body", body)].compactMap { $0 }
        return URL(string: "mailto:?" + fields.joined(separator: "&"))
    }
}

extension ShareLink where PreviewImage == Never, PreviewIcon == Never {
    /// Creates a link that shares several items, with a custom label.
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - subject: The subject of the email.
    ///   - message: The text of the email above the items.
    ///   - label: The label of the button.
    public init(
        items: Data, subject: Text? = nil, message: Text? = nil, @ViewBuilder label: () -> Label
    ) where Data.Element: _SharedItem {
        self.init(items, subject, message, { _ in nil }, label())
    }
    /// Creates a link that shares an item, with a custom label.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - subject: The subject of the email.
    ///   - message: The text of the email above the item.
    ///   - label: The label of the button.
    public init<I: _SharedItem>(
        item: I, subject: Text? = nil, message: Text? = nil, @ViewBuilder label: () -> Label
    ) where Data == CollectionOfOne<I> {
        self.init(CollectionOfOne(item), subject, message, { _ in nil }, label())
    }
}
extension ShareLink where PreviewImage == Never, PreviewIcon == Never, Label == DefaultShareLinkLabel {
    /// Creates a link that shares several items, with the share symbol.
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - subject: The subject of the email.
    ///   - message: The text of the email above the items.
    public init(
        items: Data, subject: Text? = nil, message: Text? = nil
    ) where Data.Element: _SharedItem {
        self.init(items, subject, message, { _ in nil }, DefaultShareLinkLabel(title: nil))
    }
    /// Creates a link that shares an item, with the share symbol.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - subject: The subject of the email.
    ///   - message: The text of the email above the item.
    public init<I: _SharedItem>(
        item: I, subject: Text? = nil, message: Text? = nil
    ) where Data == CollectionOfOne<I> {
        self.init(CollectionOfOne(item), subject, message, { _ in nil }, DefaultShareLinkLabel(title: nil))
    }
    /// Creates a link that shares several items, with a title.
    ///
    /// - Parameters:
    ///   - titleKey: The title, which is looked up in the app's translations.
    ///   - items: The items.
    ///   - subject: The subject of the email.
    ///   - message: The text of the email above the items.
    public init(
        _ titleKey: LocalizedStringKey, items: Data, subject: Text? = nil, message: Text? = nil
    ) where Data.Element: _SharedItem {
        self.init(items, subject, message, { _ in nil }, DefaultShareLinkLabel(title: Text(titleKey)))
    }
    /// Creates a link that shares an item, with a title.
    ///
    /// - Parameters:
    ///   - titleKey: The title, which is looked up in the app's translations.
    ///   - item: The item.
    ///   - subject: The subject of the email.
    ///   - message: The text of the email above the item.
    public init<I: _SharedItem>(
        _ titleKey: LocalizedStringKey, item: I, subject: Text? = nil, message: Text? = nil
    ) where Data == CollectionOfOne<I> {
        self.init(CollectionOfOne(item), subject, message, { _ in nil }, DefaultShareLinkLabel(title: Text(titleKey)))
    }
    /// Creates a link that shares several items, with a title.
    ///
    /// - Parameters:
    ///   - title: The title, which is not translated.
    ///   - items: The items.
    ///   - subject: The subject of the email.
    ///   - message: The text of the email above the items.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, items: Data, subject: Text? = nil, message: Text? = nil
    ) where Data.Element: _SharedItem {
        self.init(items, subject, message, { _ in nil }, DefaultShareLinkLabel(title: Text(title)))
    }
    /// Creates a link that shares an item, with a title.
    ///
    /// - Parameters:
    ///   - title: The title, which is not translated.
    ///   - item: The item.
    ///   - subject: The subject of the email.
    ///   - message: The text of the email above the item.
    @_disfavoredOverload public init<S: StringProtocol, I: _SharedItem>(
        _ title: S, item: I, subject: Text? = nil, message: Text? = nil
    ) where Data == CollectionOfOne<I> {
        self.init(CollectionOfOne(item), subject, message, { _ in nil }, DefaultShareLinkLabel(title: Text(title)))
    }
    /// Creates a link that shares several items, with a title.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - items: The items.
    ///   - subject: The subject of the email.
    ///   - message: The text of the email above the items.
    public init(
        _ title: Text, items: Data, subject: Text? = nil, message: Text? = nil
    ) where Data.Element: _SharedItem {
        self.init(items, subject, message, { _ in nil }, DefaultShareLinkLabel(title: title))
    }
    /// Creates a link that shares an item, with a title.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - item: The item.
    ///   - subject: The subject of the email.
    ///   - message: The text of the email above the item.
    public init<I: _SharedItem>(
        _ title: Text, item: I, subject: Text? = nil, message: Text? = nil
    ) where Data == CollectionOfOne<I> {
        self.init(CollectionOfOne(item), subject, message, { _ in nil }, DefaultShareLinkLabel(title: title))
    }
}
extension ShareLink {
    /// Creates a link that shares several items, with a custom label.
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - subject: The subject of the email.
    ///   - message: The text of the email above the items.
    ///   - preview: A closure that returns the preview of an item.
    ///   - label: The label of the button.
    public init(
        items: Data, subject: Text? = nil, message: Text? = nil,
        preview: (Data.Element) -> SharePreview<PreviewImage, PreviewIcon>, @ViewBuilder label: () -> Label
    ) where Data.Element: _SharedItem {
        self.init(items, subject, message, { preview($0).title.string }, label())
    }
    /// Creates a link that shares an item, with a custom label.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - subject: The subject of the email.
    ///   - message: The text of the email above the item.
    ///   - preview: The preview of the item.
    ///   - label: The label of the button.
    public init<I: _SharedItem>(
        item: I, subject: Text? = nil, message: Text? = nil, preview: SharePreview<PreviewImage, PreviewIcon>,
        @ViewBuilder label: () -> Label
    ) where Data == CollectionOfOne<I> {
        self.init(CollectionOfOne(item), subject, message, { _ in preview.title.string }, label())
    }
}
extension ShareLink where Label == DefaultShareLinkLabel {
    /// Creates a link that shares several items, with the share symbol.
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - subject: The subject of the email.
    ///   - message: The text of the email above the items.
    ///   - preview: A closure that returns the preview of an item.
    public init(
        items: Data, subject: Text? = nil, message: Text? = nil,
        preview: (Data.Element) -> SharePreview<PreviewImage, PreviewIcon>
    ) where Data.Element: _SharedItem {
        self.init(items, subject, message, { preview($0).title.string }, DefaultShareLinkLabel(title: nil))
    }
    /// Creates a link that shares an item, with the share symbol.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - subject: The subject of the email.
    ///   - message: The text of the email above the item.
    ///   - preview: The preview of the item.
    public init<I: _SharedItem>(
        item: I, subject: Text? = nil, message: Text? = nil, preview: SharePreview<PreviewImage, PreviewIcon>
    ) where Data == CollectionOfOne<I> {
        self.init(
            CollectionOfOne(item), subject, message, { _ in preview.title.string }, DefaultShareLinkLabel(title: nil))
    }
    /// Creates a link that shares several items, with a title.
    ///
    /// - Parameters:
    ///   - titleKey: The title, which is looked up in the app's translations.
    ///   - items: The items.
    ///   - subject: The subject of the email.
    ///   - message: The text of the email above the items.
    ///   - preview: A closure that returns the preview of an item.
    public init(
        _ titleKey: LocalizedStringKey, items: Data, subject: Text? = nil, message: Text? = nil,
        preview: (Data.Element) -> SharePreview<PreviewImage, PreviewIcon>
    ) where Data.Element: _SharedItem {
        self.init(items, subject, message, { preview($0).title.string }, DefaultShareLinkLabel(title: Text(titleKey)))
    }
    /// Creates a link that shares an item, with a title.
    ///
    /// - Parameters:
    ///   - titleKey: The title, which is looked up in the app's translations.
    ///   - item: The item.
    ///   - subject: The subject of the email.
    ///   - message: The text of the email above the item.
    ///   - preview: The preview of the item.
    public init<I: _SharedItem>(
        _ titleKey: LocalizedStringKey, item: I, subject: Text? = nil, message: Text? = nil,
        preview: SharePreview<PreviewImage, PreviewIcon>
    ) where Data == CollectionOfOne<I> {
        self.init(
            CollectionOfOne(item), subject, message, { _ in preview.title.string },
            DefaultShareLinkLabel(title: Text(titleKey)))
    }
    /// Creates a link that shares several items, with a title.
    ///
    /// - Parameters:
    ///   - title: The title, which is not translated.
    ///   - items: The items.
    ///   - subject: The subject of the email.
    ///   - message: The text of the email above the items.
    ///   - preview: A closure that returns the preview of an item.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, items: Data, subject: Text? = nil, message: Text? = nil,
        preview: (Data.Element) -> SharePreview<PreviewImage, PreviewIcon>
    ) where Data.Element: _SharedItem {
        self.init(items, subject, message, { preview($0).title.string }, DefaultShareLinkLabel(title: Text(title)))
    }
    /// Creates a link that shares an item, with a title.
    ///
    /// - Parameters:
    ///   - title: The title, which is not translated.
    ///   - item: The item.
    ///   - subject: The subject of the email.
    ///   - message: The text of the email above the item.
    ///   - preview: The preview of the item.
    @_disfavoredOverload public init<S: StringProtocol, I: _SharedItem>(
        _ title: S, item: I, subject: Text? = nil, message: Text? = nil,
        preview: SharePreview<PreviewImage, PreviewIcon>
    ) where Data == CollectionOfOne<I> {
        self.init(
            CollectionOfOne(item), subject, message, { _ in preview.title.string },
            DefaultShareLinkLabel(title: Text(title)))
    }
    /// Creates a link that shares several items, with a title.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - items: The items.
    ///   - subject: The subject of the email.
    ///   - message: The text of the email above the items.
    ///   - preview: A closure that returns the preview of an item.
    public init(
        _ title: Text, items: Data, subject: Text? = nil, message: Text? = nil,
        preview: (Data.Element) -> SharePreview<PreviewImage, PreviewIcon>
    ) where Data.Element: _SharedItem {
        self.init(items, subject, message, { preview($0).title.string }, DefaultShareLinkLabel(title: title))
    }
    /// Creates a link that shares an item, with a title.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - item: The item.
    ///   - subject: The subject of the email.
    ///   - message: The text of the email above the item.
    ///   - preview: The preview of the item.
    public init<I: _SharedItem>(
        _ title: Text, item: I, subject: Text? = nil, message: Text? = nil,
        preview: SharePreview<PreviewImage, PreviewIcon>
    ) where Data == CollectionOfOne<I> {
        self.init(
            CollectionOfOne(item), subject, message, { _ in preview.title.string }, DefaultShareLinkLabel(title: title))
    }
}
