/// A stretch of a timeline, from `start` up to but not including `start + duration`, after Core Media's `CMTimeRange`.
public struct CMTimeRange: Sendable, Hashable, Codable {
    /// The first moment that belongs to the range.
    public var start: CMTime
    /// How long it is; a valid range's is not negative.
    public var duration: CMTime

    /// Takes both as they are; `isValid` says whether they make a range.
    public init(start: CMTime, duration: CMTime) {
        self.start = start
        self.duration = duration
    }
    /// From `start` up to `end`; not valid when `end` lies before `start`.
    public init(start: CMTime, end: CMTime) {
        self.init(start: start, duration: end - start)
    }
    /// The invalid range.
    public init() { self = .invalid }

    /// Begins at 0 and holds nothing.
    public static let zero = CMTimeRange(start: .zero, duration: .zero)
    /// No range at all.
    public static let invalid = CMTimeRange(start: .invalid, duration: .invalid)

    /// The first moment after the range. Its timescale is the sum's.
    public var end: CMTime { start + duration }
    /// Both fields valid, and a duration that is not negative and of no epoch.
    public var isValid: Bool {
        start.isValid && duration.isValid && duration.epoch == 0 && duration >= .zero
    }
    /// Valid, with a start or a duration that is not known.
    public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }
    /// Valid, with a duration of exactly 0.
    public var isEmpty: Bool { isValid && duration.isNumeric && duration == .zero }

    /// True when `start <= time < end`.
    public func containsTime(_ time: CMTime) -> Bool {
        isValid && time.isNumeric && start <= time && time < end
    }

    /// True when every moment of `range` is in this one too; an empty range is contained where its start is.
    public func containsTimeRange(_ range: CMTimeRange) -> Bool {
        guard isValid, range.isValid, start.epoch == range.start.epoch || !start.isNumeric || !range.start.isNumeric
        else { return false }
        if range.isEmpty { return containsTime(range.start) }
        return start <= range.start && range.end <= end
    }

    /// From the earlier start to the later end. Invalid when either is, or when their epochs differ.
    public func union(_ other: CMTimeRange) -> CMTimeRange {
        guard isValid, other.isValid, start.epoch == other.start.epoch else { return .invalid }
        return CMTimeRange(start: min(start, other.start), end: max(end, other.end))
    }

    /// What both have in common; `.zero` when that is nothing. Invalid when either is.
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

/// As the initialiser of that shape.
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
    CMTimeRange(start: start, duration: duration)
}
/// From `start` up to but not including `end`: as `CMTimeRange(start:end:)`.
public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange {
    CMTimeRange(start: start, end: end)
}
/// The first moment after the range, as `end`.
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime { range.end }
/// From the earlier start to the later end, as `union(_:)`.
public func CMTimeRangeGetUnion(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
    range.union(otherRange)
}
/// What lies in both, as `intersection(_:)`.
public func CMTimeRangeGetIntersection(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
    range.intersection(otherRange)
}
/// As `containsTime(_:)`: the range's end does not belong to it.
public func CMTimeRangeContainsTime(_ range: CMTimeRange, time: CMTime) -> Bool { range.containsTime(time) }
/// As `containsTimeRange(_:)`.
public func CMTimeRangeContainsTimeRange(_ range: CMTimeRange, otherRange: CMTimeRange) -> Bool {
    range.containsTimeRange(otherRange)
}
/// As `==`: the same start and the same duration.
public func CMTimeRangeEqual(_ range1: CMTimeRange, _ range2: CMTimeRange) -> Bool { range1 == range2 }

/// The time in `range` (its end included) nearest to `time`. Invalid when either is.
public func CMTimeClampToRange(_ time: CMTime, range: CMTimeRange) -> CMTime {
    guard range.isValid, time.isValid else { return .invalid }
    return min(max(time, range.start), range.end)
}

/// `time` moved and stretched as `fromRange` must be to become `toRange`. Times outside are mapped alike.
/// Invalid when a range is, or when `fromRange` is empty.
public func CMTimeMapTimeFromRangeToRange(_ time: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange) -> CMTime {
    guard time.isValid, fromRange.isValid, toRange.isValid, !fromRange.isEmpty else { return .invalid }
    guard time.isNumeric else { return time }
    let offset = time - fromRange.start
    if fromRange.duration == toRange.duration { return toRange.start + offset }
    let ratio = toRange.duration.seconds / fromRange.duration.seconds
    return toRange.start + CMTimeMultiplyByFloat64(offset, multiplier: ratio)
}

/// Which stretch of a source plays during which stretch of a target, after Core Media's `CMTimeMapping`.
public struct CMTimeMapping: Sendable, Hashable, Codable {
    /// Invalid for an empty edit: nothing of the source plays.
    public var source: CMTimeRange
    /// Where on the timeline it plays.
    public var target: CMTimeRange

    /// Takes both as they are; `isValid` and `isEmpty` say what they make.
    public init(source: CMTimeRange, target: CMTimeRange) {
        self.source = source
        self.target = target
    }
    /// Maps nothing to nothing.
    public static let invalid = CMTimeMapping(source: .invalid, target: .invalid)
    /// The target is a range; the source may be empty.
    public var isValid: Bool { target.isValid }
    /// The target plays nothing.
    public var isEmpty: Bool { !source.start.isNumeric && target.isValid }
}
