import Foundation

/// The jobs of a library, in the order in which they were added.
struct JobList {
    private(set) var jobs: [UUID: DownloadJob] = [:]
    private(set) var order: [UUID] = []

    subscript(id: UUID) -> DownloadJob? { jobs[id] }

    /// Appends a job. The list must not contain `id` yet.
    mutating func add(_ job: DownloadJob, _ id: UUID) {
        jobs[id] = job
        order.append(id)
    }

    mutating func remove(_ id: UUID) {
        jobs[id] = nil
        order.removeAll { $0 == id }
    }
}
