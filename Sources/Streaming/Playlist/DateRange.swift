import Foundation

/// `EXT-X-DATERANGE`: something that lasts from one date to another (RFC 8216 §4.3.2.7).
package struct DateRange: Sendable, Equatable {
    package var id: String
    /// Ranges of one class have the same meaning.
    package var className: String?
    /// Nil where an update of a range does not repeat it.
    package var startDate: Date?
    package var endDate: Date?
    /// Seconds.
    package var duration: Double?
    package var plannedDuration: Double?
    /// It ends where the next one of its class begins.
    package var endsOnNext = false
    /// `PRE`, `POST`, `ONCE` (8216bis §4.4.5.1).
    package var cue: [String] = []
    /// `X-…`, `SCTE35-…` and whatever else, in the playlist's order.
    package var attributes: [PlaylistAttribute] = []

    package init(id: String) { self.id = id }

    /// The value of a further attribute, without quotes.
    package subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }
}
