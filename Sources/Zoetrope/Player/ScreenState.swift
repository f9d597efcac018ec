/// The state of a player's Picture in Picture and full screen. A view carries out both, and reports when it has done
/// so. Main actor.
@MainActor
final class ScreenState {
    var onPictureInPicture: ((Bool) -> Void)?
    var onFullScreen: ((Bool) -> Void)?
    private(set) var isFloating = false
    private(set) var isFullScreen = false
    private let reports: EventReports

    init(_ reports: EventReports) { self.reports = reports }

    func startFloating() {
        guard let onPictureInPicture else { return reports.post(.error(.notSupportedPiP)) }
        if !isFloating { onPictureInPicture(true) }
    }

    func stopFloating() { onPictureInPicture?(false) }

    func enterFullScreen() { if !isFullScreen { onFullScreen?(true) } }

    func exitFullScreen() { onFullScreen?(false) }

    func floatingChanged(_ isActive: Bool) {
        guard isActive != isFloating else { return }
        isFloating = isActive
        reports.post(isActive ? .startedPiP : .stoppedPiP)
    }

    func fullScreenChanged(_ isActive: Bool) {
        guard isActive != isFullScreen else { return }
        isFullScreen = isActive
        reports.post(.fullScreenChanged(isActive))
    }
}
