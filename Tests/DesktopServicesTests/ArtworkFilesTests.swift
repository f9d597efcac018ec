import Foundation
import Testing

@testable import DesktopServices

@Suite("Artwork files for other programs")
struct ArtworkFilesTests {
    private let image = Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

    @Test("artwork is written to a new private folder, not a planted one")
    func planted() async throws {
        let files = FileManager.default
        let parent = files.temporaryDirectory.appendingPathComponent("zt-\(UUID().uuidString.prefix(8))")
        let others = parent.appendingPathComponent("others")
        try files.createDirectory(at: others, withIntermediateDirectories: true)
        defer { try? files.removeItem(at: parent) }
        // A link with a name that another user can predict.
        let name = "zoetrope-artwork-\(ProcessInfo.processInfo.processIdentifier)"
        try files.createSymbolicLink(
            atPath: parent.appendingPathComponent(name).path, withDestinationPath: others.path)
        let missing = parent.appendingPathComponent("missing")
        let file = try #require(await ArtworkFiles(in: [missing, parent]).file(for: image))
        #expect(try Data(contentsOf: file) == image)
        #expect(try files.contentsOfDirectory(atPath: others.path).isEmpty && !files.fileExists(atPath: missing.path))
        let attributes = try files.attributesOfItem(atPath: file.deletingLastPathComponent().path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
    }
}
