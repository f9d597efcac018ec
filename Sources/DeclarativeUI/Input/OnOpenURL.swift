import DesktopServices
import Foundation
@_spi(Graph) import ViewGraph

extension View {
    /// Called with an address that the app is to open, here by what controls media on the desktop (MPRIS's `OpenUri`:
    /// `file`, `http` and `https`). Of several that are there the one that came last is called. Main actor. SwiftUI's
    /// modifier.
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View {
        fiberModifier(URLReceiver(action: action))
    }
}

struct URLReceiver: FiberModifier {
    let action: (URL) -> Void
    func makePlace(_ fiber: _Fiber) -> OpenURLReceivers.Place { OpenURLReceivers.shared.add(action) }
    func updated(_ place: inout OpenURLReceivers.Place, _ fiber: _Fiber) { place.action = action }
    func removed(_ place: OpenURLReceivers.Place, _ fiber: _Fiber) { OpenURLReceivers.shared.remove(place) }
}

/// The views that open addresses. Main actor.
@MainActor
final class OpenURLReceivers {
    @MainActor final class Place {
        var action: (URL) -> Void
        init(_ action: @escaping (URL) -> Void) { self.action = action }
    }
    static let shared = OpenURLReceivers()
    private var places: [Place] = []
    /// What opens addresses where no view does: the app's delegate.
    var application: ((URL) -> Void)? { didSet { follow() } }

    func add(_ action: @escaping (URL) -> Void) -> Place {
        let place = Place(action)
        places.append(place)
        follow()
        return place
    }
    func remove(_ place: Place) {
        places.removeAll { $0 === place }
        follow()
    }
    /// The desktop is told whether there is somebody.
    private func follow() {
        if places.isEmpty, application == nil {
            NowPlayingWindow.opens = nil
        } else {
            NowPlayingWindow.opens = { url in
                let receivers = OpenURLReceivers.shared
                if let place = receivers.places.last { place.action(url) } else { receivers.application?(url) }
            }
        }
        NowPlayingHub.shared.window?.open = NowPlayingWindow.opens
        NowPlayingHub.shared.changed()
    }
}
