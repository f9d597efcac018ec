import Foundation
import TestSupport
import Testing

/// The gallery's pages beside the pictures that are kept of them in `Tests/References`.
///
/// `scripts/make-references` takes the pictures of pages that have changed anew.
@Suite("Reference images", .serialized)
struct ReferenceTests {
    private static let references = Repository.root.appendingPathComponent("Tests/References")
    /// Where what was seen in their place is left.
    private static let seen = Repository.root.appendingPathComponent(".generated/references")
    private static var makes: Bool { ReferenceGallery.task == "make" }
    private static let pages = 18

    /// For example `a-b-loop-poster-dark-narrow@2.webp`.
    private static func name(_ title: String, _ isDark: Bool, _ size: ReferenceGallery.Size, _ scale: Int) -> String {
        let words = title.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "-")
        return "\(words)-\(isDark ? "dark" : "light")-\(size)\(ReferenceGallery.ending(scale: scale))"
    }

    @Test(
        "every page matches its reference image in every size and appearance",
        arguments: [1, 2], [false, true])
    func page(scale: Int, isDark: Bool) async throws {
        let gallery = try await ReferenceGallery(scale: scale, isDark: isDark)
        var differing = 0
        for size in ReferenceGallery.Size.all {
            try await gallery.resize(size)
            // From the first page round to it again.
            let known = try Self.known(size, scale, isDark)
            var titles: [String] = []
            while titles.count < Self.pages {
                let title = titles.isEmpty ? try gallery.title() : try await gallery.next()
                titles.append(title)
                let name = Self.name(title, isDark, size, scale)
                if Self.makes {
                    try await Self.make(name, gallery, size, old: known[name])
                } else {
                    if try await !Self.looksAsKept(name, gallery, size, known[name]) { differing += 1 }
                    // Each page that differs takes the whole deadline. Where many do, three are enough to fail.
                    try #require(differing < 3, "and possibly more pages: scripts/make-references shows all")
                }
            }
            #expect(Set(titles).count == Self.pages && !titles.contains(""), "\(titles)")
            #expect(try await gallery.next() == titles.first)
        }
        #expect(gallery.app.child.exitCode == nil)
        #expect(!gallery.app.errors.contains("CRITICAL"), "\(gallery.app.errors)")
    }

    /// The pictures kept, by name.
    private static func known(_ size: ReferenceGallery.Size, _ scale: Int, _ isDark: Bool) throws -> [String:
        CellPicture]
    {
        let ending = "-\(isDark ? "dark" : "light")-\(size)\(ReferenceGallery.ending(scale: scale))"
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: references.path)) ?? [])
            .filter { $0.hasSuffix(ending) }.sorted()
        let cells = try CellPicture.read(
            names.map { references.appendingPathComponent($0) }, width: size.width, height: size.height)
        return Dictionary(uniqueKeysWithValues: zip(names, cells))
    }

    private static func looksAsKept(
        _ name: String, _ gallery: ReferenceGallery, _ size: ReferenceGallery.Size, _ expected: CellPicture?
    ) async throws -> Bool {
        guard let expected else {
            Issue.record("\(name) is not in Tests/References: scripts/make-references takes it")
            return false
        }
        // Pictures come, and what is laid out settles: until it looks so, or for as long as no machine needs.
        let found = try await offPool { () -> CellPicture.Difference? in
            let deadline = Deadline()
            var last: CellPicture.Difference?
            repeat {
                last = try gallery.cells(size)?.difference(from: expected)
                if last?.isChange == false { return last }
            } while !deadline.isPast
            return last
        }
        guard found?.isChange != false else { return true }
        let (shot, difference) = try leave(name, gallery, size)
        Issue.record(
            """
            \(name): \(found?.strong ?? 0) cells are quite different, \(found?.weak ?? 0) in all, \
            within \(found?.area.map { "\($0)" } ?? "nothing"); seen: \(shot), where it differs: \(difference). \
            If it is meant so, scripts/make-references keeps it.
            """)
        return false
    }

    /// Leaves what is seen and where it differs from the reference.
    private static func leave(_ name: String, _ gallery: ReferenceGallery, _ size: ReferenceGallery.Size) throws -> (
        String, String
    ) {
        try FileManager.default.createDirectory(at: seen, withIntermediateDirectories: true)
        let shot = seen.appendingPathComponent(name)
        let difference = seen.appendingPathComponent("difference-\(name)")
        try gallery.save(size, to: shot)
        try ChildProcess(
            "compare", ["-fuzz", "8%", references.appendingPathComponent(name).path, shot.path, difference.path]
        ).wait()
        return (shot.path, difference.path)
    }

    /// Takes the picture anew where it is another one.
    private static func make(
        _ name: String, _ gallery: ReferenceGallery, _ size: ReferenceGallery.Size, old: CellPicture?
    ) async throws {
        let found = try await offPool { () -> CellPicture? in
            let deadline = Deadline()
            var last = try gallery.cells(size)
            var since = Date()
            while !deadline.isPast {
                let now = try gallery.cells(size)
                if now != last { (last, since) = (now, Date()) }
                // Nobody waits for this but who makes them: what will still come has come by then. What looks as before
                // need not be waited for.
                if let old, let now, !now.difference(from: old).isChange { return now }
                if now != nil, Date().timeIntervalSince(since) > 2 { return now }
            }
            return nil
        }
        guard let found else {
            Issue.record("\(name) does not come to rest")
            return
        }
        if let old, !found.difference(from: old).isChange { return }
        try FileManager.default.createDirectory(at: references, withIntermediateDirectories: true)
        try gallery.save(size, to: references.appendingPathComponent(name))
        print("\(old == nil ? "new" : "changed"): \(name)")
    }
}
