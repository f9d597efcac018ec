import DesktopServices
import Foundation
import MediaCore
import Observation

extension Notification.Name {
    /// Posted with the detector as object when `multipleRoutesDetected` has changed. Main thread.
    public static let AVRouteDetectorMultipleRoutesDetectedDidChange = Notification.Name(
        "AVRouteDetectorMultipleRoutesDetectedDidChange")
}

/// Whether there is another place to play than here: a renderer in the network. For controls of an app's own;
/// `AVRoutePickerView` looks by itself. AVFoundation's type; main actor.
@MainActor @preconcurrency
public final class AVRouteDetector {
    private var interest: CastRoutes.Interest?
    /// There is a renderer in the network; false while detection is not enabled.
    public private(set) var multipleRoutesDetected = false

    /// Looks for nothing until `isRouteDetectionEnabled` is set.
    public init() {}

    /// Looking costs a little of the network: ask for it while it is of use. Default false.
    public var isRouteDetectionEnabled = false {
        didSet {
            guard isRouteDetectionEnabled != oldValue else { return }
            interest = isRouteDetectionEnabled ? CastRoutes.shared.look() : nil
            guard isRouteDetectionEnabled else { return told(false) }
            told(withoutObservationTracking { CastRoutes.shared.isChoice })
            // Not now: a body may have set this, which would then depend on what is watched.
            DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.watch() } }
        }
    }

    private func watch() {
        guard isRouteDetectionEnabled else { return }
        let isChoice = withObservationTracking {
            CastRoutes.shared.isChoice
        } onChange: { [weak self] in
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.watch() } }
        }
        told(isChoice)
    }
    private func told(_ new: Bool) {
        guard new != multipleRoutesDetected else { return }
        multipleRoutesDetected = new
        NotificationCenter.default.post(name: .AVRouteDetectorMultipleRoutesDetectedDidChange, object: self)
    }
}
