import CGTK
import Foundation
import MediaCore

/// Opens an address: with the app's own handler, or with the program that the desktop has for it. SwiftUI's type.
@MainActor @preconcurrency
public struct OpenURLAction {
    /// What a handler made of an address.
    public struct Result: Sendable {
        enum Kind: Sendable {
            case handled, discarded
            case system(URL?)
        }
        let kind: Kind
        /// The handler opened the address.
        public static let handled = Result(kind: .handled)
        /// The address is not to be opened.
        public static let discarded = Result(kind: .discarded)
        /// The desktop is to open it.
        public static let systemAction = Result(kind: .system(nil))
        /// The desktop is to open another one instead.
        public static func systemAction(_ url: URL) -> Result { Result(kind: .system(url)) }
    }
    private let handler: (@MainActor (URL) -> Result)?

    /// Makes an action that asks `handler` first. Main actor.
    public init(handler: @escaping @MainActor (URL) -> Result) { self.handler = handler }
    nonisolated init() { handler = nil }

    /// Opens an address; that nobody takes it is told in the log only. Main actor.
    public func callAsFunction(_ url: URL) { callAsFunction(url) { _ in } }
    /// - Parameter completion: told whether somebody took it; on the main actor, before this returns.
    public func callAsFunction(_ url: URL, completion: @escaping @MainActor (_ accepted: Bool) -> Void) {
        switch (handler?(url) ?? .systemAction).kind {
        case .handled: completion(true)
        case .discarded: completion(false)
        case .system(let other): completion(OpenURLAction.launch(other ?? url))
        }
    }

    /// Whether the desktop has a program for the address.
    static func hasProgram(for url: URL) -> Bool {
        if url.isFileURL { return FileManager.default.fileExists(atPath: url.path) }
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
    /// What links are opened with.
    public var openURL: OpenURLAction {
        get { self[OpenURLKey.self] }
        set { self[OpenURLKey.self] = newValue }
    }
}

/// Words that open an address when they are pressed. SwiftUI's view.
public struct Link<Label: View>: View {
    let label: Label
    let destination: URL
    @Environment(\.openURL) private var openURL
    /// A link with any label, in the tint's colour.
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
    /// A link with a title that is looked up in the app's translations.
    public init(_ titleKey: LocalizedStringKey, destination: URL) {
        self.init(destination: destination) { Text(titleKey) }
    }
    /// A link with a title that is shown as it is.
    @_disfavoredOverload public init<S: StringProtocol>(_ title: S, destination: URL) {
        self.init(destination: destination) { Text(title) }
    }
}
