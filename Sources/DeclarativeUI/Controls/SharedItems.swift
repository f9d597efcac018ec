import Foundation
import GTK

/// Items with the actions that share them on a desktop: copying, opening and an email.
struct SharedItems {
    let contents: [_SharedContent]

    var urls: [URL] { contents.compactMap(\.url) }
    var text: String { contents.map(\.text).joined(separator: "\n") }
    /// Whether a text or a URL that other people can open is shared.
    var canBeSent: Bool { contents.contains { $0.url?.isFileURL != true } }

    @MainActor func copy() { GDKDisplay.standard?.setClipboard(text) }
    @MainActor func open(_ openURL: OpenURLAction) { for url in urls { openURL(url) } }
    /// Composes an email in the desktop's mail program.
    @MainActor func email(_ openURL: OpenURLAction, subject: String? = nil, message: String? = nil) {
        if let url = ShareEmail.url(subject: subject, message: message, text: text) { openURL(url) }
    }
}
