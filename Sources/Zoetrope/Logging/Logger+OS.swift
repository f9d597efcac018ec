import Logging

// `Logger` is swift-log's type, not a new one, so that apps that import Logging themselves use the same type. This
// extension adds the methods of `Logger` in Apple's `os` module, so that both spellings work on one value. Messages go
// to the app's log (`LoggingSystem.bootstrap`). Without one they go to standard error, from the level `info` on.
extension Logger {
    /// Creates the logger of a part of a program. Its label is `subsystem`, a colon and `category`.
    ///
    /// ```swift
    /// let logger = Logger(subsystem: "com.example.player", category: "library")
    /// logger.info("Opened \(url.lastPathComponent, privacy: .private)")
    /// ```
    public init(subsystem: String, category: String) { self.init(label: "\(subsystem):\(category)") }

    /// Logs a message at swift-log's level `notice`, which corresponds to the default level of `os`.
    public func log(
        _ message: @autoclosure () -> Message, file: String = #fileID, function: String = #function, line: UInt = #line
    ) {
        log(level: Level.notice, message(), file: file, function: function, line: line)
    }
    /// Logs a message at the level of swift-log that corresponds to `level`: `default` is `notice`, `fault` is
    /// `critical`.
    public func log(
        level: OSLogType, _ message: @autoclosure () -> Message, file: String = #fileID, function: String = #function,
        line: UInt = #line
    ) {
        log(level: level.level, message(), file: file, function: function, line: line)
    }
    /// Logs a bug in the program, at swift-log's level `critical`.
    public func fault(
        _ message: @autoclosure () -> Message, file: String = #fileID, function: String = #function, line: UInt = #line
    ) {
        critical(message(), file: file, function: function, line: line)
    }
}

/// A log level of Apple's `os` module.
public struct OSLogType: RawRepresentable, Sendable, Hashable {
    /// The number of the level in Apple's `os` module.
    public let rawValue: UInt8
    /// Creates a level from Apple's number. A number without a constant logs like `default`.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Creates a level from Apple's number, like `init(rawValue:)`.
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }

    /// The default level: swift-log's `notice`.
    public static let `default` = OSLogType(rawValue: 0x00)
    /// Information: swift-log's `info`.
    public static let info = OSLogType(rawValue: 0x01)
    /// Messages for debugging: swift-log's `debug`.
    public static let debug = OSLogType(rawValue: 0x02)
    /// An error: swift-log's `error`.
    public static let error = OSLogType(rawValue: 0x10)
    /// A bug in the program: swift-log's `critical`.
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

/// A rule for whether a value is written to a log.
public struct OSLogPrivacy: Sendable, Hashable {
    let isShown: Bool
    /// The default, which is the same as `public`, because on Linux the app decides where its log is written.
    public static let auto = OSLogPrivacy(isShown: true)
    /// The value is written.
    public static let `public` = OSLogPrivacy(isShown: true)
    /// The value is not written; the log contains `<private>` instead.
    public static let `private` = OSLogPrivacy(isShown: false)
    /// The same as `private`.
    public static let sensitive = OSLogPrivacy(isShown: false)
}

extension DefaultStringInterpolation {
    /// Adds a value to a log message, as in `\(name, privacy: .private)`.
    public mutating func appendInterpolation<T>(_ value: @autoclosure () -> T, privacy: OSLogPrivacy) {
        if privacy.isShown { appendInterpolation(value()) } else { appendLiteral("<private>") }
    }
}
