import Foundation

// Times as objects, as in Core Media's extension of `NSValue`.
extension NSValue {
    /// The time that the object contains, or `.invalid` for any other value.
    public var timeValue: CMTime { containedTime ?? .invalid }

    /// The range that the object contains, or `.invalid` for any other value.
    ///
    /// ```swift
    /// let end = item.seekableTimeRanges.last?.timeRangeValue.end ?? .zero
    /// ```
    public var timeRangeValue: CMTimeRange { containedTimeRange ?? .invalid }

    /// The time that the object contains; nil for any other value.
    var containedTime: CMTime? {
        if case .time(let time)? = (self as? TimeBox)?.content { time } else { nil }
    }
    /// The range that the object contains; nil for any other value.
    var containedTimeRange: CMTimeRange? {
        if case .range(let range)? = (self as? TimeBox)?.content { range } else { nil }
    }
}

/// A protocol that lets `NSValue` have initializers that return an object of another class, like a class cluster.
public protocol TimeValueMaking {}
extension NSValue: TimeValueMaking {}

extension TimeValueMaking where Self == NSValue {
    /// Creates an object that contains `time`. Objects with equal times are equal.
    ///
    /// ```swift
    /// let chapterStarts = chapters.map { NSValue(time: $0.timeRange.start) }
    /// ```
    public init(time: CMTime) { self = TimeBox(.time(time)) }
    /// Creates an object that contains `timeRange`. Objects with equal ranges are equal.
    public init(timeRange: CMTimeRange) { self = TimeBox(.range(timeRange)) }
}

/// The object that contains a time or a range. On Linux, Foundation's `NSValue` cannot contain other structures. The
/// object is immutable.
private final class TimeBox: NSValue, @unchecked Sendable {
    enum Content: Hashable {
        case none
        case time(CMTime)
        case range(CMTimeRange)
    }
    let content: Content

    init(_ content: Content) {
        self.content = content
        super.init()
    }
    required init(bytes value: UnsafeRawPointer, objCType type: UnsafePointer<Int8>) {
        content = .none
        super.init()
    }
    required init?(coder: NSCoder) { nil }

    override func isEqual(_ value: Any?) -> Bool { (value as? TimeBox)?.content == content }
    override var hash: Int { content.hashValue }
    override func copy(with zone: NSZone? = nil) -> Any { self }
    override var description: String {
        switch content {
        case .none: "NSValue"
        case .time(let time): "CMTime: \(time)"
        case .range(let range): "CMTimeRange: \(range)"
        }
    }
}

// Constants of libdispatch, which its module lacks on Linux.
/// The number of nanoseconds in a second.
public let NSEC_PER_SEC: UInt64 = 1_000_000_000
/// The number of nanoseconds in a millisecond.
public let NSEC_PER_MSEC: UInt64 = 1_000_000
/// The number of microseconds in a second.
public let USEC_PER_SEC: UInt64 = 1_000_000
/// The number of nanoseconds in a microsecond.
public let NSEC_PER_USEC: UInt64 = 1000
