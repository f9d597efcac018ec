import Logging

// `Logger` is swift-log's type and no other: apps that import Logging themselves mean the same one. What Apple's `os`
// module calls `Logger` is added to it, so that both spellings work on one value and go where the app sends its log
// (`LoggingSystem.bootstrap`); unless it does, to standard error, from `info` up.
extension Logger {
    /// The logger of a part of a program; its label is `subsystem`, a colon and `category`.
    public init(subsystem: String, category: String) { self.init(label: "\(subsystem):\(category)") }

    /// At swift-log's `notice`, as the default level of `os` is called there.
    public func log(
        _ message: @autoclosure () -> Message, file: String = #fileID, function: String = #function, line: UInt = #line
    ) {
        log(level: Level.notice, message(), file: file, function: function, line: line)
    }
    /// At the level of swift-log's that stands for `level`: `default` is `notice`, `fault` is `critical`.
    public func log(
        level: OSLogType, _ message: @autoclosure () -> Message, file: String = #fileID, function: String = #function,
        line: UInt = #line
    ) {
        log(level: level.level, message(), file: file, function: function, line: line)
    }
    /// A bug in the program: at swift-log's `critical`.
    public func fault(
        _ message: @autoclosure () -> Message, file: String = #fileID, function: String = #function, line: UInt = #line
    ) {
        critical(message(), file: file, function: function, line: line)
    }
}

/// A level of Apple's `os` module.
public struct OSLogType: RawRepresentable, Sendable, Hashable {
    /// The number that Apple's `os` module has for it.
    public let rawValue: UInt8
    /// By Apple's number; one that is none of the constants logs as `default`.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The same as `init(rawValue:)`.
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }

    /// swift-log's `notice`.
    public static let `default` = OSLogType(rawValue: 0x00)
    /// swift-log's `info`.
    public static let info = OSLogType(rawValue: 0x01)
    /// swift-log's `debug`.
    public static let debug = OSLogType(rawValue: 0x02)
    /// swift-log's `error`.
    public static let error = OSLogType(rawValue: 0x10)
    /// A bug in the program; swift-log's `critical`.
    public static let fault = OSLogType(rawValue: 0x11)

    var level: Logger.Level {
        switch self {
        case .info: .info
        case .debug: .debug
        case .error: .error
        case .fault: .critical
        default: .notice
        }
    }
}

/// Who may read a value in a log.
public struct OSLogPrivacy: Sendable, Hashable {
    let isShown: Bool
    /// As `public`: what is logged on Linux is the app's own to keep.
    public static let auto = OSLogPrivacy(isShown: true)
    /// The value is written.
    public static let `public` = OSLogPrivacy(isShown: true)
    /// The value is not written; `<private>` stands for it.
    public static let `private` = OSLogPrivacy(isShown: false)
    /// As `private`.
    public static let sensitive = OSLogPrivacy(isShown: false)
}

extension DefaultStringInterpolation {
    /// A value in a message for a log: `\(name, privacy: .private)`.
    public mutating func appendInterpolation<T>(_ value: @autoclosure () -> T, privacy: OSLogPrivacy) {
        if privacy.isShown { appendInterpolation(value()) } else { appendLiteral("<private>") }
    }
}
