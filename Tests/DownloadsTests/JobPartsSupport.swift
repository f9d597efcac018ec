import Foundation
import MediaCore
import Streaming
import TestSupport

@testable import Downloads

/// The environment of a job's parts: a record with one download, in a folder of its own, and a virtual network.
final class JobBench: Sendable {
    let root: DiskRoot
    let record: DownloadRecord
    let network: VirtualNetwork
    let row: DownloadRow
    let package: PackageRow

    init(
        _ url: String = "http://virtual.example/main.m3u8", options: DownloadOptions = .plain,
        _ respond: @escaping @Sendable (HTTPRequest, Int) -> VirtualAnswer = { _, _ in VirtualAnswer(404) }
    ) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-parts-\(UUID().uuidString)")
        root = try DiskRoot(folder.path)
        record = try DownloadRecord(in: root)
        network = VirtualNetwork(respond)
        guard let url = URL(string: url) else { throw SessionTestFailure(description: "no URL") }
        (row, package) = try record.write { database in
            let id = try database.insertPackage(asset: "asset", folder: "film.movpkg", source: url, title: "film")
            let row = DownloadRow(
                id: UUID(), package: id, url: url, options: options, needs: DownloadCredentials.Needs(),
                requestedState: .run,
                isFinished: false, failure: nil, added: Date(), place: 1, progress: DownloadProgress(), session: "",
                note: "")
            try database.store(row)
            guard let package = try database.package(id) else { throw SessionTestFailure(description: "no package") }
            return (row, package)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: root.path) }

    /// The folder of the download's package.
    var folder: PackageFolder { PackageFolder(library: root, folder: package.folder) }
    /// Runs the network, and the download actor after each event.
    func run(seconds: Double = 1000, until: () -> Bool = { false }) {
        network.run(seconds: seconds, settle: { DownloadActor.sync {} }, until: until)
    }
    /// A function that schedules a job's timers on the virtual clock.
    var schedule: JobTurn.Schedule {
        { [network] delay, body in
            network.schedule(at: network.time + max(0, delay)) { DownloadActor.enqueue(body) }
        }
    }

    /// Returns a media playlist of segments of six seconds.
    static func playlist(_ names: [String], first: Int = 0, isEnded: Bool = true) -> String {
        "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
            + names.map { "#EXTINF:6,\n\($0)\n" }.joined() + (isEnded ? "#EXT-X-ENDLIST\n" : "")
    }

    /// Adds a rendition to the record, with a playlist of `names` unless they are empty. The URL of audio differs from
    /// the download's.
    func rendition(_ names: [String] = [], kind: RenditionKind = .video) throws -> RenditionRow {
        let (row, package) = (row, package)
        let name = kind == .video ? "main" : kind.rawValue
        let url = kind == .video ? row.url : row.url.appendingPathExtension(name)
        let chosen = RenditionChoice.Chosen(kind: kind, name: name, url: url, tag: "", bitRate: 800_000)
        let rows = try record.write { database in
            try database.choose(chosen, variables: [:], package: package.id, download: row.id)
            for rendition in try database.renditions(of: row.id) where rendition.name == name && !names.isEmpty {
                try database.setPlaylist(JobBench.playlist(names), from: url, of: rendition.id)
            }
            return try database.renditions(of: row.id)
        }
        guard let rendition = rows.first(where: { $0.name == name }) else {
            throw SessionTestFailure(description: "no rendition")
        }
        return rendition
    }

    /// Simulates that `bytes` of an item have been received.
    @DownloadActor func arrive(_ item: ItemReference, _ bytes: [UInt8], in contents: DownloadContents) throws
        -> ArrivedItem
    {
        let file = try DiskFile.Handle(contents.temporaryPath(of: item))
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
        let digest = ContentDigest.Maker()
        bytes.withUnsafeBytes { digest.add($0) }
        return ArrivedItem(
            item: item,
            arrived: ItemTransfer.Arrived(
                file: file, length: Int64(bytes.count), digest: digest.finish(), validator: ""))
    }
}

/// The values that a closure was called with, in order.
@DownloadActor final class Heard<Value> {
    private(set) var all: [Value] = []
    nonisolated init() {}
    func add(_ value: Value) { all.append(value) }
}
