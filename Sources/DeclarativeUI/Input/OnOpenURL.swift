import DesktopServices
import Foundation
@_spi(Graph) import ViewGraph

extension View {
    /// Calls `action` with each URL that the desktop requests the app to open. Modeled on SwiftUI's modifier.
    ///
    /// ```swift
    /// ExtVideoPlayer(settings: $settings)
    ///     .onOpenURL { url in settings = VideoSettings(name: url.absoluteString) }
    /// ```
    /// The requests are sent by the desktop's media controls, with the method `OpenUri` of MPRIS and the schemes
    /// `file`, `http` and `https`. If several views have this modifier, only the action added last is called. The
    /// action runs on the main actor.
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View {
        fiberModifier(URLReceiver(action: action))
    }
}

struct URLReceiver: FiberModifier {
    let action: (URL) -> Void
    func makeStorage(_ fiber: _Fiber) -> OpenURLReceivers.Entry { OpenURLReceivers.shared.add(action) }
    func updated(_ entry: inout OpenURLReceivers.Entry, _ fiber: _Fiber) { entry.action = action }
    func removed(_ entry: OpenURLReceivers.Entry, _ fiber: _Fiber) { OpenURLReceivers.shared.remove(entry) }
}

/// The views that open URLs, in the order in which they were added.
@MainActor
final class OpenURLReceivers {
    @MainActor final class Entry {
        var action: (URL) -> Void
        init(_ action: @escaping (URL) -> Void) { self.action = action }
    }
    static let shared = OpenURLReceivers()
    private var entries: [Entry] = []
    /// The closure of the app's delegate, which opens URLs if no view does.
    var application: ((URL) -> Void)? { didSet { follow() } }

    func add(_ action: @escaping (URL) -> Void) -> Entry {
        let entry = Entry(action)
        entries.append(entry)
        follow()
        return entry
    }
    func remove(_ entry: Entry) {
        entries.removeAll { $0 === entry }
        follow()
    }
    /// Updates the desktop's media controls, which show whether the app can open URLs.
    private func follow() {
        if entries.isEmpty, application == nil {
            NowPlayingWindow.opens = nil
        } else {
            NowPlayingWindow.opens = { url in
                let receivers = OpenURLReceivers.shared
                if let entry = receivers.entries.last { entry.action(url) } else { receivers.application?(url) }
            }
        }
        NowPlayingHub.shared.window?.open = NowPlayingWindow.opens
        NowPlayingHub.shared.changed()
    }
}
