import DesktopServices
import Foundation
import MediaCore
import Observation

extension Notification.Name {
    /// The notification that `multipleRoutesDetected` has changed. Its object is the detector. Posted on the main
    /// thread.
    public static let AVRouteDetectorMultipleRoutesDetectedDidChange = Notification.Name(
        "AVRouteDetectorMultipleRoutesDetectedDidChange")
}

/// A detector of cast devices in the network, for the app's own controls. AVFoundation's type.
///
/// ```swift
/// let detector = AVRouteDetector()
/// detector.isRouteDetectionEnabled = true
/// for await _ in NotificationCenter.default.notifications(
///     named: .AVRouteDetectorMultipleRoutesDetectedDidChange, object: detector)
/// {
///     showsCastButton.wrappedValue = detector.multipleRoutesDetected
/// }
/// ```
/// `AVRoutePickerView` searches by itself.
@MainActor @preconcurrency
public final class AVRouteDetector {
    private var interest: CastRoutes.Interest?
    /// Whether there is a cast device in the network. False while detection is not enabled.
    public private(set) var multipleRoutesDetected = false

    /// Creates a detector. It does not search until `isRouteDetectionEnabled` is set.
    public init() {}

    /// Whether the detector searches for cast devices. Default: false.
    ///
    /// The search causes some network traffic, so enable it only while the result is needed.
    public var isRouteDetectionEnabled = false {
        didSet {
            guard isRouteDetectionEnabled != oldValue else { return }
            interest = isRouteDetectionEnabled ? CastRoutes.shared.startSearching() : nil
            guard isRouteDetectionEnabled else { return setMultipleRoutesDetected(false) }
            setMultipleRoutesDetected(withoutObservationTracking { CastRoutes.shared.isChoice })
            // Delayed, because the body of a view may have set this property, and would then depend on the observed
            // routes.
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
        setMultipleRoutesDetected(isChoice)
    }
    private func setMultipleRoutesDetected(_ new: Bool) {
        guard new != multipleRoutesDetected else { return }
        multipleRoutesDetected = new
        NotificationCenter.default.post(name: .AVRouteDetectorMultipleRoutesDetectedDidChange, object: self)
    }
}
