import Foundation
import TestSupport

/// The test server as a program, for experiments and for measuring other players with the same streams.
@main
struct Main {
    static let usage = """
        usage: StreamServer [ROOT] [options]     serves ROOT (default .generated/streams) on 127.0.0.1 until SIGTERM
          --port N            default: any that is free; the URL is the first line printed
          --throttle KBIT     thousands of bits a second for all connections together
          --trace FILE        one number a line: Mbit/s of one second each, again and again
          --latency SECONDS   before each answer
          --status PATTERN=N  answers N for paths of a shell pattern
          --stall PATTERN=N   nothing more after N bytes
          --reset PATTERN=N   RST after N bytes
          --truncate PATTERN=N
          --no-ranges, --gzip, --chunked
          --live PATH=MASTER  PATH/master.m3u8 is live over the VOD whose playlist is MASTER, at real time
          --low-latency       with parts and blocking reload
          --log               each request, to standard error
        """

    static func main() throws {
        let options: Options
        do { options = try Options(CommandLine.arguments.dropFirst()) } catch let error as UsageError {
            FileHandle.standardError.write(Data("StreamServer: \(error.message)\n\(usage)\n".utf8))
            exit(64)
        }
        if options.wantsHelp { return print(usage) }

        // Blocked before any thread starts, so that only `sigwait` receives the signals.
        var ends = sigset_t()
        sigemptyset(&ends)
        sigaddset(&ends, SIGTERM)
        sigaddset(&ends, SIGINT)
        pthread_sigmask(SIG_BLOCK, &ends, nil)

        let server = try StreamServer(root: options.root, port: options.port)
        server.inject(optional: options.rules)
        if let network = options.network { server.setNetwork(network) }
        let live = try options.live.map { path, master in
            try LiveStream(
                server, at: path, over: options.root.appendingPathComponent(master),
                options: .init(
                    pace: .realTime(speed: 1), partsPerSegment: options.isLowLatency ? 4 : nil))
        }
        // Written without buffering, because the calling process waits for this line.
        FileHandle.standardOutput.write(Data("\(server.url.absoluteString)\n".utf8))
        if options.logs { log(server) }
        var signal: Int32 = 0
        sigwait(&ends, &signal)
        server.close()
        withExtendedLifetime(live) {}
    }

    /// Prints finished requests on a thread that ends with the process.
    private static func log(_ server: StreamServer) {
        Thread.detachNewThread { [weak server] in
            var told = 0
            while let all = server?.nextEnded(after: told) {
                for one in all {
                    let line =
                        "#\(one.connection) \(one.method) /\(one.path) \(one.range ?? "") → \(one.status ?? 0) \(one.bytesSent) bytes, \(one.outcome)\n"
                    FileHandle.standardError.write(Data(line.utf8))
                }
                told += all.count
            }
        }
    }
}

extension StreamServer {
    /// Waits until a request after the first `count` has ended, and returns the ended ones.
    fileprivate func nextEnded(after count: Int) -> [ServedRequest] {
        while true {
            _ = waitBlocking(seconds: 3600) { $0.count > count && $0[count].outcome != .running }
            let fresh = requests.dropFirst(count).prefix { $0.outcome != .running }
            if !fresh.isEmpty { return Array(fresh) }
        }
    }
}
