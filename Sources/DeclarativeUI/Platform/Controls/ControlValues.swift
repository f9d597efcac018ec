import MediaCore
import Observation

/// What a control of UIKit's shows. Its view reads `shown` and follows it; everything else reads `current`.
@MainActor @Observable
final class ControlValues<Values> {
    private var values: Values
    init(_ values: Values) { self.values = values }
    /// Without registering the read.
    var current: Values {
        get { withoutObservationTracking { values } }
        set { values = newValue }
    }
    /// For bodies: registers the read.
    var shown: Values { values }
}
