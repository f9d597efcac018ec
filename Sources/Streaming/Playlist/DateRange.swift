import Foundation

/// A range of dates with attributes, from `EXT-X-DATERANGE` (RFC 8216 §4.3.2.7).
package struct DateRange: Sendable, Equatable {
    package var id: String
    /// The class of the range. Ranges of one class have the same meaning.
    package var className: String?
    /// The start of the range, or nil if an update of the range does not repeat it.
    package var startDate: Date?
    package var endDate: Date?
    /// The duration, in seconds.
    package var duration: Double?
    /// The expected duration, in seconds.
    package var plannedDuration: Double?
    /// Whether the range ends where the next range of its class begins.
    package var endsOnNext = false
    /// The values of `CUE`: `PRE`, `POST` or `ONCE` (8216bis §4.4.5.1).
    package var cue: [String] = []
    /// The other attributes, such as `X-…` and `SCTE35-…`, in the playlist's order.
    package var attributes: [PlaylistAttribute] = []

    package init(id: String) { self.id = id }

    /// Returns the value of another attribute, without quotes.
    package subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }
}
