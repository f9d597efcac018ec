import Foundation
import MediaCore
import Streaming

/// The work of a download: locks its package, plans, loads, and writes the playable files. The job makes the decisions,
/// and the objects in its properties carry them out.
///
/// The job can be stopped at any time, even by the end of the process. Its entire state is in the database and in the
/// files, so a new job can continue the work.
@DownloadActor
final class DownloadJob {
    enum Phase { case idle, planning, transferring }

    /// The engine outlives the job, except when a callback arrives late. Callbacks use `enter` for that reason.
    unowned let engine: DownloadEngine
    private(set) var row: DownloadRow
    private(set) var package: PackageRow
    /// The file's name in the package, if the source is not a stream. Nil for a stream, or while the kind is unknown.
    private(set) var fileName: String?
    private(set) var phase = Phase.idle
    /// The temporary condition that blocks the download, or nil.
    private(set) var waitingReason: DownloadError?
    private var recording: LiveRecording?
    /// The speed limit of this download, in addition to the library's.
    private let limit: RateLimit
    let requests: JobRequests
    let contents: DownloadContents
    let transfers: ItemTransfers
    let retries = JobRetries()
    let turn: JobTurn
    private let progress = JobProgress()

    init(_ row: DownloadRow, package: PackageRow, engine: DownloadEngine) {
        self.row = row
        self.package = package
        self.engine = engine
        let loop = engine.loop
        limit = RateLimit(loop: loop, bytesPerSecond: row.options.network.bytesPerSecond)
        requests = JobRequests(loop: loop)
        contents = DownloadContents(PackageFolder(library: engine.root, folder: package.folder), engine.record)
        transfers = ItemTransfers(contents, loop: loop, limits: [engine.limit, limit])
        turn = JobTurn(loop: loop) { [unowned engine] in engine.schedule(after: $0, $1) }
    }

    var folder: PackageFolder { contents.folder }
    /// The options of the download, including headers that are not stored.
    var options: DownloadOptions { requests.options(of: row) }
    /// The file that players open after the download has finished: the package's playlist, or the media file.
    var playableFile: DiskPath {
        fileName.map { folder.diskPath.appending("media").appending($0) } ?? folder.index
    }

    var isRunning: Bool { phase != .idle }
    /// Whether the download would run if the policy allowed it.
    var wantsToRun: Bool { row.requestedState == .run && !row.isFinished && row.failure == nil }

    var state: DownloadState {
        if row.requestedState == .cancel || row.requestedState == .remove { return .cancelled }
        if row.isFinished { return .finished }
        if let failure = row.failure { return .failed(failure) }
        if row.requestedState == .pause { return .paused }
        if let waitingReason { return .waiting(waitingReason) }
        switch phase {
        case .idle: return .queued
        case .planning: return .preparing
        case .transferring: return .downloading
        }
    }

    /// Calls `body` for a callback, unless another thread has released the library in the meantime.
    ///
    /// - Parameter turn: The turn in which the callback was created. The call has no effect in a later turn. If nil,
    ///   the call has an effect in every turn.
    private static func enter<Failure: Error>(
        _ job: DownloadJob?, _ engine: DownloadEngine?, turn: Int? = nil,
        _ body: (DownloadJob) throws(Failure) -> Void
    ) throws(Failure) {
        guard let engine, let job, turn == nil || job.turn.number == turn else { return }
        defer { withExtendedLifetime(engine) {} }
        try body(job)
    }

    // MARK: requests

    /// Takes the rows that another process has written.
    func take(_ row: DownloadRow, _ package: PackageRow) { (self.row, self.package) = (row, package) }
    func set(_ state: DownloadRow.RequestedState) { row.requestedState = state }
    func isFile(named name: String?) { fileName = name }
    func setNote(_ note: String) { row.note = note }

    /// Handles a removal that failed: the download stays in the library, paused and with `error`.
    func removalFailed(_ error: DownloadError) { (row.requestedState, row.failure) = (.pause, error) }

    /// Sets the qualities to load, before the download has been started.
    func setQualities(_ first: DownloadOptions.Quality, _ others: [DownloadOptions.Quality]) {
        row.options.quality = first
        row.options.otherQualities = others.isEmpty ? nil : others
    }

    /// Sets the storage policy that is written when the download finishes.
    func setStorage(isProtected: Bool, expires: Date?) {
        (row.options.isProtected, row.options.expirationDate) = (isProtected, expires)
        (package.isProtected, package.expires) = (isProtected, expires)
    }

    /// Prepares the download to continue from the bytes that are on the disk.
    ///
    /// - Returns: Whether the URL has changed.
    func prepareToResume(with url: URL?, options: DownloadOptions?, headers: [String: String]?) -> Bool {
        if options != nil || headers != nil {
            var newOptions = options ?? row.options
            if let headers { newOptions.network.headers = headers }
            requests.take(from: &newOptions)
            row.options = newOptions
            row.needs.headers = requests.credentials.headers.keys.sorted()
            limit.set(newOptions.network.bytesPerSecond)
        }
        var isMoved = false
        if let url {
            let newURL = requests.take(from: url)
            isMoved = newURL != row.url
            row.url = newURL
            row.needs.login = requests.credentials.needs(for: url).login
        }
        (row.failure, row.requestedState) = (nil, .run)
        return isMoved
    }

    // MARK: starting and stopping

    /// Starts the download, unless it is running or must not run. The engine calls this function when the policy allows
    /// another download.
    func start() {
        guard !isRunning, wantsToRun else { return }
        turn.next()
        phase = .planning
        waitingReason = nil
        retries.begin()
        attempt { () throws(DownloadError) in try self.begin() }
    }

    private func begin() throws(DownloadError) {
        guard engine.allowsNetwork(row.options) else { return stopForNetwork() }
        guard try contents.takeLock() else {
            return wait(
                DownloadError(
                    .inUse, at: folder.path,
                    reason: "another download is writing to the same folder",
                    suggestion: "Wait until the other download is finished; this one then resumes by itself"),
                again: 500_000_000)
        }
        // The previous owner of the lock may have loaded more, or may have finished the download.
        guard let storedRow = try engine.record.read({ try $0.download(self.row.id) }),
            let package = try engine.record.read({ try $0.package(self.row.package) })
        else {
            return engine.didRemoveJob(self)
        }
        (row, self.package) = (storedRow, package)
        guard wantsToRun else { return stop() }
        try requests.credentials.check(row.needs, for: row.url)
        engine.changed(self)
        try planner.plan()
    }

    /// Stops all work of the job. Downloaded bytes stay, so that a later start continues from them.
    func stop() {
        turn.next()
        requests.cancel()
        stopRecording()
        transfers.stop()
        commit()
        transfers.reset()
        phase = .idle
        waitingReason = nil
        storeState()
        contents.close()
        progress.resetSpeed()
        // The engine reports a removal when it is complete.
        if row.requestedState == .run || row.requestedState == .pause { engine.changed(self) }
    }

    /// Ends the download with an error.
    func fail(_ error: DownloadError) {
        row.failure = error
        stop()
        engine.startNextDownloads()
    }

    func attempt(_ body: () throws(DownloadError) -> Void) {
        do throws(DownloadError) { try body() } catch { handle(error) }
    }

    /// Handles an error that concerns the entire download.
    func handle(_ error: DownloadError) {
        switch error.code {
        case .cancelled: wake(at: engine.loop.time + 1_000_000_000)
        case .diskFull, .quotaExceeded:
            transfers.stop()
            wait(error, again: 1_000_000_000)
        case .inUse: wait(error, again: 500_000_000)
        default: fail(error)
        }
    }

    /// Waits for a temporary condition to pass, and retries after `delay` nanoseconds.
    private func wait(_ error: DownloadError, again delay: Int64) {
        setWaiting(for: error)
        turn.retry(after: delay) { [weak self] in
            guard let self, self.isRunning else { return }
            self.attempt { () throws(DownloadError) in
                if self.phase == .transferring, !self.contents.renditions.isEmpty {
                    return try self.continueTransfers()
                }
                // The condition occurred during planning.
                self.discardPlan()
                try self.begin()
            }
        }
    }

    /// Stops until the download may use the network. The engine starts the job again.
    private func stopForNetwork() {
        stop()
        engine.startNextDownloads()
    }

    /// Sets whether the job, which is not running, waits for an unmetered network.
    func setWaitsForNetwork(_ waits: Bool) {
        guard waits else { return clearWaitingReason() }
        guard waitingReason == nil else { return }
        setWaiting(
            for: DownloadError(
                .meteredNetwork, at: row.url.location, reason: "the network connection is metered",
                suggestion:
                    "Connect to an unmetered network; in an app, you can set allowsMeteredNetwork in DownloadOptions or DownloadPolicy instead"
            ))
    }

    /// Reports that a temporary condition blocks the download.
    func setWaiting(for error: DownloadError) {
        waitingReason = error
        engine.changed(self)
    }

    private func clearWaitingReason() {
        guard waitingReason != nil else { return }
        waitingReason = nil
        engine.changed(self)
    }

    /// Starts further transfers at `time`.
    func wake(at time: HostTime) {
        turn.wake(at: time) { [weak self] in
            self?.attempt { () throws(DownloadError) in try self?.startTransfers() }
        }
    }

    // MARK: planning

    /// A planner that finds the resources to load in the database or on the server.
    private var planner: DownloadPlanner {
        DownloadPlanner(
            row: row, isInOnePiece: retries.isInOnePiece, record: engine.record, requests: requests
        ) { [weak self, weak engine] outcome in
            DownloadJob.enter(self, engine) { $0.take(outcome) }
        }
    }

    private func take(_ outcome: DownloadPlanner.Outcome) {
        switch outcome {
        case .answered: clearWaitingReason()
        case .planned(let rows): attempt { () throws(DownloadError) in try takePlan(rows) }
        case .live(let rows): record(rows)
        case .unreachable(let failure, let optional): planningFailed(failure, optional: optional)
        case .failed(let error): handle(error)
        }
    }

    /// Retries planning after a network failure, until `patience` seconds have passed. Then leaves out the optional
    /// rendition that failed, or ends the download.
    private func planningFailed(_ failure: HTTPError, optional: RenditionRow?) {
        let delay = retries.planningFailed(
            failure, patience: patience, at: engine.loop.time, random: .random(in: 0...1))
        guard let delay else {
            if let optional { leaveOut(optional) } else { fail(DownloadError(failure)) }
            return
        }
        // Transfers of a recording may be running.
        discardPlan()
        var error = DownloadError(failure)
        // The playlist of a recording is missing. The download continues by itself, as after a failure of the server.
        if !error.isTransient {
            error = DownloadError(
                .network, at: error.location, reason: error.reason, suggestion: error.suggestion,
                httpStatus: error.httpStatus)
        }
        wait(error, again: delay)
    }

    private func record(_ rows: [RenditionRow]) {
        let planner = planner
        let recording = LiveRecording(
            rows, seconds: row.options.recordedDuration ?? 0, record: engine.record,
            fetch: { [weak self, weak engine] rendition, body in
                planner.fetchLive(rendition) { [weak self, weak engine] bytes, url throws(DownloadError) in
                    try DownloadJob.enter(self, engine) { (_) throws(DownloadError) in try body(bytes, url) }
                }
            },
            schedule: { [unowned engine] in engine.schedule(after: $0, $1) },
            report: { [weak self] news, isDone throws(DownloadError) in try self?.recorded(news, isDone: isDone) })
        self.recording = recording
        recording.start()
    }

    private func recorded(_ news: LiveRecording.News, isDone: Bool) throws(DownloadError) {
        switch news {
        case .planned(let rows):
            if isDone { recording = nil }
            try takePlan(rows)
        case .grew(let rows):
            try contents.grow(rows)
            if isDone { recording = nil }
            transfers.arrange()
            measure()
            try startTransfers()
        }
    }

    private func stopRecording() {
        recording?.stop()
        recording = nil
    }

    /// Takes the plan when every playlist is loaded.
    private func takePlan(_ rows: [RenditionRow]) throws(DownloadError) {
        try contents.take(rows, of: package.id)
        transfers.arrange()
        phase = .transferring
        waitingReason = nil
        engine.changed(self)
        engine.report(.planned(row.id, location: engine.location(of: package)))
        measure()
        try startTransfers()
    }

    /// Stops all transfers and requests, to continue with another plan.
    private func stopTransfers() {
        turn.next()
        transfers.stop()
        commit()
        requests.cancel()
        transfers.reset()
        retries.startOver()
    }

    /// Stops all transfers and requests, to start again with planning.
    private func discardPlan() {
        stopTransfers()
        stopRecording()
        contents.forgetPlan()
        phase = .planning
    }

    /// Removes a rendition from the plan and the database.
    func leaveOut(_ rendition: RenditionRow) {
        stopTransfers()
        retries.leavesOut()
        planner.leaveOut(rendition)
    }

    /// Puts gaps into a recording in place of the segments that need an item, because the server no longer has the item.
    func leaveGap(_ item: ItemReference, _ error: DownloadError) {
        let rendition = contents.renditions[item.rendition]
        let places = rendition.places(needing: item.place)
        // Only a recording that contains some media is worth finishing.
        guard let playlist = rendition.plan?.playlist, rendition.hasMedia(withGapsAt: places) else {
            return fail(error)
        }
        // Segments may be loading that need this key or initialization section.
        if rendition.items[item.place].kind != .segment { transfers.stop() }
        transfers.wait(item, until: engine.loop.time)
        transfers.forget(item)
        retries.succeeded(item)
        attempt { () throws(DownloadError) in
            let row = try LiveRecording.row(rendition.row, withGapsAt: places)
            try engine.record.write {
                try $0.setPlaylist(row.playlist ?? "", from: row.playlistURL ?? row.url, of: row.id)
            }
            recording?.take(row)
            try contents.grow([row])
            transfers.arrange()
            let seconds = places.reduce(0) { $0 + (playlist.segments[safe: $1]?.duration ?? 0) }
            engine.report(
                .noted(
                    self.row.id,
                    DownloadError(
                        error.code, at: error.location,
                        reason: error.reason + String(format: "; the recording has a gap of %.1f s there", seconds),
                        httpStatus: error.httpStatus)))
            measure()
            try startTransfers()
        }
    }

    /// Loads the entire file again, once, in a single response, because the loaded parts cannot be combined with new
    /// ones.
    func loadInOnePiece(_ error: DownloadError) {
        let isSecond = retries.isInOnePiece
        stopTransfers()
        attempt { () throws(DownloadError) in
            try contents.forgetFile(of: package.id)
            guard !isSecond else { return fail(error) }
            retries.loadsInOnePiece()
            contents.forgetPlan()
            try planner.plan()
        }
    }

    /// Loads the playlists again, which may contain a new URL for an item.
    func refresh(for item: ItemReference) {
        transfers.stop()
        // No other item is requested with an old URL in the meantime.
        phase = .planning
        planner.refresh(contents) { [weak self, weak engine] in
            DownloadJob.enter(self, engine) { job in
                job.retries.refreshed(for: item)
                job.phase = .transferring
                job.attempt { () throws(DownloadError) in try job.startTransfers() }
            }
        }
    }

    /// The time to retry after network failures, in seconds.
    var patience: Double {
        if let own = row.options.network.patience { return own }
        // A server that has never answered probably does not exist.
        return row.progress.bytes == 0 ? engine.policy.patience / 10 : engine.policy.patience
    }

    // MARK: starting transfers

    func startTransfers() throws(DownloadError) {
        guard phase == .transferring, !isBlocked else { return }
        try continueTransfers()
    }

    /// Whether the download waits for space or for the database. Until the retry of `wait`, nothing is transferred,
    /// because it could not be stored.
    private var isBlocked: Bool {
        switch waitingReason?.code {
        case .diskFull, .quotaExceeded, .inUse: true
        default: false
        }
    }

    /// Starts transfers, unless the condition that blocks them still exists.
    private func continueTransfers() throws(DownloadError) {
        guard engine.allowsNetwork(row.options) else { return stopForNetwork() }
        let missing = contents.isComplete ? 0 : max(0, row.progress.expectedBytes - contents.bytes)
        if missing > 0 { try engine.makeSpace(for: self, bytes: missing) }
        if isBlocked { clearWaitingReason() }
        let startedTurn = turn.number
        startMoreTransfers()
        // If a transfer could not be started, the download may have ended.
        guard turn.number == startedTurn else { return }
        // Every call schedules the next waiting item, so callers that make an item wait do not have to.
        if let due = transfers.due { wake(at: due) }
        guard recording == nil else { return }
        if transfers.isDone {
            try finish()
        } else if transfers.isIdle {
            // No transfer is running that could complete the missing items.
            fail(
                DownloadError(
                    .damaged, at: folder.path,
                    reason: "the key or initialization section of some segments is missing",
                    suggestion: "Retry the download"))
        }
    }

    private func startMoreTransfers() {
        // A transfer can fail at once, if there is no space for its file.
        while !isBlocked, let item = transfers.next(most: engine.policy.simultaneousSegments) { begin(item) }
    }

    private func begin(_ item: ItemReference) {
        let rendition = contents.renditions[item.rendition]
        guard let url = rendition.url(of: item.place) else {
            transfers.wait(item, until: engine.loop.time)
            return checkFailed(
                item,
                DownloadError(
                    .notMedia, at: row.url.location,
                    reason: "“\(rendition.items[item.place].uri)” is not a valid URL",
                    suggestion: "Report the error to the publisher of the stream"))
        }
        let startedTurn = turn.number
        transfers.begin(item, from: requests.credentials.authorized(url), requests.httpOptions(of: row)) {
            [weak self, weak engine] event in
            DownloadJob.enter(self, engine, turn: startedTurn) { $0.take(event) }
        }
    }

    private func take(_ event: ItemTransfers.Event) {
        switch event {
        case .progress(let bytes): progressed(bytes)
        case .note(let url, let text):
            engine.report(.noted(row.id, DownloadError(.network, at: url.location, reason: text)))
        case .arrived(let item): didReceive(item)
        case .failed(let item, let failure): itemFailed(item, failure)
        }
    }

    // MARK: received resources

    private func didReceive(_ item: ArrivedItem) {
        // Start further transfers first, to use the network while the resource is checked.
        let startedTurn = turn.number
        if phase == .transferring { startMoreTransfers() }
        // If a transfer could not be started, the download may have ended.
        guard turn.number == startedTurn else { return }
        // In the meantime, another check found that the key is wrong. The item cannot be checked before the new key is
        // loaded.
        guard contents.isReady(item.item) else {
            transfers.wait(item.item, until: engine.loop.time)
            return attempt { () throws(DownloadError) in try startTransfers() }
        }
        do throws(DownloadError) {
            try contents.check(item)
        } catch {
            transfers.wait(item.item, until: engine.loop.time)
            transfers.forget(item.item)
            return checkFailed(item.item, error)
        }
        // Commit in a later block of the queue, so that all resources that arrive before it are stored together.
        if transfers.hold(item) {
            DownloadActor.enqueue { [weak self, weak engine] in
                DownloadJob.enter(self, engine, turn: startedTurn) { job in
                    job.commit()
                    job.attempt { () throws(DownloadError) in try job.startTransfers() }
                }
            }
        }
        attempt { () throws(DownloadError) in try startTransfers() }
    }

    /// Makes the received resources durable.
    private func commit() {
        let batch = transfers.takeHeld()
        guard !batch.isEmpty else { return }
        attempt { () throws(DownloadError) in
            do throws(DownloadError) {
                try commit(batch)
            } catch {
                transfers.putBack(batch)
                throw error
            }
        }
    }

    private func commit(_ batch: [ArrivedItem]) throws(DownloadError) {
        let bytes = try contents.store(batch, in: package.id)
        package.bytes = package.bytes.addingSaturating(bytes)
        engine.packageGrew(by: bytes)
        try contents.name(batch)
        for item in batch {
            contents.complete(item)
            transfers.done(item.item)
            retries.succeeded(item.item)
            if item.item.rendition == 0 { reportLoaded(contents.renditions[0], item.item.place) }
        }
        progressed(0)
    }

    private func reportLoaded(_ rendition: ActiveRendition, _ index: Int) {
        let item = rendition.items[index]
        guard item.kind == .segment, let duration = rendition.plan?.duration else { return }
        engine.report(
            .loaded(row.id, item.start..<item.start + item.seconds, all: rendition.loaded, whole: 0..<duration))
    }

    /// Loads an item again, because its file was deleted or has other contents.
    func lose(_ item: ItemReference) {
        contents.lose(item)
        transfers.lose(item)
    }

    // MARK: finishing

    private func finish() throws(DownloadError) {
        guard phase == .transferring, !contents.renditions.isEmpty else { return }
        let packageFinish = PackageFinish(package, contents)
        let missing = try packageFinish.missing()
        guard missing.isEmpty else { return try restore(missing, packageFinish.items(of: missing)) }
        let file = try packageFinish.write(for: row)
        if let file { fileName = file.name }
        measure()
        row.isFinished = true
        row.progress.bytes = contents.bytes
        row.progress.expectedBytes = row.progress.bytes
        let planned = contents.renditions.compactMap { $0.row.kind == .iFrames ? nil : $0.plan?.duration }.max()
        let seconds = planned ?? file?.seconds ?? row.progress.seconds
        (row.progress.seconds, row.progress.expectedSeconds) = (seconds, seconds)
        try packageFinish.store(row)
        engine.isFinished(self)
        stop()
        engine.startNextDownloads()
    }

    /// Loads resources again that were complete but are now missing.
    private func restore(_ missing: [PackageInspection.Problem], _ items: [ItemReference]) throws(DownloadError) {
        guard retries.lost(), !items.isEmpty else {
            let first = missing.first?.damage
            throw DownloadError(
                .damaged, at: first.map { engine.path + "/" + $0.file } ?? folder.path,
                reason: first?.reason ?? "the download is incomplete",
                suggestion: "Make sure that no other program changes the library's folder, then retry the download")
        }
        for item in items { lose(item) }
        try startTransfers()
    }

    // MARK: progress

    private func progressed(_ bytes: Int64) {
        let now = engine.loop.time
        if bytes > 0 {
            progress.add(bytes, at: now)
            if retries.gained(bytes) { clearWaitingReason() }
        }
        switch progress.next(at: now) {
        case .now: reportProgress()
        case .later(let delay):
            engine.schedule(after: delay) { [weak self] in
                self?.progress.isDue()
                self?.reportProgress()
            }
        case .scheduled: break
        }
    }

    private func reportProgress() {
        progress.wasReported(at: engine.loop.time)
        guard isRunning else { return }
        measure()
        engine.changed(self)
        if progress.isStoreDue { storeState() }
    }

    private func measure() {
        guard !contents.renditions.isEmpty else { return }
        progress.measure(
            contents.amounts(arriving: transfers.arriving, recordedSeconds: recording?.wanted),
            expectedBytes: { contents.expectedBytes }, into: &row.progress, at: engine.loop.time)
    }

    private func storeState() {
        progress.wasStored(at: engine.loop.time)
        measure()
        if !isRunning { row.progress.rate = 0 }
        // A failed write is repeated with the next report. The resources themselves are recorded separately.
        try? engine.record.write { try $0.storeState(self.row) }
    }
}
