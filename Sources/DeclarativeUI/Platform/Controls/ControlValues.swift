import MediaCore
import Observation

/// The displayed values of a UIKit control. Bodies of views read `shown`; all other code reads `current`.
@MainActor @Observable
final class ControlValues<Values> {
    private var values: Values
    init(_ values: Values) { self.values = values }
    /// The values. Reading them does not register a dependency with Observation.
    var current: Values {
        get { withoutObservationTracking { values } }
        set { values = newValue }
    }
    /// The values for bodies of views. Reading them registers a dependency with Observation.
    var shown: Values { values }
}
