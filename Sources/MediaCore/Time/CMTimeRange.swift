/// A range of a timeline, from `start` up to but not including `start + duration`, like Core Media's `CMTimeRange`.
///
/// ```swift
/// let intro = CMTimeRange(start: .zero, end: CMTime(value: 90, timescale: 1))
/// if intro.containsTime(position) {
///     Button("Skip Intro") { player.seek(to: intro.end) }
/// }
/// ```
public struct CMTimeRange: Sendable, Hashable, Codable {
    /// The start, which is part of the range.
    public var start: CMTime
    /// The duration. It is not negative in a valid range.
    public var duration: CMTime

    /// Creates a range, without checks. `isValid` shows whether it is valid.
    public init(start: CMTime, duration: CMTime) {
        self.start = start
        self.duration = duration
    }
    /// Creates a range from `start` up to but not including `end`. The range is not valid if `end` is before `start`.
    public init(start: CMTime, end: CMTime) {
        self.init(start: start, duration: end - start)
    }
    /// Creates the invalid range.
    public init() { self = .invalid }

    /// The empty range at time 0.
    public static let zero = CMTimeRange(start: .zero, duration: .zero)
    /// The invalid range.
    public static let invalid = CMTimeRange(start: .invalid, duration: .invalid)

    /// The end, which is not part of the range. Its timescale is that of `start + duration`.
    public var end: CMTime { start + duration }
    /// Whether both fields are valid, and the duration is not negative and has epoch 0.
    public var isValid: Bool {
        start.isValid && duration.isValid && duration.epoch == 0 && duration >= .zero
    }
    /// Whether the range is valid and its start or duration is indefinite.
    public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }
    /// Whether the range is valid and its duration is exactly 0.
    public var isEmpty: Bool { isValid && duration.isNumeric && duration == .zero }

    /// Returns whether `start <= time < end`.
    public func containsTime(_ time: CMTime) -> Bool {
        isValid && time.isNumeric && start <= time && time < end
    }

    /// Returns whether `range` is completely inside this range. An empty range is inside if its start is.
    public func containsTimeRange(_ range: CMTimeRange) -> Bool {
        guard isValid, range.isValid, start.epoch == range.start.epoch || !start.isNumeric || !range.start.isNumeric
        else { return false }
        if range.isEmpty { return containsTime(range.start) }
        return start <= range.start && range.end <= end
    }

    /// Returns the range from the earlier start to the later end. It is invalid if one of the ranges is, or if their
    /// epochs differ.
    public func union(_ other: CMTimeRange) -> CMTimeRange {
        guard isValid, other.isValid, start.epoch == other.start.epoch else { return .invalid }
        return CMTimeRange(start: min(start, other.start), end: max(end, other.end))
    }

    /// Returns the common part of both ranges, or `.zero` if there is none. It is invalid if one of the ranges is.
    ///
    /// ```swift
    /// let loaded = ranges.map { $0.intersection(section).duration.seconds }.reduce(0, +)
    /// ```
    public func intersection(_ other: CMTimeRange) -> CMTimeRange {
        guard isValid, other.isValid else { return .invalid }
        guard start.epoch == other.start.epoch else { return .zero }
        let from = max(start, other.start)
        let to = min(end, other.end)
        return from < to ? CMTimeRange(start: from, end: to) : .zero
    }
}

extension CMTimeRange: CustomStringConvertible {
    public var description: String { isValid ? "{\(start), \(duration)}" : "{INVALID}" }
}

/// Returns a range, like `CMTimeRange(start:duration:)`.
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
    CMTimeRange(start: start, duration: duration)
}
/// Returns the range from `start` up to but not including `end`, like `CMTimeRange(start:end:)`.
public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange {
    CMTimeRange(start: start, end: end)
}
/// Returns the end of the range, which is not part of it.
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime { range.end }
/// Returns the range from the earlier start to the later end, like `union(_:)`.
public func CMTimeRangeGetUnion(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
    range.union(otherRange)
}
/// Returns the common part of both ranges, like `intersection(_:)`.
public func CMTimeRangeGetIntersection(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
    range.intersection(otherRange)
}
/// Returns whether `time` is in the range, like `containsTime(_:)`. The end is not part of the range.
public func CMTimeRangeContainsTime(_ range: CMTimeRange, time: CMTime) -> Bool { range.containsTime(time) }
/// Returns whether `otherRange` is in the range, like `containsTimeRange(_:)`.
public func CMTimeRangeContainsTimeRange(_ range: CMTimeRange, otherRange: CMTimeRange) -> Bool {
    range.containsTimeRange(otherRange)
}
/// Returns whether both ranges have the same start and the same duration, like `==`.
public func CMTimeRangeEqual(_ range1: CMTimeRange, _ range2: CMTimeRange) -> Bool { range1 == range2 }

/// Returns the time in `range`, including its end, that is nearest to `time`. The result is invalid if `time` or
/// `range` is.
///
/// ```swift
/// let target = CMTimeClampToRange(time, range: CMTimeRange(start: .zero, end: item.duration))
/// player.seek(to: target)
/// ```
public func CMTimeClampToRange(_ time: CMTime, range: CMTimeRange) -> CMTime {
    guard range.isValid, time.isValid else { return .invalid }
    return min(max(time, range.start), range.end)
}

/// Returns `time`, moved and scaled by the mapping of `fromRange` to `toRange`. Times outside `fromRange` are mapped in
/// the same way. An infinite or indefinite time does not change. The result is invalid if a range or the time is, or if
/// `fromRange` is empty.
///
/// ```swift
/// // The time in a clip that was cut from the film.
/// let clipTime = CMTimeMapTimeFromRangeToRange(filmTime, fromRange: filmRange, toRange: clipRange)
/// ```
public func CMTimeMapTimeFromRangeToRange(_ time: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange) -> CMTime {
    guard time.isValid, fromRange.isValid, toRange.isValid, !fromRange.isEmpty else { return .invalid }
    guard time.isNumeric else { return time }
    let offset = time - fromRange.start
    if fromRange.duration == toRange.duration { return toRange.start + offset }
    let ratio = toRange.duration.seconds / fromRange.duration.seconds
    return toRange.start + CMTimeMultiplyByFloat64(offset, multiplier: ratio)
}

/// A mapping of a range of a source to a range of a target timeline, like Core Media's `CMTimeMapping`.
public struct CMTimeMapping: Sendable, Hashable, Codable {
    /// The range of the source. It is invalid for an empty edit, which plays nothing.
    public var source: CMTimeRange
    /// The range of the target timeline.
    public var target: CMTimeRange

    /// Creates a mapping, without checks. `isValid` and `isEmpty` show its kind.
    public init(source: CMTimeRange, target: CMTimeRange) {
        self.source = source
        self.target = target
    }
    /// The invalid mapping.
    public static let invalid = CMTimeMapping(source: .invalid, target: .invalid)
    /// Whether the target is valid. The source may be empty.
    public var isValid: Bool { target.isValid }
    /// Whether the mapping is an empty edit: the target plays nothing.
    public var isEmpty: Bool { !source.start.isNumeric && target.isValid }
}
