import Foundation

/// Times as objects, as Core Media adds them to Foundation's `NSValue`.
extension NSValue {
    /// The time it was made of; `.invalid` for any other value.
    public var timeValue: CMTime {
        if case .time(let time)? = (self as? TimeBox)?.content { time } else { .invalid }
    }

    /// The range it was made of; `.invalid` for any other value.
    public var timeRangeValue: CMTimeRange {
        if case .range(let range)? = (self as? TimeBox)?.content { range } else { .invalid }
    }
}

/// Lets `NSValue` have initializers that give an object of a class of ours, as a class cluster does.
public protocol TimeValueMaking {}
extension NSValue: TimeValueMaking {}

extension TimeValueMaking where Self == NSValue {
    /// Holds `time`; equal to another that holds an equal one.
    public init(time: CMTime) { self = TimeBox(.time(time)) }
    /// Holds `timeRange`; equal to another that holds an equal one.
    public init(timeRange: CMTimeRange) { self = TimeBox(.range(timeRange)) }
}

/// Foundation's own `NSValue` holds no structures of others on Linux. Immutable.
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

// libdispatch's constants, which its module does not have on Linux.
/// Nanoseconds in a second.
public let NSEC_PER_SEC: UInt64 = 1_000_000_000
/// Nanoseconds in a millisecond.
public let NSEC_PER_MSEC: UInt64 = 1_000_000
/// Microseconds in a second.
public let USEC_PER_SEC: UInt64 = 1_000_000
/// Nanoseconds in a microsecond.
public let NSEC_PER_USEC: UInt64 = 1000
