import Foundation
import GTK
import TestSupport
import Testing

/// Tests that compare the gallery's pages with the references in `Tests/References`. Each page has a text of its
/// elements in every variant, and an image in two variants.
///
/// `scripts/make-references` updates both for pages that have changed. They are made with GTK 4.8. Newer versions place text
/// and the parts of some controls up to two pixels elsewhere.
@Suite("Reference texts and images", .serialized)
struct ReferenceTests {
    private typealias Variant = ReferenceGallery.Variant

    private static let references = Repository.root.appendingPathComponent("Tests/References")
    /// The folder for the actual texts and images of failed comparisons.
    private static let seen = Repository.root.appendingPathComponent(".generated/references")
    private static var makes: Bool { ReferenceGallery.task == "make" }
    private static let pages = 18

    /// Returns the prefix of the page's file names, for example `a-b-loop-poster`.
    private static func name(_ title: String) -> String {
        title.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "-")
    }

    @Test(
        "every page matches its references in every size and appearance",
        .enabled(if: !GTKVersion.isAtLeast(minor: 9), "the references are made with GTK 4.8"),
        arguments: [1, 2], [false, true])
    func page(scale: Int, isDark: Bool) async throws {
        let gallery = try await ReferenceGallery(scale: scale, isDark: isDark)
        var differing = 0
        for size in ReferenceGallery.Size.all {
            let variant = Variant(isDark: isDark, size: size, scale: scale)
            try await gallery.resize(size)
            let images = try Self.images(variant)
            // Visit all pages, from the first one until it comes again.
            var titles: [String] = []
            while titles.count < Self.pages {
                let title = titles.isEmpty ? try gallery.title() : try await gallery.next()
                titles.append(title)
                let name = Self.name(title)
                let image = "\(name)-\(variant).png"
                if Self.makes {
                    try await Self.makeText(name, gallery, variant)
                    if variant.hasImage { try await Self.makeImage(image, gallery, size, old: images[image]) }
                    continue
                }
                var matches = try await Self.textMatches(name, gallery, variant)
                if matches, variant.hasImage {
                    matches = try await Self.looksAsKept(image, gallery, size, images[image])
                }
                if !matches { differing += 1 }
                // Each page that differs takes the whole deadline, so stop after three of them.
                try #require(differing < 3, "and possibly more pages: scripts/make-references shows all")
            }
            #expect(Set(titles).count == Self.pages && !titles.contains(""), "\(titles)")
            #expect(try await gallery.next() == titles.first)
        }
        #expect(gallery.app.child.exitCode == nil)
        #expect(!gallery.app.errors.contains("CRITICAL"), "\(gallery.app.errors)")
    }

    @Test("each page has a text and two images", .enabled(if: ReferenceGallery.task != "make"))
    func files() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.references.path)
        #expect(names.filter { $0.hasSuffix(".txt") }.count == Self.pages)
        #expect(names.filter { $0.hasSuffix(".png") }.count == Self.pages * 2)
        #expect(names.count == Self.pages * 3, "\(names)")
    }

    // MARK: texts

    private static func file(_ name: String) -> URL { references.appendingPathComponent("\(name).txt") }

    private static func kept(_ name: String) -> ReferenceText {
        ReferenceText((try? String(contentsOf: file(name), encoding: .utf8)) ?? "")
    }

    private static func textMatches(_ name: String, _ gallery: ReferenceGallery, _ variant: Variant) async throws
        -> Bool
    {
        guard let expected = kept(name).variants[variant] else {
            Issue.record("Tests/References/\(name).txt has no \(variant): scripts/make-references writes it")
            return false
        }
        // Players load and the layout settles, so repeat until the elements are equal or the deadline has passed.
        let other = try await offPool { () -> [String]? in
            var last: [String] = []
            let isSame = try Deadline().poll { () -> Bool? in
                last = try gallery.elements()
                return last == expected ? true : nil
            }
            return isSame == true ? nil : last
        }
        guard let other else { return true }
        try FileManager.default.createDirectory(at: seen, withIntermediateDirectories: true)
        let file = seen.appendingPathComponent("\(name)-\(variant).txt")
        try (other.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
        Issue.record(
            """
            \(name).txt, \(variant):
            \(ReferenceText.differences(expected: expected, actual: other))
            All that was seen: \(file.path). If it is meant so, scripts/make-references keeps it.
            """)
        return false
    }

    /// Writes the text again if it has changed.
    private static func makeText(_ name: String, _ gallery: ReferenceGallery, _ variant: Variant) async throws {
        var page = kept(name)
        let old = page.variants[variant]
        guard let found = try await atRest({ try gallery.elements() }, isKept: { $0 == old }) else {
            Issue.record("\(name).txt, \(variant), keeps changing")
            return
        }
        guard found != old else { return }
        page.variants[variant] = found
        try FileManager.default.createDirectory(at: references, withIntermediateDirectories: true)
        try page.text.write(to: file(name), atomically: true, encoding: .utf8)
        print("\(old == nil ? "new" : "changed"): \(name).txt, \(variant)")
    }

    // MARK: images

    /// The reference images of a variant, by file name.
    private static func images(_ variant: Variant) throws -> [String: CellPicture] {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: references.path)) ?? [])
            .filter { $0.hasSuffix("-\(variant).png") }.sorted()
        let cells = try CellPicture.read(
            names.map { references.appendingPathComponent($0) }, width: variant.size.width,
            height: variant.size.height)
        return Dictionary(uniqueKeysWithValues: zip(names, cells))
    }

    private static func looksAsKept(
        _ name: String, _ gallery: ReferenceGallery, _ size: ReferenceGallery.Size, _ expected: CellPicture?
    ) async throws -> Bool {
        guard let expected else {
            Issue.record("\(name) is not in Tests/References; scripts/make-references creates it")
            return false
        }
        // Frames and images appear after the layout, so repeat.
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

    /// Saves the actual image, and an image of its differences from the reference. Returns both paths.
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

    /// Writes the image again if it has changed.
    private static func makeImage(
        _ name: String, _ gallery: ReferenceGallery, _ size: ReferenceGallery.Size, old: CellPicture?
    ) async throws {
        let isKept: @Sendable (CellPicture) -> Bool = { cells in
            old.map { !cells.difference(from: $0).isChange } ?? false
        }
        guard let found = try await atRest({ try gallery.cells(size) }, isKept: isKept) else {
            Issue.record("\(name) keeps changing")
            return
        }
        guard !isKept(found) else { return }
        try FileManager.default.createDirectory(at: references, withIntermediateDirectories: true)
        try gallery.save(size, to: references.appendingPathComponent(name))
        print("\(old == nil ? "new" : "changed"): \(name)")
    }

    /// Waits until `look` returns a value that `isKept` accepts, or the same value for two seconds. Returns nil if the
    /// value keeps changing.
    ///
    /// Only the making of references waits for this, so that all later changes have happened.
    private static func atRest<Seen: Equatable & Sendable>(
        _ look: @escaping @Sendable () throws -> Seen?, isKept: @escaping @Sendable (Seen) -> Bool
    ) async throws -> Seen? {
        try await offPool {
            var last: Seen?
            var since = Date()
            return try Deadline().poll {
                let now = try look()
                if now != last { (last, since) = (now, Date()) }
                guard let now, isKept(now) || Date().timeIntervalSince(since) > 2 else { return nil }
                return now
            }
        }
    }
}
