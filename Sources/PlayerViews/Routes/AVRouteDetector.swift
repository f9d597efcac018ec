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
    private let startSearching: @MainActor () -> CastRoutes.Interest?
    private let isChoice: @MainActor () -> Bool
    private var interest: CastRoutes.Interest?
    /// Whether `watch` is scheduled or observes the routes. If detection is turned off and on again before they change,
    /// the same observation continues.
    private var isWatching = false
    /// Whether there is a cast device in the network. False while detection is not enabled.
    public private(set) var multipleRoutesDetected = false

    /// Creates a detector. It does not search until `isRouteDetectionEnabled` is set.
    public convenience init() {
        self.init(startSearching: { CastRoutes.shared.startSearching() }, isChoice: { CastRoutes.shared.isChoice })
    }

    /// Creates a detector.
    /// - Parameters:
    ///   - startSearching: Returns an object whose lifetime is that of the search.
    ///   - isChoice: Returns whether there is a cast device. Its reads are observed.
    init(
        startSearching: @escaping @MainActor () -> CastRoutes.Interest?, isChoice: @escaping @MainActor () -> Bool
    ) {
        self.startSearching = startSearching
        self.isChoice = isChoice
    }

    /// Whether the detector searches for cast devices. Default: false.
    ///
    /// The search causes some network traffic, so enable it only while the result is needed.
    public var isRouteDetectionEnabled = false {
        didSet {
            guard isRouteDetectionEnabled != oldValue else { return }
            interest = isRouteDetectionEnabled ? startSearching() : nil
            guard isRouteDetectionEnabled else { return setMultipleRoutesDetected(false) }
            setMultipleRoutesDetected(withoutObservationTracking { isChoice() })
            guard !isWatching else { return }
            isWatching = true
            // Delayed, because the body of a view may have set this property, and would then depend on the observed
            // routes.
            DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.watch() } }
        }
    }

    private func watch() {
        isWatching = isRouteDetectionEnabled
        guard isWatching else { return }
        let isChoice = withObservationTracking {
            self.isChoice()
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
