import Logging
import Synchronization

/// A log that keeps its messages.
final class LogLines: LogHandler {
    private let list = Mutex<[String]>([])
    var all: [String] { list.withLock { $0 } }
    var logger: Logger { Logger(label: "test") { _ in self } }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }
    func log(event: LogEvent) { list.withLock { $0.append("\(event.level) \(event.message)") } }
}
