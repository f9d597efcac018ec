import Downloads
import Foundation
import MediaCore

/// A download in JSON: an object of `list --json`, or with `event` a line of `download --json`. All other keys are
/// always present, except `index`.
struct DownloadReport: Encodable {
    var event: String?
    /// The number in the list, from 1.
    var index: Int?
    var id: String
    var title: String
    var url: String
    var state: String
    /// The reason why the download waits or has failed; null if there is no error. `code` is the kind of the error.
    @OrNull var error: String?
    @OrNull var code: String?
    var bytes: Int64
    /// The expected size in bytes; 0 if unknown.
    var expectedBytes: Int64
    var seconds: Double
    var expectedSeconds: Double
    var fraction: Double
    var rate: Double
    /// The remaining time in seconds; null if unknown.
    @OrNull var remaining: Double?
    /// The path to play; null until the download is finished.
    @OrNull var path: String?

    @MainActor init(_ download: Download, isUnderWay: Bool = false) {
        let state = download.state
        let progress = download.progress
        id = download.id.uuidString
        title = download.title
        url = Credentials.removed(from: download.url.absoluteString)
        self.state = DownloadReport.word(state, isUnderWay: isUnderWay)
        error = state.error.map { "\($0)" }
        code = state.error?.code.rawValue
        bytes = progress.bytes
        expectedBytes = progress.expectedBytes
        seconds = progress.seconds.inThousandths
        expectedSeconds = progress.expectedSeconds.inThousandths
        fraction = state == .finished ? 1 : progress.fraction.inThousandths
        rate = progress.rate.rounded()
        remaining = progress.remaining?.inThousandths
        path = download.playableURL?.path
    }

    /// Returns the name of a state in reports.
    /// - Parameter isUnderWay: Whether another process runs the download.
    static func word(_ state: DownloadState, isUnderWay: Bool = false) -> String {
        switch state {
        case .queued: isUnderWay ? "downloading" : "queued"
        case .preparing: "preparing"
        case .downloading: "downloading"
        case .waiting: "waiting"
        case .paused: "paused"
        case .finished: "finished"
        case .failed: "failed"
        case .cancelled: "removed"
        }
    }

    var line: String { get throws(ToolFailure) { try ReportJSON.line(self) } }
}

/// The output of `zoetrope downloads list --json`.
struct DownloadListReport: Encodable {
    var library: String
    var totalBytes: Int64
    var downloads: [DownloadReport]
}
