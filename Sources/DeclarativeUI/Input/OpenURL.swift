import CGTK
import Foundation
import MediaCore

/// An action that opens a URL with the app's own handler or with the desktop's program for it. Modeled on SwiftUI's
/// type.
///
/// An app that opens links itself:
/// ```swift
/// Text("[Next part](part:2)")
///     .environment(\.openURL, OpenURLAction { url in
///         guard url.scheme == "part" else { return .systemAction }
///         part = url.absoluteString
///         return .handled
///     })
/// ```
@MainActor @preconcurrency
public struct OpenURLAction {
    /// The result of a handler.
    public struct Result: Sendable {
        enum Kind: Sendable {
            case handled, discarded
            case system(URL?)
        }
        let kind: Kind
        /// The result of a handler that has opened the URL.
        public static let handled = Result(kind: .handled)
        /// The result for a URL that is not opened.
        public static let discarded = Result(kind: .discarded)
        /// The result for a URL that the desktop opens.
        public static let systemAction = Result(kind: .system(nil))
        /// Returns the result with which the desktop opens `url` in place of the original URL.
        public static func systemAction(_ url: URL) -> Result { Result(kind: .system(url)) }
    }
    private let handler: (@MainActor (URL) -> Result)?

    /// Creates an action that calls `handler` with each URL.
    public init(handler: @escaping @MainActor (URL) -> Result) { self.handler = handler }
    nonisolated init() { handler = nil }

    /// Opens a URL. If the desktop can't open it, the error is only logged.
    public func callAsFunction(_ url: URL) { callAsFunction(url) { _ in } }
    /// Opens a URL and calls `completion` before the method returns.
    /// - Parameters:
    ///   - url: The URL to open.
    ///   - completion: The closure to call. `accepted` is true if the handler or a program of the desktop has accepted
    ///     the URL.
    public func callAsFunction(_ url: URL, completion: @escaping @MainActor (_ accepted: Bool) -> Void) {
        switch (handler?(url) ?? .systemAction).kind {
        case .handled: completion(true)
        case .discarded: completion(false)
        case .system(let other): completion(OpenURLAction.launch(other ?? url))
        }
    }

    /// Returns whether the desktop has a program for the URL's scheme or, for a file URL, whether the file exists.
    static func hasProgram(for url: URL) -> Bool {
        if url.isFileURL { return FilePath(url)?.exists == true }
        guard let scheme = url.scheme, let program = g_app_info_get_default_for_uri_scheme(scheme) else { return false }
        g_object_unref(UnsafeMutableRawPointer(program))
        return true
    }

    private static func launch(_ url: URL) -> Bool {
        var error: UnsafeMutablePointer<GError>?
        if g_app_info_launch_default_for_uri(url.absoluteString, nil, &error) != 0 { return true }
        ViewGraph.logger.error(
            "Can't open “\(url.location)”: \(error.map { String(cString: $0.pointee.message) } ?? "no app handles this URL")"
        )
        if let error { g_error_free(error) }
        return false
    }
}

private struct OpenURLKey: EnvironmentKey { static let defaultValue = OpenURLAction() }
extension EnvironmentValues {
    /// The action that opens links.
    public var openURL: OpenURLAction {
        get { self[OpenURLKey.self] }
        set { self[OpenURLKey.self] = newValue }
    }
}

/// A button that opens a URL. Modeled on SwiftUI's view.
///
/// ```swift
/// if let manual = URL(string: "https://example.com/manual") {
///     Link("Manual", destination: manual)
/// }
/// ```
public struct Link<Label: View>: View {
    let label: Label
    let destination: URL
    @Environment(\.openURL) private var openURL
    /// Creates a link with a custom label, which is drawn in the tint color.
    public init(destination: URL, @ViewBuilder label: () -> Label) {
        self.label = label()
        self.destination = destination
    }
    public var body: some View {
        Button {
            openURL(destination)
        } label: {
            label.foregroundStyle(.tint)
        }.buttonStyle(.plain)
    }
}

extension Link where Label == Text {
    /// Creates a link with a title that is looked up in the app's translations.
    public init(_ titleKey: LocalizedStringKey, destination: URL) {
        self.init(destination: destination) { Text(titleKey) }
    }
    /// Creates a link with a title that is not translated.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, destination: URL) {
        self.init(destination: destination) { Text(title) }
    }
}
