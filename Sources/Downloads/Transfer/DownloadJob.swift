import Foundation
import MediaCore
import Streaming

/// One download on its way: takes its package into its hands, plans, fetches, writes what plays. Confined to the
/// engine's queue.
///
/// It may be stopped at any moment, by its owner or with the whole process: all that it knows is in the record and on
/// the disk, and a new one begins where it stood.
final class DownloadJob: @unchecked Sendable {
    enum Phase { case resting, planning, transferring }

    // Guarded by confinement to the engine's queue.
    /// Outlives it, but for callbacks on their way: those come in by `enter`.
    unowned let engine: DownloadEngine
    var row: DownloadRow
    var package: PackageRow
    /// Of a file that is no stream, its name in the package; nil: it is a stream, or nobody knows yet.
    var fileName: String?
    let folder: PackageFolder
    let limit: RateLimit
    private(set) var phase = Phase.resting
    private var lock: FolderLock?
    /// What holds it up; nil: nothing does.
    private(set) var trouble: DownloadError?

    var renditions: [ActiveRendition] = []
    /// What is to be fetched, in the order of time, and where each of it stands.
    var queue = ItemQueue()
    var transfers: [ItemReference: ItemTransfer] = [:]
    /// Come, checked, and not yet recorded.
    var arrived: [ArrivedItem] = []
    /// Of items that are not recorded as whole and whose transfer is over: what came of them, and what is known of the
    /// server's answers.
    var plans: [ItemReference: TransferPlan] = [:]
    var failures: [ItemReference: Int] = [:]
    var checkFailures: [ItemReference: (count: Int, digest: ContentDigest)] = [:]
    /// Resources of whose servers something odd has been reported.
    var noted: Set<String> = []
    /// Failures of the network in a row, whatever was loaded.
    var retry = TransferRetry()
    var hasRefreshed = false
    /// The file is loaded in one piece: its server gives no parts of it, or parts of several versions.
    var inOnePiece = false
    /// How often something was missing on the disk when all had come.
    var losses = 0
    /// Passwords and the like; they live as long as the job does, which is as long as the process.
    var credentials = DownloadCredentials()
    var loads: [any HTTPTask] = []
    var recording: LiveRecording?
    private var timer: (any NetworkTimer)?
    private var alarm: (time: Int64, timer: any NetworkTimer)?
    /// Callbacks of what was stopped find another number.
    private(set) var turn = 0

    private var rate = ProgressRate()
    private var lastTold: Int64 = .min / 2
    private var lastStored: Int64 = .min / 2
    private var lastEstimate: (time: Int64, bytes: Int64) = (.min / 2, 0)
    private var tellTimer: (any NetworkTimer)?

    init(_ row: DownloadRow, package: PackageRow, engine: DownloadEngine) {
        self.row = row
        self.package = package
        self.engine = engine
        folder = PackageFolder(library: engine.root, folder: package.folder)
        limit = RateLimit(loop: engine.loop, bytesPerSecond: row.options.bytesPerSecond)
    }

    /// What its owner has asked for, with the headers that are not stored.
    var options: DownloadOptions {
        var options = row.options
        options.headers.merge(credentials.headers) { $1 }
        return options
    }

    /// What players open once it is finished: the package's playlist, or the file.
    var playableFile: DiskPath {
        fileName.map { folder.place.appending("media").appending($0) } ?? folder.index
    }

    var isRunning: Bool { phase != .resting }
    /// It would go on if it were its turn.
    var wantsToRun: Bool { row.wish == .run && !row.isFinished && row.failure == nil }

    var state: DownloadState {
        if row.wish == .cancel || row.wish == .remove { return .cancelled }
        if row.isFinished { return .finished }
        if let failure = row.failure { return .failed(failure) }
        if row.wish == .pause { return .paused }
        if let trouble { return .waiting(trouble) }
        switch phase {
        case .resting: return .queued
        case .planning: return .preparing
        case .transferring: return .downloading
        }
    }

    /// For callbacks, on the queue: their library may have been let go of meanwhile, on another thread.
    static func enter(_ job: DownloadJob?, _ engine: DownloadEngine?, turn: Int, _ body: (DownloadJob) -> Void) {
        guard let engine, let job, job.turn == turn else { return }
        withExtendedLifetime(engine) { body(job) }
    }

    // MARK: life

    /// Its turn has come.
    func start() {
        guard !isRunning, wantsToRun else { return }
        turn += 1
        phase = .planning
        trouble = nil
        failures = [:]
        checkFailures = [:]
        retry.reset()
        hasRefreshed = false
        inOnePiece = false
        losses = 0
        attempt { () throws(DownloadError) in try self.begin() }
    }

    private func begin() throws(DownloadError) {
        guard engine.allowsNetwork(row.options) else {
            return wait(
                DownloadError(
                    .meteredNetwork, at: row.url.location, reason: "the network connection is metered",
                    suggestion:
                        "Connect to an unmetered network; in an app, you can set allowsMeteredNetwork in DownloadOptions or DownloadPolicy instead"
                ), again: 5_000_000_000)
        }
        if lock == nil { lock = try folder.takeLock() }
        guard lock != nil else {
            return wait(
                DownloadError(
                    .inUse, at: folder.path,
                    reason: "another download is writing to the same folder",
                    suggestion: "Wait until the other download is finished; this one then resumes by itself"),
                again: 500_000_000)
        }
        // Whoever had it before may have brought it further, or to its end.
        guard let fresh = try engine.record.read({ try $0.download(self.row.id) }),
            let package = try engine.record.read({ try $0.package(self.row.package) })
        else {
            return engine.jobIsGone(self)
        }
        (row, self.package) = (fresh, package)
        guard wantsToRun else { return rest() }
        try credentials.check(row.needs, for: row.url)
        engine.changed(self)
        try plan()
    }

    /// Ends whatever is under way; what has come stays, to be gone on from.
    func rest() {
        turn += 1
        timer?.cancel()
        timer = nil
        alarm?.timer.cancel()
        alarm = nil
        for load in loads { load.cancel() }
        loads = []
        recording?.stop()
        recording = nil
        stopTransfers()
        commit()
        arrived = []
        plans = [:]
        queue = ItemQueue()
        phase = .resting
        trouble = nil
        storeState()
        renditions = []
        lock = nil
        rate = ProgressRate()
        // Gone is told when it is.
        if row.wish == .run || row.wish == .pause { engine.changed(self) }
    }

    /// It does not go on.
    func fail(_ error: DownloadError) {
        row.failure = error
        rest()
        engine.pump()
    }

    func attempt(_ body: () throws(DownloadError) -> Void) {
        do throws(DownloadError) { try body() } catch { handle(error) }
    }

    /// What concerns the whole download.
    func handle(_ error: DownloadError) {
        switch error.code {
        case .cancelled: wake(at: engine.loop.now.addingSaturating(1_000_000_000))
        case .diskFull, .quotaExceeded:
            stopTransfers()
            wait(error, again: 1_000_000_000)
        case .inUse: wait(error, again: 500_000_000)
        default: fail(error)
        }
    }

    /// Something that passes by itself holds it up.
    func wait(_ error: DownloadError, again delay: Int64) {
        trouble = error
        engine.changed(self)
        let mine = turn
        timer?.cancel()
        timer = engine.schedule(after: delay) { [weak self] in
            guard let self, self.turn == mine, self.isRunning else { return }
            self.timer = nil
            self.attempt { () throws(DownloadError) in
                if self.phase == .transferring, !self.renditions.isEmpty { return try self.fill() }
                // What held it up did so while it was planned.
                self.letGoOfPlan()
                try self.begin()
            }
        }
    }

    /// Held up, and going on by itself.
    func waitsFor(_ error: DownloadError) {
        trouble = error
        engine.changed(self)
    }

    /// Lets go of all that is under way, to go on with another plan.
    func turnOver() {
        turn += 1
        stopTransfers()
        commit()
        for load in loads { load.cancel() }
        loads = []
        alarm?.timer.cancel()
        alarm = nil
        plans = [:]
        queue = ItemQueue()
        failures = [:]
        checkFailures = [:]
    }

    /// As `turnOver`, to begin again with planning.
    func letGoOfPlan() {
        turnOver()
        recording?.stop()
        recording = nil
        renditions = []
        phase = .planning
    }

    func becomesFree() {
        guard trouble != nil else { return }
        trouble = nil
        engine.changed(self)
    }

    func isPlanned() {
        phase = .transferring
        trouble = nil
        engine.changed(self)
        engine.tell(.planned(row.id, location: engine.location(of: package)))
    }

    /// Looks for something to fetch, then.
    func wake(at time: Int64) {
        if let alarm, alarm.time <= time, alarm.time > engine.loop.now { return }
        alarm?.timer.cancel()
        let mine = turn
        let timer = engine.schedule(after: time - engine.loop.now) { [weak self] in
            guard let self, self.turn == mine else { return }
            self.alarm = nil
            self.attempt { () throws(DownloadError) in try self.fill() }
        }
        alarm = (time, timer)
    }

    // MARK: progress

    func progressed(_ bytes: Int64) {
        if bytes > 0 {
            rate.add(bytes, at: engine.loop.now)
            retry.gained(bytes)
            if retry.failures == 0 { becomesFree() }
        }
        let now = engine.loop.now
        if now - lastTold >= 100_000_000 { return tellProgress() }
        guard tellTimer == nil else { return }
        tellTimer = engine.schedule(after: lastTold + 100_000_000 - now) { [weak self] in
            self?.tellTimer = nil
            self?.tellProgress()
        }
    }

    private func tellProgress() {
        lastTold = engine.loop.now
        guard isRunning else { return }
        measure()
        engine.changed(self)
        if lastTold - lastStored > 2_000_000_000 { storeState() }
    }

    /// Neither bytes nor seconds go back: what was lost on the way is made up for first.
    func measure() {
        guard !renditions.isEmpty else { return }
        let now = engine.loop.now
        let bytes =
            renditions.reduce(Int64(0)) { $0.addingSaturating($1.bytes) }
            + transfers.values.reduce(Int64(0)) { $0.addingSaturating($1.received) }
            + arrived.reduce(Int64(0)) { $0.addingSaturating($1.arrived.length) }
        row.progress.bytes = max(row.progress.bytes, bytes)
        if now - lastEstimate.time > 500_000_000 || renditions.allSatisfy({ $0.missing == 0 }) {
            lastEstimate = (now, renditions.reduce(Int64(0)) { $0.addingSaturating($1.expectedBytes) })
        }
        row.progress.expectedBytes = max(lastEstimate.bytes, row.progress.bytes)
        let media = renditions.filter { $0.row.kind != .iFrames && $0.row.kind != .file }
        if let least = media.map(\.seconds).min() { row.progress.seconds = max(row.progress.seconds, least) }
        let whole = recording?.wanted ?? media.compactMap { $0.plan?.duration }.max() ?? 0
        row.progress.expectedSeconds = max(whole, row.progress.seconds)
        row.progress.rate = rate.value(at: now)
    }

    func storeState() {
        lastStored = engine.loop.now
        measure()
        if !isRunning { row.progress.rate = 0 }
        // What cannot be written now is written next time: the resources themselves tell what has come.
        try? engine.record.write { try $0.storeState(self.row) }
    }
}

struct ArrivedItem {
    var item: ItemReference
    var arrived: ItemTransfer.Arrived
}

/// Bytes a second over the last five. A value.
private struct ProgressRate {
    private var pieces: [(time: Int64, bytes: Int64)] = []

    mutating func add(_ bytes: Int64, at time: Int64) {
        if let last = pieces.last, time - last.time < 200_000_000 {
            pieces[pieces.count - 1].bytes += bytes
        } else {
            pieces.append((time, bytes))
        }
        if pieces.count > 64 { pieces.removeFirst(32) }
    }

    func value(at now: Int64) -> Double {
        let recent = pieces.filter { now - $0.time <= 5_000_000_000 }
        guard let first = recent.first else { return 0 }
        return Double(recent.reduce(Int64(0)) { $0.addingSaturating($1.bytes) })
            / max(0.5, Double(now - first.time) / 1e9)
    }
}
