import Foundation

// An `NSValue` can be cast to the time or the range that it contains, and a time can be cast to `NSValue`, as with
// Apple's Foundation. Swift calls these methods for such a cast:
//
//     let range = item.seekableTimeRanges.last as? CMTimeRange
//
// The compiler knows this protocol of the standard library; its names begin with an underscore everywhere.

extension CMTime: _ObjectiveCBridgeable {
    /// Returns an object that contains the time. Called by `time as NSValue`.
    public func _bridgeToObjectiveC() -> NSValue { NSValue(time: self) }
    /// Stores the time of `source`, or `.invalid` if it contains none. Called by `value as! CMTime`.
    public static func _forceBridgeFromObjectiveC(_ source: NSValue, result: inout CMTime?) {
        result = source.timeValue
    }
    /// Stores the time of `source`. Returns false if it contains none. Called by `value as? CMTime`.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSValue, result: inout CMTime?) -> Bool {
        result = source.containedTime
        return result != nil
    }
    /// Returns the time of `source`, or `.invalid` if it contains none.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSValue?) -> CMTime {
        source?.timeValue ?? .invalid
    }
}

extension CMTimeRange: _ObjectiveCBridgeable {
    /// Returns an object that contains the range. Called by `range as NSValue`.
    public func _bridgeToObjectiveC() -> NSValue { NSValue(timeRange: self) }
    /// Stores the range of `source`, or `.invalid` if it contains none. Called by `value as! CMTimeRange`.
    public static func _forceBridgeFromObjectiveC(_ source: NSValue, result: inout CMTimeRange?) {
        result = source.timeRangeValue
    }
    /// Stores the range of `source`. Returns false if it contains none. Called by `value as? CMTimeRange`.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSValue, result: inout CMTimeRange?) -> Bool {
        result = source.containedTimeRange
        return result != nil
    }
    /// Returns the range of `source`, or `.invalid` if it contains none.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSValue?) -> CMTimeRange {
        source?.timeRangeValue ?? .invalid
    }
}
