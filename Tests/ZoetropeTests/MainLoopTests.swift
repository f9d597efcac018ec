import Foundation
import TestSupport
import Testing

/// Tests of Foundation's run loop and Combine's schedulers in the main loop of an app, in a separate program (the probe
/// `Loop`).
@Suite struct MainLoopTests {
    private static func probe(_ mode: String) throws -> [String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Programs.path("Probes"))
        process.arguments = ["Loop", mode]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let said = String(decoding: data, as: UTF8.self)
        #expect(process.terminationStatus == 0, "\(said)")
        return said.split(separator: "\n").map(String.init)
    }

    @Test func timersAndBlocksOfTheMainRunLoopHaveTheirTurn() throws {
        let told = try Self.probe("turns")
        #expect(told.contains("scheduled main=true ticks=3 late=true"), "\(told)")
        #expect(told.contains("added main=true") && told.contains("performed main=true"), "\(told)")
    }

    @Test("sources of the main run loop run, signaled by any thread")
    func sourcesRun() throws {
        let told = try Self.probe("turns")
        #expect(told.contains("signalled main=true") && told.contains("signalled elsewhere main=true"), "\(told)")
    }

    @Test func whatCombineSchedulesOnMainComesThereFromOtherThreads() throws {
        let told = try Self.probe("turns")
        for name in ["runloop", "dispatch", "debounced", "debounced-dispatch", "throttled", "delayed", "operation"] {
            #expect(told.contains("\(name) main=true n=5"), "\(told)")
        }
        #expect(told.contains("notified main=true n=7"), "\(told)")
    }

    @Test func aPublishedTimerTicksFirstWhenItsIntervalHasPassed() throws {
        let told = try Self.probe("turns")
        #expect(told.contains("published main=true late=true"), "\(told)")
    }

    @Test func aLoopWithinABlockLeavesFoundationsTurnForAfterwards() throws {
        #expect(try Self.probe("nested") == ["within 0", "after 3"])
    }

    @Test func anIdleLoopHasNoTurnsEvenWhileATimerWaits() throws {
        let told = try Self.probe("idle")
        let turns = told.first.flatMap { $0.hasPrefix("turns ") ? Int($0.dropFirst(6)) : nil }
        // The two measurements themselves cause turns.
        #expect((turns ?? 999) <= 3, "\(told)")
    }
}
